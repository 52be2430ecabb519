import { describe, expect, it } from "vitest"
import { type Ended, Ergonomics } from "../../src/telemetry/Ergonomics.ts"
import { shortened } from "../../src/telemetry/Keys.ts"

type Draft = Partial<Ended> & { readonly args?: string }

/** A call written as `facade.operation`, and what is not as usual about it. */
const call = (name: string, { args = "", ...more }: Draft = {}): Ended => {
  const [facade = "", operation = ""] = name.split(".")
  return {
    session: "s",
    facade,
    operation,
    effect: "read",
    code: undefined,
    stage: undefined,
    empty: false,
    changed: undefined,
    digest: () => `${name} ${args}`,
    ...more
  }
}
const refused = (name: string, more: Draft = {}) =>
  call(name, { code: "invalid_argument", stage: "decode", changed: false, digest: () => undefined, ...more })
const wrote = (more: Draft = {}) => call("edit.file", { effect: "local_write", changed: true, ...more })

/** What the calls of a session come to, its end included. */
const seen = (...calls: ReadonlyArray<Ended>) => {
  const ergonomics = new Ergonomics()
  for (const each of calls) ergonomics.observe(each)
  ergonomics.closeAll()
  return ergonomics.tally.counts()
}
const of = (key: string, ...calls: ReadonlyArray<Ended>) => seen(...calls)[key]

describe("a rejection", () => {
  it("that is followed by an accepted call of its operation was mended", () => {
    const counts = seen(refused("search.text"), call("read.file"), call("search.text"), call("search.text"))
    expect(counts["rejection"]).toEqual({ "search.text": 1 })
    expect(counts["rejection_then_fix"]).toEqual({ "search.text": 1 })
  })
  it("is not mended by another operation, another session or another refusal", () => {
    const counts = seen(
      refused("search.text"),
      call("search.symbols"),
      call("search.text", { session: "other" }),
      refused("search.text")
    )
    expect(counts["rejection"]).toEqual({ "search.text": 2 })
    expect(counts["rejection_then_fix"]).toBeUndefined()
  })
  it("of an operation nobody knows is mended by one of the same tool", () => {
    expect(of("rejection_then_fix", refused("search.unknown"), call("search.text"))).toEqual({
      "search.unknown": 1
    })
  })
  it("may come late, of arguments that only the operation can judge", () => {
    expect(
      of(
        "rejection_then_fix",
        refused("search.text", { code: "invalid_pattern", stage: "resolve" }),
        call("search.text")
      )
    ).toEqual({ "search.text": 1 })
  })
  it("by policy, of a target that is not there, or after something ran, is none", () => {
    for (const [code, stage] of [
      ["approval_required", "admission"],
      ["permission_denied", "admission"],
      ["operation_unavailable", "admission"],
      ["not_found", "execute"],
      ["file_not_indexed", "resolve"],
      ["stale_revision", "preflight"],
      ["internal", undefined]
    ] as const)
      expect(of("rejection", refused("edit.file", { code, stage }), call("edit.file"))).toBeUndefined()
  })
  it("of a tool nobody knows is not counted under the caller's word", () => {
    expect(
      seen(refused("unknown.unknown", { code: "unknown_tool", stage: "admission" }))["rejection"]
    ).toBeUndefined()
  })
})

describe("a read", () => {
  it("made three times with nothing changed in between is one loop", () => {
    const again = call("read.file", { args: "a" })
    expect(of("reread_loop", again, again)).toBeUndefined()
    expect(of("reread_loop", again, call("read.file", { args: "b" }), again, again, again)).toEqual({
      "read.file": 1
    })
  })
  it("after a change is a new read; after a rehearsal of one it is not", () => {
    const again = call("read.file")
    expect(of("reread_loop", again, again, wrote(), again)).toBeUndefined()
    expect(of("reread_loop", again, again, wrote({ changed: false }), again)).toEqual({ "read.file": 1 })
  })
  it("between a failure and the same call again is counted with that call", () => {
    const failing = wrote({ code: "edit_conflict", stage: "execute", changed: false })
    expect(of("reread_then_retry", failing, call("read.file"), failing)).toEqual({ "edit.file": 1 })
    expect(of("reread_then_retry", failing, failing)).toBeUndefined()
    expect(of("reread_then_retry", failing, call("read.file"), wrote({ args: "mended" }))).toBeUndefined()
  })
  it("is told by whether it was answered", () => {
    expect(
      of("direct_read", call("read.file"), call("read.source"), refused("read.file"), call("search.text"))
    ).toEqual({ success: 2, failure: 1 })
  })
})

describe("a sequence", () => {
  it("that comes three times is one to be put together", () => {
    const pair = [call("search.symbols"), call("read.source")]
    expect(of("repeated_sequence", ...pair, call("explore.task"), ...pair)).toBeUndefined()
    expect(
      of("repeated_sequence", ...pair, call("explore.task"), ...pair, call("trace.flow"), ...pair)
    ).toEqual({
      "search.symbols>read.source": 1
    })
  })
  it("of one operation is none, and does not overlap with itself", () => {
    const again = call("read.file")
    expect(of("repeated_sequence", again, again, again, again, again, again, again)).toBeUndefined()
    const three = [call("a.x"), call("b.y"), call("c.z")]
    expect(of("repeated_sequence", ...three, ...three, ...three)).toEqual({
      "a.x>b.y": 1,
      "a.x>b.y>c.z": 1,
      "b.y>c.z": 1
    })
    // a b a b a b: the pair comes three times, "a b a" only once without sharing a call.
    const two = [call("a.x"), call("b.y")]
    expect(of("repeated_sequence", ...two, ...two, ...two)).toEqual({ "a.x>b.y": 1 })
  })
})

describe("discovery", () => {
  const told = (bytes: number, more: Draft = {}) =>
    call("capabilities.schema", { bytes: () => bytes, ...more })
  const chosen = (more: Draft = {}) => call("search.text", { contract: () => 100, ...more })

  it("that is far larger than what is chosen by it is counted with that", () => {
    expect(of("discovery_excess", told(500), told(400), chosen(), chosen())).toEqual({ "search.text": 1 })
  })
  it("of about what is needed is none, nor is what only a refused call followed", () => {
    expect(of("discovery_excess", told(800), chosen())).toBeUndefined()
    expect(of("discovery_excess", told(500), chosen(), told(400), chosen())).toBeUndefined()
    expect(of("discovery_excess", told(900), refused("search.text", { contract: () => 100 }))).toBeUndefined()
    expect(
      of("discovery_excess", told(900, { code: "invalid_argument", stage: "decode" }), chosen())
    ).toBeUndefined()
    expect(of("discovery_excess", told(900), chosen({ contract: () => undefined }))).toBeUndefined()
    expect(of("discovery_excess", told(900), call("search.text", { session: "other" }))).toBeUndefined()
  })
  it("is still too much after a refusal of what was chosen", () => {
    expect(of("discovery_excess", told(900), refused("search.text"), chosen())).toEqual({ "search.text": 1 })
  })
})

describe("a look at the server", () => {
  const noted = (name: string, more: Draft = {}) => call(name, { noted: true, ...more })
  const look = call("workspace.index")

  it("that something beside a result led to, and that led to nothing, is a turn too many", () => {
    expect(of("support_turn", noted("search.text"), look, call("search.text", { args: "next" }))).toEqual({
      "workspace.index": 1
    })
    expect(
      of("support_turn", noted("search.text"), look, call("response.stats"), call("search.text"))
    ).toEqual({ "workspace.index": 1 })
  })
  it("is none where nothing was said, another call was decided on, or something had failed", () => {
    expect(of("support_turn", call("search.text"), look, call("search.text"))).toBeUndefined()
    expect(of("support_turn", noted("search.text"), look, call("read.file"))).toBeUndefined()
    expect(of("support_turn", noted("search.text"), call("search.text"))).toBeUndefined()
    expect(of("support_turn", look, noted("search.text"), call("search.text"))).toBeUndefined()
    expect(
      of("support_turn", noted("search.text"), refused("search.text"), look, call("search.text"))
    ).toBeUndefined()
    expect(of("support_turn", noted("search.text"), look, refused("search.text"))).toBeUndefined()
    expect(
      of(
        "support_turn",
        noted("search.text"),
        call("workspace.index", { code: "timeout" }),
        call("search.text")
      )
    ).toBeUndefined()
    expect(
      of("support_turn", noted("search.text"), look, call("search.text", { session: "other" }))
    ).toBeUndefined()
  })
})

describe("what to look for first", () => {
  const traces: ReadonlyArray<readonly [string, ReadonlyArray<Ended>, ReadonlyArray<Ended>]> = [
    [
      "rejection_then_fix",
      [refused("search.text"), call("search.text")],
      [refused("search.text"), call("search.symbols")]
    ],
    [
      "reread_then_retry",
      [call("edit.file", { code: "edit_conflict" }), call("read.file"), call("edit.file")],
      [call("edit.file", { code: "edit_conflict" }), call("read.file"), call("edit.file", { args: "mended" })]
    ],
    [
      "discovery_excess",
      [call("capabilities.schema", { bytes: () => 9_000 }), call("search.text", { contract: () => 1_000 })],
      [call("capabilities.schema", { bytes: () => 7_000 }), call("search.text", { contract: () => 1_000 })]
    ],
    [
      "reread_loop",
      [call("read.file"), call("read.file"), call("read.file")],
      [call("read.file"), call("read.file"), wrote(), call("read.file")]
    ],
    [
      "support_turn",
      [call("search.text", { noted: true }), call("workspace.index"), call("search.text")],
      [call("search.text"), call("workspace.index"), call("search.text")]
    ],
    [
      "repeated_sequence",
      [1, 2, 3].flatMap((turn) => [
        call("search.symbols", { args: `${turn}` }),
        call("read.source", { args: `${turn}` })
      ]),
      [1, 2].flatMap(() => [call("search.symbols"), call("read.source")])
    ]
  ]
  for (const [key, trace, near] of traces)
    it(`is told by ${key}, of its own traces and of no other's`, () => {
      const counted = seen(...trace)
      for (const [other] of traces)
        if (other === key) expect(counted[key]).toBeDefined()
        else expect([other, counted[other]]).toEqual([other, undefined])
      expect(of(key, ...near)).toBeUndefined()
    })
})

describe("a session", () => {
  it("tells after how many calls it was helped, or that it was not", () => {
    const nothing = call("search.text", { empty: true })
    const discovery = call("capabilities.summary")
    expect(of("first_useful", call("read.file"), call("read.file"))).toEqual({ "1": 1 })
    expect(of("first_useful", discovery, nothing, call("read.file"))).toEqual({ "2-3": 1 })
    expect(
      of(
        "first_useful",
        discovery,
        discovery,
        discovery,
        refused("read.file"),
        nothing,
        nothing,
        nothing,
        call("read.file")
      )
    ).toEqual({ "8+": 1 })
    expect(of("first_useful", discovery, call("session.plan", { effect: "session_write" }))).toEqual({
      never: 1
    })
    expect(of("first_useful")).toBeUndefined()
  })
  it("tells whether its changes were checked", () => {
    const check = call("change.detect")
    expect(of("verified_mutation", wrote(), wrote(), check, check)).toEqual({ yes: 1 })
    expect(of("verified_mutation", wrote(), check, wrote())).toEqual({ yes: 1, no: 1 })
    expect(
      of("verified_mutation", wrote({ changed: false }), wrote({ code: "io_error" }), check)
    ).toBeUndefined()
    expect(of("verified_mutation", wrote(), refused("change.detect"))).toEqual({ no: 1 })
  })
  it("is no part of another, and a call without one is nobody's", () => {
    const again = call("read.file")
    const elsewhere = call("read.file", { session: "t" })
    expect(of("reread_loop", again, elsewhere, again, elsewhere)).toBeUndefined()
    expect(seen(call("read.file", { session: undefined }))).toEqual({})
  })
})

describe("memory", () => {
  it("is bounded: the oldest of many sessions and of many reads are forgotten", () => {
    const ergonomics = new Ergonomics()
    for (let i = 0; i < 2_000; i++) ergonomics.observe(call("read.file", { session: `s${i}` }))
    for (let i = 0; i < 2_000; i++) ergonomics.observe(call("read.file", { session: "one", args: `${i}` }))
    // The first read is forgotten by now, so two more of it are no loop.
    for (let i = 0; i < 2; i++) ergonomics.observe(call("read.file", { session: "one", args: "0" }))
    const { first_useful, reread_loop } = ergonomics.tally.counts()
    expect(first_useful).toEqual({ "1": 2_001 })
    expect(reread_loop).toBeUndefined()
  })
})

describe("names", () => {
  it("longer than 32 characters are counted as everywhere", () => {
    const long = "analyze.a_name_that_is_far_longer_than_it_may_be"
    expect(of("rejection", refused(long))).toEqual({ [shortened(long)]: 1 })
  })
})
