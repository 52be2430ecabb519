/**
 * `tsc --noEmit` over sources and tests (test/types included). Where the Effect build of the same compiler
 * version is installed, it is used instead: it adds Effect's own diagnostics to the same run.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { inRoot, root } from "./paths.mjs"

const { version } = JSON.parse(readFileSync(inRoot("node_modules/typescript/package.json"), "utf8"))
const withEffect = inRoot(
  `node_modules/@effect/tsgo-${process.platform}-${process.arch}/artifacts/typescript/${version}/tsc${process.platform === "win32" ? ".exe" : ""}`
)
const args = ["--noEmit", "-p", root, ...process.argv.slice(2)]
const hasEffect = existsSync(withEffect)
if (!hasEffect)
  process.stderr.write("No Effect build of this compiler here: Effect's own diagnostics are left out.\n")
const run = hasEffect
  ? spawnSync(withEffect, args, { cwd: root, stdio: "inherit" })
  : spawnSync(process.execPath, [inRoot("node_modules/typescript/bin/tsc"), ...args], {
      cwd: root,
      stdio: "inherit"
    })
if (run.error) throw run.error
process.exitCode = run.status ?? 1
