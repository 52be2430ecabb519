/** How the files of a folder write the modules they import. */
import { Effect } from "effect"
import type { GraphView } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import type { Drafts } from "./Drafts.ts"
import { isEcmascript } from "./Names.ts"

const folder = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

const kindOf = (module: string): string =>
  /\.[cm]?tsx?$/.test(module) ? "source" : /\.[cm]?jsx?$/.test(module) ? "output" : "none"

/** A relative module that a file imports; the kind that it has most of. */
const exampleOf = (view: GraphView, path: string): string | undefined => {
  const counts = new Map<string, { count: number; readonly module: string }>()
  for (const { module, targets } of view.imports(path)) {
    if (!module.startsWith(".") || targets.length === 0) continue
    // A file that is JavaScript says nothing of how a source is called.
    if (!targets.some((ref) => isEcmascript(view.file(view.pathOf(ref))?.language ?? ""))) continue
    const kind = kindOf(module)
    const known = counts.get(kind)
    if (known === undefined) counts.set(kind, { count: 1, module })
    else known.count++
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.module
}

const configured = (text: string): string | undefined => {
  const said = (name: string) => new RegExp(`"${name}"\\s*:\\s*"?([\\w.]+)`).exec(text)?.[1]?.toLowerCase()
  const resolution = said("moduleResolution") ?? said("module")
  if (resolution === undefined) return undefined
  if (/^node(?:16|18|20|next)$/.test(resolution))
    return said("rewriteRelativeImportExtensions") === "true" ? "./a.ts" : "./a.js"
  return "./a"
}

/**
 * An example of how a file would write a relative module: by its own imports, those of the file that something comes from,
 * of its neighbours, of the project's configuration, of folders above. Undefined when nothing tells.
 */
export const moduleStyle = (drafts: Drafts, source: string, destination: string) =>
  Effect.gen(function* () {
    const { view } = drafts
    const fs = yield* ReadFs
    const own = view.fileRef(destination) === undefined ? undefined : exampleOf(view, destination)
    if (own !== undefined) return own
    const near = view
      .files()
      .filter(({ language, path }) => folder(path) === folder(destination) && isEcmascript(language ?? ""))
      .slice(0, 50)
    for (const { path } of near) {
      if (path === source) continue
      const example = exampleOf(view, path)
      if (example !== undefined) return example
    }
    const example = exampleOf(view, source)
    if (example !== undefined) return example
    for (let at = folder(destination); ; at = folder(at.slice(0, -1))) {
      for (const name of ["tsconfig.json", "jsconfig.json"]) {
        if (view.file(at + name) === undefined) continue
        const text = yield* Effect.option(fs.readText(at + name))
        const style = text._tag === "None" ? undefined : configured(text.value.text)
        if (style !== undefined) return style
      }
      if (at === "") break
    }
    for (const { language, path } of view.files()) {
      if (!isEcmascript(language ?? "")) continue
      const other = exampleOf(view, path)
      if (other !== undefined) return other
    }
    return undefined
  })
