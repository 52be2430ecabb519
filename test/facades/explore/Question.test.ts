import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { partsOf, questionOf, rootOf } from "../../../src/facades/explore/Question.ts"

describe("a task text", () => {
  it.each([
    [
      "JavaScript",
      "TypeError: x is not a function\n    at Store.renew (/app/src/session/store.ts:41:13)\n    at handle (/app/src/api.ts:9:3)",
      [
        ["/app/src/session/store.ts", 41],
        ["/app/src/api.ts", 9]
      ]
    ],
    [
      "Python",
      "Traceback (most recent call last):\n  File \"/srv/shop/session.py\", line 12, in renew\nKeyError: 'token'",
      [["/srv/shop/session.py", 12]]
    ],
    [
      "Go",
      "panic: boom\n\ngoroutine 1 [running]:\nexample.com/shop/session.(*Store).Renew(0x0)\n\t/home/me/shop/session/store.go:24 +0x1d",
      [["/home/me/shop/session/store.go", 24]]
    ],
    ["Rust", "thread 'main' panicked at src/store.rs:7:22:\nno session", [["src/store.rs", 7]]],
    [
      "Java",
      "java.lang.IllegalStateException: closed\n\tat com.shop.Session.renew(Session.java:33)",
      [["Session.java", 33]]
    ]
  ])("gives the places of a %s trace", (_, text, expected) => {
    expect(questionOf(text).frames.map((f) => [f.path, f.line])).toEqual(expected)
  })

  it("tells names, paths, messages and words apart", () => {
    const q = questionOf(
      'fix(session): `Renew` in session/store.go says "session token has expired" after calling extendLifetime, see user_id'
    )
    expect(q.identifiers).toEqual(["Renew", "extendLifetime", "user_id"])
    expect(q.paths).toEqual(["session/store.go"])
    expect(q.messages).toEqual(["session token has expired"])
    expect(q.words[0]).toBe("session")
    expect(q.words).not.toContain("fix")
    expect(q.tests).toBe(false)
    expect(questionOf("the test TestRenew fails").tests).toBe(true)
    expect(questionOf("the latest request is lost").tests).toBe(false)
  })

  it("keeps something of every text with letters, and never fails", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        const q = questionOf(text)
        expect(q.words.length).toBeLessThanOrEqual(24)
        expect(new Set(q.words).size).toBe(q.words.length)
        for (const frame of q.frames) expect(Number.isSafeInteger(frame.line)).toBe(true)
      }),
      { numRuns: 300 }
    )
    expect(questionOf("add support").words).toEqual(["add", "support"])
  })

  it("splits identifiers and finds what inflected words share", () => {
    expect(partsOf("parseHTTPHeader_v2")).toEqual(["parse", "http", "header", "v2"])
    for (const [a, b] of [
      ["renewed", "renewing"],
      ["queries", "query"],
      ["headers", "header"],
      ["routes", "routing"]
    ] as const) {
      expect(rootOf(a).startsWith(rootOf(b)) || rootOf(b).startsWith(rootOf(a))).toBe(true)
    }
  })
})
