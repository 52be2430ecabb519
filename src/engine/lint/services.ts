/** Finds linters on this machine and runs them on one file, each in a process that is gone afterwards. */
import { Effect } from "effect"
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs"
import { delimiter, dirname, isAbsolute, join, relative, sep } from "node:path"
import type { LinterRun, LinterSkip, LintFinding, LintReader } from "../../services/LintReader.ts"
import { isBelow } from "../files/Confine.ts"
import { acquire } from "../lsp/Child.ts"
import { lintedLanguages, type Linter, linters } from "./Linters.ts"

export interface LintersOptions {
  /** Absolute folder of the workspace. */
  readonly root: string
  /** Whether programs and settings of the repository may run. A word of the user, never of the repository. */
  readonly trusted: boolean
  /** Instead of the PATH of this process. */
  readonly path?: string | undefined
}

const mostPrinted = 8 << 20
const hint = "PORTICO_TRUST_WORKSPACE=1 in the environment of the server lets linters of the repository run"

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
const real = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** Folders of the workspace that hold its own programs, the nearest to a file first. */
const ownFolders = (root: string, path: string): ReadonlyArray<string> => {
  const out: Array<string> = []
  for (let dir = dirname(join(root, path)); isBelow(root, dir); dir = dirname(dir)) {
    out.push(join(dir, "node_modules", ".bin"), join(dir, ".venv", "bin"), join(dir, "venv", "bin"))
    if (dir === root) break
  }
  return out
}

/** The nearest folder at or above a file that holds another one. */
const folderWith = (root: string, path: string, base: string): string | undefined => {
  for (let dir = dirname(join(root, path)); isBelow(root, dir); dir = dirname(dir)) {
    if (existsSync(join(dir, base))) return dir
    if (dir === root) break
  }
  return undefined
}

const nameIn = (folder: string, program: string): string | undefined =>
  (process.platform === "win32" ? [`${program}.exe`, `${program}.cmd`] : [program])
    .map((name) => join(folder, name))
    .find(isProgram)

type Found = { readonly command: string; readonly source: LinterRun["source"] } | Omit<LinterSkip, "linter">

export const lintReader = ({ path: given, root: asGiven, trusted }: LintersOptions): LintReader["Type"] => {
  const root = real(asGiven)
  const onPath = (program: string): string | undefined => {
    for (const folder of (given ?? process.env["PATH"] ?? "").split(delimiter)) {
      // A folder of the workspace on PATH holds programs of the workspace.
      if (!isAbsolute(folder) || (!trusted && isBelow(root, real(folder)))) continue
      const found = nameIn(folder, program)
      if (found !== undefined) return found
    }
    return undefined
  }
  const find = (linter: Linter, path: string): Found => {
    const own = ownFolders(root, path)
      .map((folder) => nameIn(folder, linter.program))
      .find((each) => each !== undefined)
    if (own !== undefined && trusted) return { command: own, source: "workspace" }
    const outside = onPath(linter.program)
    if (outside !== undefined && (trusted || !linter.runsCode)) return { command: outside, source: "path" }
    if (own !== undefined || outside !== undefined)
      return {
        reason: "untrusted",
        detail: `${linter.id} ${own === undefined ? "runs code of the repository" : "is a program of the repository"}, which is not trusted; ${hint}`
      }
    return { reason: "absent", detail: `${linter.program} is neither in the workspace nor on PATH` }
  }

  const run = (
    linter: Linter,
    command: string,
    file: Parameters<LintReader["Type"]["lint"]>[0]
  ): Effect.Effect<ReadonlyArray<LintFinding> | Omit<LinterSkip, "linter">> =>
    Effect.scoped(
      Effect.gen(function* () {
        const folder = linter.from === undefined ? root : folderWith(root, file.path, linter.from)
        if (folder === undefined)
          return { reason: "failed" as const, detail: `there is no ${linter.from} above the file` }
        const inside = relative(folder, join(root, file.path)).split(sep).join("/")
        // A name that begins like an option is none.
        const path = inside.startsWith("-") ? `./${inside}` : inside
        const child = yield* acquire({ command, args: linter.args(path) }, folder, () => Effect.void, 0)
        let printed = ""
        child.process.stdout.setEncoding("utf8")
        child.process.stdout.on("data", (piece: string) => {
          if (printed.length < mostPrinted) printed += piece
        })
        child.process.stdin.end(linter.stdin ? file.text : undefined)
        const ending = yield* Effect.timeoutOption(child.ended, file.timeout_ms)
        if (ending._tag === "None")
          return {
            reason: "timeout" as const,
            detail: `${linter.id} did not end within ${file.timeout_ms} ms`
          }
        if (ending.value.error !== undefined)
          return {
            reason: "failed" as const,
            detail: `${linter.id} could not be started: ${ending.value.error}`
          }
        const complaint = child.stderrTail()
        try {
          return linter.read(printed, complaint, path)
        } catch {
          const last = complaint.trim().split("\n").slice(-3).join(" ").replaceAll(root, ".").slice(0, 300)
          return {
            reason: "failed" as const,
            detail: `${linter.id} ended with ${ending.value.code ?? ending.value.signal ?? "nothing"}${last === "" ? "" : `: ${last}`}`
          }
        }
      })
    )

  return {
    languages: lintedLanguages,
    lint: (file) =>
      Effect.gen(function* () {
        const ran: Array<LinterRun> = []
        const skipped: Array<LinterSkip> = []
        const findings: Array<LintFinding> = []
        for (const linter of linters) {
          if (!linter.languages.includes(file.language)) continue
          const found = find(linter, file.path)
          if ("reason" in found) {
            skipped.push({ linter: linter.id, ...found })
            continue
          }
          if (file.overlay && !linter.stdin) {
            skipped.push({
              linter: linter.id,
              reason: "overlay",
              detail: `${linter.id} reads files, and this text is only in the session's overlay`
            })
            continue
          }
          const result = yield* run(linter, found.command, file)
          if ("reason" in result) skipped.push({ linter: linter.id, ...result })
          else {
            ran.push({ linter: linter.id, source: found.source, findings: result.length })
            findings.push(...result)
          }
        }
        findings.sort((a, b) => a.line - b.line || a.column - b.column || (a.linter < b.linter ? -1 : 1))
        return { ran, skipped, findings }
      })
  }
}
