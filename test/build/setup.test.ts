import { existsSync, readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { describe, expect, it } from "vitest"
import { checkoutOf, directoryOf, lines, node, top } from "./support.ts"

const lockOf = (packages: Record<string, unknown>) =>
  JSON.stringify({
    name: "sample",
    lockfileVersion: 3,
    requires: true,
    packages: { "": { name: "sample" }, ...packages }
  })

describe("set-up", () => {
  it("says and changes nothing when the locked versions are installed", () => {
    const here = checkoutOf(
      {
        "package-lock.json": lockOf({
          "node_modules/a": { version: "1.0.0", integrity: "x" },
          "node_modules/b-other-os": { version: "2.0.0", optional: true }
        }),
        "node_modules/.package-lock.json": lockOf({ "node_modules/a": { version: "1.0.0", integrity: "x" } }),
        "node_modules/kept": "still here"
      },
      { installed: false }
    )
    expect(node(here, ["src/build/setup.mjs"])).toMatchObject({ status: 0, stdout: "", stderr: "" })
    expect(readFileSync(path.join(here, "node_modules/kept"), "utf8")).toBe("still here")
  })

  it("installs from the lock when another version is there", () => {
    const here = checkoutOf(
      {
        "package.json": JSON.stringify({ name: "sample", dependencies: { a: "file:a" } }),
        "a/package.json": JSON.stringify({ name: "a", version: "1.0.0" }),
        "package-lock.json": JSON.stringify({
          name: "sample",
          lockfileVersion: 3,
          requires: true,
          packages: {
            "": { name: "sample", dependencies: { a: "file:a" } },
            a: { version: "1.0.0" },
            "node_modules/a": { resolved: "a", link: true }
          }
        }),
        "node_modules/.package-lock.json": lockOf({ a: { version: "0.9.0" } })
      },
      { installed: false }
    )
    const ran = node(here, ["src/build/setup.mjs"])
    expect(ran).toMatchObject({ status: 0, stdout: "" })
    expect(existsSync(path.join(here, "node_modules/a/package.json"))).toBe(true)
    expect(node(here, ["src/build/setup.mjs"]).stderr).toBe("")
  })

  it("fails with npm's own words when the lock does not fit", () => {
    const here = checkoutOf(
      {
        "package.json": JSON.stringify({ name: "sample", dependencies: { a: "file:a" } }),
        "package-lock.json": lockOf({})
      },
      { installed: false }
    )
    const ran = node(here, ["src/build/setup.mjs"])
    expect(ran.status).toBe(1)
    expect(ran.stderr).toContain("npm ci failed")
    expect(ran.stderr).toContain("Missing: a@")
  })
})

describe("the lock file's gate", () => {
  it("passes our lock", () => {
    expect(node(top, ["src/build/lock.mjs"])).toMatchObject({ status: 0, stdout: "" })
  })

  it("refuses hosts, and adds left-out platform packages when told to write", () => {
    const file = path.join(directoryOf({}), "package-lock.json")
    const optional = { version: "1.2.3", dev: true, optionalDependencies: { "a-win32-arm64": "1.2.3" } }
    writeFileSync(file, lockOf({ "node_modules/a": optional, "node_modules/b": { resolved: "somewhere" } }))
    const refused = node(top, ["src/build/lock.mjs", file])
    expect(refused.status).toBe(1)
    expect(lines(refused).slice(0, 2)).toEqual([
      "node_modules/b: records where it was fetched from",
      "a-win32-arm64@1.2.3: left out of the lock"
    ])
    writeFileSync(file, lockOf({ "node_modules/a": optional }))
    expect(node(top, ["src/build/lock.mjs", "--write", file]).status).toBe(0)
    expect(JSON.parse(readFileSync(file, "utf8")).packages["node_modules/a-win32-arm64"]).toEqual({
      version: "1.2.3",
      cpu: ["arm64"],
      dev: true,
      optional: true,
      os: ["win32"]
    })
    expect(node(top, ["src/build/lock.mjs", file]).status).toBe(0)
  })
})

describe("the closing line", () => {
  const tally = (report: object) => {
    const here = directoryOf({ "report.json": JSON.stringify(report) })
    const { status, stdout } = node(top, ["src/build/tally.mjs", path.join(here, "report.json")])
    return { status, stdout }
  }
  const counts = {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: []
  }

  it("counts what the report counts", () => {
    expect(tally(counts)).toEqual({ status: 0, stdout: "3 passed, 0 failed\n" })
    expect(tally({ ...counts, numPendingTests: 2 })).toEqual({
      status: 0,
      stdout: "3 passed, 0 failed, 2 skipped\n"
    })
  })

  it("counts a file that broke before its tests as a failure, and no test at all as failed", () => {
    expect(tally({ ...counts, testResults: [{ status: "failed", assertionResults: [] }] })).toEqual({
      status: 1,
      stdout: "3 passed, 1 failed\n"
    })
    expect(tally({ ...counts, numPassedTests: 0 })).toEqual({ status: 1, stdout: "0 passed, 0 failed\n" })
  })
})
