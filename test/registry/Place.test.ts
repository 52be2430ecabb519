import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { isUnder, isWithin, prefixOf } from "../../src/registry/Place.ts"

const path = fc.array(fc.constantFrom("a", "ab", "b", "a.b"), { minLength: 1, maxLength: 4 })

describe("a place", () => {
  it("holds itself and what has its segments in front", () => {
    fc.assert(
      fc.property(path, path, (inner, outer) => {
        const above = outer.every((segment, at) => inner[at] === segment)
        expect(isWithin(inner.join("/"), outer.join("/"))).toBe(above)
      })
    )
  })
  it("that is the repository holds everything", () => {
    for (const written of ["", ".", "./", undefined]) expect(isUnder(written)("a/b")).toBe(true)
  })
  it("is the same however a caller writes it", () => {
    fc.assert(
      fc.property(
        path,
        fc.constantFrom("", "./", "././", ".//"),
        fc.constantFrom("", "/", "//"),
        (segments, front, behind) => {
          expect(prefixOf(front + segments.join("/") + behind)).toBe(segments.join("/"))
        }
      )
    )
    expect(["../a", ".a/", "/", "a/./b"].map(prefixOf)).toEqual(["../a", ".a", "", "a/./b"])
  })
})
