import { describe, expect, it } from "vitest"
import { registry as own } from "../../../src/facades/index.ts"
import type { Difference } from "../../../src/policy/Audit.ts"
import { audited } from "../../../src/policy/typed/Audited.ts"
import * as Facade from "../../../src/registry/Facade.ts"
import * as F from "../../../src/registry/Fields.ts"
import * as Registry from "../../../src/registry/Registry.ts"
import { CodeGraph } from "../../../src/services/CodeGraph.ts"
import { Effect } from "effect"
import { auditOf, firstLine, source } from "./support.ts"
import { fileURLToPath } from "node:url"

const top = fileURLToPath(new URL("../../..", import.meta.url))
const free = { ceilings: {}, grants: {} }

const told = (differences: ReadonlyArray<Difference>, file: string) =>
  differences
    .filter(({ place }) => place?.file === file)
    .map(({ place, rule, service, subject }) => [rule, subject, service, place?.line])

describe("the audit by types", () => {
  it("sees every operation of this program and finds nothing to say", { timeout: 120_000 }, () => {
    const report = audited({
      registry: own,
      sources: { root: top, include: ["src/facades/**/*.ts"] },
      bounds: free
    })
    expect(report.differences).toEqual([])
    expect(report.looked).toMatchObject({ typed: true, declarations: report.rows.length })
    for (const row of report.rows.filter(({ available }) => available)) {
      expect(row.requires, `${row.facade}.${row.operation}`).toBeDefined()
      expect(row.place?.file).toMatch(new RegExp(`^src/facades/${row.facade}/`))
    }
    const callers = report.rows.find(({ operation }) => operation === "callers")
    expect(callers).toMatchObject({
      requires: ["CodeGraph", "TextIndex"],
      granted: ["agent", "ui", "federation", "cli"],
      place: { file: "src/facades/relations/callers.ts" }
    })
  })

  it("names whatever a handler reaches beyond its class, silenced or not", { timeout: 120_000 }, () => {
    const { differences, looked } = auditOf({
      "honest.ts": source(
        `export const a = looks.operation("a", { ...of, needs: [CodeGraph], handler: () => Effect.as(CodeGraph, {}) })`,
        `export const b = writes.operation("b", { ...of, needs: [], handler: () => Effect.as(LocalWriter, {}) })`,
        `const needs = [ReadFs] as const`,
        `export const c: Member<typeof looks, "c", typeof needs> = looks.operation("c", {`,
        `  ...of, needs, handler: Effect.fn(function* () { yield* ReadFs; return {} }) })`
      ),
      "planted.ts": source(
        `export const a = looks.operation("a", { ...of, needs: [CodeGraph],`,
        `  handler: () => Effect.gen(function* () { yield* CodeGraph; yield* LocalWriter; return {} }) })`
      ),
      "asserted.ts": source(
        `export const a = looks.operation("a", { ...of, needs: [],`,
        `  handler: (() => Effect.as(LocalWriter, {})) as any })`
      ),
      "expected.ts": source(
        `export const a = looks.operation("a", { ...of, needs: [],`,
        `  // @ts-expect-error`,
        `  handler: () => Effect.as(SessionStore, {}) })`
      ),
      "dropped.ts": source(
        `export const a = looks.operation("a", { ...of, needs: [],`,
        `  handler: () => Effect.as(LocalWriter, {}) as Effect.Effect<object> })`
      ),
      "yielded.ts": source(
        `export const a = looks.operation("a", { ...of, needs: [],`,
        `  handler: () => Effect.gen(function* () { yield* (LocalWriter as any); return {} }) })`
      ),
      "elsewhere.ts": source(
        `const help = (): Effect.Effect<object> => Effect.as(LocalWriter, {}) as never`,
        `export const a = looks.operation("a", { ...of, needs: [], handler: help })`
      ),
      "undeclared.ts": source(
        `export const a = looks.operation("a", { ...of, needs: [ReadFs],`,
        `  // @ts-ignore`,
        `  handler: () => Effect.as(CodeGraph, {}) })`
      ),
      "given.ts": source(
        `export const a = looks.operation("a", { ...of, needs: [],`,
        `  handler: () => Effect.as(CodeGraph, {}).pipe(Effect.provideService(CodeGraph, {} as never)) })`
      ),
      "ambient.ts": `import { writeFileSync } from "node:fs"\n${source(
        `export const a = looks.operation("a", { ...of, needs: [],`,
        `  handler: () => Effect.sync(() => { writeFileSync("x", ""); return {} }) })`
      )}`,
      "shorthand.ts": source(
        `const handler = () => Effect.as(LocalWriter, {})`,
        `export const a = looks.operation("a", { ...of, needs: [], handler } as any)`
      ),
      "method.ts": source(
        `// @ts-expect-error`,
        `export const a = looks.operation("a", { ...of, needs: [], handler() { return Effect.as(LocalWriter, {}) } })`
      ),
      "spread.ts": source(
        `const reaching = { needs: [], handler: () => Effect.as(LocalWriter, {}) }`,
        `export const a = looks.operation("a", { ...of, ...reaching } as never)`
      ),
      "helper.ts": source(
        `const op = <const N extends string>(name: N) =>`,
        `  looks.operation(name, { ...of, needs: [], handler: (() => Effect.as(SessionStore, {})) as never })`,
        `export const a = op("a")`
      ),
      "late.ts": source(
        `export const a = looks.operation("a", { ...of, needs: [],`,
        `  handler: () => Effect.as(Effect.promise(() => import("node:child_process")), {}) })`
      ),
      "plain.js": `// @ts-check\n${source(
        `export const a = looks.operation("a", { ...of, needs: [],`,
        `  handler: () => Effect.as(/** @type {any} */ (LocalWriter), {}) })`
      ).replace(/^import type.*$|^export type.*$/gm, "")}`
    })
    expect(looked.typed).toBe(true)
    expect(told(differences, "honest.ts")).toEqual([])
    expect(told(differences, "planted.ts")).toEqual([
      ["authority", "looks.a", "LocalWriter", firstLine],
      ["needs", "looks.a", "LocalWriter", firstLine]
    ])
    expect(differences.find(({ place }) => place?.file === "planted.ts")?.message).toBe(
      "has class read and its handler requires LocalWriter, which is local_write"
    )
    expect(told(differences, "asserted.ts")).toEqual([
      ["authority", "looks.a", "LocalWriter", firstLine],
      ["hidden", "looks.a", "LocalWriter", firstLine + 1],
      ["needs", "looks.a", "LocalWriter", firstLine]
    ])
    expect(told(differences, "expected.ts")).toEqual([
      ["authority", "looks.a", "SessionStore", firstLine],
      ["needs", "looks.a", "SessionStore", firstLine],
      ["silenced", "looks.a", undefined, firstLine + 1]
    ])
    expect(told(differences, "dropped.ts")).toEqual([["hidden", "looks.a", "LocalWriter", firstLine + 1]])
    expect(told(differences, "yielded.ts")).toEqual([
      ["hidden", "looks.a", "LocalWriter", firstLine + 1],
      ["unknown", "looks.a", undefined, firstLine]
    ])
    expect(told(differences, "elsewhere.ts")).toEqual([["hidden", "elsewhere.ts", "LocalWriter", firstLine]])
    expect(told(differences, "undeclared.ts")).toEqual([
      ["needs", "looks.a", "CodeGraph", firstLine],
      ["silenced", "looks.a", undefined, firstLine + 1]
    ])
    expect(told(differences, "given.ts")).toEqual([["provided", "looks.a", undefined, firstLine + 1]])
    expect(told(differences, "ambient.ts")).toEqual([["ambient", "ambient.ts", undefined, 1]])
    expect(told(differences, "shorthand.ts")).toContainEqual([
      "authority",
      "looks.a",
      "LocalWriter",
      firstLine + 1
    ])
    expect(told(differences, "method.ts")).toContainEqual([
      "authority",
      "looks.a",
      "LocalWriter",
      firstLine + 1
    ])
    expect(told(differences, "spread.ts")).toContainEqual([
      "authority",
      "looks.a",
      "LocalWriter",
      firstLine + 1
    ])
    // Where it is written, and for what is made of it.
    expect(told(differences, "helper.ts").filter(([rule]) => rule === "authority")).toEqual([
      ["authority", "looks.<any>", "SessionStore", firstLine + 1],
      ["authority", "looks.a", "SessionStore", firstLine + 2]
    ])
    expect(told(differences, "late.ts")).toEqual([["ambient", "looks.a", undefined, firstLine + 1]])
    expect(told(differences, "plain.js")).toContainEqual(["hidden", "looks.a", "LocalWriter", firstLine + 2])
  })

  it("holds what the compiler sees against the value that runs, grants and ceilings", {
    timeout: 60_000
  }, () => {
    const looks = Facade.make("looks", { effect: "read", purpose: "", envelope: { properties: {} } })
    const of = { tool: "t", summary: "", input: F.input({}) }
    const handler = () => Effect.succeed({})
    const registry = Registry.make(
      looks.of(
        looks.operation("a", { ...of, needs: [], handler }),
        looks.operation("b", { ...of, needs: [CodeGraph], handler }),
        looks.operation("c", { ...of, needs: [], handler }),
        looks.operation("d", { ...of, needs: [], handler })
      )
    )
    const { differences, rows } = auditOf(
      {
        "looks.ts": source(
          `export const a = looks.operation("a", { ...of, needs: [],`,
          `  handler: (() => Effect.as(LocalWriter, {})) as any })`,
          `export const b = looks.operation("b", { ...of, needs: [], handler: () => Effect.succeed({}) })`,
          `export const d = looks.declared("d", of)`
        )
      },
      registry,
      {
        ceilings: { looks: ["read"] },
        grants: { federation: { classes: ["read"], tools: { loks: ["Reader"] } } }
      }
    )
    expect(differences.map(({ message, rule, subject }) => `${rule}: ${subject} ${message}`)).toEqual([
      "grants: loks is narrowed for federation and is no tool",
      "authority: looks.a has class read and its handler requires LocalWriter, which is local_write",
      "ceilings: looks.a has a handler that requires LocalWriter (local_write), which is above its ceiling",
      "grants: looks.a may be run by federation, who was not granted LocalWriter (local_write)",
      "hidden: looks.a an assertion takes LocalWriter out of a type (class read)",
      "needs: looks.a has a handler that requires LocalWriter, and needs none",
      "declared: looks.b needs none for the compiler and CodeGraph when it runs",
      "unseen: looks.c is declared nowhere that the compiler sees",
      "unseen: looks.d runs a handler that the compiler does not see"
    ])
    expect(rows.find(({ operation }) => operation === "a")?.requires).toEqual(["LocalWriter"])
  })

  it("says plainly when there are no sources, and checks values all the same", () => {
    const { differences, looked, rows } = audited({
      registry: own,
      sources: "the sources of this program are not installed with it",
      bounds: free
    })
    expect(looked).toEqual({ typed: false, because: "the sources of this program are not installed with it" })
    expect(differences).toEqual([])
    expect(rows.every(({ requires }) => requires === undefined)).toBe(true)
  })
})
