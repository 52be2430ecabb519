/** Processes as the system sees them, and folders that go away with a test. */
import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"
import type { Launch } from "../../../../src/engine/lsp/Child.ts"

/** Whether a process runs; one that only waits to be reaped does not. */
export const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const state = execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim()
  return state !== "" && !state.startsWith("Z")
}

/** Looks again and again until something holds, at most ten seconds. */
export const eventually = async (holds: () => boolean): Promise<boolean> => {
  for (let i = 0; i < 500; i++) {
    if (holds()) return true
    await new Promise((resume) => setTimeout(resume, 20))
  }
  return holds()
}

const folders: Array<string> = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder with these files, removed after the tests of the file. */
export const folder = (files: { readonly [path: string]: string } = {}): string => {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "portico-lsp-")))
  folders.push(made)
  write(made, files)
  return made
}

/** Writes files below a folder. */
export const write = (into: string, files: { readonly [path: string]: string }): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(into, path)), { recursive: true })
    writeFileSync(join(into, path), text)
  }
}

const script = fileURLToPath(new URL("scripted.mjs", import.meta.url))

/** What the scripted server is to do; see `scripted.mjs`. */
export interface Plan {
  readonly log?: string
  readonly capabilities?: object
  readonly diesAtStart?: boolean
  readonly deaf?: boolean
  readonly prints?: string
  readonly child?: boolean
  /** Reads with pauses, so that who writes must wait. */
  readonly slow?: boolean
  readonly ballastMiB?: number
  readonly silentOn?: ReadonlyArray<string>
  readonly diesOn?: ReadonlyArray<string>
  readonly refuses?: { readonly [method: string]: number }
  readonly answers?: { readonly [method: string]: unknown }
  readonly asks?: ReadonlyArray<object>
  readonly says?: ReadonlyArray<object>
  readonly saysAfter?: { readonly [method: string]: ReadonlyArray<object> }
}

/** How to start the scripted server. */
export const scripted = (plan: Plan): Launch => ({
  command: process.execPath,
  args: [script, JSON.stringify(plan)]
})

/** What the scripted server was told, message by message, and what it said of itself. */
export const logged = (path: string): ReadonlyArray<{ readonly [key: string]: unknown }> =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        // What follows the last line feed is still being written.
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { readonly [key: string]: unknown })
    : []
