/**
 * Every gate, one after the other; all run even when one fails. `--report FILE` also writes the tests'
 * results as JSON. Exits with 1 when a gate failed.
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { stripVTControlCharacters } from "node:util"
import { inRoot, root } from "./paths.mjs"

const flag = process.argv.indexOf("--report")
const report = flag < 0 ? undefined : process.argv[flag + 1]

const npm = (...args) => {
  const program = process.env.npm_execpath
  return program?.endsWith(".js") ? [process.execPath, program, ...args] : ["npm", ...args]
}
const node = (...args) => [process.execPath, ...args]
const tool = (name, ...args) => [
  inRoot("node_modules/.bin", process.platform === "win32" ? `${name}.cmd` : name),
  ...args
]

const run = ([program, ...args], output = "inherit") =>
  spawnSync(program, args, {
    cwd: root,
    stdio: ["ignore", output, output],
    encoding: "utf8",
    shell: program.endsWith(".cmd")
  })

const passes = (command) => run(command).status === 0

/** The command's own gate, `portico audit`, once the command has it. */
const audit = () => {
  const help = run(node("dist/main.js", "--help"), "pipe")
  if (help.status !== 0) {
    process.stdout.write(`${help.stdout}${help.stderr}portico --help failed\n`)
    return false
  }
  return /\baudit\b/.test(stripVTControlCharacters(help.stdout))
    ? passes(node("dist/main.js", "audit"))
    : "no such command yet"
}

const whenThere = (file, gate) => () => (existsSync(inRoot(file)) ? gate() : `${file} is not there yet`)

/** Name and gate; a gate answers true, false, or why it has nothing to check. */
const gates = [
  ["lock file", () => passes(node("src/build/lock.mjs"))],
  ["format", () => passes(tool("biome", "format", "--no-errors-on-unmatched", "."))],
  ["lint", () => passes(tool("oxlint", "--deny-warnings", "src", "test", "vitest.config.ts"))],
  ["rooms", () => passes(node("src/build/rooms.mjs"))],
  ["facades", () => passes(node("src/build/facades.mjs"))],
  ["types", () => passes(node("src/build/typecheck.mjs"))],
  ["build", whenThere("src/main.ts", () => passes(node("src/build/build.mjs", "--if-stale")))],
  ["docs", whenThere("src/build/docs.ts", () => passes(npm("run", "--silent", "docs", "--", "--check")))],
  ["audit", whenThere("src/main.ts", audit)],
  [
    "tests",
    () =>
      passes(
        npm(
          "test",
          "--",
          ...(report === undefined
            ? []
            : ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`])
        )
      )
  ]
]

const results = gates.map(([name, gate]) => {
  process.stdout.write(`\n== ${name}\n`)
  const started = Date.now()
  const result = gate()
  return { name, result, seconds: ((Date.now() - started) / 1000).toFixed(1) }
})

process.stdout.write("\n")
for (const { name, result, seconds } of results) {
  const word = result === true ? "ok" : result === false ? "FAILED" : `skipped: ${result}`
  process.stdout.write(`${name.padEnd(10)} ${seconds.padStart(6)} s  ${word}\n`)
}
process.exitCode = results.some(({ result }) => result === false) ? 1 : 0
