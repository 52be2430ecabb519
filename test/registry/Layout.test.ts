import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { columnsOf, evolved } from "../../src/build/results/Layouts.ts"
import { decode, encode, sectionsOf } from "../../src/registry/Gcx.ts"
import { layoutOf } from "../../src/registry/Layout.ts"

const rows = (...columns: ReadonlyArray<string>) => ({
  type: "object",
  properties: {
    rows: {
      type: "array",
      items: {
        type: "object",
        properties: Object.fromEntries(columns.map((name) => [name, { type: "string" }]))
      }
    },
    total: { type: "number" }
  }
})

describe("the columns of a list", () => {
  it("are the members of its rows, in the order they are declared in", () => {
    expect(columnsOf(rows("id", "b", "a"))).toEqual({ rows: ["id", "b", "a"] })
    expect(
      columnsOf({ type: "object", properties: { names: { type: "array", items: { type: "string" } } } })
    ).toEqual({})
  })

  it("keep their places: new ones come behind, under the next version", () => {
    const first = evolved({}, new Map([["a.b", rows("id", "line")]]))
    expect(first).toEqual({ "a.b": { version: 1, lists: { rows: ["id", "line"] } } })
    expect(evolved(first, new Map([["a.b", rows("line", "id")]]))).toEqual(first)
    expect(evolved(first, new Map([["a.b", rows("id")]]))).toEqual(first)
    expect(evolved(first, new Map([["a.b", rows("kind", "id", "line", "age")]]))).toEqual({
      "a.b": { version: 2, lists: { rows: ["id", "line", "kind", "age"] } }
    })
    expect(evolved(first, new Map([["c.d", { type: "object", properties: {} }]]))).toEqual({})
  })
})

describe("a section with a layout", () => {
  const layout = { version: 1, lists: { rows: ["id", "kind", "line", "note"] } }
  const value = { rows: [{ line: 1, id: "a" }, { id: "b" }] }

  it("has all its columns, in their order, whatever rows there are", () => {
    const text = encode(sectionsOf("t", value, { layout, fields: undefined }))
    expect(text).toBe("GCX1 tool=t fields=id,kind,line,note list=rows\na\t\t1\nb\n")
    expect(Either.getOrThrow(decode(text))[0]?.rows).toEqual([
      ["a", "", "1", ""],
      ["b", "", "", ""]
    ])
  })
  it("has those of them that the caller asked for", () => {
    const asked = { rows: [{ line: 1, id: "a" }] }
    expect(encode(sectionsOf("t", asked, { layout, fields: ["line", "id"] }))).toBe(
      "GCX1 tool=t fields=id,line list=rows\na\t1\n"
    )
  })
  it("says the version of one that has grown, and puts what no layout knows behind", () => {
    const grown = { version: 3, lists: layout.lists }
    expect(
      encode(sectionsOf("t", { rows: [{ zq: 1, id: "a" }] }, { layout: grown, fields: undefined }))
    ).toBe("GCX1 tool=t fields=id,kind,line,note,zq layout=3 list=rows\na\t\t\t\t1\n")
  })
})

describe("the layout of an operation", () => {
  it("is what it was", () => {
    expect(layoutOf("workspace.graph")).toEqual({
      version: 1,
      lists: { per_repo: ["name", "root", "files"] }
    })
    expect(layoutOf("no.such")).toBeUndefined()
  })
})
