import { Either, FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import * as Arbitraries from "../../src/registry/Arbitraries.ts"
import * as F from "../../src/registry/Fields.ts"
import { flatten, lower, raise, speak } from "../../src/registry/Flat.ts"
import type { Operation } from "../../src/registry/Operation.ts"
import names from "./fixtures/flat-names.json" with { type: "json" }

const operations = registry.facades.flatMap(({ operations }) => operations)
const operation = (facade: string, name: string): Operation.Any => {
  const found = registry.lookup(facade, name)
  if (found === undefined) throw new Error(`there is no ${facade}.${name}`)
  return found
}

/** Fields with several places in this registry where callers of the canonical tools have one name. */
const apart: { readonly [operation: string]: { readonly [place: string]: string } } = {
  "change.impact": { "target.symbol": "id" }
}

describe("flat names", () => {
  it("are those callers of the canonical tools use", () => {
    const wrong: Array<string> = []
    let compared = 0
    for (const [key, places] of Object.entries(names)) {
      const [facade, name] = key.split(".") as [string, string]
      const found = registry.lookup(facade, name)
      if (found === undefined) continue
      const flat = new Map([...flatten(found).fields.values()].map((each) => [each.place, each.name]))
      for (const [place, told] of Object.entries(places)) {
        const own = flat.get(place)
        if (own === undefined) continue
        compared++
        if (own !== (apart[key]?.[place] ?? told)) wrong.push(`${key} ${place}: ${own}, not ${told}`)
      }
    }
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(850)
  })

  it("stand for one place each, and no field is without one but controls an operation's own hide", () => {
    for (const each of operations) {
      const { fields } = flatten(each)
      const places = [...fields.values()].map(({ place }) => place)
      expect(new Set(places).size).toBe(places.length)
      const missing = [...F.walk(each.input.fields)]
        .filter(([, { shape }]) => shape.tag !== "group" && shape.tag !== "target")
        .map(([place]) => place)
        .filter((place) => !places.includes(place))
      for (const place of missing) expect(place).toMatch(/^output\./)
    }
  })

  it("of an operation are annotated at places it has", () => {
    for (const each of operations) {
      const places = [...F.walk(each.input.fields)].map(([place]) => place)
      for (const place of Object.keys(each.flat)) expect(places).toContain(place)
    }
  })
})

describe("flat arguments", () => {
  it("come to what they were made of, for every operation", () => {
    for (const each of operations) {
      FastCheck.assert(
        FastCheck.property(Arbitraries.ofInput(each.input), (args) => {
          const flat = raise(each, args)
          for (const container of ["target", "to", "options", "source", "guard"])
            if (!flatten(each).fields.has(container)) expect(flat).not.toHaveProperty(container)
          const [direct, published] = [each.decode(lower(each, flat)), each.decode(args)]
          expect(Either.getOrThrow(direct)).toEqual(Either.getOrThrow(published))
        }),
        { numRuns: 4 }
      )
    }
  })

  it("leave what has no flat name where it is", () => {
    expect(lower(operation("read", "file"), { path: "a.ts", nonsense: 1, options: { offset: 3 } })).toEqual({
      target: { file: "a.ts" },
      nonsense: 1,
      options: { offset: 3 }
    })
  })

  it("stay apart from a container that says something else", () => {
    const both = lower(operation("read", "file"), { path: "a.ts", offset: 5, options: { offset: 3 } })
    expect(Either.isLeft(operation("read", "file").decode(both))).toBe(true)
  })

  it("are not written into the caller's own objects", () => {
    const options = { limit: 2 }
    lower(operation("read", "file"), { path: "a.ts", offset: 5, options })
    expect(options).toEqual({ limit: 2 })
  })
})

describe("refusals in flat names", () => {
  it("name the fields as the caller knows them", () => {
    const { sentence, word } = speak(operation("edit", "file"))
    expect(word("match")).toBe("old_string")
    expect(word("guard.base_sha")).toBe("base_sha")
    expect(sentence("edit.file: match is required: non-empty string; target.file must be a path")).toBe(
      "edit.file: old_string is required: non-empty string; path must be a path"
    )
    expect(sentence("the text does not match src/a.ts")).toBe("the text does not match src/a.ts")
  })
})
