import { describe, expect, it } from "vitest"
import { UsageError } from "../../../src/transports/cli/Arguments.ts"
import { flag, read, value, values } from "../../../src/transports/cli/Options.ts"

const options = { dir: value("PATH"), json: flag, arg: values("KEY=TEXT") }
const reading = (...args: ReadonlyArray<string>) => read("show", args, options, 1)
const complaint = (...args: ReadonlyArray<string>): string => {
  try {
    reading(...args)
  } catch (cause) {
    if (cause instanceof UsageError) return cause.message
    throw cause
  }
  return "accepted"
}

describe("options", () => {
  it("are read in any order, beside what has no name", () => {
    expect(reading("--json", "here", "--arg", "a=1", "--dir=x", "--arg=b=--c")).toEqual({
      positionals: ["here"],
      values: { json: true, dir: "x", arg: ["a=1", "b=--c"] },
      help: false
    })
    expect(reading()).toEqual({
      positionals: [],
      values: { json: false, dir: undefined, arg: [] },
      help: false
    })
  })
  it("end at two dashes, and a single dash is a value", () => {
    expect(reading("--dir", "-", "--", "--json")).toMatchObject({
      positionals: ["--json"],
      values: { dir: "-", json: false }
    })
  })
  it("ask for the usage wherever they stand, whatever else is wrong", () => {
    for (const args of [["--help"], ["-h"], ["a", "b", "--colour", "--help"]])
      expect(reading(...args).help, args.join(" ")).toBe(true)
  })
  it("that are not there are refused with the ones that are", () => {
    const valid = "there are --dir PATH, --json, --arg KEY=TEXT, --help"
    expect(complaint("--colour")).toBe(`there is no option --colour; ${valid}`)
    expect(complaint("--colour=red")).toBe(`there is no option --colour; ${valid}`)
    expect(complaint("-x")).toBe(`there is no option -x; ${valid}`)
    expect(complaint("--__proto__")).toBe(`there is no option --__proto__; ${valid}`)
    expect(complaint("--no-json")).toBe(`there is no option --no-json; ${valid}`)
  })
  it("without their value, or with one nobody wants, are refused", () => {
    expect(complaint("--dir")).toBe("--dir needs its PATH behind it")
    expect(complaint("--dir", "--json")).toBe(
      "--dir needs its PATH behind it; where it begins with a dash, write --dir=--json"
    )
    expect(complaint("--json=yes")).toBe("--json takes no value, and yes was given")
  })
  it("leave room for so many words and no more", () => {
    expect(complaint("a", "b")).toBe("b is not expected after portico show a")
    expect(() => read("show", ["a"], options, 0)).toThrow("only options are expected, and a was given")
  })
})
