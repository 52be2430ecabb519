/** Operations where they are declared, with what the compiler says their handlers answer. */
import type { CallExpression, SourceFile } from "typescript/unstable/ast"
import * as is from "typescript/unstable/ast/is"
import type { Program } from "../../policy/typed/Compiler.ts"
import { every, textOf, typesAt } from "../../policy/typed/Nodes.ts"
import { opened, type Shape, Shapes } from "./Shape.ts"
import { wider } from "./Wider.ts"

const callsOf = (file: SourceFile): ReadonlyArray<CallExpression> => {
  const calls: Array<CallExpression> = []
  every(file, (node) => {
    if (is.isCallExpression(node)) calls.push(node)
  })
  return calls
}

/** Schemas of results, by `facade.operation`, of every operation whose handler the compiler sees. */
export const shapesOf = ({ checker, files }: Program): ReadonlyMap<string, Shape> => {
  const shapes = new Shapes(checker)
  const found = new Map<string, Shape>()

  /** The schema of what the handler of a declaration answers. */
  const answered = (call: CallExpression): Shape | undefined => {
    const last = call.arguments.at(-1)
    const spec = last === undefined ? undefined : typesAt(checker, [last])[0]
    const handler = spec === undefined ? undefined : checker.getPropertyOfType(spec, "handler")
    const type = handler === undefined ? undefined : checker.getTypeOfSymbol(handler)
    const effect = type === undefined ? undefined : shapes.returned(type)
    const value = effect === undefined ? undefined : shapes.success(effect)
    return value === undefined ? undefined : shapes.ofAnswer(value)
  }

  const makers: Array<{ readonly name: string; readonly call: CallExpression }> = []
  const unnamed: Array<{ readonly file: string; readonly at: number; readonly shape: Shape }> = []
  for (const file of files) {
    const calls = callsOf(file)
    const types = typesAt(checker, calls)
    for (const [at, call] of calls.entries()) {
      const type = types[at]
      if (type?.getSymbol()?.name !== "Operation" || !type.isTypeReference()) continue
      const [facade, operation] = checker.getTypeArguments(type)
      const name = textOf(operation)
      const shape = answered(call)
      if (name === undefined) {
        if (shape !== undefined) unnamed.push({ file: file.fileName, at: call.pos, shape })
      } else if (shape === undefined) makers.push({ name: `${textOf(facade)}.${name}`, call })
      else found.set(`${textOf(facade)}.${name}`, shape)
    }
  }
  // Declared by a function that takes the name: what that function declares.
  for (const { call, name } of makers) {
    const maker = checker.getResolvedSignature(call)?.declaration?.resolve()
    const inner = unnamed.find(
      ({ at, file }) =>
        maker !== undefined && maker.getSourceFile().fileName === file && maker.pos <= at && at < maker.end
    )
    if (inner !== undefined) found.set(name, inner.shape)
  }
  for (const name of wider) {
    const shape = found.get(name)
    if (shape !== undefined) found.set(name, opened(shape))
  }
  return found
}
