import { Effect } from "effect"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { type ControlFlow, ProgramFlow } from "../../../services/ProgramFlow.ts"
import * as Shared from "../../fields.ts"
import { freshnessOf, graph, oneDefinition } from "../../shared/symbols.ts"
import { trace } from "../facade.ts"
import { refusedAt } from "./Words.ts"

const longest = 48
const shown = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

const lines = ({ entry, exit }: ControlFlow, block: ControlFlow["blocks"][number]): ReadonlyArray<string> =>
  block.id === entry
    ? ["entry"]
    : block.id === exit
      ? ["exit"]
      : block.statements.length === 0
        ? [block.label]
        : block.statements.map(({ line, text }) => `${line}: ${shown(text)}`)

/** Characters that end a quoted label of Mermaid, or are read as markup in one. */
const mermaidText = (text: string): string =>
  text.replace(/[#"<>&`\\[\]{}|]/g, (c) => `#${c.codePointAt(0)};`)

export const mermaidOf = (flow: ControlFlow): string =>
  [
    "flowchart TD",
    ...flow.blocks.map((block) => {
      const label = lines(flow, block).map(mermaidText).join("<br/>")
      return block.id === flow.entry || block.id === flow.exit
        ? `  B${block.id}(["${label}"])`
        : `  B${block.id}["${label}"]`
    }),
    ...flow.edges.map(({ from, kind, to }) =>
      kind === "next" ? `  B${from} --> B${to}` : `  B${from} -->|${kind}| B${to}`
    )
  ].join("\n")

const dotText = (text: string): string => text.replace(/["\\]/g, "\\$&")

export const dotOf = (flow: ControlFlow, name: string): string =>
  [
    `digraph "${dotText(name)}" {`,
    "  node [shape=box];",
    ...flow.blocks.map(
      (block) =>
        `  B${block.id} [label="${lines(flow, block).map(dotText).join("\\l")}\\l"${
          block.id === flow.entry || block.id === flow.exit ? ", shape=oval" : ""
        }];`
    ),
    ...flow.edges.map(
      ({ from, kind, to }) => `  B${from} -> B${to}${kind === "next" ? "" : ` [label="${kind}"]`};`
    ),
    "}"
  ].join("\n")

const needs = [CodeGraph, ProgramFlow] as const

export const cfg: Member<typeof trace, "cfg", typeof needs> = trace.operation("cfg", {
  tool: "get_cfg",
  summary: "Control-flow graph of one function, with definitions and uses.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    options: F.group({
      mermaid: F.withDefault(F.described(F.flag, "add a Mermaid flowchart"), false),
      dot: F.withDefault(F.described(F.flag, "add a Graphviz digraph"), false)
    })
  }),
  needs,
  handler: ({ options, target }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const ref = yield* oneDefinition(view, target.symbol, { facade: "trace", operation: "cfg" })
      const flow = yield* Effect.mapError((yield* ProgramFlow).control(view, ref), refusedAt("target.symbol"))
      const { id, kind, name } = view.symbol(ref)
      return {
        id,
        name,
        kind,
        language: flow.language,
        file_path: flow.path,
        start_line: flow.start_line,
        end_line: flow.end_line,
        entry: flow.entry,
        exit: flow.exit,
        blocks: flow.blocks.map(({ dominator, id: block, label, statements, unreachable }) => ({
          id: block,
          label,
          ...(unreachable ? { unreachable } : {}),
          ...(dominator === undefined ? {} : { dominator }),
          statements: statements.map((s) => ({
            id: s.id,
            line: s.line,
            ...(s.end_line === s.line ? {} : { end_line: s.end_line }),
            kind: s.kind,
            text: s.text,
            ...(s.defs.length === 0 ? {} : { defs: s.defs }),
            ...(s.uses.length === 0 ? {} : { uses: s.uses })
          }))
        })),
        edges: flow.edges,
        def_use: flow.def_use.map(({ captured, definitions, line, statement, variable }) => ({
          stmt: statement,
          line,
          var: variable,
          defs: definitions.map((d) => d.statement),
          ...(captured && definitions.length === 0 ? { outside: true } : {})
        })),
        totals: {
          blocks: flow.blocks.length,
          edges: flow.edges.length,
          statements: flow.blocks.reduce((sum, { statements }) => sum + statements.length, 0),
          variables: flow.variables.length,
          unreachable: flow.blocks.filter(({ unreachable }) => unreachable).length
        },
        ...(options.mermaid ? { mermaid: mermaidOf(flow) } : {}),
        ...(options.dot ? { dot: dotOf(flow, id) } : {}),
        notes: [
          "short circuits and conditional expressions stay inside their statement",
          "an exception edge leads from every block of a try to its handler; calls outside of one are not shown to throw",
          ...flow.approximations
        ],
        freshness: freshnessOf(view.freshness)
      }
    })
})
