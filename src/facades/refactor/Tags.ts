/** Elements of JSX: a tag in lower case is one of the platform's own, whatever is in scope by its name. */
import type { Drafts } from "./Drafts.ts"
import { partsOf, whereIs } from "./Lexical.ts"
import type { Site } from "./Sites.ts"

const written = new Set(["tsx", "jsx", "javascript"])

/** Whether the name at an offset opens or closes an element, and is not asked of something else. */
const isTag = (text: string, at: number, name: string): boolean => {
  if (/^\s*\./.test(text.slice(at + name.length, at + name.length + 20))) return false
  const head = text.slice(Math.max(0, at - 200), at)
  if (head.endsWith("</")) return true
  if (!head.endsWith("<")) return false
  const before = head.slice(0, -1)
  // Behind a name or a closing bracket the mark compares, or opens type arguments.
  return !/[\p{ID_Continue}$)\]]\s*$/u.test(before) || /\b(?:return|default|yield|case)\s+$/.test(before)
}

/** Places among the changes that would come to name an element of the platform. */
export const turnedIntrinsic = (drafts: Drafts, from: string, to: string): ReadonlyArray<Site> => {
  if (!/^[a-z]/.test(to) || /^[a-z]/.test(from)) return []
  return drafts.touched.flatMap((file) => {
    const language = drafts.view.file(file.path)?.language ?? ""
    if (!written.has(language)) return []
    const { text } = file.source
    const parts = partsOf(text, language)
    return file.changes.flatMap((change) =>
      change.text === to && whereIs(parts, change.from) === "code" && isTag(text, change.from, from)
        ? [{ path: file.path, ...file.source.place(change.from) }]
        : []
    )
  })
}
