import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { served } from "../../read/support.ts"
import { filesBelow, numbersOf, parseWire, parseXml, textOf, treeHash } from "./support.ts"

const shapes = `export interface Shape {
  /** Square units. */
  area(): number
}
export class Circle implements Shape {
  radius = 1
  area(): number {
    return square(this.radius)
  }
}
export function square(x: number): number {
  const twice = (y: number) => y * y
  return twice(x)
}
`
const odd = `import fs from "node:fs"
import { Circle } from "./shapes.ts"
/** Quotes ' " \\ <b>&amp;</b> | \` # */
export function main(text = "a'b\\"c<d>&\\\\ \`x\` ]]>"): number {
  const shape = new Circle()
  return shape.area() + fs.constants.F_OK + text.length
}
`
const go = `package m

type Command struct{}

func (c *Command) Run() {}

func Run() {}
`
const python = `class Base:
    def run(self):
        return 1


class Child(Base):
    def run(self):
        return 2
`
const files = {
  "src/shapes.ts": shapes,
  'src/o\'d & "d" <x>.ts': odd,
  "py/über|pipe.py": python,
  "m/run.go": go,
  "test/shapes.test.ts":
    "import { it } from 'vitest'\nimport { square } from '../src/shapes.ts'\nit('squares \"twice\"', () => { square(2) })\n"
}
const oddPath = 'src/o\'d & "d" <x>.ts'

const exported = (format: string, options: object = {}, output: object = {}) => ({
  operation: "export_graph",
  options,
  output: { format, max_bytes: 0, ...output }
})

it.scoped("GraphML is well-formed and holds the nodes and edges JSON holds, odd names and all", () =>
  Effect.gen(function* () {
    const { call, folder } = yield* served(files)
    const before = treeHash(folder.path)
    const json = yield* call("edit", exported("json"))
    const graph = JSON.parse(json["content"])
    const xml = yield* call("edit", exported("graphml"))
    const root = parseXml(xml["content"])
    expect(root.name).toBe("graphml")
    const declared = new Map(
      root.children
        .filter(({ name }) => name === "key")
        .map(({ attributes: a }) => [a["id"]!, a["attr.name"]!])
    )
    const inner = root.children.find(({ name }) => name === "graph")!.children
    const read = (of: string) =>
      inner
        .filter(({ name }) => name === of)
        .map(({ attributes, children }) => ({
          ...attributes,
          ...Object.fromEntries(children.map((data) => [declared.get(data.attributes["key"]!)!, data.text]))
        }))
    const plain = (rows: ReadonlyArray<object>) =>
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)])))
    expect(read("node")).toEqual(plain(graph.nodes))
    expect(read("edge")).toEqual(
      plain(graph.edges.map(({ from, to, ...rest }: any) => ({ source: from, target: to, ...rest })))
    )
    expect(json["nodes"]).toBe(graph.nodes.length)
    expect(json["bytes"]).toBe(Buffer.byteLength(json["content"]))
    const edge = (from: string, to: string, kind: string) =>
      graph.edges.find((each: any) => each.from === from && each.to === to && each.kind === kind)
    expect(edge(`${oddPath}::main`, "src/shapes.ts::Circle", "new")).toMatchObject({
      tier: "resolved",
      count: 1
    })
    expect(edge("src/shapes.ts::Circle", "src/shapes.ts::Shape", "implements")).toBeDefined()
    expect(edge("src/shapes.ts", "src/shapes.ts::square", "contains")).toBeDefined()
    expect(edge(oddPath, "external::node:fs", "import")).toBeDefined()
    expect(graph.nodes.map(({ id }: any) => id)).toEqual(graph.nodes.map(({ id }: any) => id).sort())
    expect((yield* call("edit", exported("graphml")))["content"]).toBe(xml["content"])
    expect(treeHash(folder.path)).toBe(before)
  })
)

it.scoped("filters keep kinds and languages, leave out stubs, and lift uses to what is kept", () =>
  Effect.gen(function* () {
    const { call, refused } = yield* served(files)
    const answer = yield* call(
      "edit",
      exported("json", { kinds: "file,class,event", languages: ["typescript"], no_synthetic: true })
    )
    const graph = JSON.parse(answer["content"])
    expect(graph.nodes.map(({ id }: any) => id)).toEqual([
      oddPath,
      "src/shapes.ts",
      "src/shapes.ts::Circle",
      "test/shapes.test.ts"
    ])
    expect(answer["kinds_without_nodes"]).toEqual(["event"])
    expect(answer["uses_left_out"]).toBeGreaterThan(0)
    expect(graph.edges).toContainEqual({
      from: oddPath,
      to: "src/shapes.ts::Circle",
      kind: "new",
      tier: "resolved",
      count: 1
    })
    const failure = yield* refused("edit", exported("json", { languages: "klingon" }))
    expect(failure).toMatchObject({ field: "options.languages", reason_code: "unknown_language" })
    expect(failure.recovery?.arguments).toMatchObject({ operation: "export_graph" })
  })
)

/** Quoted texts of DOT and Cypher read back by their own rules, to see where each one ends. */
const statements = (text: string, quote: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== quote) continue
    let value = ""
    for (at++; text[at] !== quote; at++) {
      if (at >= text.length || text[at] === "\n") throw new Error("a text without an end")
      if (text[at] === "\\") {
        at++
        value += text[at] === "n" ? "\n" : text[at]
      } else value += text[at]
    }
    found.push(value)
  }
  return found
}

it.scoped("DOT and Cypher quote every text so that it ends where it ends", () =>
  Effect.gen(function* () {
    const { call } = yield* served(files)
    const graph = JSON.parse((yield* call("edit", exported("json")))["content"])
    const dot = (yield* call("edit", exported("dot")))["content"] as string
    const edges = dot.split("\n").filter((line) => line.includes(" -> "))
    expect(edges.map((line) => statements(line, '"').slice(0, 3))).toEqual(
      graph.edges.map(({ from, kind, to }: any) => [from, to, kind])
    )
    const cypher = (yield* call("edit", exported("cypher")))["content"] as string
    const lines = cypher.trimEnd().split("\n")
    expect(lines).toHaveLength(1 + graph.nodes.length + graph.edges.length)
    expect(lines.every((line) => line.endsWith(";"))).toBe(true)
    expect(lines.slice(1, 1 + graph.nodes.length).map((line) => statements(line, "'")[0])).toEqual(
      graph.nodes.map(({ id }: any) => id)
    )
    expect(lines.slice(1 + graph.nodes.length).map((line) => statements(line, "'").slice(0, 2))).toEqual(
      graph.edges.map(({ from, to }: any) => [from, to])
    )
  })
)

it.scoped("Mermaid views name folders, communities and processes; a folder takes them all", () =>
  Effect.gen(function* () {
    const { call, folder, refused } = yield* served(files)
    const architecture = (yield* call("edit", exported("mermaid")))["content"] as string
    expect(architecture.split("\n")).toEqual([
      "flowchart LR",
      '  f0["m (1)"]',
      '  f1["py (1)"]',
      '  f2["src (2)"]',
      '  f3["test (1)"]',
      "  f3 -->|2| f2",
      ""
    ])
    const communities = (yield* call(
      "edit",
      exported("mermaid", { scope: "communities", min_community: 2 })
    ))["content"] as string
    expect(communities).toContain('subgraph c0["src"]')
    expect(communities).toContain('"src/o\'d #38; #34;d#34; #60;x#62;.ts"')
    const processes = (yield* call("edit", exported("mermaid", { scope: "processes" })))["content"] as string
    expect(processes).toContain('"main"')
    expect(processes).toMatch(/p0_0 --> p0_1/)
    const all = yield* call("edit", exported("mermaid", { scope: "all", output_dir: "out/views" }))
    expect(all["files"].map(({ path }: any) => path)).toEqual([
      "out/views/architecture.mmd",
      "out/views/communities.mmd",
      "out/views/processes.mmd"
    ])
    expect(readFileSync(folder.at("out/views/architecture.mmd"), "utf8")).toBe(architecture)
    const failure = yield* refused("edit", exported("dot", { output_dir: "out" }))
    expect(failure).toMatchObject({ code: "invalid_argument", field: "options.output_dir" })
    expect(failure.recovery?.arguments).toMatchObject({ output: { format: "mermaid" } })
  })
)

it.scoped("a SCIP index names every definition and use where it stands", () =>
  Effect.gen(function* () {
    const { call, folder, refused } = yield* served(files)
    const failure = yield* refused("edit", exported("scip"))
    expect(failure).toMatchObject({ field: "options.output_path", reason_code: "binary_format" })
    const answer = yield* call("edit", exported("scip", { output_path: "index.scip" }))
    const index = parseWire(readFileSync(folder.at("index.scip")))
    const metadata = parseWire(index.get(1)![0] as Uint8Array)
    expect(textOf(parseWire(metadata.get(2)![0] as Uint8Array).get(1)![0])).toBe("portico")
    expect(metadata.get(4)).toEqual([1])
    const documents = new Map(
      index.get(2)!.map((bytes) => {
        const document = parseWire(bytes as Uint8Array)
        return [textOf(document.get(1)![0]), document] as const
      })
    )
    expect([...documents.keys()]).toEqual([
      "m/run.go",
      "py/über|pipe.py",
      oddPath,
      "src/shapes.ts",
      "test/shapes.test.ts"
    ])
    expect(answer["documents"]).toBe(5)
    const occurrences = (path: string) =>
      (documents.get(path)!.get(2) ?? []).map((bytes) => {
        const fields = parseWire(bytes as Uint8Array)
        const range = numbersOf(fields.get(1)![0] as Uint8Array)
        return {
          range,
          symbol: textOf(fields.get(2)![0]),
          roles: (fields.get(3)?.[0] as number | undefined) ?? 0
        }
      })
    const scope = "portico . . . src/`shapes.ts`/"
    // Each range is the word in the text it says it is.
    for (const path of documents.keys()) {
      expect(documents.get(path)!.get(6)).toEqual([2])
      const lines = (files as { [path: string]: string })[path]!.split("\n")
      for (const { range, symbol } of occurrences(path)) {
        expect(range.length === 3 || range.length === 4).toBe(true)
        const word = lines[range[0]!]!.slice(range[1], range[2])
        if (symbol.includes("squares")) continue
        if (!symbol.startsWith("local ")) expect(symbol).toContain(word)
        else expect(word).toBe("twice")
      }
    }
    expect(occurrences("src/shapes.ts")).toContainEqual({
      range: [4, 13, 19],
      symbol: `${scope}Circle#`,
      roles: 1
    })
    expect(occurrences("src/shapes.ts")).toContainEqual({
      range: [7, 11, 17],
      symbol: `${scope}square().`,
      roles: 8
    })
    expect(occurrences(oddPath)).toContainEqual({ range: [1, 9, 15], symbol: `${scope}Circle#`, roles: 2 })
    expect(occurrences("test/shapes.test.ts")).toContainEqual({
      range: [1, 9, 15],
      symbol: `${scope}square().`,
      roles: 2 | 32
    })
    const information = (path: string) =>
      new Map(
        (documents.get(path)!.get(3) ?? []).map((bytes) => {
          const fields = parseWire(bytes as Uint8Array)
          return [textOf(fields.get(1)![0]), fields] as const
        })
      )
    const circle = information("src/shapes.ts").get(`${scope}Circle#`)!
    expect(circle.get(5)).toEqual([7])
    expect(textOf(circle.get(6)![0])).toBe("Circle")
    const relation = parseWire(circle.get(4)![0] as Uint8Array)
    expect([textOf(relation.get(1)![0]), relation.get(3)]).toEqual([`${scope}Shape#`, [1]])
    const area = information("src/shapes.ts").get(`${scope}Shape#area().`)!
    expect(textOf(area.get(3)![0])).toBe("Square units.")
    const local = information("src/shapes.ts").get("local 0")!
    expect(textOf(local.get(8)![0])).toBe(`${scope}square().`)
    const go = "portico . . . m/`run.go`/"
    expect([...information("m/run.go").keys()]).toEqual([
      `${go}Command#`,
      `${go}Command#Run().`,
      `${go}Run().`
    ])
    const python = information("py/über|pipe.py")
    expect([...python.keys()]).toContain("portico . . . py/`über|pipe.py`/Child#run().")
    // The same again is the same bytes.
    const again = yield* call("edit", exported("scip", { output_path: "index.scip" }))
    expect(again["changed"]).toBe(false)
  })
)

it.scoped(
  "a path outside, and a path that holds code, are refused; text in the answer keeps to the budget",
  () =>
    Effect.gen(function* () {
      const { call, folder, refused } = yield* served(files)
      const before = treeHash(folder.path)
      const outside = yield* refused("edit", exported("json", { output_path: "../graph.json" }))
      expect(outside).toMatchObject({ code: "path_outside_root", field: "options.output_path" })
      const code = yield* refused("edit", exported("json", { output_path: "src/shapes.ts" }))
      expect(code).toMatchObject({
        code: "edit_conflict",
        reason_code: "holds_code",
        field: "options.output_path"
      })
      expect(code.recovery?.arguments).toMatchObject({ target: { file: "src/shapes.ts" } })
      const both = yield* refused("edit", exported("mermaid", { output_path: "a.mmd", output_dir: "b" }))
      expect(both.code).toBe("invalid_argument")
      expect(treeHash(folder.path)).toBe(before)
      const short = yield* call("edit", exported("graphml", {}, { max_bytes: 2000 }))
      expect(short["_truncated_by_budget"]).toBe(true)
      expect(short["_original_bytes_content"]).toBe(short["bytes"])
      const written = yield* call("edit", exported("graphml", { output_path: "out/graph.graphml" }))
      expect(written["content"]).toBeUndefined()
      expect(readFileSync(folder.at("out/graph.graphml")).length).toBe(written["bytes"])
      expect(filesBelow(folder.path)).toContain("out/graph.graphml")
      expect(existsSync(folder.at("graph.json"))).toBe(false)
      // What was written is no part of the graph of the next call to the same place.
      expect(yield* call("edit", exported("graphml", { output_path: "out/graph.graphml" }))).toMatchObject({
        changed: false,
        nodes: written["nodes"]
      })
    })
)
