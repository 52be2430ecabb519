/** The labelled corpus: every line marked `TAINTED` is a sink that a source reaches, every line marked `CLEAN` is not. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = new URL("../../../fixtures/flow/taint/", import.meta.url).pathname

export interface Case {
  readonly language: string
  readonly path: string
  readonly line: number
  readonly tainted: boolean
}

export const files: { readonly [path: string]: string } = Object.fromEntries(
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((folder) =>
      readdirSync(join(root, folder.name)).map((name) => [
        // The compiler of this repository has no business with them.
        `${folder.name}/${name.replace(/\.txt$/, "")}`,
        readFileSync(join(root, folder.name, name), "utf8")
      ])
    )
)

export const patterns = JSON.parse(readFileSync(join(root, "patterns.json"), "utf8")) as {
  readonly [language: string]: { readonly source: string; readonly sink: string }
}

export const cases: ReadonlyArray<Case> = Object.entries(files).flatMap(([path, text]) =>
  text.split("\n").flatMap((line, i) => {
    const mark = /\b(TAINTED|CLEAN)\b/.exec(line)
    return mark === null
      ? []
      : [{ language: path.slice(0, path.indexOf("/")), path, line: i + 1, tainted: mark[1] === "TAINTED" }]
  })
)
