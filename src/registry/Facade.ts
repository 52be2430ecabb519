/**
 * A facade: one public tool, one effect class, many operations.
 */
import { Either } from "effect"
import type { EffectClass } from "./EffectClass.ts"
import type { Envelope } from "./Envelope.ts"
import { failure, type OperationFailure } from "./Failure.ts"
import { containers } from "./Input.ts"
import { isRecord, show, type UnknownRecord } from "./Json.ts"
import { nearest, operationName } from "./Names.ts"
import * as Operation from "./Operation.ts"

/** How a facade is made. */
export interface Options<C extends EffectClass> {
  readonly effect: C
  /** What the tool is for, in one or two sentences; its description to clients. */
  readonly purpose: string
  readonly envelope: Envelope
  /** Field that names the operation; `operation` unless said. */
  readonly discriminator?: string
  /** Other names of that field. */
  readonly discriminatorAliases?: ReadonlyArray<string>
  /** Operation of a call that names none and from which none can be inferred. */
  readonly default?: string
  /** Operation a call's selectors stand for. Wins over the stated one, so answer undefined when that should stand. */
  readonly infer?: (args: UnknownRecord, stated: string | undefined) => string | undefined
}

export interface Facade<
  out Name extends string,
  out Class extends EffectClass,
  out Op extends Operation.Operation.Any
> {
  readonly name: Name
  readonly effect: Class
  readonly purpose: string
  readonly envelope: Envelope
  readonly discriminator: string
  readonly discriminatorAliases: ReadonlyArray<string>
  readonly default: string | undefined
  readonly infer: ((args: UnknownRecord, stated: string | undefined) => string | undefined) | undefined
  readonly operations: ReadonlyArray<Op>
  /** The operation pack it comes with; absent for one of ours. */
  readonly pack?: string
}

export declare namespace Facade {
  type Any = Facade<string, EffectClass, Operation.Operation.Any>
  type Op<F> = F extends Facade<any, any, infer O> ? O : never
  type Context<F> = Operation.Operation.Context<Op<F>>
  type Class<F> = F extends Facade<any, infer C, any> ? C : never
}

/**
 * The type of an operation of `Of`, the start of a facade, by the list of what it needs. Written on an operation that is
 * exported, so that the compiler need not read a handler again wherever the facade is looked at.
 */
export type Member<
  Of extends { readonly name: string; readonly effect: EffectClass },
  Name extends string,
  Needs extends Operation.Tags
> = Operation.Needing<Of["name"], Name, Of["effect"], Needs>

/** Starts a facade. `operation` and `declared` make its operations, `of` closes it over them. */
export const make = <N extends string, C extends EffectClass>(name: N, options: Options<C>) => ({
  name,
  effect: options.effect,
  /** An operation with a handler. Its class is the facade's, so a facade cannot mix classes. */
  operation: Operation.make(name, options.effect),
  /** An operation of the contract without a handler in this build. */
  declared: Operation.declare(name, options.effect),
  /** Closes the facade. Operations of another facade or class do not fit. */
  of: <const Ops extends ReadonlyArray<Operation.Operation<N, string, C, any>>>(
    ...operations: Ops
  ): Facade<N, C, Ops[number]> => ({
    name,
    effect: options.effect,
    purpose: options.purpose,
    envelope: options.envelope,
    discriminator: options.discriminator ?? "operation",
    discriminatorAliases: options.discriminatorAliases ?? [],
    default: options.default,
    infer: options.infer,
    operations
  })
})

/** Operations a caller may be told of: there is a handler, and they are not kept for compatibility only. */
export const listed = <Op extends Operation.Operation.Any>(
  facade: Facade<string, EffectClass, Op>
): ReadonlyArray<Op> => facade.operations.filter((operation) => !operation.hidden)

const valid = (facade: Facade.Any): ReadonlyArray<string> =>
  listed(facade)
    .filter((operation) => operation.available)
    .map((operation) => operation.name)

/** The end of a message that names the operations a caller has. */
const choices = (word: string, facade: Facade.Any, operations: ReadonlyArray<string>): string =>
  operations.length === 0
    ? `this build has no operation of ${facade.name}`
    : `${word}: ${operations.join(", ")}`

const refuse = (facade: Facade.Any, message: string, stated?: unknown): OperationFailure => {
  const operations = valid(facade)
  const suggested = typeof stated === "string" ? nearest(operationName(stated), operations) : undefined
  return failure(
    "invalid_argument",
    `${facade.name}: ${facade.discriminator} ${message}; ${choices("valid", facade, operations)}`,
    {
      field: facade.discriminator,
      failure_stage: "admission",
      reason_code: stated === undefined ? "missing_operation" : "unknown_operation",
      data: {
        facade: facade.name,
        ...(stated === undefined ? {} : { operation: stated }),
        valid_operations: operations,
        ...(suggested === undefined ? {} : { suggested_operation: suggested })
      }
    }
  )
}

/** The operation a call means, and its arguments without the field that named it. */
export interface Selection<out Op> {
  readonly operation: Op
  readonly args: UnknownRecord
}

/**
 * Finds the operation of a call. A name that is not known is refused with the valid ones, never brought to the nearest.
 */
export const select = <Op extends Operation.Operation.Any>(
  facade: Facade<string, EffectClass, Op>,
  args: UnknownRecord
): Either.Either<Selection<Op>, OperationFailure> => {
  const rest: { [key: string]: unknown } = { ...args }
  const stated: Array<readonly [string, unknown]> = []
  for (const name of [facade.discriminator, ...facade.discriminatorAliases]) {
    if (Object.hasOwn(rest, name) && rest[name] !== undefined) stated.push([name, rest[name]])
    delete rest[name]
    // A discriminator of its own name must not slip past admission inside a container.
    if (name === "operation") continue
    for (const container of containers) {
      const inner = rest[container]
      if (!isRecord(inner) || !Object.hasOwn(inner, name)) continue
      const { [name]: value, ...others } = inner
      stated.push([`${container}.${name}`, value])
      rest[container] = others
    }
  }
  for (const [name, value] of stated) {
    if (typeof value !== "string" || value.trim() === "") {
      return Either.left(refuse(facade, `must be the name of an operation, got ${show(value)}`, show(value)))
    }
    const [first, other] = stated[0] as readonly [string, unknown]
    if (operationName(value) !== operationName(other as string)) {
      return Either.left(refuse(facade, `is ${show(other)} as ${first} and ${show(value)} as ${name}`, value))
    }
  }
  const named = stated[0]?.[1] as string | undefined
  const said = named === undefined ? undefined : operationName(named)
  const find = (name: string) =>
    facade.operations.find((operation) => operation.name === name) ??
    facade.operations.find((operation) => operation.aliases.includes(name))
  const known = said === undefined ? undefined : find(said)
  if (said !== undefined && known === undefined)
    return Either.left(refuse(facade, `${show(named)} is not known`, named))
  const name = facade.infer?.(rest, known?.name) ?? known?.name ?? facade.default
  if (name === undefined) return Either.left(refuse(facade, "is required here"))
  const operation = find(name)
  if (operation === undefined) return Either.left(refuse(facade, `${show(name)} is not known`, name))
  if (!operation.available) {
    const operations = valid(facade)
    return Either.left(
      failure(
        "operation_unavailable",
        `${facade.name}.${operation.name} is not available: ${operation.unavailable}; ${choices("available", facade, operations)}`,
        {
          field: facade.discriminator,
          failure_stage: "admission",
          data: { facade: facade.name, operation: operation.name, available_operations: operations }
        }
      )
    )
  }
  return Either.right({ operation, args: rest })
}
