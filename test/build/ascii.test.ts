import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { top } from "./support.ts"

const { inAscii } = (await import(pathToFileURL(path.join(top, "src/build/ascii.mjs")).href)) as {
  readonly inAscii: (code: string) => string
}

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)

describe("a script in ASCII", () => {
  it.each([
    ["a string", `"naïve — \u{1f600}"`],
    ["an escaped character", String.raw`"\é \\é"`],
    ["an escaped line end", '"a\\\u2028b"'],
    ["a template", "`→ ${1 + 1} …`"],
    ["a pattern", String.raw`["’", "x"].map((c) => /^[\p{L}’]$/u.test(c))`],
    ["a pattern of pairs", `/^.[\u{1f600}]$/u.test("a\u{1f600}")`],
    ["a name", `(() => { const größe = 2; return größe })()`]
  ])("means what it meant: %s", (_, code) => {
    const ascii = inAscii(code)
    expect(isAscii(ascii)).toBe(true)
    expect(runInNewContext(ascii)).toEqual(runInNewContext(code))
  })

  it("leaves a template alone that its tag may read as it is written", () => {
    const code = 'String.raw`é` + "é"'
    expect(inAscii(code)).toBe(code)
    expect(isAscii(inAscii('String.raw`e` + "é"'))).toBe(true)
  })
})
