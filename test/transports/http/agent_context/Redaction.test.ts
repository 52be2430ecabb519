import { describe, expect, it } from "vitest"
import { redact, redactValue } from "../../../../src/transports/http/agent_context/Redaction.ts"

/** Pieces put together, so that no secret-like text stands in a source. */
const joined = (...pieces: ReadonlyArray<string>): string => pieces.join("")

describe("redaction", () => {
  const masked: ReadonlyArray<readonly [string, string]> = [
    [joined("use ", "sk-", "abcdefghijklmnop1234"), "use [key]"],
    [joined("g", "hp_", "abcdefghijklmnopqrst0123"), "[key]"],
    [joined("git", "hub_pat_", "11ABCDEFG0abcdefghijkl"), "[key]"],
    [joined("AK", "IA", "ABCDEFGHIJKLMNOP"), "[key]"],
    [joined("xo", "xb-", "1234567890-abcdef"), "[key]"],
    [joined("Authorization: ", "Bearer ", "abcdef0123456789"), "Authorization: [key]"],
    [
      joined("-----BEGIN RSA PRIV", "ATE KEY-----\nMIIB\n-----END RSA PRIV", "ATE KEY----- after"),
      "[private key] after"
    ],
    [joined("api_key", " = 'q9w8e7r6t5'"), "api_key = '[secret]'"],
    [joined('{"pass', 'word": "hunter22"}'), '{"password": "[secret]"}'],
    ["write to jo.doe+x@mail.example.org today", "write to [e-mail] today"],
    ["at 10.1.2.3:80", "at [address]:80"],
    ["at fe80:0:0:0:1:2:3:4", "at [address]"],
    ["nic 00:1a:2b:3c:4d:5e", "nic [hardware address]"],
    ["box.tail1234.ts.net", "[host]"],
    ["/home/somebody/work", "[home]/work"],
    ["/Users/somebody/work", "[home]/work"],
    ["C:\\Users\\somebody\\work", "[home]\\work"],
    ["call +41 44 123 45 67 or (555) 123-4567 x".replace(" 45 67", " 4567"), "call [phone] or [phone] x"],
    ["at 47.366670, 8.550000 north", "at [place] north"],
    ['{"lat": 47.3666, "lon": 8.5500}', '{"lat": [place]}'],
    ["location: 47.3666,8.5500", "location: [place]"]
  ]
  for (const [text, shown] of masked)
    it(`masks ${JSON.stringify(shown)}`, () => {
      expect(redact(text)).toBe(shown)
    })

  const kept = [
    "version 1.2.3.4-beta and 127.0.0.1 and 0.0.0.0 and 192.0.2.7",
    "999.1.1.1",
    "std::vector<int>::iterator and a::b",
    "2026-11-30 04:26:49",
    "sk-learn, task-runner, bearer of news",
    "export const greet = (name: string) => name",
    "@scope/package and user@localhost",
    "token: string, secret = undefined, password: ''",
    "src/home/page.ts and /usr/lib/users",
    "1 000 000 and 12-34-56",
    "deadbeef:cafe",
    "3.14159, 2.71828"
  ]
  for (const text of kept)
    it(`leaves ${JSON.stringify(text)}`, () => {
      expect(redact(text)).toBe(text)
    })

  it("goes through values and leaves their shape", () => {
    expect(redactValue({ a: ["x@y.example.org", 1, null], "k@y.example.org": true })).toEqual({
      a: ["[e-mail]", 1, null],
      "k@y.example.org": true
    })
  })

  it("is done once: what was masked stays as it is", () => {
    for (const [text] of masked) expect(redact(redact(text))).toBe(redact(text))
  })
})
