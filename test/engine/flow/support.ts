import { type FileIr, type FunctionIr, positionOf } from "../../../src/engine/flow/Ir.ts"
import { loweringOf } from "../../../src/engine/flow/Lowered.ts"

export const lowered = async (language: string, text: string): Promise<FileIr> => {
  const lowering = loweringOf(language)
  if (lowering === undefined) throw new Error(`no lowering of ${language}`)
  return (await lowering).lower("a", text)
}

export const functionNamed = (file: FileIr, name: string): FunctionIr => {
  const found = file.functions.find((fn) => fn.name === name)
  if (found === undefined)
    throw new Error(`no function ${name}; there are ${file.functions.map((fn) => fn.name).join(", ")}`)
  return found
}

/** The graph of a function as `LINES kind> LINES`, a block named by the lines of its statements, parameters left out. */
export const graphOf = (file: FileIr, fn: FunctionIr): ReadonlyArray<string> => {
  const exit = fn.blocks.length - 1
  const names = fn.blocks.map((block, i) => {
    if (i === 0) return "entry"
    if (i === exit) return "exit"
    const lines = block.statements.map((s) => {
      const { kind, start } = fn.statements[s]!
      return `${kind === "deferred" ? "deferred " : ""}${positionOf(file.lines, start).line}`
    })
    const distinct = lines.filter((line, at) => line !== lines[at - 1])
    return `${block.unreachable ? "dead " : ""}${distinct.length === 0 ? block.label : distinct.join(",")}`
  })
  return fn.blocks.flatMap(({ successors }, from) =>
    successors.map(({ kind, to }) => `${names[from]} ${kind}> ${names[to]}`)
  )
}

export const graphIn = async (language: string, text: string, name = "f"): Promise<ReadonlyArray<string>> => {
  const file = await lowered(language, text)
  return graphOf(file, functionNamed(file, name))
}
