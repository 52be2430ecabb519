/** The rules of every family, by name. */
import type { Family as FamilyName } from "../../languages/Language.ts"
import { c } from "./c.ts"
import { ecmascript } from "./ecmascript.ts"
import type { Family } from "./Family.ts"
import { go } from "./go.ts"
import { loose } from "./loose.ts"
import { packages } from "./packages.ts"
import { python } from "./python.ts"
import type { Resolver } from "./Resolver.ts"
import { rust } from "./rust.ts"

const makers: { readonly [K in FamilyName]?: (resolver: Resolver) => Family } = {
  ecmascript,
  python,
  go,
  rust,
  c,
  jvm: packages({ family: "jvm", separator: ".", nested: false }),
  csharp: packages({ family: "csharp", separator: ".", nested: true }),
  php: packages({ family: "php", separator: "\\", nested: false, fallback: true }),
  swift: packages({ family: "swift", separator: ".", nested: false, single: true }),
  ruby: loose("ruby", [".rb"], "/"),
  lua: loose("lua", [".lua"], "."),
  shell: loose("shell", [".sh", ".bash"], "/")
}

/** Rules for the families that occur in the world; the others cost nothing. */
export const familiesOf = (resolver: Resolver): ReadonlyMap<FamilyName, Family> => {
  const present = new Set<FamilyName>()
  for (const file of resolver.world.files) if (file !== undefined) present.add(file.language.family)
  const out = new Map<FamilyName, Family>()
  for (const name of present) {
    const make = makers[name]
    if (make !== undefined) out.set(name, make(resolver))
  }
  return out
}
