/** Finds the server of a row on this machine: named in the configuration, installed beside this program, or on PATH. */
import { Duration, Effect } from "effect"
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { delimiter, isAbsolute, join, sep } from "node:path"
import { isBelow } from "../files/Confine.ts"
import { acquire, type Launch } from "./Child.ts"
import { NoServer, Untrusted } from "./LspFailure.ts"
import type { Candidate, ServerRow } from "./ServerRow.ts"
import type { Settings } from "./Server.ts"
import { atLeast, versionIn } from "./Version.ts"

/** What a user may say about one server. All but `enabled` runs code and counts only in a trusted workspace. */
export interface ServerSettings {
  readonly enabled?: boolean
  /** Program and arguments instead of the ones this program would find. */
  readonly command?: ReadonlyArray<string>
  /** Laid over the row's settings, section by section. */
  readonly settings?: Settings
  /** Instead of the row's. */
  readonly initOptions?: unknown
}

/** What a user may say about servers, by the id of their row. */
export interface LanguageServerSettings {
  readonly [id: string]: ServerSettings
}

/** A server that can be started. */
export interface Found {
  readonly row: ServerRow
  readonly launch: Launch
  /** Undefined when it did not say. */
  readonly version: string | undefined
  readonly source: "config" | "dependency" | "path" | "workspace"
  /** What it is, in words without a machine's paths: a program's or a package's name. */
  readonly shown: string
  readonly settings: Settings
  readonly initOptions: unknown
}

export interface DiscoveryOptions {
  /** The workspace's root: absolute, without symbolic links. */
  readonly root: string
  readonly settings?: LanguageServerSettings
  /** Whether programs the repository brings may be run. A word of the user, never of the repository. */
  readonly trusted?: boolean
  /** Folders to look for packages in, as `node_modules` is looked for from there. Default: this program's own. */
  readonly packagesFrom?: ReadonlyArray<string>
  /** Instead of the PATH of this process. */
  readonly path?: string
}

const probeMillis = 3000

/** What a probe said, by program and its modification time. */
const probed = new Map<string, Promise<Probe>>()
type Probe = { readonly version: string | undefined } | { readonly refused: string }

const runProbe = (command: string, args: ReadonlyArray<string>): Effect.Effect<Probe> =>
  Effect.scoped(
    Effect.gen(function* () {
      const child = yield* acquire({ command, args }, tmpdir(), () => Effect.void, 0)
      let text = ""
      child.process.stdout.setEncoding("utf8")
      child.process.stdout.on("data", (piece: string) => {
        text = (text + piece).slice(0, 10_000)
      })
      child.process.stdin.end()
      const ending = yield* Effect.timeoutOption(child.ended, Duration.millis(probeMillis))
      if (ending._tag === "None")
        return { refused: `did not print its version within ${probeMillis / 1000} s` }
      const { code, error } = ending.value
      if (error !== undefined) return { refused: `could not be started (${error})` }
      if (code !== 0) {
        const said = (child.stderrTail().trim() || text.trim()).split("\n")[0]?.slice(0, 120)
        return {
          refused: `did not print its version${said === undefined || said === "" ? "" : ` but "${said}"`}`
        }
      }
      return { version: versionIn(text) ?? versionIn(child.stderrTail()) }
    })
  )

/** Runs a program with its version words, at most 3 s; what it said is kept until the program changes. */
export const probe = (command: string, args: ReadonlyArray<string>): Effect.Effect<Probe> =>
  Effect.promise(() => {
    let stamp: string
    try {
      const { mtimeMs, size, ino } = statSync(command)
      stamp = `${mtimeMs} ${size} ${ino}`
    } catch {
      return Promise.resolve({ refused: "is not there" })
    }
    const key = [command, stamp, ...args].join("\0")
    let asked = probed.get(key)
    if (asked === undefined) probed.set(key, (asked = Effect.runPromise(runProbe(command, args))))
    return asked
  })

const isFile = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const resolved = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

const merged = (base: Settings, over: Settings): Settings => {
  const out: { [section: string]: unknown } = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const before = out[key]
    out[key] =
      typeof before === "object" &&
      before !== null &&
      !Array.isArray(before) &&
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value)
        ? merged(before as Settings, value as Settings)
        : value
  }
  return out
}

/** Settings with others laid over them, member by member; lists are replaced whole. */
export const overlaid = merged

/** Finds servers of one workspace. */
export interface Discovery {
  /** Fails with `Untrusted` when there is one that may not start here, and with `NoServer` when there is none. */
  readonly find: (row: ServerRow) => Effect.Effect<Found, NoServer | Untrusted>
}

export const make = (options: DiscoveryOptions): Discovery => {
  const trusted = options.trusted === true
  const lookups = (options.packagesFrom ?? []).map((folder) => createRequire(join(folder, "package.json")))
  if (options.packagesFrom === undefined) lookups.push(createRequire(import.meta.url))

  const directoryOf = (name: string): string | undefined => {
    for (const lookup of lookups) {
      for (const modules of lookup.resolve.paths(name) ?? []) {
        const directory = join(modules, name)
        if (existsSync(join(directory, "package.json"))) return directory
      }
    }
    return undefined
  }

  const folders = (): ReadonlyArray<string> =>
    (options.path ?? process.env["PATH"] ?? "")
      .split(delimiter)
      .filter((folder) => isAbsolute(folder))
      // A folder of the workspace on PATH (as `npx` puts it there) holds programs of the workspace.
      .filter((folder) => trusted || !isBelow(options.root, resolved(folder)))

  const program = (name: string, within: ReadonlyArray<string>): string | undefined => {
    const names = process.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name]
    for (const folder of within)
      for (const file of names) if (isFile(join(folder, file))) return join(folder, file)
    return undefined
  }

  type Tried =
    | { readonly launch: Launch; readonly version: string | undefined; readonly shown: string }
    | string

  const newEnough = (row: ServerRow, version: string | undefined): boolean =>
    row.minVersion === undefined || version === undefined || atLeast(version, row.minVersion)

  const ofPackage = (row: ServerRow, candidate: Extract<Candidate, { kind: "package" }>): Tried => {
    const { name } = candidate
    const directory = directoryOf(name)
    if (directory === undefined) return `package ${name} is not installed`
    for (const other of candidate.needs ?? [])
      if (directoryOf(other) === undefined) return `package ${name} needs ${other}, which is not installed`
    let version: string | undefined
    try {
      const described = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
        version?: unknown
      }
      version = typeof described.version === "string" ? versionIn(described.version) : undefined
    } catch {
      return `package ${name} cannot be read`
    }
    if (!newEnough(row, version)) return `package ${name} is ${version}, below ${row.minVersion}`
    const native = candidate.native?.(directory)
    if (native !== undefined)
      return { launch: { command: native, args: candidate.args }, version, shown: name }
    const script = join(directory, candidate.script)
    if (!existsSync(script)) return `package ${name} has no ${candidate.script}`
    return { launch: { command: process.execPath, args: [script, ...candidate.args] }, version, shown: name }
  }

  const ofProgram = (
    row: ServerRow,
    candidate: Extract<Candidate, { kind: "program" }>,
    within: ReadonlyArray<string>,
    where: string
  ): Effect.Effect<Tried> =>
    Effect.gen(function* () {
      const { name, args } = candidate
      const command = program(name, within)
      if (command === undefined) return `${name} is not ${where}`
      const launch = { command, args }
      const words = candidate.versionArgs ?? ["--version"]
      if (words.length === 0) return { launch, version: undefined, shown: name }
      const said = yield* probe(command, words)
      if ("refused" in said) return `${name} ${where} ${said.refused}`
      if (!newEnough(row, said.version)) return `${name} ${where} is ${said.version}, below ${row.minVersion}`
      return { launch, version: said.version, shown: name }
    })

  const search = (row: ServerRow): Effect.Effect<Found, NoServer> =>
    Effect.gen(function* () {
      const own = options.settings?.[row.id] ?? {}
      const tried: Array<string> = []
      const found = ({ launch, version, shown }: Exclude<Tried, string>, source: Found["source"]): Found => ({
        row,
        launch: { ...launch, env: { ...row.env, ...launch.env } },
        version,
        source,
        shown,
        settings:
          trusted && own.settings !== undefined
            ? merged(row.settings ?? {}, own.settings)
            : (row.settings ?? {}),
        initOptions:
          trusted && own.initOptions !== undefined ? own.initOptions : row.initOptions?.(directoryOf)
      })
      if (own.enabled === false) {
        return yield* new NoServer({
          language: languageOf(row),
          tried: [`${row.id} is switched off in the configuration`],
          hint: `Set "enabled" of ${row.id} to have it.`
        })
      }
      const [command, ...args] = own.command ?? []
      if (command !== undefined) {
        if (trusted) {
          const absolute = isAbsolute(command) ? command : program(command, folders())
          if (absolute !== undefined && isFile(absolute))
            return found(
              {
                launch: { command: absolute, args },
                version: undefined,
                shown: command.split(sep).at(-1) ?? command
              },
              "config"
            )
          // What the user asked for by name is not silently replaced by something else.
          return yield* new NoServer({
            language: languageOf(row),
            tried: [`the program configured for ${row.id} is not there`],
            hint: `Correct "command" of ${row.id}, or remove it.`
          })
        }
        tried.push(`the program configured for ${row.id} is not run: the workspace is not trusted`)
      }
      for (const candidate of row.candidates) {
        if (candidate.kind !== "package") continue
        const one = ofPackage(row, candidate)
        if (typeof one !== "string") return found(one, "dependency")
        tried.push(one)
      }
      const missing: Array<string> = []
      for (const candidate of row.candidates) {
        if (candidate.kind !== "program") continue
        if (program(candidate.name, folders()) === undefined) {
          missing.push(candidate.name)
          continue
        }
        const one = yield* ofProgram(row, candidate, folders(), "on PATH")
        if (typeof one !== "string") return found(one, "path")
        tried.push(one)
      }
      const [name, ...others] = missing
      if (name !== undefined)
        tried.push(
          others.length === 0 ? `${name} is not on PATH` : `none of ${missing.join(", ")} is on PATH`
        )
      if (trusted) {
        const bin = join(options.root, "node_modules", ".bin")
        for (const candidate of row.candidates) {
          if (candidate.kind !== "program" || !existsSync(bin)) continue
          const one = yield* ofProgram(row, candidate, [bin], "in the workspace")
          if (typeof one !== "string") return found(one, "workspace")
        }
      }
      return yield* new NoServer({ language: languageOf(row), tried, hint: row.hint })
    })

  return {
    find: (row) =>
      Effect.flatMap(
        search(row),
        (found): Effect.Effect<Found, Untrusted> =>
          row.runsWorkspaceCode && !trusted
            ? Effect.fail(new Untrusted({ server: row.id }))
            : Effect.succeed(found)
      )
  }
}

const languageOf = (row: ServerRow): string =>
  [...new Set(row.documents.map(({ language }) => language))].join(", ")
