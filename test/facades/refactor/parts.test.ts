import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import {
  addImports,
  importStatements,
  unusedImports,
  without
} from "../../../src/facades/refactor/Imports.ts"
import { partsOf, whereIs } from "../../../src/facades/refactor/Lexical.ts"
import { nameProblem } from "../../../src/facades/refactor/Names.ts"
import { merged, moved, replaced, SourceText } from "../../../src/facades/refactor/SourceText.ts"
import {
  ecmascriptSpecifier,
  means,
  pythonRelative,
  rebased
} from "../../../src/facades/refactor/Specifier.ts"

describe("texts", () => {
  it("translate every offset to a place and back", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.constantFrom("a", "é", "\n", "\r\n", "😀")), (pieces) => {
        const text = pieces.join("")
        const source = new SourceText(text)
        for (let at = 0; at <= text.length; at++) {
          if (text[at] === "\n" && text[at - 1] === "\r") continue
          const { column, line } = source.place(at)
          expect(source.offset(line, column)).toBe(at)
        }
      })
    )
  })

  it("keep what is not replaced where a place says it is", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.string({ minLength: 1, maxLength: 40 }),
        FastCheck.array(
          FastCheck.tuple(FastCheck.nat(39), FastCheck.nat(4), FastCheck.string({ maxLength: 5 })),
          {
            maxLength: 5
          }
        ),
        (text, raw) => {
          const { list, overlap } = merged(
            raw.map(([from, length, said]) => ({
              from: Math.min(from, text.length),
              to: Math.min(from + length, text.length),
              text: said
            }))
          )
          if (overlap !== undefined) return
          const after = replaced(text, list)
          for (let at = 0; at < text.length; at++) {
            if (list.some(({ from, to }) => from <= at && at < to)) continue
            expect(after[moved(list, at).from]).toBe(text[at])
          }
        }
      )
    )
  })

  it("are told apart from comments and strings", () => {
    const text = "const a = `x ${a /* a */} a` // a\nconst r = /a'/\nconst s = 'a'"
    const parts = partsOf(text, "typescript")
    const found = [...text.matchAll(/\ba\b/g)].map(({ index }) => whereIs(parts, index))
    expect(found).toEqual(["code", "code", "comment", "string", "comment", "string", "string"])
  })
})

describe("names", () => {
  it("follow the grammar of each language", () => {
    expect(nameProblem("python", "lambda")?.reason).toBe("keyword")
    expect(nameProblem("python", "$a")?.reason).toBe("not_an_identifier")
    expect(nameProblem("typescript", "$a")).toBeUndefined()
    expect(nameProblem("go", "größe")).toBeUndefined()
    expect(nameProblem("rust", "fn")?.reason).toBe("keyword")
    expect(nameProblem("ruby", "empty?")).toBeUndefined()
  })
})

describe("imports", () => {
  it("are read, narrowed and widened", () => {
    const text =
      'import a, { b, type C as D } from "./x.js"\nimport * as all from "y"\nimport "z"\nexport { b as e }\n'
    expect(
      importStatements("ecmascript", text).map(({ entries, module }) => [
        module,
        entries.map(({ local }) => local)
      ])
    ).toEqual([
      ["./x.js", ["a", "b", "D"]],
      ["y", ["all"]],
      ["z", []],
      ["", ["e"]]
    ])
    const [first] = importStatements("ecmascript", text)
    expect(without(text, first!, ({ local }) => local === "b")?.text).toBe(
      'import a, { type C as D } from "./x.js"'
    )
    expect(
      replaced(
        text,
        addImports("ecmascript", text, [
          { module: "./x.js", entry: { imported: "f", local: "f", type: false } }
        ])
      )
    ).toContain('import a, { b, type C as D, f } from "./x.js"')
    expect(unusedImports("ecmascript", `${text}all(1)\n`, text)).toMatchObject([{ text: "" }])
  })

  it("name files the way others do", () => {
    expect(ecmascriptSpecifier("a/b.ts", "a/c/d.ts", "./x.js")).toBe("./c/d.js")
    expect(ecmascriptSpecifier("a/b.ts", "d.mts", "./x.ts")).toBe("../d.mts")
    expect(ecmascriptSpecifier("a/b.ts", "c/index.ts", "../x")).toBe("../c")
    expect(rebased("./x.js", "a/b.ts", "c/d/e.ts")).toBe("../../a/x.js")
    expect(means("a/b.ts", "../c", "c/index.ts")).toBe(true)
    expect(means("a/b.ts", "../c.js", "c.ts")).toBe(true)
    expect(pythonRelative("pkg/a/b.py", "pkg/c.py")).toBe("..c")
  })
})
