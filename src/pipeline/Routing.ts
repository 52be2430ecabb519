/** Where a call of `facade.operation` leads. */
import type { Operation } from "../registry/Operation.ts"
import type { Registry } from "../registry/Registry.ts"
import type { Routing } from "./CallResult.ts"

/** The operation of a name; undefined when there is none. */
export const operationOf = (registry: Registry.Any, name: string): Operation.Any | undefined => {
  const dot = name.indexOf(".")
  return registry.lookup(name.slice(0, dot), name.slice(dot + 1))
}

/** The routing of a call of an operation by its name; as far as that name says where there is none such. */
export const routingTo = (registry: Registry.Any, name: string): Routing => {
  const dot = name.indexOf(".")
  return {
    facade: name.slice(0, dot),
    operation: name.slice(dot + 1),
    canonical_tool: operationOf(registry, name)?.tools[0] ?? "unknown"
  }
}
