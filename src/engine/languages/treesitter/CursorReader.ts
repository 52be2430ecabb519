/**
 * Reads a tree into a {@link SyntaxTree} through the public cursor API: slower than the heap reader, right with any
 * version of the parser.
 */
import type { Tree } from "web-tree-sitter"
import { NodeFlag, type SyntaxTree } from "./SyntaxTree.ts"

/** Fills `out` with the tree; at most `limit` nodes, otherwise false and `out` is incomplete. */
export const readWithCursor = (tree: Tree, out: SyntaxTree, limit: number, errorType: number): boolean => {
  out.clear()
  const cursor = tree.walk()
  try {
    const open: Array<number> = []
    for (;;) {
      if (out.count >= limit) return false
      const node = cursor.currentNode
      const type = cursor.nodeTypeId === 0xffff ? errorType : cursor.nodeTypeId
      const row = out.push(
        type,
        cursor.startIndex,
        cursor.endIndex,
        open.length === 0 ? -1 : open[open.length - 1]!,
        open.length === 0 ? 0 : cursor.currentFieldId,
        (node.isNamed ? NodeFlag.named : 0) |
          (node.isMissing ? NodeFlag.missing : 0) |
          (node.isExtra ? NodeFlag.extra : 0)
      )
      if (cursor.gotoFirstChild()) {
        open.push(row)
        continue
      }
      while (!cursor.gotoNextSibling()) {
        const parent = open.pop()
        if (parent === undefined) return true
        out.after[parent] = out.count
        cursor.gotoParent()
      }
    }
  } finally {
    cursor.delete()
  }
}
