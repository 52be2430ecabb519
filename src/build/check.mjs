/**
 * Every gate; all run even when one fails. Those that use one core each run side by side, in two rows. `--report FILE`
 * also writes the tests' results as JSON. Exits with 1 when a gate failed.
 */
import { spawn } from "node:child_process"
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

/** How a command ended, and what it said unless that went straight to the terminal. */
const run = ([program, ...args], output = "pipe") =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ["ignore", output, output],
      shell: program.endsWith(".cmd")
    })
    let said = ""
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => (said += text))
    child.on("error", (cause) => resolve({ passed: false, said: `${cause.message}\n` }))
    child.on("close", (status) => resolve({ passed: status === 0, said }))
  })

/** The command's own gate, `portico audit`, once the command has it. */
const audit = async () => {
  const help = await run(node("dist/main.js", "--help"))
  if (!help.passed) return { ...help, said: `${help.said}portico --help failed\n` }
  return /\baudit\b/.test(stripVTControlCharacters(help.said))
    ? run(node("dist/main.js", "audit"))
    : { skipped: "no such command yet" }
}

const whenThere = (file, gate) => () =>
  existsSync(inRoot(file)) ? gate() : { skipped: `${file} is not there yet` }

/** Name and gate; a gate resolves to how it ended, or to why it has nothing to check. */
const gates = new Map([
  ["lock file", () => run(node("src/build/lock.mjs"))],
  ["format", () => run(tool("biome", "format", "--no-errors-on-unmatched", "."))],
  ["lint", () => run(tool("oxlint", "--deny-warnings", "src", "test", "vitest.config.ts"))],
  ["rooms", () => run(node("src/build/rooms.mjs"))],
  ["facades", () => run(node("src/build/facades.mjs"))],
  ["types", () => run(node("src/build/typecheck.mjs", "--effect"))],
  ["build", whenThere("src/main.ts", () => run(node("src/build/build.mjs", "--if-stale")))],
  ["docs", whenThere("src/build/docs.ts", () => run(npm("run", "--silent", "docs", "--", "--check")))],
  ["audit", whenThere("src/main.ts", audit)],
  [
    "tests",
    () =>
      run(
        npm(
          "test",
          "--",
          ...(report === undefined
            ? []
            : ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`])
        ),
        "inherit"
      )
  ]
])

const results = new Map()
const inTurn = async (...names) => {
  for (const name of names) {
    if (name === "tests") process.stdout.write("\n== tests\n")
    const started = Date.now()
    const result = await gates.get(name)()
    if (name !== "tests") process.stdout.write(`\n== ${name}\n${result.said ?? ""}`)
    results.set(name, { ...result, seconds: ((Date.now() - started) / 1000).toFixed(1) })
  }
}
await Promise.all([
  inTurn("lock file", "format", "lint", "rooms", "facades", "docs"),
  // The audit is of what was built.
  inTurn("build", "audit")
])
await inTurn("types")
await inTurn("tests")

process.stdout.write("\n")
for (const name of gates.keys()) {
  const { passed, seconds, skipped } = results.get(name)
  const word = skipped !== undefined ? `skipped: ${skipped}` : passed ? "ok" : "FAILED"
  process.stdout.write(`${name.padEnd(10)} ${seconds.padStart(6)} s  ${word}\n`)
}
process.exitCode = [...results.values()].some(({ passed, skipped }) => !passed && skipped === undefined)
  ? 1
  : 0
