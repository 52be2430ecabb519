/** The command's entry. It loads what the command at hand needs and nothing more. */
import manifest from "../package.json" with { type: "json" }
import { checkHomes } from "./engine/workspace/Home.ts"
import { boundNursery, limitNursery } from "./engine/workspace/Nursery.ts"

const [command, ...rest] = process.argv.slice(2)
const loadLayers = () => import("./layers.ts")
/** For commands that find out on the way that something is kept. */
const loadChecked = async () => {
  checkHomes()
  return loadLayers()
}
const loadEngine = () => loadLayers().then(({ openEngine }) => openEngine)
const loadServer = () => {
  // Most of what loading the engine makes stays, and the nursery would grow by it for good.
  limitNursery()
  return loadEngine()
}

const fail = (cause: unknown): void => {
  process.stderr.write(`portico: ${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = 1
}

/** Ends with an exit code, once whatever was printed is out; nothing that is left running holds it up. */
const end = (code: number): void => void process.stdout.write("", () => process.exit(code))

if (command === "mcp") {
  import("./transports/mcp/command.ts")
    .then(({ mcp }) => {
      // Told at once, where whoever starts the server looks.
      checkHomes()
      return mcp(rest, {
        version: manifest.version,
        loadEngine: loadServer
      })
    })
    .catch(fail)
} else if (command === "serve") {
  // The first clients may come before the engine is there, and what is made for them would let the nursery grow for good.
  boundNursery()
  import("./transports/http/command.ts")
    .then(({ serve }) =>
      serve(rest, {
        version: manifest.version,
        loadEngine: async () => {
          // A server that listens has time for it.
          const { counted } = await import("./transports/cli/Counted.ts")
          counted([command], command)
          checkHomes()
          return loadServer()
        }
      })
    )
    .then(end, fail)
} else {
  import("./transports/cli/run.ts")
    .then(({ run }) =>
      run(process.argv.slice(2), {
        version: manifest.version,
        loadEngine: () => loadChecked().then(({ openEngine }) => openEngine),
        loadRecords: () => loadChecked().then(({ openRecords }) => openRecords),
        loadInspect: () => import("./layers.ts").then(({ inspect }) => inspect),
        loadAudit: () => import("./layers.ts").then(({ auditOf }) => auditOf)
      })
    )
    .then(end, fail)
}
