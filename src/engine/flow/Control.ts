/** The control-flow graph of one function as answers show it, with what defines what is used. */
import type { ControlFlow, DefUse, FlowBlock, FlowStatement } from "../../services/ProgramFlow.ts"
import { definitionsBefore, dominatorsOf } from "./Chains.ts"
import type { FileIr, FunctionIr, Op } from "./Ir.ts"
import type { Unit } from "./Unit.ts"
import { clip } from "./Search.ts"

const nameable = (file: FileIr, slot: number): string | undefined => {
  if (slot < 0) return undefined
  const { kind, name } = file.slots[slot]!
  return kind === "temporary" || kind === "exception" || name === "" ? undefined : name
}

/** Slots an operation defines and reads by name. A store changes what is inside its base, and reads it. */
const definesOf = (op: Op): number => (op.kind === "call" ? -1 : op.to)

const words: { readonly [word: string]: string } = {
  deep_nesting: "syntax nested too deep is one expression that reads every name in it",
  goto_case: "goto case leads out of the switch",
  nested_case: "a case label inside another statement is not a way in"
}

export const controlOf = (unit: Unit, fn: FunctionIr): ControlFlow => {
  const { file } = unit
  const numbers = new Map<number, number>()
  const dominators = dominatorsOf(fn)
  const blocks: Array<FlowBlock> = fn.blocks.map((block, id) => {
    const statements = block.statements.flatMap((index): ReadonlyArray<FlowStatement> => {
      const statement = fn.statements[index]!
      const ops = statement.ops.map((o) => fn.ops[o]!)
      // An implicit receiver is written nowhere.
      if (statement.kind === "parameter" && statement.end === statement.start) return []
      numbers.set(index, numbers.size)
      const defs = new Set<string>()
      const uses = new Set<string>()
      for (const op of ops) {
        for (const slot of op.from) {
          const name = nameable(file, slot)
          if (name !== undefined) uses.add(name)
        }
        const name = nameable(file, definesOf(op))
        if (name !== undefined)
          defs.add(op.kind === "store" ? `${name}${op.name.startsWith("[") ? op.name : `.${op.name}`}` : name)
      }
      return [
        {
          id: numbers.get(index)!,
          kind: statement.kind,
          line: unit.positionAt(statement.start).line,
          end_line: unit.positionAt(Math.max(statement.start, statement.end - 1)).line,
          text: clip(file.text, statement.start, statement.end),
          defs: [...defs],
          uses: [...uses]
        }
      ]
    })
    const own = dominators[id]!
    const nearest =
      block.unreachable || id === 0
        ? undefined
        : [...own].filter((d) => d !== id).sort((a, b) => dominators[b]!.size - dominators[a]!.size)[0]
    return { id, label: block.label, statements, unreachable: block.unreachable, dominator: nearest }
  })
  const variables = new Set<string>()
  const def_use: Array<DefUse> = []
  for (const block of fn.blocks)
    for (const index of block.statements) {
      const statement = fn.statements[index]!
      const seen = new Set<number>()
      const defined = new Set<number>()
      for (const o of statement.ops) {
        const op = fn.ops[o]!
        for (const slot of op.from) {
          const name = nameable(file, slot)
          if (name === undefined || seen.has(slot)) continue
          const { fn: owner, kind } = file.slots[slot]!
          if (kind === "receiver" && statement.kind === "parameter") continue
          seen.add(slot)
          // What the statement itself has just made is no definition that reaches it.
          if (defined.has(slot)) continue
          variables.add(name)
          const definitions = definitionsBefore(fn, o, slot).flatMap((d) => {
            const from = fn.ops[d]!.statement
            const number = numbers.get(from)
            return number === undefined
              ? []
              : [{ statement: number, line: unit.positionAt(fn.statements[from]!.start).line }]
          })
          def_use.push({
            statement: numbers.get(index) ?? -1,
            line: unit.positionAt(
              op.at >= 0 && op.from.length === 1 && op.kind === "copy" ? op.at : statement.start
            ).line,
            variable: name,
            definitions: definitions
              .filter((d, i) => definitions.findIndex((e) => e.statement === d.statement) === i)
              .sort((a, b) => a.statement - b.statement),
            captured: owner !== fn.index || kind === "free"
          })
        }
        if (op.to >= 0 && op.kind !== "store") {
          const name = nameable(file, op.to)
          if (name !== undefined) variables.add(name)
          defined.add(op.to)
        }
      }
    }
  return {
    language: file.language,
    path: unit.path,
    start_line: unit.positionAt(fn.start).line,
    end_line: unit.positionAt(Math.max(fn.start, fn.end - 1)).line,
    blocks,
    edges: fn.blocks.flatMap(({ successors }, from) =>
      successors.map(({ kind, to }) => ({ from, to, kind }))
    ),
    entry: 0,
    exit: fn.blocks.length - 1,
    def_use,
    variables: [...variables].sort(),
    parameters: fn.parameters.map((p) => file.slots[p]!.name),
    approximations: [
      ...fn.approximations.map((word) => words[word] ?? word),
      ...(file.errors > 0
        ? [`${file.errors} syntax errors in the file: what is near them may be missing`]
        : [])
    ]
  }
}
