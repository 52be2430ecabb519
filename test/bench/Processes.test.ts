import { describe, expect, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { childrenSeconds, measure } from "./Command.ts"
import { parentOf, ProcessTree } from "./ProcessTree.ts"

const procfs = existsSync("/proc/self/status")
const megabyte = 1 << 20

describe("childrenSeconds", () => {
  it("reads the second pair of what the shell says", () => {
    expect(childrenSeconds("0m0.010000s 0m0.020000s\n1m2.500000s 0m3.250000s\n")).toBe(65.75)
    expect(childrenSeconds("0m0.01s 0m0.02s\n0m0.00s 0m0.00s\n")).toBe(0)
    expect(() => childrenSeconds("0m0.01s 0m0.02s\n")).toThrow("said nothing of times")
  })
})

describe.runIf(procfs)("a tree of processes", () => {
  it("holds the descendants of its root, and their memory counts", async () => {
    // A shell that waits for a node that holds a filled buffer and starts a node of its own.
    const grandchild = `setInterval(() => {}, 1000)`
    const child = `globalThis.held = Buffer.alloc(${80 * megabyte}, 1); const c = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}]); c.on("spawn", () => console.log(c.pid)); setInterval(() => {}, 1000)`
    const shell = spawn("/bin/sh", ["-c", `"$0" -e "$1"; true`, process.execPath, child], {
      stdio: ["ignore", "pipe", "inherit"],
      detached: true
    })
    try {
      const pid = Number(
        await new Promise<string>((resolve) => shell.stdout!.setEncoding("utf8").once("data", resolve))
      )
      const tree = new ProcessTree(shell.pid!)
      const members = tree.members()
      expect(members[0]).toBe(shell.pid)
      expect(members).toHaveLength(3)
      expect(members).toContain(pid)
      expect(members).not.toContain(process.pid)
      expect(parentOf(shell.pid!)).toBe(process.pid)
      const { highest, processes, resident } = tree.memory()
      expect(processes).toBe(3)
      expect(resident).toBeGreaterThan(100 * megabyte)
      expect(highest).toBeGreaterThan(80 * megabyte)
      expect(highest).toBeLessThan(resident)
    } finally {
      const ended = new Promise((resolve) => shell.once("exit", resolve))
      process.kill(-shell.pid!, "SIGKILL")
      await ended
    }
    expect(new ProcessTree(shell.pid!).members()).toEqual([])
  })
})

describe.runIf(procfs)("measure", () => {
  it("counts the processor time and memory of what a command starts", async () => {
    const burn = `const b = Buffer.alloc(${100 * megabyte}, 1); const from = process.cpuUsage(); while (process.cpuUsage(from).user + process.cpuUsage(from).system < 4e5) b.fill(2); console.log("done")`
    const outer = `console.log(require("child_process").execFileSync(process.execPath, ["-e", ${JSON.stringify(burn)}], { encoding: "utf8" }).trim())`
    const measured = await measure(process.execPath, ["-e", outer], { cwd: process.cwd() })
    expect(measured.stdout).toBe("done\n")
    expect(measured.cpuSeconds).toBeGreaterThanOrEqual(0.39)
    expect(measured.wallMs).toBeGreaterThanOrEqual(390)
    expect(measured.peakBytes).toBeGreaterThan(100 * megabyte)
  })
  it("says what a command that failed said last", async () => {
    await expect(
      measure(process.execPath, ["-e", `console.error("no luck"); process.exit(3)`], { cwd: process.cwd() })
    ).rejects.toThrow(/ended with 3: no luck/)
  })
})
