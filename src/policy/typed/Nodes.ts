/** Nodes of source files, and what the compiler says of them. */
import type { Node } from "typescript/unstable/ast"
import type { Checker, Type } from "typescript/unstable/sync"

/** Calls `visit` with every node within another, parents first. */
export const every = (top: Node, visit: (node: Node) => void): void => {
  const inner = (node: Node): void => {
    visit(node)
    node.forEachChild(inner)
  }
  top.forEachChild(inner)
}

/** Types of nodes. This compiler cannot hand out every tuple: one it fails at is no operation and no Effect. */
export const typesAt = (checker: Checker, nodes: ReadonlyArray<Node>): ReadonlyArray<Type | undefined> => {
  if (nodes.length === 0) return []
  try {
    return checker.getTypeAtLocation(nodes)
  } catch (cause) {
    if (nodes.length === 1) {
      if (/TupleType/.test(String(cause))) return [undefined]
      throw cause
    }
    const half = nodes.length >> 1
    return [...typesAt(checker, nodes.slice(0, half)), ...typesAt(checker, nodes.slice(half))]
  }
}

/** The text that a type stands for, where it is that of one text. */
export const textOf = (type: Type | undefined): string | undefined =>
  type?.isStringLiteralType() === true ? type.value : undefined
