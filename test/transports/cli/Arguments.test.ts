import { describe, expect, it } from "vitest"
import { assign, jsonObject, UsageError } from "../../../src/transports/cli/Arguments.ts"

const build = (...assignments: ReadonlyArray<string>) => {
  const into = {}
  for (const assignment of assignments) assign(into, assignment)
  return into
}

describe("arguments one by one", () => {
  it("are texts, or JSON behind :=", () => {
    expect(build("query=a=b", "limit:=3", 'list:=[1,"x"]', "empty=", "url=http://x:=1")).toEqual({
      query: "a=b",
      limit: 3,
      list: [1, "x"],
      empty: "",
      url: "http://x:=1"
    })
  })
  it("lead into objects by dots", () => {
    expect(build("target.file=a.ts", "options.window.offset:=3", "options.window.limit:=4")).toEqual({
      target: { file: "a.ts" },
      options: { window: { offset: 3, limit: 4 } }
    })
  })
  it("add to an object that is there", () => {
    const into = jsonObject('{"target":{"file":"a"}}', "--json")
    assign(into, "target.more=b")
    expect(into).toEqual({ target: { file: "a", more: "b" } })
  })
  it("are refused where they say two things, or nothing", () => {
    for (const wrong of [
      ["a=1", "a=2"],
      ["a=1", "a.b=2"],
      ["a.b=1", "a=2"],
      ["a"],
      ["=x"],
      [":=3"],
      ["a:={"],
      ["a..b=1"],
      ["__proto__.x=1"]
    ])
      expect(() => build(...wrong), wrong.join(" ")).toThrow(UsageError)
    expect(({} as { readonly x?: unknown }).x).toBeUndefined()
  })
})
