/** docs/schemas/effectrc.schema.json: what editors check a repository's `.effectrc` with. */
import { JSONSchema, type Schema } from "effect"
import { classTags, effectClasses, readTags } from "../../registry/EffectClass.ts"
import type { Registry } from "../../registry/Registry.ts"
import { aliases, surfaceNames } from "../../surface/Selection.ts"
import type { Page } from "./Page.ts"

type Node = { readonly [key: string]: unknown }

const services = [readTags, ...effectClasses.map((effect) => classTags[effect])].flatMap(
  (tags: ReadonlyArray<{ readonly key: string }>) => tags.map(({ key }) => key.replace("portico/", ""))
)

/** What the registry knows beyond a setting's type, by the setting's name. */
const known = (registry: Registry.Any): { readonly [name: string]: Node } => ({
  tools: {
    description:
      "The tools sessions see: a surface, changed by +NAME and -NAME, or the names of single tools, with commas or blanks between.",
    examples: [...surfaceNames, ...Object.keys(aliases)]
  },
  ceilings: {
    description:
      "By tool: the effect classes or services its operations may need. `portico audit` reports a tool's operation that needs more. A tool that is not named is not checked.",
    propertyNames: { enum: registry.facades.map(({ name }) => name) },
    additionalProperties: {
      type: "array",
      uniqueItems: true,
      items: { enum: [...effectClasses, ...services] }
    }
  }
})

/** The page for a settings schema. Throws when a setting the registry adds to is not in the schema. */
export const settingsPage = (settings: Schema.Schema.AnyNoContext, registry: Registry.Any): Page => {
  const made = JSONSchema.make(settings, { target: "jsonSchema7" }) as unknown as {
    readonly properties: { readonly [name: string]: Node }
  }
  const additions = known(registry)
  for (const name of Object.keys(additions))
    if (!Object.hasOwn(made.properties, name)) throw new Error(`.effectrc has no setting ${name}`)
  const schema = {
    ...made,
    title: ".effectrc",
    description:
      "Portico's settings for a repository: JSON with comments and trailing commas. Unknown keys are refused.",
    properties: Object.fromEntries(
      Object.entries(made.properties).map(([name, node]) => [name, { ...node, ...additions[name] }])
    )
  }
  return { path: "docs/schemas/effectrc.schema.json", text: `${JSON.stringify(schema, null, 2)}\n` }
}
