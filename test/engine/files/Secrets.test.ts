import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { isConfigLike, redactSecrets } from "../../../src/engine/files/Secrets.ts"

// Put together at run time, so that no scanner takes this file for a leak.
const token = (...parts: ReadonlyArray<string>) => parts.join("")
const aws = token("AKIA", "ABCDEFGHIJKLMNOP")
const github = token("ghp", "_", "a1B2".repeat(9))
const jwt = token("eyJ", "hbGciOiJI", ".eyJ", "zdWIiOiIx", ".", "abcDEF12345_-")

describe("redacting configuration", () => {
  it("hides values of secret-named keys and keeps the rest", () => {
    const cases: ReadonlyArray<readonly [string, string, string]> = [
      [".env", "DB_PASSWORD=hunter2\nPORT=3000", "DB_PASSWORD=[redacted:named_value]\nPORT=3000"],
      [".env.local", "export API_KEY='abc def' # note", "export API_KEY='[redacted:named_value]' # note"],
      [
        "app.yaml",
        "db:\n  password: s3cr3t  # prod\n  user: me",
        "db:\n  password: [redacted:named_value]  # prod\n  user: me"
      ],
      ["a.json", '{"clientSecret":"x9","name":"y"}', '{"clientSecret":"[redacted:named_value]","name":"y"}'],
      [
        "a.toml",
        'secret_key = "abc"\r\nport = 1\r\n',
        'secret_key = "[redacted:named_value]"\r\nport = 1\r\n'
      ],
      ["a.ini", "[db]\npasswd = x y\n", "[db]\npasswd = [redacted:named_value]\n"],
      [
        ".npmrc",
        "//packages.example.org/:_authToken=abcdef",
        "//packages.example.org/:_authToken=[redacted:named_value]"
      ],
      ["c.properties", "spring.datasource.password=x1", "spring.datasource.password=[redacted:named_value]"],
      ["k.yaml", "url: postgres://me:pw1@host/db", "url: postgres://me:[redacted:url_password]@host/db"],
      [".netrc", "machine h login me password p1", "machine h login me password [redacted:named_value]"],
      ["s.yaml", `id: ${aws}`, "id: [redacted:known_token]"],
      ["s.json", `{"note": "use ${github} now"}`, '{"note": "use [redacted:known_token] now"}'],
      ["s.toml", `x = "${jwt}"`, 'x = "[redacted:known_token]"'],
      ["s.yaml", "signature: kJ8s9Dk2mLqP0xZr7TvB4nWc", "signature: [redacted:named_value]"]
    ]
    for (const [path, text, want] of cases)
      expect([path, redactSecrets(path, text).text]).toEqual([path, want])
  })

  it("leaves placeholders, references, versions and talk about secrets readable", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      [".env.example", "PASSWORD=changeme\nTOKEN=${TOKEN}\nSECRET=<your secret>\nAPI_KEY="],
      ["w.yml", "token: ${{ secrets.GITHUB_TOKEN }}\nsecrets: inherit\nid-token: write-all and more words"],
      [
        "package.json",
        '{"dependencies": {"@x/auth-token": "^4.0.0", "keytar": "7.9.0"}, "keywords": ["token"]}'
      ],
      [
        "a.yaml",
        "max_tokens: 4096\npassword_policy: strict\ntoken_ttl: 30m\nkeyboard: de\nprimary_key: user_id"
      ],
      ["s.json", '{"properties": {"password": {"type": "string"}}}'],
      ["k.toml", 'key = "some-plain-name"\ncache_key = "branch"\nurl = "https://example.org/a:b@c"']
    ]
    for (const [path, text] of cases)
      expect(redactSecrets(path, text)).toEqual({ text, redactions: 0, kinds: [] })
  })

  it("hides private keys, whole or escaped on one line, and secret block scalars", () => {
    const begin = token("-----BEGIN RSA ", "PRIVATE KEY-----")
    const end = token("-----END RSA ", "PRIVATE KEY-----")
    const pem = redactSecrets("id.pem", `${begin}\nMIIabc\n  DEF\n${end}\nafter\n`)
    expect(pem).toEqual({
      text: `${begin}\n[redacted:private_key]\n  [redacted:private_key]\n${end}\nafter\n`,
      redactions: 1,
      kinds: ["private_key"]
    })
    expect(redactSecrets("a.json", `{"k": "${begin}\\nMII\\n${end}\\n"}`).text).toBe(
      `{"k": "${begin}[redacted:private_key]${end}\\n"}`
    )
    expect(redactSecrets("id.pem", `${begin}\nMIIabc`).text).toBe(`${begin}\n[redacted:private_key]`)
    expect(redactSecrets("a.yaml", `hint: starts with ${begin}\nport: 1\ntoken: x9\n`).text).toBe(
      `hint: starts with ${begin}\nport: 1\ntoken: [redacted:named_value]\n`
    )
    expect(redactSecrets("a.json", `["${begin}A${end}", "${begin}\nB\n${end}"]`).text).toBe(
      `["${begin}[redacted:private_key]${end}", "${begin}\n[redacted:private_key]\n${end}"]`
    )
    expect(redactSecrets("a.yaml", "password: |\n  one\n\n  two\nuser: x\n").text).toBe(
      "password: |\n  [redacted:named_value]\n\n  [redacted:named_value]\nuser: x\n"
    )
  })

  it("never touches code", () => {
    const code = `const password = "hunter2"\nconst key = "${github}"\n`
    for (const path of ["src/a.ts", "a.py", "main.go", "README.md", "a.sh"]) {
      expect(redactSecrets(path, code)).toEqual({ text: code, redactions: 0, kinds: [] })
    }
    expect(["src/config.ts", "environment.ts"].map(isConfigLike)).toEqual([false, false])
  })

  it("keeps every line where it is, shows no token, and has nothing left to do the second time", () => {
    const piece = FastCheck.constantFrom(
      "password",
      "token",
      "=",
      ": ",
      '"',
      "'",
      "\n",
      "\r\n",
      "|",
      "  ",
      "x1y2",
      ` ${aws} `,
      "{",
      "}",
      ",",
      "#",
      "https://u:p@h/",
      token("-----BEGIN ", "PRIVATE KEY-----"),
      token("-----END ", "PRIVATE KEY-----"),
      "\\",
      "\u00e9"
    )
    FastCheck.assert(
      FastCheck.property(
        FastCheck.constantFrom(".env", "a.json", "a.yaml", "a.toml", ".netrc", "x.pem"),
        FastCheck.array(piece, { maxLength: 40 }),
        (path, pieces) => {
          const text = pieces.join("")
          const once = redactSecrets(path, text)
          expect(once.text.split("\n").length).toBe(text.split("\n").length)
          expect(once.text.split("\n").map((line) => line.endsWith("\r"))).toEqual(
            text.split("\n").map((line) => line.endsWith("\r"))
          )
          expect(once.text).not.toContain(aws)
          expect(once.redactions > 0).toBe(once.kinds.length > 0)
          // Around key markers a second pass may hide more, never show more.
          if (!text.includes("PRIVATE KEY")) expect(redactSecrets(path, once.text).text).toBe(once.text)
        }
      ),
      { numRuns: 500 }
    )
  })
})
