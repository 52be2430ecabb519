/** Builds when needed, then runs `portico start [PATH]` from the directory the caller was in. */
import { spawn } from "node:child_process"
import { buildIfStale } from "./build.mjs"
import { inRoot } from "./paths.mjs"

try {
  await buildIfStale()
} catch (cause) {
  process.stderr.write(`build: ${cause.message}\n`)
  process.exit(1)
}

const child = spawn(process.execPath, [inRoot("dist/main.js"), "start", ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: "inherit"
})
// An interrupt reaches the child by itself, through the terminal; this process only has to outlive it.
process.on("SIGINT", () => {})
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("error", (cause) => {
  process.stderr.write(`start: ${cause.message}\n`)
  process.exit(1)
})
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code ?? 1)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
