import { Either } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { anchor } from "../../src/build/docs/markdown.ts"
import { stale } from "../../src/build/docs/Page.ts"
import { pages } from "../../src/build/docs/pages.ts"
import { catalog as registry } from "../../src/facades/index.ts"
import { type Facade, select } from "../../src/registry/Facade.ts"
import { isRecord } from "../../src/registry/Json.ts"

const top = fileURLToPath(new URL("../..", import.meta.url))

/** Every page a reader finds, by its repository-relative path. */
const documents = new Map(
  [
    "README.md",
    "CONTRIBUTING.md",
    ...readdirSync(join(top, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name.replaceAll("\\", "/")}`)
  ].map((path) => [path, readFileSync(join(top, path), "utf8").replaceAll("\r\n", "\n")])
)

/** A text without its fenced blocks and code spans. */
const prose = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "")

const anchors = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      anchor(heading ?? "")
    )
  )

/** What is wrong with a call's arguments, if anything. */
const complaint = (tool: string, args: unknown): string | undefined => {
  const facade: Facade.Any | undefined = registry.facade(tool)
  if (facade === undefined) return `there is no tool ${tool}`
  if (!isRecord(args)) return "the arguments are no object"
  const selected = select(facade, args)
  if (Either.isLeft(selected)) return selected.left.message
  const decoded = selected.right.operation.decode(selected.right.args)
  return Either.isLeft(decoded) ? decoded.left.message : undefined
}

describe("the generated pages", () => {
  it("are up to date", async () => {
    expect(stale(top, await pages(top))).toEqual([])
  }, 180_000)
})

describe("links", () => {
  it.each([...documents])("of %s lead somewhere", (path, text) => {
    const broken = [...prose(text).matchAll(/\]\(([^)]+)\)/g)]
      .map(([, link]) => link ?? "")
      .filter((link) => {
        const [file = "", fragment] = link.split("#")
        const target = file === "" ? path : join(dirname(path), file).replaceAll("\\", "/")
        if (!existsSync(join(top, target))) return true
        return fragment !== undefined && !anchors(documents.get(target) ?? "").has(`#${fragment}`)
      })
    expect(broken).toEqual([])
  })
})

describe("calls", () => {
  const shown = [...documents].flatMap(([path, text]) =>
    [...text.matchAll(/portico call ([a-z_]+) --json '([^']*)'/g)].map(
      ([, tool = "", json = ""]) => [path, tool, json] as const
    )
  )

  it("are shown", () => {
    expect(shown.length).toBeGreaterThan(3)
  })

  it.each(shown)("in %s to %s with %s are ones the server takes", (_, tool, json) => {
    expect(complaint(tool, JSON.parse(json))).toBeUndefined()
  })
})
