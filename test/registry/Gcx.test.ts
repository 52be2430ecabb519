import { Either, FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { decode as readToon } from "@toon-format/toon"
import { decode, encode, encodeWithin, hasRows, type Section, sectionsOf } from "../../src/registry/Gcx.ts"
import { renderer, wireFormats } from "../../src/registry/Wire.ts"

const read = (text: string) => Either.getOrThrow(decode(text))

const name = FastCheck.stringMatching(/^[a-z_][a-z0-9_.]{0,9}$/)
/** Any text but carriage returns, which the form drops. */
const cell = FastCheck.oneof(
  FastCheck.string({ unit: "binary", maxLength: 12 }),
  FastCheck.constantFrom(
    "#",
    "# x",
    "GCX1",
    "GCX1 tool=x fields=y",
    "GCX2 x",
    "\\",
    "\\t",
    "\t\n\\n",
    "",
    "a b"
  )
).map((text) => text.replaceAll("\r", ""))
const section: FastCheck.Arbitrary<Section> = FastCheck.tuple(
  name,
  FastCheck.uniqueArray(name, { minLength: 1, maxLength: 4 }),
  FastCheck.dictionary(
    name.filter((each) => each !== "tool" && each !== "fields"),
    FastCheck.stringMatching(/^[a-z0-9=]{1,6}$/),
    { maxKeys: 3, noNullPrototype: true }
  )
).chain(([tool, fields, metadata]) =>
  FastCheck.array(FastCheck.array(cell, { minLength: fields.length, maxLength: fields.length }), {
    maxLength: 5
  }).map((rows) => ({ tool, fields, metadata, rows }))
)

describe("the line form", () => {
  it("reads back what was written", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(section, { maxLength: 4 }), (sections) => {
        expect(read(encode(sections))).toEqual(sections)
      })
    )
  })

  it("writes a header, then a line a row", () => {
    expect(
      encode([
        {
          tool: "find_usages",
          fields: ["id", "line"],
          metadata: { truncated: "true", total: "3" },
          rows: [
            ["a.ts::f", "1"],
            ["a\tb", "2\n"]
          ]
        }
      ])
    ).toBe("GCX1 tool=find_usages fields=id,line total=3 truncated=true\na.ts::f\t1\na\\tb\t2\\n\n")
  })

  it("understands other writers: comments, carriage returns, short rows, other escapes", () => {
    expect(
      read(
        "GCX1 tool=x fields=a,b,c total=1\r\n# a remark\r\none\\q\r\n\\\\\ttwo\r\nGCX1 tool=x.more fields=d\r\nlast"
      )
    ).toEqual([
      {
        tool: "x",
        fields: ["a", "b", "c"],
        metadata: { total: "1" },
        rows: [
          ["oneq", "", ""],
          ["\\", "two", ""]
        ]
      },
      { tool: "x.more", fields: ["d"], metadata: {}, rows: [["last"]] }
    ])
  })

  it("says at which line a text is no document", () => {
    const wrong = (text: string) => Either.getOrThrow(Either.flip(decode(text)))
    expect(wrong("a\tb\n")).toEqual({ line: 1, problem: "comes before any header" })
    expect(wrong("GCX1 tool=x fields=a\n1\n2\t3\n")).toEqual({ line: 3, problem: "has 2 cells for 1 fields" })
    expect(wrong("GCX2 tool=x fields=a\n")).toEqual({ line: 1, problem: "is of version GCX2, not GCX1" })
    expect(wrong("GCX1 tool=x\n").problem).toBe("is a header without tool or fields")
    expect(wrong("GCX1 tool=x fields=a a=1 a=2\n").problem).toBe("says a twice")
    expect(wrong("GCX1 tool=x fields=a b\n").problem).toMatch(/no key=value/)
  })

  it("cuts the last section only, says what is left, and leaves a row", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(section, { minLength: 1, maxLength: 3 }),
        FastCheck.integer({ min: 0, max: 400 }),
        (sections, bytes) => {
          const text = encodeWithin(sections, bytes)
          const back = read(text)
          const last = sections.at(-1)!
          expect(back.slice(0, -1)).toEqual(sections.slice(0, -1))
          const kept = back.at(-1)!.rows
          expect(kept).toEqual(last.rows.slice(0, kept.length))
          if (kept.length < last.rows.length) {
            expect(kept.length).toBeGreaterThan(0)
            expect(text.endsWith(`# ${kept.length} of ${last.rows.length} rows\n`)).toBe(true)
            if (kept.length > 1) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes)
          }
        }
      )
    )
  })

  it("refuses headers it could not read back", () => {
    expect(() => encode([{ tool: "a b", fields: [], metadata: {}, rows: [] }])).toThrow()
    expect(() => encode([{ tool: "a", fields: ["x,y"], metadata: {}, rows: [] }])).toThrow()
    expect(() => encode([{ tool: "a", fields: ["x"], metadata: { k: "v w" }, rows: [] }])).toThrow()
    expect(() => encode([{ tool: "a", fields: ["x"], metadata: {}, rows: [["1", "2"]] }])).toThrow()
  })
})

describe("an answer in the line form", () => {
  it("has its rows in a section of the tool's name, and single values in the header", () => {
    expect(
      sectionsOf("find_usages", {
        total: 2,
        truncated: false,
        note: "two words",
        usages: [
          { id: "a", line: 1 },
          { id: "b", line: 2, role: { kind: "call" } }
        ]
      })
    ).toEqual([
      {
        tool: "find_usages.about",
        fields: ["key", "value"],
        metadata: { total: "2", truncated: "false" },
        rows: [["note", "two words"]]
      },
      {
        tool: "find_usages",
        fields: ["id", "line", "role"],
        metadata: { list: "usages" },
        rows: [
          ["a", "1", ""],
          ["b", "2", '{"kind":"call"}']
        ]
      }
    ])
  })

  it("has a section a list, the longest last", () => {
    const sections = sectionsOf("graph_query", { edges: [{ to: "b" }, { to: "c" }], nodes: [{ id: "a" }] })
    expect(sections.map(({ tool }) => tool)).toEqual(["graph_query.nodes", "graph_query.edges"])
  })

  it("can be made of any JSON object", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()), (value) => {
        expect(Either.isRight(decode(encode(sectionsOf("any_tool", value))))).toBe(true)
        expect(hasRows({ rows: [{ a: 1 }] })).toBe(true)
      })
    )
  })
})

describe("forms beyond JSON", () => {
  it("are the line form and object notation, and no other word is one", () => {
    for (const format of wireFormats) expect(renderer(format, "x")).toBeTypeOf("function")
    for (const format of ["json", "markdown", "", "GCX"]) expect(renderer(format, "x")).toBeUndefined()
  })

  it("keep the value in object notation", () => {
    const value = {
      total: 2,
      rows: [
        { id: "a", line: 1 },
        { id: "b, c", line: 2 }
      ],
      note: "x: y",
      none: null
    }
    expect(readToon(renderer("toon", "x")!(value))).toEqual(value)
  })
})
