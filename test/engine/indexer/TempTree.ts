import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** A folder of files that is removed when the test ends. */
export class TempTree {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "portico-indexer-")))

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) this.write(path, content)
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  at(path: string): string {
    return join(this.root, path)
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.at(path)), { recursive: true })
    writeFileSync(this.at(path), content)
  }
}
