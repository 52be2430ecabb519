import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach } from "vitest"

/** Absolute path of this repository's top level. */
export const top = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..")

const made: Array<string> = []

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true })
})

/** A new directory holding `files` (path → text), removed after the test. */
export const directoryOf = (files: Record<string, string>): string => {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "portico-build-")))
  made.push(directory)
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(directory, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return directory
}

/** Like `directoryOf`, with our build scripts in it, so that they take the directory for the top level. */
export const checkoutOf = (
  files: Record<string, string>,
  options: { readonly installed: boolean }
): string => {
  const directory = directoryOf(files)
  cpSync(path.join(top, "src/build"), path.join(directory, "src/build"), { recursive: true })
  if (options.installed) symlinkSync(path.join(top, "node_modules"), path.join(directory, "node_modules"))
  return directory
}

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs node on `file` (relative to `cwd`) and waits for its end. */
export const node = (
  cwd: string,
  [file, ...args]: ReadonlyArray<string>,
  env: Record<string, string> = {}
): Ran =>
  spawnSync(process.execPath, [path.resolve(cwd, file ?? ""), ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env }
  })

/** The lines a program printed. */
export const lines = (ran: Ran): ReadonlyArray<string> => ran.stdout.split("\n").filter((line) => line !== "")
