import { Effect, Either } from "effect"
import { describe, expect, it } from "vitest"
import { select } from "../../../src/registry/Facade.ts"
import { adviceOf, answerOf } from "../../../src/hosts/hook/Advice.ts"
import { eventOf } from "../../../src/hosts/hook/Event.ts"
import { alternativesOf, patternOf } from "../../../src/hosts/hook/Search.ts"
import { facade } from "../../facades/support.ts"

const event = (name: string, tool?: string, input: object = {}) =>
  eventOf(JSON.stringify({ hook_event_name: name, tool_name: tool, tool_input: input }))!
const bash = (command: unknown) => event("PreToolUse", "Bash", { command })

describe("an event", () => {
  it("is an object with a name, and nothing else is one", () => {
    expect(event("Stop")).toEqual({ name: "Stop", tool: undefined, input: {} })
    for (const text of ["", "null", "[]", "3", "{", '{"tool_name":"Grep"}', '{"hook_event_name":1}'])
      expect(eventOf(text)).toBeUndefined()
  })
})

describe("the pattern of a search", () => {
  it("is found in what the tool is given", () => {
    expect(patternOf(event("PreToolUse", "Grep", { pattern: "a|b" }))).toBe("a|b")
    for (const [command, pattern] of [
      ["rg -n 'old name' src", "old name"],
      ["cd src && git grep -n loadAll", "loadAll"],
      ['grep -rn --include "*.ts" -A 3 "a\\|b" .', "a\\|b"],
      ["/usr/bin/grep -e first second.txt", "first"],
      ["rg --regexp=x y", "x"],
      ["rg -- -n file", "-n"],
      [["bash", "-lc", "rg needle"], "needle"]
    ] as const)
      expect(patternOf(bash(command)), String(command)).toBe(pattern)
  })
  it("is none where a command's output is filtered, or nothing is looked for", () => {
    for (const command of ["git log | grep fix", "npm test", "rg", "rg --files", 7, undefined, []])
      expect(patternOf(bash(command)), String(command)).toBeUndefined()
    expect(patternOf(event("PreToolUse", "Read", { pattern: "x" }))).toBeUndefined()
    expect(patternOf(event("PreToolUse", "Grep", { pattern: 3 }))).toBeUndefined()
  })
  it("is found where a quote is not closed, without looking at a place twice", () => {
    expect(patternOf(bash("rg \"it's here"))).toBe("it's here")
    expect(patternOf(bash(`rg "${'\\"'.repeat(30_000)}`))).toBe('\\"'.repeat(30_000))
    expect(patternOf(bash(`rg "${"a".repeat(60_000)}\\`))).toBe(`${"a".repeat(60_000)}\\`)
    expect(patternOf(bash(`rg "${"a".repeat(1 << 23)}"`))).toBeUndefined()
  })
  it("is none of words that are no texts", () => {
    for (const command of [[{ toString: 1 }], [["rg a"]], [null], {}])
      expect(patternOf(bash(command))).toBeUndefined()
  })
  it("has alternatives at its top, not in groups and classes", () => {
    expect(alternativesOf("a|b\\|c")).toEqual(["a", "b", "c"])
    expect(alternativesOf("f(a|b)|[|]\\(d")).toEqual(["f(a|b)", "[|]\\(d"])
    expect(alternativesOf("|")).toEqual([])
  })
})

describe("advice", () => {
  const calls = (of: Parameters<typeof adviceOf>[0]) => adviceOf(of).calls.map((call) => call.arguments)

  it("names calls that look for the same", () => {
    expect(calls(bash("rg '\\bloadAll\\b|save_it\\(|C|D' src"))).toEqual(
      ["loadAll", "save_it", "C"].map((query) => ({ operation: "symbols", query }))
    )
    expect(adviceOf(bash("rg 'a|b|c' src")).alternatives).toBe(3)
    expect(calls(bash("rg 'not found: .*' src"))).toEqual([
      { operation: "text", query: "not found: .*", options: { regexp: true } }
    ])
  })
  it("names calls that the tools take", async () => {
    const events = [event("SessionStart"), bash("rg a"), bash("rg 'a b'"), event("PostToolUse", "Edit")]
    for (const each of events)
      for (const call of adviceOf(each).calls) {
        const chosen = await Effect.runPromise(Effect.either(select(facade(call.tool), call.arguments)))
        expect(Either.isRight(chosen), JSON.stringify(call)).toBe(true)
        if (Either.isLeft(chosen)) continue
        expect(Either.isRight(chosen.right.operation.decode(chosen.right.args)), JSON.stringify(call)).toBe(
          true
        )
      }
  })
  it("is for three events; the others are met with silence", () => {
    for (const each of [event("Stop"), event("UserPromptSubmit"), event("PostToolUse", "Read"), bash("ls")]) {
      expect(answerOf(each, adviceOf(each))).toBeUndefined()
      expect(adviceOf(each).alternatives).toBe(0)
    }
    expect(answerOf(event("SessionStart"), adviceOf(event("SessionStart")))).toMatchObject({
      hookSpecificOutput: {
        hookEventName: "SessionStart",
        additionalContext: expect.stringContaining("tell the user")
      }
    })
  })
})
