import { Ajv2020 } from "ajv/dist/2020.js"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as Capabilities from "../../src/registry/Capabilities.ts"
import { classOfTag, closedWorldTags, witness } from "../../src/registry/EffectClass.ts"
import * as Facade from "../../src/registry/Facade.ts"
import type { OperationFailure } from "../../src/registry/Failure.ts"
import * as F from "../../src/registry/Fields.ts"
import { containers } from "../../src/registry/Input.ts"
import { byteLength, isRecord } from "../../src/registry/Json.ts"
import { sampleArguments } from "../../src/registry/JsonSchema.ts"
import type { Outcome } from "../../src/registry/Projection.ts"
import * as Registry from "../../src/registry/Registry.ts"
import { isRepositorySelector, namesRepository } from "../../src/registry/RepositorySelector.ts"
import { catalog as registry } from "../../src/facades/index.ts"
import * as migration from "./fixtures/migration.ts"
import { catalog, complete, facade, operation, pairs } from "./support.ts"

const label = ([of, op]: (typeof pairs)[number]) => `${of.name}.${op.name}`
const publicPairs = pairs.filter(([, op]) => !op.hidden)

const specified = [
  ...Object.values(migration.destinations).flatMap((operations) => Object.values(operations)),
  ...migration.analyses,
  ...migration.channels.flatMap((channel) => [`subscribe_${channel}`, `unsubscribe_${channel}`]),
  ...Object.values(migration.compatibility).flatMap((operations) => Object.values(operations))
]

describe("the canonical tools", () => {
  it("are the 178 of the specification, and the two without a former tool", () => {
    const expected = new Set(specified)
    assert.strictEqual(expected.size, 178)
    const held = new Set(pairs.flatMap(([, op]) => op.tools))
    assert.sameMembers(
      [...held].filter((tool) => !expected.has(tool)),
      ["mutation_status", "capabilities"]
    )
    assert.sameMembers(
      [...expected].filter((tool) => !held.has(tool)),
      []
    )
  })
  it("stand where the specification puts them", () => {
    const named = Object.values(migration.destinations).flatMap((operations) => Object.keys(operations))
    assert.strictEqual(named.length, 148)
    for (const kept of [migration.destinations, migration.compatibility]) {
      for (const [name, operations] of Object.entries(kept)) {
        for (const [op, tool] of Object.entries(operations))
          assert.deepStrictEqual(operation(name, op).tools, [tool], `${name}.${op}`)
      }
    }
    const analyses = new Set(facade("analyze").operations.flatMap((op) => op.tools))
    assert.sameMembers([...analyses], [...migration.analyses])
    for (const verb of ["subscribe", "unsubscribe"]) {
      assert.sameMembers(
        [...operation("session", verb).tools],
        migration.channels.map((channel) => `${verb}_${channel}`)
      )
    }
  })
  it("are reached by one operation of a name in a tool", () => {
    assert.strictEqual(new Set(pairs.map(label)).size, pairs.length)
    assert.strictEqual(publicPairs.length, 249)
  })
  it("leave nothing over: every public operation but the kinds is specified", () => {
    const extra = publicPairs.filter(
      ([of, op]) => of.name !== "analyze" && migration.destinations[of.name]?.[op.name] === undefined
    )
    assert.sameMembers(extra.map(label), [
      "change.receipt",
      "session.subscribe",
      "session.unsubscribe",
      "capabilities.summary",
      "capabilities.schema"
    ])
  })
  it("of a facade with several operations of one tool are told apart by fixed arguments", () => {
    for (const of of catalog.facades) {
      const seen = new Map<string, string>()
      for (const op of of.operations) {
        if (op.hidden || op.tools.length > 1 || of.name === "capabilities") continue
        const key = `${op.tools[0]} ${JSON.stringify(op.fixed["kind"] ?? null)}`
        assert.isFalse(seen.has(key), `${of.name}.${op.name} and ${seen.get(key)} share ${key}`)
        seen.set(key, op.name)
      }
    }
  })
  it("hide the compatibility names, the ten channel names among them", () => {
    const hidden = pairs.filter(([, op]) => op.hidden)
    assert.sameMembers(hidden.map(label), [
      ...Object.entries(migration.compatibility).flatMap(([name, operations]) =>
        Object.keys(operations).map((op) => `${name}.${op}`)
      ),
      ...migration.channels.flatMap((channel) => [
        `session.subscribe_${channel}`,
        `session.unsubscribe_${channel}`
      ])
    ])
  })
})

describe("the kinds of analysis", () => {
  const analyze = facade("analyze")
  const kinds = analyze.operations.filter((op) => op.tools[0] === "analyze")
  it("are 74 and the help on them, each with its kind fixed", () => {
    assert.strictEqual(kinds.filter((op) => op.name !== "help").length, 74)
    for (const op of kinds) assert.strictEqual(op.fixed["kind"], op.name)
  })
  it("leave the four that persist to workspace_admin", () => {
    for (const kind of ["blame", "coverage", "sql_rebuild", "temporal_verify"]) {
      assert.isUndefined(catalog.lookup("analyze", kind))
      assert.deepStrictEqual(operation("workspace_admin", kind).tools, ["analyze"])
      for (const args of [{ kind }, { options: { kind } }, { operation: kind }, { arguments: { kind } }]) {
        const error = Either.getOrThrow(Either.flip(Facade.select(analyze, args)))
        assert.strictEqual(error.reason_code, "unknown_operation")
      }
    }
  })
  it("default to help", () => {
    assert.strictEqual(analyze.default, "help")
    const error = Either.getOrThrow(Either.flip(Facade.select(analyze, { kind: "no such kind" })))
    assert.strictEqual(error.field, "kind")
  })
})

describe("effects", () => {
  it("make 21 tools of one class each", () => {
    assert.deepStrictEqual(
      Object.fromEntries(catalog.facades.map((of) => [of.name, of.effect])),
      migration.effects
    )
    assert.strictEqual(catalog.facades.length, 21)
    for (const [of, op] of pairs) assert.strictEqual(op.effect, of.effect)
  })
  it("come with services of their class only, and with its witness", () => {
    for (const pair of pairs) {
      const [, op] = pair
      for (const key of op.needs) {
        const needed = classOfTag(key)
        assert.isTrue(needed === "read" || needed === op.effect, `${label(pair)} needs ${key}`)
      }
      const own = witness[op.effect]
      if (own !== undefined) assert.include(op.needs, own.key)
    }
  })
  it("put no mutator under read", () => {
    for (const pair of pairs) {
      const [, op] = pair
      for (const tool of op.tools) {
        if (!(migration.mutators as ReadonlyArray<string>).includes(tool) && !/^(un)?subscribe_/.test(tool))
          continue
        assert.notStrictEqual(op.effect, "read", `${label(pair)} is ${tool}`)
      }
    }
  })
  for (const [name, op, fixed] of migration.splits) {
    it(`fix ${JSON.stringify(fixed)} for ${name}.${op}, past any argument`, () => {
      const split = operation(name, op)
      assert.deepStrictEqual(split.fixed, fixed)
      const sample = sampleArguments(Capabilities.inputSchema(facade(name), split))
      const { [facade(name).discriminator]: _, ...args } = sample
      for (const [key, value] of Object.entries(fixed)) {
        assert.notInclude(Object.keys(split.input.fields), key)
        const other = typeof value === "boolean" ? !value : "other"
        for (const attempt of [
          { ...args, [key]: other },
          { ...args, options: { ...(args["options"] as object | undefined), [key]: other } }
        ]) {
          const error = Either.getOrThrow(Either.flip(split.decode(attempt)))
          assert.strictEqual(error.code, "invalid_argument")
        }
        assert.isTrue(Either.isRight(split.decode({ ...args, [key]: value })))
      }
    })
  }
  it("let only publish_review write to a forge", () => {
    const writers = pairs.filter(([, op]) => op.needs.includes("portico/ForgeClient")).map(label)
    assert.deepStrictEqual(writers, ["publish_review.post"])
    const readers = new Set(
      pairs.filter(([, op]) => op.needs.includes("portico/ForgeReader")).map(([of]) => of.name)
    )
    assert.deepStrictEqual([...readers], ["pr"])
  })
  it("mark what may ask a forge or a language model as open world", () => {
    const open = Capabilities.tools(catalog)
      .filter((tool) => tool.annotations.openWorldHint)
      .map((tool) => tool.name)
    assert.sameMembers(open, ["ask", "pr", "review", "publish_review"])
    // Of an operation it is said wherever it holds, whatever its tool is annotated with.
    const elsewhere = pairs.filter(([of, op]) => op.openWorld && !open.includes(of.name)).map(label)
    assert.deepStrictEqual(elsewhere, ["workspace_admin.temporal_verify"])
  })
})

describe("modes", () => {
  const planning = Registry.only(registry, ["read", "session_write"])
  const federation = Registry.satisfiedBy(registry, closedWorldTags)
  it("keep every durable write out of planning", () => {
    for (const pair of pairs) {
      const [of, op] = pair
      const held = planning.lookup(of.name, op.name) !== undefined
      assert.strictEqual(held, op.effect === "read" || op.effect === "session_write", label(pair))
    }
  })
  it("keep every write and everything outside out of federation", () => {
    for (const [of, op] of pairs) {
      const held = federation.lookup(of.name, op.name) !== undefined
      if (op.effect !== "read" || op.openWorld) assert.isFalse(held)
      else assert.isTrue(held)
    }
    assert.sameMembers(
      federation.facades.map((of) => of.name).filter((name) => facade(name).effect !== "read"),
      []
    )
  })
  it("agree with the policy", () => {
    for (const row of Capabilities.policy(catalog)) {
      assert.strictEqual(row.planning, planning.lookup(row.facade, row.operation) !== undefined)
      assert.strictEqual(row.federation, federation.lookup(row.facade, row.operation) !== undefined)
    }
  })
})

describe("the tool list", () => {
  const size = (of: Registry.Registry.Any) => byteLength({ tools: Capabilities.tools(of) })
  it("has room: 12,000 bytes with every operation at hand", () => {
    assert.isAtMost(size(catalog), 12_000)
    assert.strictEqual(size(complete), 11_582)
  })
  it("has 21 names in a fixed order and never says facade", () => {
    assert.deepStrictEqual(
      Capabilities.tools(catalog).map((tool) => tool.name),
      Object.keys(migration.effects)
    )
    assert.notInclude(JSON.stringify(Capabilities.tools(complete)).toLowerCase(), "facade")
    assert.notInclude(JSON.stringify(Capabilities.tools(complete)), "gortex")
  })
  it("repeats at most a tenth of its words", () => {
    const texts = Capabilities.tools(complete).map(
      (tool) => tool.description.toLowerCase().match(/[a-z_]+/g) ?? []
    )
    const seen = new Map<string, number>()
    const runs = (words: ReadonlyArray<string>) =>
      words.slice(0, -3).map((_, at) => words.slice(at, at + 4).join(" "))
    for (const words of texts) for (const run of new Set(runs(words))) seen.set(run, (seen.get(run) ?? 0) + 1)
    const repeated = texts.flatMap(runs).filter((run) => (seen.get(run) as number) > 1).length
    assert.isAtMost(repeated / texts.flatMap(runs).length, 0.1)
  })
  it("stays as it is when a rare operation is added", () => {
    const read = complete.facade("read") as Facade.Facade.Any
    const more = Facade.make("read", { effect: "read", purpose: read.purpose, envelope: read.envelope })
    const rare = more.declared("rare", {
      tool: "rare",
      summary: "Something rare.",
      tier: 2,
      because: "it is rare"
    })
    const grown = Registry.make(
      ...complete.facades.map((of) =>
        of === read
          ? {
              ...read,
              operations: [...read.operations, Object.defineProperty(rare, "available", { value: true })]
            }
          : of
      )
    )
    assert.strictEqual(grown.facade("read")?.operations.length, read.operations.length + 1)
    assert.deepStrictEqual(Capabilities.tools(grown), Capabilities.tools(complete))
  })
  it("says things briefly", () => {
    for (const of of catalog.facades) assert.isAtMost(of.purpose.length, 120, of.name)
    for (const pair of pairs) {
      const { summary } = pair[1]
      assert.isAtMost(summary.length, 90, label(pair))
      assert.match(summary, /^[A-Z].*[.?]$/, label(pair))
      assert.notMatch(summary, /facade|legacy/i)
    }
  })
  it("does not repeat a summary within a tool", () => {
    for (const of of catalog.facades) {
      const summaries = Facade.listed(of).map((op) => op.summary)
      assert.strictEqual(new Set(summaries).size, summaries.length, of.name)
    }
  })
  it("names operations after what they do", () => {
    for (const [, op] of pairs) assert.match(op.name, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
    for (const [, op] of publicPairs)
      assert.notMatch(op.name, /(^|_)(legacy|compat|direct|gateway|hidden)(_|$)/)
  })
})

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  addUsedSchema: false,
  code: { optimize: false }
})
const advertised = new Map(catalog.facades.map((of) => [of.name, ajv.compile(Capabilities.staticSchema(of))]))
const problemsOf = (
  data: { readonly [key: string]: unknown } | undefined
): ReadonlyArray<{ readonly [key: string]: unknown }> =>
  Array.isArray(data?.["problems"]) ? data["problems"] : [data ?? {}]

/** Every place a caller must fill, containers and selectors apart. */
const requiredPaths = function* (fields: F.Fields, prefix = ""): Generator<string> {
  for (const [name, field] of Object.entries(fields)) {
    if (F.mayBeAbsent(field)) continue
    if (field.shape.tag === "group") yield* requiredPaths(field.shape.fields, `${prefix}${name}.`)
    else yield `${prefix}${name}`
  }
}
const without = (
  root: { readonly [key: string]: unknown },
  path: string
): { readonly [key: string]: unknown } => {
  const [name, ...rest] = path.split(".") as [string, ...Array<string>]
  const { [name]: inner, ...others } = root
  return rest.length === 0 || !isRecord(inner)
    ? others
    : { ...others, [name]: without(inner, rest.join(".")) }
}

describe("the input of every operation", () => {
  for (const pair of pairs) {
    const [of, op] = pair
    const shape = Capabilities.requestShape(of, op)
    const { [of.discriminator]: _, ...args } = shape
    it(`${label(pair)}: its request shape fits its schema, the tool's, and decodes`, () => {
      const exact = ajv.compile(Capabilities.inputSchema(of, op))
      assert.isTrue(exact(shape), JSON.stringify(exact.errors))
      const open = advertised.get(of.name)
      assert.isTrue(open?.(shape), JSON.stringify(open?.errors))
      const places = Object.keys(Capabilities.staticSchema(of)["properties"] as object)
      assert.includeMembers(places, Object.keys(shape))
      if (!op.hidden)
        assert.includeMembers(
          places,
          Object.keys(op.input.fields),
          "publishes a field the tool does not advertise"
        )
      const selected = Facade.select(complete.facade(of.name) as Facade.Facade.Any, shape)
      assert.strictEqual(Either.getOrThrow(selected).operation.name, op.name)
      assert.isTrue(Either.isRight(op.decode(args)))
    })
    it(`${label(pair)}: without a required field the refusal names it`, () => {
      for (const path of requiredPaths(op.input.fields)) {
        const error = Either.getOrThrow(Either.flip(op.decode(without(args, path))))
        const named = problemsOf(error.data).map((problem) => problem["field"] as string)
        assert.isTrue(
          named.some((field) => field === path || field.startsWith(`${path}.`)),
          `${path}: ${named.join(", ")}`
        )
        assert.strictEqual(error.state_changed, false)
      }
    })
    it(`${label(pair)}: a stray key in any container is refused with the valid ones`, () => {
      const published = new Set([...F.walk(op.input.fields)].map(([path]) => path))
      const attempt = (junk: { readonly [key: string]: unknown }, at: string) => {
        const error = Either.getOrThrow(Either.flip(op.decode({ ...args, ...junk })))
        const problem = problemsOf(error.data).find((each) => each["field"] === at)
        assert.isDefined(problem, at)
        const valid = problem?.["valid_fields"] as ReadonlyArray<string>
        assert.isNotEmpty(valid)
        for (const path of valid) assert.isTrue(published.has(path), path)
      }
      for (const container of containers) {
        const own = args[container]
        // A list or text of the same name as a container cannot hold a key.
        if (own !== undefined && !isRecord(own)) continue
        attempt({ [container]: { ...(own as object | undefined), zzjunkzz: 1 } }, `${container}.zzjunkzz`)
      }
      attempt({ zzjunkzz: 1 }, "zzjunkzz")
    })
    it(`${label(pair)}: a repository it does not take is refused, one it takes is its own field`, () => {
      const takes = [...F.walk(op.input.fields)].filter(
        ([path, field]) =>
          field.selectsRepository || isRepositorySelector(path.slice(path.lastIndexOf(".") + 1))
      )
      const takesAny = [...F.walk(op.input.fields)].some(
        ([path, field]) => field.selectsRepository || namesRepository(path.slice(path.lastIndexOf(".") + 1))
      )
      for (const name of ["repo", "repo_root", "Repository-Path", "worktree", "workspace", "project"]) {
        for (const attempt of [
          { [name]: "x" },
          { options: { ...(args["options"] as object | undefined), [name]: "x" } }
        ]) {
          const decoded = op.decode({ ...args, ...attempt })
          if (Either.isRight(decoded)) {
            assert.isTrue(
              takes.some(([path]) => path.endsWith(name)),
              `${name} was dropped or read`
            )
            continue
          }
          const problem = problemsOf(decoded.left.data).find((each) => String(each["field"]).endsWith(name))
          assert.isDefined(problem)
          if (!takesAny) assert.strictEqual(problem?.["reason"], "no_repository_selector")
        }
      }
    })
  }
})

describe("an operation without a handler", () => {
  for (const pair of pairs.filter(([, op]) => !op.available)) {
    const [of, op] = pair
    it.effect(`${label(pair)} says so, with the reason and what there is instead`, () =>
      Effect.gen(function* () {
        const error = Either.getOrThrow(Either.flip(Facade.select(of, Capabilities.requestShape(of, op))))
        assert.strictEqual(error.code, "operation_unavailable")
        assert.include(error.message, op.unavailable as string)
        assert.sameMembers(
          error.data?.["available_operations"] as Array<string>,
          Facade.listed(of)
            .filter((each) => each.available)
            .map((each) => each.name)
        )
        const run = yield* Effect.flip(op.run({}) as Effect.Effect<Outcome, OperationFailure>)
        assert.strictEqual(run.code, "operation_unavailable")
        const { available, ...told } = Capabilities.capability(of, op)
        assert.isFalse(available)
        assert.strictEqual(
          (told as { readonly unavailable_reason?: string }).unavailable_reason,
          op.unavailable
        )
      })
    )
  }
})
