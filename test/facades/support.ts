/** The registry as the tests look at it. */
import { catalog } from "../../src/facades/index.ts"
import type { Facade } from "../../src/registry/Facade.ts"
import type { Operation } from "../../src/registry/Operation.ts"
import { make, type Registry } from "../../src/registry/Registry.ts"

export { catalog }

/** Every operation with its facade. */
export const pairs: ReadonlyArray<readonly [Facade.Any, Operation.Any]> = catalog.facades.flatMap((facade) =>
  facade.operations.map((operation) => [facade, operation] as const)
)

export const facade = (name: string): Facade.Any => {
  const found = catalog.facade(name)
  if (found === undefined) throw new Error(`no facade ${name}`)
  return found
}

export const operation = (name: string, of: string): Operation.Any => {
  const found = catalog.lookup(name, of)
  if (found === undefined) throw new Error(`no operation ${name}.${of}`)
  return found
}

/** The registry as it is once every operation has its handler: what the tool list grows to. */
export const complete: Registry.Any = make(
  ...catalog.facades.map((each) => ({
    ...each,
    operations: each.operations.map(
      (inner) =>
        Object.defineProperties(
          {},
          {
            ...Object.getOwnPropertyDescriptors(inner),
            available: { value: true, enumerable: true },
            unavailable: { value: undefined, enumerable: true }
          }
        ) as Operation.Any
    )
  }))
)
