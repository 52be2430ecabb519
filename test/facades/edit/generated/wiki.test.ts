import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { served } from "../../read/support.ts"
import { filesBelow, parseXml, treeHash, type Element } from "./support.ts"

const files = {
  "shop/cart.ts":
    "import { price } from './price.ts'\nimport { tax } from './tax.ts'\nimport { store } from '../db/store.ts'\n/** Adds <b>up</b> | all. */\nexport function total() {\n  return price(1) + tax(1) + tax(2) + tax(3) + price(2) + store('x')\n}\n",
  "shop/price.ts":
    "import { tax } from './tax.ts'\nexport function price(x: number) {\n  return tax(x) + 1\n}\n",
  "shop/tax.ts":
    "import { price } from './price.ts'\nexport function tax(x: number) {\n  return x * 2\n}\nexport const base = price\n",
  "db/store.ts":
    "import { connect } from './connect.ts'\nimport { rows } from './rows.ts'\nexport function store(x: string) {\n  return connect(x) + rows('SELECT * FROM carts')\n}\n",
  "db/connect.ts":
    "import { rows } from './rows.ts'\nexport function connect(x: string) {\n  return rows(x) + String(process.env.DATABASE_URL).length\n}\n",
  "db/rows.ts":
    "import { connect } from './connect.ts'\nexport function rows(x: string): number {\n  return x.length\n}\nexport const c = connect\n",
  "server.ts":
    "import express from 'express'\nimport { total } from './shop/cart.ts'\nexport const app = express()\napp.get('/cart/:id', total)\nexport function main() {\n  return total()\n}\n"
}

it.scopedLive("pages tell communities, processes and contracts, and link to each other", () =>
  Effect.gen(function* () {
    const { call, folder, refused, write } = yield* served(files, { git: true })
    const done = yield* call("edit", { operation: "wiki" })
    expect(done["files"].map(({ path }: any) => path)).toEqual([
      "wiki/index.md",
      "wiki/community-shop.md",
      "wiki/community-db.md",
      "wiki/processes.md",
      "wiki/contracts.md",
      "wiki/docs.md"
    ])
    expect(done).toMatchObject({ output_dir: "wiki", file_count: 6, communities: 2 })
    const text = (path: string) => readFileSync(folder.at(path), "utf8")
    expect(text("wiki/index.md")).toBe(done["index_md_content"])
    // Every link leads to a page that is there.
    const pages = new Set(filesBelow(folder.path))
    for (const path of pages)
      if (path.startsWith("wiki/"))
        for (const [, to] of text(path).matchAll(/\]\(([^)]+)\)/g)) expect(pages).toContain(`wiki/${to}`)
    const shop = text("wiki/community-shop.md")
    expect(shop).toContain("| `shop/cart.ts` | 8 | 1 |")
    expect(shop).toContain("Adds \\<b\\>up\\</b\\> \\| all.")
    expect(shop).toMatch(/## Uses\n\n- \[db\]\(community-db\.md\) \(\d+ uses\)/)
    expect(text("wiki/community-db.md")).toMatch(/## Entry points\n\n- `db\/store\.ts::store`/)
    expect(text("wiki/processes.md")).toContain(
      "- `main` server.ts:5\n  - `total` shop/cart.ts:5\n    - `price` shop/price.ts:2"
    )
    const contracts = text("wiki/contracts.md")
    expect(contracts).toContain("`/cart/:id`")
    expect(contracts).toContain("`DATABASE_URL` | db/connect.ts:3 | `connect`")
    expect(contracts).toContain("`SELECT * FROM carts`")
    expect(text("wiki/docs.md")).toContain("Ada")

    const before = treeHash(folder.path)
    write("wiki/processes.md", "mine\n")
    const after = treeHash(folder.path)
    const there = yield* refused("edit", { operation: "wiki" })
    expect(there).toMatchObject({
      code: "edit_conflict",
      reason_code: "file_exists",
      field: "options.output_dir"
    })
    expect(there.data?.["files"]).toContain("wiki/processes.md")
    expect(treeHash(folder.path)).toBe(after)
    // The call it offers is the one that works.
    expect(there.recovery?.arguments).toMatchObject({ options: { force: true } })
    yield* call("edit", there.recovery!.arguments as any)
    expect(treeHash(folder.path)).toBe(before)
  })
)

it.scopedLive("HTML is well-formed and escaped, wikilinks are for Markdown, parts can be left out", () =>
  Effect.gen(function* () {
    const { call, folder, refused } = yield* served({
      ...files,
      "shop/odd & <x>.ts":
        "import { price } from './price.ts'\n/** a < b && \"c\" */\nexport const odd = price(3)\n"
    })
    const html = yield* call("edit", {
      operation: "wiki",
      options: { output_dir: "site" },
      output: { format: "html" }
    })
    expect(html["notes"]).toEqual(["no living documents: not a git repository"])
    const walk = function* (of: Element): Generator<Element> {
      yield of
      for (const child of of.children) yield* walk(child)
    }
    const pages = new Set(filesBelow(folder.path))
    let codes: ReadonlyArray<string> = []
    for (const { path } of html["files"]) {
      const page = parseXml(readFileSync(folder.at(path), "utf8").replace('<meta charset="utf-8"/>', ""))
      for (const { attributes, name } of walk(page))
        if (name === "a") expect(pages).toContain(`site/${decodeURI(attributes["href"]!)}`)
      codes = [...codes, ...[...walk(page)].filter(({ name }) => name === "code").map(({ text }) => text)]
    }
    expect(codes).toContain("shop/odd & <x>.ts")
    const links = yield* refused("edit", {
      operation: "wiki",
      options: { wikilinks: true },
      output: { format: "html" }
    })
    expect(links).toMatchObject({ field: "options.wikilinks", reason_code: "markdown_only" })
    const outside = yield* refused("edit", { operation: "wiki", options: { output_dir: "../wiki" } })
    expect(outside).toMatchObject({ code: "path_outside_root", field: "options.output_dir" })
    const small = yield* call("edit", {
      operation: "wiki",
      options: {
        output_dir: "w",
        wikilinks: true,
        no_processes: true,
        no_contracts: true,
        max_communities: 1
      }
    })
    expect(small["files"].map(({ path }: any) => path)).toEqual(["w/index.md", "w/community-shop.md"])
    expect(small["index_md_content"]).toContain("- [[community-shop|shop]]")
    expect(small["index_md_content"]).toContain("And 1 more.")
  })
)
