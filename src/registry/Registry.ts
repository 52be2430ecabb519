/**
 * The registry: every facade in one value, and the parts of it that a mode can serve.
 */
import type { Context } from "effect"
import type { EffectClass } from "./EffectClass.ts"
import type { Facade } from "./Facade.ts"
import type { Operation } from "./Operation.ts"

export interface Registry<out F extends Facade.Any> {
  readonly facades: ReadonlyArray<F>
  readonly facade: (name: string) => F | undefined
  /** Finds an operation by names known only at run time. Its requirements are the union over what this registry holds. */
  readonly lookup: (
    facade: string,
    operation: string
  ) => Operation<string, string, Facade.Class<F>, Facade.Context<F>> | undefined
}

export declare namespace Registry {
  type Any = Registry<Facade.Any>
  type Context<R> = R extends Registry<infer F> ? Facade.Context<F> : never
  type Names<R> = R extends Registry<infer F> ? F["name"] : never
}

/** Puts facades together. Throws when two facades or operations share a name, or one is not its facade's. */
export const make = <const Fs extends ReadonlyArray<Facade.Any>>(...facades: Fs): Registry<Fs[number]> => {
  const byName = new Map<string, Facade.Any>()
  const operations = new Map<string, Operation.Any>()
  for (const facade of facades) {
    if (byName.has(facade.name)) throw new Error(`two facades are named ${facade.name}`)
    byName.set(facade.name, facade)
    const names = new Set<string>()
    for (const operation of facade.operations) {
      const key = `${facade.name}.${operation.name}`
      if (operation.effect !== facade.effect || operation.facade !== facade.name)
        throw new Error(`${key} does not belong to ${facade.name}`)
      for (const name of [operation.name, ...operation.aliases]) {
        if (names.has(name)) throw new Error(`two operations of ${facade.name} are named ${name}`)
        names.add(name)
      }
      operations.set(key, operation)
    }
    if (facade.default !== undefined && !operations.has(`${facade.name}.${facade.default}`)) {
      throw new Error(`${facade.name} defaults to ${facade.default}, which it does not hold`)
    }
  }
  return {
    facades,
    facade: (name) => byName.get(name) as any,
    lookup: (facade, operation) => operations.get(`${facade}.${operation}`) as any
  }
}

/** The part of a registry that has one of the given effect classes. */
export const only = <F extends Facade.Any, const C extends ReadonlyArray<EffectClass>>(
  self: Registry<F>,
  classes: C
): Registry<Extract<F, { readonly effect: C[number] }>> =>
  make(...self.facades.filter((facade) => classes.includes(facade.effect))) as any

type Satisfied<F, P> =
  F extends Facade<infer N, infer C, infer O>
    ? Extract<O, Operation<any, any, any, P>> extends infer K extends Operation.Any
      ? [K] extends [never]
        ? never
        : Facade<N, C, K>
      : never
    : never

/** The part of a registry that a set of services can serve, facade by facade and operation by operation. */
export const satisfiedBy = <F extends Facade.Any, const Tags extends ReadonlyArray<Context.Tag<any, any>>>(
  self: Registry<F>,
  tags: Tags
): Registry<Satisfied<F, Context.Tag.Identifier<Tags[number]>>> => {
  const keys = new Set(tags.map((tag) => tag.key))
  return make(
    ...self.facades
      .map((facade) => {
        const operations = facade.operations.filter((operation) =>
          operation.needs.every((key) => keys.has(key))
        )
        const kept = operations.some((operation) => operation.name === facade.default)
        return { ...facade, operations, default: kept ? facade.default : undefined }
      })
      .filter((facade) => facade.operations.length > 0)
  ) as any
}
