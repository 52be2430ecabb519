/** The part of README.md that says what this build offers. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Facade, listed } from "../../registry/Facade.ts"
import type { Registry } from "../../registry/Registry.ts"
import { anchor, code, codes, table } from "./markdown.ts"
import { type Page, replaced } from "./Page.ts"

const path = "README.md"

/** Tools with what is available of them, the empty ones named after the table. */
export const availability = (registry: Registry.Any): ReadonlyArray<string> => {
  const tools = registry.facades.map((facade) => {
    const operations = listed<Facade.Any["operations"][number]>(facade)
    return { facade, all: operations.length, available: operations.filter(({ available }) => available) }
  })
  const all = tools.reduce((sum, tool) => sum + tool.all, 0)
  const available = tools.reduce((sum, tool) => sum + tool.available.length, 0)
  const none = tools.filter((tool) => tool.available.length === 0)
  return [
    `${available} of ${all} operations are available in this build:`,
    "",
    ...table(
      ["tool", "effect", "available", "not yet"],
      tools
        .filter((tool) => tool.available.length > 0)
        .map((tool) => [
          `[${code(tool.facade.name)}](docs/tools.md${anchor(tool.facade.name)})`,
          tool.facade.effect,
          codes(tool.available.map(({ name }) => name)),
          tool.all === tool.available.length ? "" : `${tool.all - tool.available.length}`
        ])
    ),
    ...(none.length === 0
      ? []
      : ["", `Declared, with nothing available yet: ${codes(none.map(({ facade }) => facade.name))}.`])
  ]
}

/** README.md below `top`, with its table of tools brought up to date. */
export const readmePage = (top: string, registry: Registry.Any): Page => ({
  path,
  text: replaced(
    readFileSync(join(top, path), "utf8").replaceAll("\r\n", "\n"),
    "tools",
    availability(registry)
  )
})
