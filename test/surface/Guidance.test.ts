import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import { type Facade, listed } from "../../src/registry/Facade.ts"
import type { Operation } from "../../src/registry/Operation.ts"
import { make, type Registry } from "../../src/registry/Registry.ts"
import { guidance } from "../../src/surface/Guidance.ts"
import { instructions } from "../../src/surface/instructions.ts"

const all: ReadonlyArray<Facade.Any> = registry.facades

/** The registry as it would be if exactly these tools had their handlers. */
const having = (tools: ReadonlySet<string>): Registry.Any =>
  make(
    ...all.map((facade) => ({
      ...facade,
      operations: facade.operations.map(
        (operation) =>
          Object.defineProperties(
            {},
            {
              ...Object.getOwnPropertyDescriptors(operation),
              available: { value: tools.has(facade.name), enumerable: true }
            }
          ) as Operation.Any
      )
    }))
  )

const names = all.map(({ name }) => name)
const has = (of: Facade.Any) => listed(of).some(({ available }) => available)

describe("the instructions", () => {
  it("are what the registry gives (npx tsx src/build/roster.ts writes them anew)", () => {
    expect(instructions).toBe(guidance(registry))
  })

  it("recommend what this build can do and name what it cannot", () => {
    const without = /Without operations in this build: ([^.]*)\./.exec(instructions)?.[1]?.split(", ") ?? []
    expect(without).toEqual(all.filter((of) => !has(of)).map(({ name }) => name))
  })

  it("recommend everything once everything is there", () => {
    const text = guidance(having(new Set(names)))
    expect(text).toContain(
      "Locate with explore or search, read with read, follow uses with relations or trace, change with edit or refactor, check with change (detect, tests, guards)."
    )
    expect(text).not.toContain("in this build")
  })

  it("leave out steps nothing does", () => {
    const text = guidance(having(new Set(["search", "trace", "capabilities"])))
    expect(text).toContain(" Locate with search, follow uses with trace. ")
    expect(text).toContain(" Without operations in this build: explore, read, relations, analyze,")
  })

  it("count the tools without operations where their names would take too long", () => {
    const steps = [
      "explore",
      "search",
      "read",
      "relations",
      "trace",
      "edit",
      "refactor",
      "change",
      "capabilities"
    ]
    const text = guidance(having(new Set(steps)))
    expect(text).toContain(" 12 of the 21 tools have no operations in this build. ")
    expect(text).not.toContain("recall")
  })

  it("are short and speak plainly, whatever is there", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.subarray(names), (there) => {
        const text = guidance(having(new Set(there)))
        expect(text.length).toBeLessThan(550)
        expect(text).not.toMatch(/facade|preset|version|tools\/list/i)
        for (const name of ["explore", "search", "read", "relations", "trace", "edit", "refactor", "change"])
          expect(new RegExp(`(with|or) ${name}\\b`).test(text), name).toBe(there.includes(name))
      })
    )
  })
})
