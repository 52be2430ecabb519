/**
 * `tsc --noEmit` over sources and tests (test/types included). With `--effect`, as the gate has it, by the Effect build
 * of the same compiler version where that is installed: it adds Effect's own diagnostics, which take as long again.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { inRoot, root } from "./paths.mjs"

const { version } = JSON.parse(readFileSync(inRoot("node_modules/typescript/package.json"), "utf8"))
const platform = `${process.platform}-${process.arch}`
const program = `tsc${process.platform === "win32" ? ".exe" : ""}`
const withEffect = inRoot(`node_modules/@effect/tsgo-${platform}/artifacts/typescript/${version}/${program}`)
/** What the package's own script starts, after a tenth of a second. */
const plain = inRoot(`node_modules/@typescript/typescript-${platform}/lib/${program}`)
// Each checker works out for itself what its share of the files has in common with the others': more of them than cores
// only do it more often.
const checkers = String(Math.min(4, availableParallelism()))
// Nearly all that a check allocates is alive until it ends: collecting on the way costs a quarter of the work and frees
// next to nothing. The limit is where collecting starts after all. Either can be set from outside.
const env = { GOGC: "off", GOMEMLIMIT: "3GiB", ...process.env }
const given = process.argv.slice(2)
const asked = given.includes("--effect")
const args = ["--noEmit", "-p", root, "--checkers", checkers, ...given.filter((each) => each !== "--effect")]
const hasEffect = asked && existsSync(withEffect)
if (asked && !hasEffect)
  process.stderr.write("No Effect build of this compiler here: Effect's own diagnostics are left out.\n")
const compiler = [withEffect, plain].slice(hasEffect ? 0 : 1).find((file) => existsSync(file))
const run = spawnSync(
  compiler ?? process.execPath,
  compiler === undefined ? [inRoot("node_modules/typescript/bin/tsc"), ...args] : args,
  { cwd: root, env, stdio: "inherit" }
)
if (run.error) throw run.error
process.exitCode = run.status ?? 1
