/**
 * Every operation by its canonical tool's name gives what it gives through its facade: two engines over equal folders are
 * asked the same, one in each way.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { FastCheck } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import { openEngine } from "../../src/layers.ts"
import type { Engine } from "../../src/pipeline/Engine.ts"
import * as Arbitraries from "../../src/registry/Arbitraries.ts"
import { directs, raise, type Route } from "../../src/registry/Direct.ts"
import { flatten } from "../../src/registry/Flat.ts"
import { isRecord } from "../../src/registry/Json.ts"
import { parse } from "../../src/surface/Selection.ts"
import { surfaceOf } from "../../src/surface/Surface.ts"
import { hold } from "../facades/advertised.ts"

const files = {
  "src/sum.ts":
    "/** Adds. */\nexport const add = (a: number, b: number): number => a + b\n\nexport const twice = (a: number) => add(a, a)\n",
  "src/shape.ts":
    "export interface Shape {\n  area(): number\n}\nexport class Square implements Shape {\n  area() {\n    return 4\n  }\n}\n",
  "src/main.ts":
    'import { add, twice } from "./sum.ts"\nimport { Square } from "./shape.ts"\nexport const run = () => add(twice(2), new Square().area())\n',
  "test/sum.test.ts": 'import { add } from "../src/sum.ts"\ntest("add", () => add(1, 2))\n',
  "README.md": "# Sums\n\nAdds numbers.\n"
}

/** Values that lead somewhere, by flat name. */
const sensible: { readonly [name: string]: unknown } = {
  id: "src/sum.ts::add",
  symbol_id: "src/sum.ts::add",
  source_id: "src/main.ts::run",
  sink_id: "src/sum.ts::add",
  ids: ["src/sum.ts::add", "src/sum.ts::twice"],
  symbols: ["src/sum.ts::add"],
  path: "src/sum.ts",
  file: "src/sum.ts",
  files: ["src/sum.ts"],
  paths: ["src"],
  task: "add two numbers",
  query: "add",
  pattern: "add",
  glob: "**/*.ts"
}

const surface = surfaceOf(registry, parse("full"))
const made: Array<string> = []
const folder = (): string => {
  const top = mkdtempSync(join(tmpdir(), "portico-parity-"))
  made.push(top)
  const directory = join(top, "sums")
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: directory,
      env: {
        ...process.env,
        GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
        GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z"
      }
    })
  git("init", "-q", "-b", "main")
  git("add", ".")
  git("commit", "-q", "-m", "one")
  return directory
}

let through: Engine
let direct: Engine
const home = process.env["PORTICO_HOME"]
beforeAll(async () => {
  // Transactions are known by their ids in all folders of a home.
  const open = () => {
    process.env["PORTICO_HOME"] = mkdtempSync(join(tmpdir(), "portico-parity-home-"))
    made.push(process.env["PORTICO_HOME"])
    return openEngine({ directory: folder(), watch: false })
  }
  through = await open()
  direct = await open()
  for (const engine of [through, direct]) engine.openSession("s")
}, 120_000)
afterAll(async () => {
  await Promise.all([through?.close(), direct?.close()])
  if (home === undefined) delete process.env["PORTICO_HOME"]
  else process.env["PORTICO_HOME"] = home
  for (const each of made) rmSync(each, { recursive: true, force: true })
})

const isFollowUp = (value: unknown): boolean => isRecord(value) && typeof value["follow_up_kind"] === "string"

/** What differs between two runs of anything: times, and ids that are made of chance. */
const passing =
  /^(?:.*_at|.*_ms|ts|timestamp|age.*|uptime.*|read_revision|transaction_id|receipt|mutation_id|bytes_per_second|id_prefix|session|session_id|request_id|snapshot|snapshot_id|generation|etag|revision)$/

/** They tell of the session's own tools, and the two ways are ways of two sessions: only what they tell it in is equal. */
const aboutSession: ReadonlySet<string> = new Set(["tools_search", "tool_profile"])

/** An answer as it can be compared: follow-ups in the names of single tools, without what passes. */
const comparable = (value: unknown, translate: boolean): unknown => {
  if (isFollowUp(value)) {
    return translate ? surface.translate(value as never) : value
  }
  if (Array.isArray(value)) return value.map((inner) => comparable(inner, translate))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      passing.test(name) ? [] : [[name, comparable(inner, translate)]]
    )
  )
}

/** Arguments that are not generated: a list of edits by chance is no edit. */
const written: { readonly [operation: string]: ReadonlyArray<{ readonly [key: string]: unknown }> } = {
  "edit.batch": [true, false].map((dry_run) => ({
    changes: [
      { op: "edit_file", path: "README.md", match: "numbers", replacement: "whole numbers" },
      { op: "move_file", source: "src/shape.ts", destination: "src/form.ts" }
    ],
    dry_run
  }))
}

/** Arguments of a route as its facade takes them, with values that lead somewhere at half of the calls. */
const argumentsOf = ({ operation }: Route): ReadonlyArray<{ readonly [key: string]: unknown }> => {
  const given = written[`${operation.facade}.${operation.name}`]
  if (given !== undefined) return given
  const flat = flatten(operation)
  return FastCheck.sample(Arbitraries.ofInput(operation.input), { numRuns: 2, seed: 7 }).map(
    (generated, at) => {
      if (at % 2 === 1) return generated
      const args = structuredClone(generated) as { [key: string]: any }
      for (const { name, place } of flat.fields.values()) {
        if (!Object.hasOwn(sensible, name)) continue
        const steps = place.split(".")
        const last = steps.pop()!
        const holder = steps.reduce<any>((here, step) => here?.[step], args)
        if (isRecord(holder) && Object.hasOwn(holder, last)) (holder as any)[last] = sensible[name]
      }
      // Presentation is compared as JSON.
      if (isRecord(args["output"])) args["output"] = { limit: 5 }
      return args
    }
  )
}

const tools = [...directs(registry).values()]

describe("a call by the canonical tool's name gives what it gives through the facade", () => {
  for (const tool of tools)
    it(tool.name, async () => {
      for (const route of tool.routes) {
        const { facade, operation } = route
        for (const args of argumentsOf(route)) {
          const whole = await through.call({
            tool: facade.name,
            args: { ...args, [facade.discriminator]: operation.name },
            session: "s"
          })
          const flat = raise(tool, operation, args)
          const single = await direct.call({
            tool: tool.name,
            args: flat,
            session: "s",
            surface: parse("full")
          })
          const about = `${facade.name}.${operation.name} ${JSON.stringify(flat)}`
          for (const { structuredContent } of [whole, single])
            hold(facade.name, operation.name, structuredContent)
          if (operation.effect === "read") {
            const small = await through.call({
              tool: facade.name,
              args: { ...args, [facade.discriminator]: operation.name, output: { max_bytes: 250 } }
            })
            hold(facade.name, operation.name, small.structuredContent)
          }
          const [left, right] = [whole._meta.gortex_facade, single._meta.gortex_facade]
          expect([right.facade, right.operation], about).toEqual([left.facade, left.operation])
          expect(single.isError, `${about} ${single.content[0]?.text}`).toBe(whole.isError)
          if (aboutSession.has(tool.name))
            expect(Object.keys(single.structuredContent), about).toEqual(Object.keys(whole.structuredContent))
          else if (whole.isError === true)
            for (const key of ["error_code", "reason_code", "failure_stage", "state_changed"])
              expect(single.structuredContent[key], `${about} ${key}`).toEqual(whole.structuredContent[key])
          else
            expect(comparable(single.structuredContent, false), about).toEqual(
              comparable(whole.structuredContent, true)
            )
        }
      }
    }, 120_000)
})
