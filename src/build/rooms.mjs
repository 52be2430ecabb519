/**
 * The room rules: which part of src/ may import which. `node src/build/rooms.mjs [TOP]` prints one line for
 * each import that breaks them and exits with 1 if there is one.
 */
import path from "node:path"
import { isProgram, root } from "./paths.mjs"
import { importsOf, parseSource, sourceFiles } from "./sources.mjs"

const anything = () => true
const types = ({ typeOnly }) => typeOnly
/** The engine names places, reports progress, takes turns and fails in the contract's words; everything else of the registry is only types to it. */
const words = ({ typeOnly, file }) =>
  typeOnly || /^src\/registry\/(Failure|Place|Progress|CallInfo|Turns)\.ts$/.test(file)

/** For each room, the rooms it may import, and which of their imports pass. */
export const rooms = {
  algorithms: {},
  registry: { services: anything },
  services: { registry: types },
  facades: { registry: anything, services: anything, algorithms: anything },
  engine: { services: anything, registry: words, algorithms: anything },
  surface: { registry: anything },
  policy: { registry: anything },
  telemetry: { registry: anything, surface: anything, hosts: anything },
  pipeline: {
    registry: anything,
    services: anything,
    surface: anything,
    policy: anything,
    telemetry: anything
  },
  transports: {
    pipeline: anything,
    surface: anything,
    policy: anything,
    telemetry: anything,
    hosts: anything
  },
  hosts: {},
  console: {},
  build: {
    registry: anything,
    facades: anything,
    surface: anything,
    policy: anything,
    pipeline: anything,
    telemetry: anything,
    engine: anything,
    transports: anything,
    hosts: anything
  }
}

/** Files beside the rooms. They may import everything; no room may import them. */
const entries = new Set(["main.ts", "layers.ts"])

const roomOf = (file) => file.split("/")[1]

const complaint = (file, { specifier, typeOnly }) => {
  const room = roomOf(file)
  if (specifier === undefined) return "loads a module whose name is not a literal"
  if (!specifier.startsWith(".")) {
    if (room === "services" && !typeOnly && specifier !== "effect" && !specifier.startsWith("effect/"))
      return `imports ${specifier}: services hold tags and types only`
    if (room === "algorithms") return `imports ${specifier}: algorithms need nothing`
    return undefined
  }
  const target = path.posix.join(path.posix.dirname(file), specifier)
  if (!target.startsWith("src/")) return entries.has(room) ? undefined : `imports ${target}, outside src/`
  const other = roomOf(target)
  if (other === room || entries.has(room)) return undefined
  const allowed = rooms[room]
  if (allowed === undefined) return `is in no known room (src/${room})`
  if (entries.has(other)) return `imports ${target}: only the entry files know it`
  const passes = allowed[other]
  if (passes === undefined) return `imports ${target}: ${room} may not import ${other}`
  if (!passes({ typeOnly, file: target }))
    return `imports ${target}: ${room} may import only types of ${other}`
  return undefined
}

/** Every broken rule below `top`, as `file:line complaint`. */
export const brokenRules = (top) =>
  sourceFiles(top).flatMap((file) => {
    const room = roomOf(file)
    if (!(room in rooms) && !entries.has(room)) return [`${file}:1 is in no known room (src/${room})`]
    return importsOf(parseSource(top, file)).flatMap((edge) => {
      const text = complaint(file, edge)
      return text === undefined ? [] : [`${file}:${edge.line} ${text}`]
    })
  })

if (isProgram(import.meta.url)) {
  const broken = brokenRules(path.resolve(process.argv[2] ?? root))
  for (const line of broken) process.stdout.write(`${line}\n`)
  process.exitCode = broken.length > 0 ? 1 : 0
}
