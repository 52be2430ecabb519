import { execFileSync } from "node:child_process"
import {
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { isMainThread } from "node:worker_threads"

const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_CONFIG_NOSYSTEM: "1",
  LC_ALL: "C"
}

/** A folder that is removed when the test ends. */
export class TempFolder {
  readonly path: string

  constructor() {
    this.path = realpathSync(mkdtempSync(join(tmpdir(), "portico-files-")))
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  /** Absolute path of something in the folder. */
  at(...parts: ReadonlyArray<string>): string {
    return join(this.path, ...parts)
  }

  write(path: string, content: string | Uint8Array = `${path}\n`): string {
    const absolute = this.at(path)
    mkdirSync(dirname(absolute), { recursive: true })
    writeFileSync(absolute, content)
    return absolute
  }

  /** Runs the real git and returns its output. */
  git(folder: string, ...args: ReadonlyArray<string>): string {
    return execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
      cwd: this.at(folder),
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"]
    })
  }

  init(folder = ""): void {
    mkdirSync(this.at(folder), { recursive: true })
    this.git(folder, "init", "-q", "-b", "main")
  }

  commit(folder: string, subject: string): string {
    this.git(folder, "add", "-A")
    this.git(folder, "commit", "-q", "--allow-empty", "-m", subject)
    return this.git(folder, "rev-parse", "HEAD").trim()
  }
}

/**
 * Runs something as a user who can be denied access. As root that takes a change of the effective user (with the folder
 * given to it); null when this process cannot change it, so that the caller can skip honestly.
 */
export const withoutPrivilege = async <A>(temp: TempFolder, run: () => A | Promise<A>): Promise<A | null> => {
  if (process.getuid?.() !== 0) return run()
  if (process.seteuid === undefined || !isMainThread) return null
  const nobody = 65534
  const give = (path: string): void => {
    lchownSync(path, nobody, nobody)
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name))
  }
  give(temp.path)
  const home = process.env["HOME"]
  process.env["HOME"] = temp.path
  process.seteuid(nobody)
  try {
    return await run()
  } finally {
    process.seteuid(0)
    if (home === undefined) delete process.env["HOME"]
    else process.env["HOME"] = home
  }
}

/** NUL-separated output as a sorted list. */
export const nulList = (output: string): Array<string> =>
  output
    .split("\0")
    .filter((item) => item !== "")
    .sort()
