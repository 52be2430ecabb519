import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import {
  fitting,
  type Item,
  mostRef,
  present,
  type Raw,
  refOf,
  says
} from "../../../../src/transports/http/agent_context/Item.ts"
import { limits, scopes } from "../../../../src/transports/http/agent_context/Settings.ts"

const raw = (more: Partial<Raw> = {}): Raw => ({
  scope: "symbols",
  kind: "function",
  id: "lib/a.ts::f",
  title: "f",
  text: "function f(): void",
  path: "lib/a.ts",
  label: "function in lib/a.ts:1",
  personal: false,
  ...more
})

const anyRaw = fc.record({
  scope: fc.constantFrom(...scopes),
  kind: fc.string({ minLength: 1 }),
  id: fc.string({ unit: "binary", maxLength: 400 }),
  title: fc.string({ unit: "binary", maxLength: 400 }),
  text: fc.string({ unit: "binary", maxLength: 3000 }),
  path: fc.option(fc.string({ maxLength: 500 }), { nil: undefined }),
  label: fc.string({ minLength: 1, maxLength: 60 }),
  personal: fc.boolean()
})

describe("an item", () => {
  it("keeps within its bounds, whatever its source has", () => {
    fc.assert(
      fc.property(anyRaw, fc.constantFrom("metadata" as const, "summary" as const), (given, profile) => {
        const item = present(given, profile)
        expect(item.kind.length).toBeLessThanOrEqual(80)
        expect(item.title.length).toBeLessThanOrEqual(160)
        expect(item.summary.length).toBeLessThanOrEqual(limits.maxSummaryChars)
        expect((item.path ?? "").length).toBeLessThanOrEqual(300)
        const broken = /\p{Surrogate}/u
        expect(broken.test(item.title) && !broken.test(given.title)).toBe(false)
      })
    )
  })

  it("is referred to by its name where that is short and may be shown, and by a digest otherwise", () => {
    expect(refOf(raw())).toBe("symbols:function:lib/a.ts::f")
    expect(refOf(raw({ personal: true }))).toMatch(/^symbols:function:[0-9a-f]{20}$/)
    expect(refOf(raw({ id: "x".repeat(mostRef) }))).toMatch(/^symbols:function:[0-9a-f]{20}$/)
    expect(refOf(raw({ id: "jo@mail.example.org" }))).toMatch(/^symbols:function:[0-9a-f]{20}$/)
    expect(refOf(raw({ id: "a\nb" }))).toMatch(/^symbols:function:[0-9a-f]{20}$/)
  })

  const memory = raw({
    scope: "memories",
    kind: "memory",
    title: "Wedding",
    text: "in May",
    label: "a memory",
    personal: true
  })

  it("of somebody's own words shows none of them in the metadata profile, and is not found by them", () => {
    const item = present(memory, "metadata")
    expect(JSON.stringify(item)).not.toMatch(/wedding|may/i)
    expect(item.path).toBeUndefined()
    expect(says(memory, item, "metadata", "wedding")).toBe(false)
    expect(says(memory, item, "metadata", "a memory")).toBe(true)
    const shown = present(memory, "summary")
    expect(shown).toMatchObject({ title: "Wedding", summary: "in May" })
    expect(says(memory, shown, "summary", "WEDDING")).toBe(true)
  })

  it("is not found by what is masked in it", () => {
    const given = raw({ text: "written by jo@mail.example.org" })
    const item = present(given, "summary")
    expect(item.summary).toBe("written by [e-mail]")
    expect(says(given, item, "summary", "jo@mail")).toBe(false)
    expect(says(given, item, "summary", "written by")).toBe(true)
  })
})

describe("a page", () => {
  it("has the items that fit, no more and no fewer, and at least one", () => {
    fc.assert(
      fc.property(
        fc.array(
          anyRaw.map((given): Item => present(given, "summary")),
          { minLength: 1, maxLength: 60 }
        ),
        fc.nat(3000),
        (items, around) => {
          const page = fitting(items, around)
          const size = (rows: ReadonlyArray<Item>) =>
            around + rows.reduce((sum, item) => sum + JSON.stringify(item).length + 1, 0)
          expect(page).toEqual(items.slice(0, page.length))
          expect(page.length).toBeGreaterThan(0)
          expect(page.length === 1 || size(page) <= limits.maxResponseChars).toBe(true)
          expect(
            page.length === items.length || size(items.slice(0, page.length + 1)) > limits.maxResponseChars
          ).toBe(true)
        }
      )
    )
  })
})
