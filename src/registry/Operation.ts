/**
 * One operation of one facade: a pure program whose required services are its permissions.
 */
import { Context, Effect, Either, Tracer } from "effect"
import * as Answer from "./Answer.ts"
import { CallInfo } from "./CallInfo.ts"
import * as Cursor from "./Cursor.ts"
import {
  type Allowed,
  type ClosedWorldServices,
  type EffectClass,
  isOpenWorld,
  type Witness,
  witness
} from "./EffectClass.ts"
import { failure, type OperationFailure } from "./Failure.ts"
import * as F from "./Fields.ts"
import { type Decoded, decoder, type Problem } from "./Input.ts"
import { hash, isRecord, type JsonRecord, type UnknownRecord } from "./Json.ts"
import * as Narrowing from "./Narrowing.ts"
import * as Output from "./Output.ts"
import type { Preset } from "./Presets.ts"
import { Progress } from "./Progress.ts"
import type { Outcome } from "./Projection.ts"
import { renderer } from "./Wire.ts"

/** What a handler may know about the call besides its input. */
export interface Call {
  readonly facade: string
  readonly operation: string
  /** Canonical tool; the first one when several stand behind the operation. */
  readonly tool: string
  readonly fixed: JsonRecord
  /** Rows asked for, and the first of them. For handlers that page themselves. */
  readonly limit: number | undefined
  readonly offset: number
  /** Bytes the answer may have. */
  readonly budget: number
  readonly format: string
}

/** How much of the public description an operation gets: 1 is named in the tool's description, 2 only by capabilities. */
export type Tier = 1 | 2

/**
 * What else is to be known of a canonical tool that is called directly. `never`: the facade is its only form. `unlisted`:
 * it can be called, and no surface lists it. `formerWriter`: it used to leave traces, so a surface of readers does
 * without it.
 */
export type DirectUse = "usual" | "never" | "unlisted" | "formerWriter"

export interface Operation<
  out Facade extends string,
  out Name extends string,
  out Class extends EffectClass,
  out R
> {
  readonly facade: Facade
  readonly name: Name
  readonly effect: Class
  readonly tools: ReadonlyArray<string>
  readonly summary: string
  /** The input with the shared output controls; built when first asked for. */
  readonly input: F.Input.Any
  readonly fixed: JsonRecord
  readonly aliases: ReadonlyArray<string>
  /** Dispatched, never listed. */
  readonly hidden: boolean
  /** May take minutes: a caller who cannot wait that long is given a job. */
  readonly long: boolean
  /** Asked of other servers as well, and answered with what they say added. A read of the closed world, always. */
  readonly federated: boolean
  /** A call may be narrowed to a part of the workspace. */
  readonly narrows: boolean
  readonly tier: Tier
  /** Surfaces of single tools that list its canonical tool. */
  readonly presets: ReadonlyArray<Preset>
  /** Names of fields in the canonical tool's flat arguments, by published place, where they are not the usual ones. */
  readonly flat: { readonly [place: string]: string }
  readonly direct: DirectUse
  /** Whether there is a handler. */
  readonly available: boolean
  /** Why there is none. */
  readonly unavailable: string | undefined
  /** Keys of the services the operation may see, the witness of its class included. */
  readonly needs: ReadonlyArray<string>
  readonly openWorld: boolean
  /** Decodes arguments without running anything. */
  readonly decode: (args: unknown) => Either.Either<Decoded, OperationFailure>
  /**
   * Runs on decoded arguments. The context is narrowed to `needs`: nothing else is reachable, not even optionally.
   * Services are taken from `services` before those of the caller.
   */
  readonly perform: (
    decoded: Decoded,
    services?: Context.Context<any>
  ) => Effect.Effect<Outcome, OperationFailure, R>
  /** Decodes and performs. */
  readonly run: (args: unknown) => Effect.Effect<Outcome, OperationFailure, R>
}

export declare namespace Operation {
  type Any = Operation<string, string, EffectClass, any>
  type Context<O> = O extends Operation<any, any, any, infer R> ? R : never
}

/** Printed by the compiler when an operation oversteps. The message is the type's first argument. */
export interface NotAllowed<Message extends string, Services> {
  readonly _error: Message
  readonly _services: Services
}

/** `unknown` when a handler that requires `R` fits, and the complaint otherwise. */
export type CheckServices<Op extends string, C extends EffectClass, R, Declared> = [
  Exclude<R, Allowed<C>>
] extends [never]
  ? [Exclude<R, Declared>] extends [never]
    ? unknown
    : NotAllowed<`${Op} requires a service that its needs list lacks`, Exclude<R, Declared>>
  : NotAllowed<`${Op} has effect class "${C}" and may not require this service`, Exclude<R, Allowed<C>>>

/** `unknown` for each tag that the class may need, and the complaint for the others. */
export type CheckNeeds<Op extends string, C extends EffectClass, Tags> = {
  readonly [K in keyof Tags]: Tags[K] extends Context.Tag<infer Id, any>
    ? [Id] extends [Allowed<C>]
      ? unknown
      : NotAllowed<`${Op} has effect class "${C}" and may not need this service`, Id>
    : never
}

/** `unknown` when an operation may say that other servers are asked as well, and the complaint otherwise. */
export type CheckFederated<
  Op extends string,
  C extends EffectClass,
  Declared,
  Federated
> = Federated extends true
  ? [C] extends ["read"]
    ? [Exclude<Declared, ClosedWorldServices>] extends [never]
      ? unknown
      : NotAllowed<
          `${Op} asks other servers and may not need this service`,
          Exclude<Declared, ClosedWorldServices>
        >
    : NotAllowed<`${Op} has effect class "${C}" and may not ask other servers`, C>
  : unknown

/** A tag whose identifier is one member of `Id`. Distributes, because a tag is invariant. */
export type TagOf<Id> = Id extends Id ? Context.Tag<Id, any> : never

/** The services an operation says it needs. */
export type Tags = ReadonlyArray<Context.Tag<any, any>>
export type Ids<T extends Tags> = Context.Tag.Identifier<T[number]>

/** An operation that needs the services of a list, and the witness of its class. */
export type Needing<F extends string, N extends string, C extends EffectClass, T extends Tags> = Operation<
  F,
  N,
  C,
  Ids<T> | Witness[C]
>

/** What an operation says of itself, whether or not it has a handler. */
export interface Description {
  /** Canonical tool, or tools when one public operation stands for several. */
  readonly tool: string | readonly [string, ...ReadonlyArray<string>]
  /** One sentence on what it answers or does. */
  readonly summary: string
  /** Applied after the caller's arguments; never part of the input. */
  readonly fixed?: JsonRecord
  /** Other names that dispatch here. */
  readonly aliases?: ReadonlyArray<string>
  readonly hidden?: boolean
  /** Whether it may take minutes. */
  readonly long?: boolean
  /** Whether other servers are asked as well. */
  readonly federated?: boolean
  /**
   * Whether a call may be narrowed to repositories, a project or a saved scope, by fields of `options` that are added to
   * the operation's own. "path" when it looks at nothing outside of its `options.path` either.
   */
  readonly narrows?: boolean | "path"
  readonly tier?: Tier
  /** Surfaces of single tools that list the canonical tool, besides those that list all. */
  readonly presets?: ReadonlyArray<Preset>
  /** Flat names of fields by published place, where they are not the usual ones; see `Flat.ts`. */
  readonly flat?: { readonly [place: string]: string }
  readonly direct?: DirectUse
  /** Page sizes of the answer's list. */
  readonly page?: Output.Paging
  /** Text formats beyond JSON, each made from the projected value. */
  readonly formats?: { readonly [format: string]: (value: any) => string }
}

/** Turns what is wrong with the arguments into one failure that tells all of it. */
export const refusal = (
  facade: string,
  operation: string,
  problems: ReadonlyArray<Problem>
): OperationFailure => {
  const [first] = problems as readonly [Problem, ...ReadonlyArray<Problem>]
  const unknown = problems.filter((_) => _.data?.["reason"] === "unknown_field").map((_) => _.field)
  const detail = problems.map(({ data, ...rest }) => ({ ...rest, ...data }))
  const { field: _, problem: __, ...top } = detail[0] as { readonly [key: string]: unknown }
  return failure(
    "invalid_argument",
    `${facade}.${operation}: ${problems.map((_) => `${_.field} ${_.problem}`).join("; ")}`,
    {
      field: first.field,
      failure_stage: "decode",
      ...(typeof first.data?.["reason"] === "string" ? { reason_code: first.data["reason"] } : {}),
      data: {
        facade,
        operation,
        ...top,
        field: first.field,
        ...(unknown.length === 0 ? {} : { unknown_fields: unknown }),
        ...(detail.length === 1 ? {} : { problems: detail })
      }
    }
  )
}

/** References without authority, which every operation may see. */
const ambient: Tags = [Tracer.ParentSpan, Progress, CallInfo]

const nothing = Context.empty() as Context.Context<any>

/** Takes the services of some tags out of two contexts, the first before the second, and nothing else. */
const narrowing = (tags: Tags) => {
  const keys = [...tags, ...ambient].map(({ key }) => key)
  return (first: Context.Context<any>, second: Context.Context<any>): Context.Context<any> => {
    const own = new Map<string, any>()
    for (const key of keys) {
      const from = first.unsafeMap.has(key) ? first : second
      if (from.unsafeMap.has(key)) own.set(key, from.unsafeMap.get(key))
    }
    return Context.unsafeMake(own)
  }
}

/** What a cursor is bound to: the whole request but for how it is shown. */
const fingerprint = (facade: string, operation: string, value: UnknownRecord): string => {
  const output = isRecord(value["output"])
    ? Object.fromEntries(Object.entries(value["output"]).filter(([name]) => !Output.presentation.has(name)))
    : undefined
  return hash({ facade, operation, arguments: { ...value, output } })
}

const names = (tool: Description["tool"]): readonly [string, ...ReadonlyArray<string>] =>
  typeof tool === "string" ? [tool] : tool

/** Whether the operation has a row limit of its own, at whatever place. */
const hasLimit = (fields: F.Fields): boolean =>
  [...F.walk(fields)].some(([path]) => path === "limit" || path.endsWith(".limit"))

const describe = <N extends string, C extends EffectClass, O extends string>(
  facade: N,
  effect: C,
  name: O,
  spec: Description,
  declared: F.Input.Any,
  needs: Tags
) => {
  const formats = spec.formats ?? {}
  let built: { readonly input: F.Input.Any; readonly shared: F.Fields } | undefined
  const build = () => {
    if (built !== undefined) return built
    const { limit, ...others } = Output.fields(Object.keys(formats), spec.page ?? {})
    const shared: F.Fields = hasLimit(declared.fields) ? others : { ...others, limit: limit as F.Field.Any }
    const own = declared.fields["output"]
    const output = F.group({ ...shared, ...(own?.shape.tag === "group" ? own.shape.fields : {}) })
    const fields = spec.narrows ? Narrowing.fields(declared.fields) : declared.fields
    return (built = { input: { fields: { ...fields, output }, rules: declared.rules }, shared })
  }
  let parse: ReturnType<typeof decoder> | undefined
  return {
    facade,
    name,
    effect,
    tools: names(spec.tool),
    summary: spec.summary,
    get input() {
      return build().input
    },
    fixed: spec.fixed ?? {},
    aliases: spec.aliases ?? [],
    hidden: spec.hidden ?? false,
    long: spec.long ?? false,
    federated: spec.federated ?? false,
    narrows: (spec.narrows ?? false) !== false,
    tier: spec.tier ?? 1,
    presets: spec.presets ?? [],
    flat: spec.flat ?? {},
    direct: spec.direct ?? "usual",
    needs: Object.freeze(needs.map((tag) => tag.key)),
    openWorld: isOpenWorld(needs.map((tag) => tag.key)),
    decode: (args: unknown): Either.Either<Decoded, OperationFailure> => {
      parse ??= decoder(() => build().input, spec.fixed ?? {}, build().shared)
      return Either.mapLeft(parse(args), (problems) => refusal(facade, name, problems))
    }
  }
}

/** What decides over an operation's authority. */
const deciding = ["facade", "name", "effect", "needs", "tools", "perform", "run", "decode"] as const

const made = new WeakMap<object, ReadonlyArray<unknown>>()

/** Whether an operation was made here and is as it was made, so that what it needs is what it runs with. */
export const isMade = (operation: Operation.Any): boolean => {
  const was = made.get(operation)
  return was !== undefined && deciding.every((key, at) => operation[key] === was[at])
}

/** The services of an operation: those it declares and the witness of its class. */
const withWitness = (effect: EffectClass, needs: Tags): Tags => {
  const own = witness[effect]
  return own === undefined ? needs : [...new Set<Context.Tag<any, any>>([...needs, own])]
}

/** Adds how it runs to what describes an operation, which becomes the operation, and remembers how it was. */
const finished = (described: object, running: object): object => {
  const operation = Object.assign(described, running) as Operation.Any
  made.set(
    operation,
    deciding.map((key) => operation[key])
  )
  return operation
}

/** Makes operations of one facade. */
export const make =
  <F extends string, C extends EffectClass>(facade: F, effect: C) =>
  // The complaint sits in the handler's result. Beside the handler it would be its contextual type, which is read before
  // R is inferred, and every correct operation would fail.
  <
    N extends string,
    I,
    A extends object,
    E extends OperationFailure,
    R,
    const T extends Tags,
    const Federated extends boolean = false
  >(
    name: N,
    spec: Description & {
      readonly input: F.Input<I>
      readonly needs: T & CheckNeeds<`${F}.${N}`, C, T>
      readonly federated?: Federated & CheckFederated<`${F}.${N}`, C, Ids<T>, Federated>
      readonly handler: (
        input: I,
        call: Call
      ) => Effect.Effect<A, E, R> & CheckServices<`${F}.${N}`, C, R, Ids<T> | Witness[C]>
    }
  ): Needing<F, N, C, T> => {
    const needs = withWitness(effect, spec.needs as Tags)
    const narrow = narrowing(needs)
    const described = describe(facade, effect, name, spec, spec.input, needs)
    const { decode, fixed } = described
    const tool = described.tools[0] as string
    const program = ({ effective, normalization, value }: Decoded) =>
      Effect.gen(function* () {
        const controls = Output.controls(value)
        let known: string | undefined
        const print = () => (known ??= fingerprint(facade, name, value))
        const position =
          controls.cursor === undefined ? { offset: 0 } : yield* Cursor.decode(controls.cursor, print())
        const handled = spec.handler(value as I, {
          facade,
          operation: name,
          tool,
          fixed,
          limit: controls.limit,
          offset: position.offset,
          budget: controls.budget,
          format: controls.format
        })
        const narrowed = spec.narrows ? Narrowing.said(value, spec.narrows, spec.input.fields) : undefined
        const result = yield* narrowed === undefined ? handled : Narrowing.within(handled, narrowed)
        const answer = Answer.from(result)
        const outcome: Outcome = {
          facade,
          operation: name,
          tool: answer.shape.tool ?? tool,
          answer,
          controls,
          position,
          fingerprint: print,
          render:
            spec.formats?.[controls.format] ??
            renderer(controls.format, answer.shape.tool ?? tool, {
              facade,
              operation: name,
              fields: controls.fields
            }),
          ...(Object.keys(effective).length === 0 ? {} : { effective }),
          ...(normalization === undefined ? {} : { input_normalization: normalization })
        }
        return outcome
      })
    const perform = (decoded: Decoded, services: Context.Context<any> = nothing) =>
      Effect.mapInputContext(program(decoded), (outer: Context.Context<any>) => narrow(services, outer))
    return finished(described, {
      available: true,
      unavailable: undefined,
      perform,
      run: (args: unknown) => Effect.flatMap(decode(args), (decoded) => perform(decoded))
    }) as any
  }

/** The failure of an operation that has no handler, for a reason said as a clause. */
export const unavailable = (
  { facade, name }: { readonly facade: string; readonly name: string },
  because: string
): OperationFailure =>
  failure("operation_unavailable", `${facade}.${name} is not available: ${because}`, {
    field: "operation",
    failure_stage: "admission",
    data: { facade, operation: name }
  })

/** Makes operations that are part of the contract and have no handler in this build. Running one says so. */
export const declare =
  <F extends string, C extends EffectClass>(facade: F, effect: C) =>
  <N extends string, const T extends Tags = readonly [], const Federated extends boolean = false>(
    name: N,
    spec: Description & {
      readonly input?: F.Input<any>
      readonly federated?: Federated & CheckFederated<`${F}.${N}`, C, Ids<T>, Federated>
      /** Services its handler will need; they decide which modes know of it. */
      readonly needs?: T & CheckNeeds<`${F}.${N}`, C, T>
      /** Why it is missing, as a clause: "it needs a language server". */
      readonly because?: string
    }
  ): Needing<F, N, C, T> => {
    const described = describe(
      facade,
      effect,
      name,
      spec,
      spec.input ?? F.input({}),
      withWitness(effect, (spec.needs ?? []) as Tags)
    )
    const because = spec.because ?? "no handler is installed for it"
    const refuse = Effect.suspend(() => Effect.fail(unavailable({ facade, name }, because)))
    return finished(described, {
      available: false,
      unavailable: because,
      perform: () => refuse,
      run: () => refuse
    }) as any
  }
