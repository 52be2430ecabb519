/**
 * A facade's operation may neither provide a service nor run an effect: both would hide authority from its
 * type. `node src/build/facades.mjs [TOP]` prints each place in src/facades that does, and exits with 1 then.
 */
import path from "node:path"
import { isProgram, root } from "./paths.mjs"
import { parseSource, sourceFiles, walk } from "./sources.mjs"

const forbidden =
  /^(provide|provide(Some)?(Service|Layer|Context|Effect|ServiceEffect)|mapInputContext|runtime|run(Promise|Sync|Fork|Callback)(Exit)?)$/

const fromEffect = (declaration) =>
  declaration.type === "ImportDeclaration" && /^effect(\/|$)/.test(declaration.source.value)

const nameOf = (node) =>
  node.type === "Identifier" ? node.name : node.type === "Literal" ? node.value : undefined

/** The identifier at the left end of `a.b.c`, if there is one. */
const leftmost = (node) => (node.type === "MemberExpression" ? leftmost(node.object) : nameOf(node))

/** Places in one parsed file, as `{ line, name }`. */
const offences = ({ tree, lineOf }) => {
  const found = []
  const bound = new Set()
  for (const declaration of tree.body.filter(fromEffect))
    for (const specifier of declaration.specifiers) {
      bound.add(specifier.local.name)
      const imported = specifier.imported ? nameOf(specifier.imported) : undefined
      if (imported !== undefined && forbidden.test(imported))
        found.push({ line: lineOf(specifier), name: imported })
    }
  walk(tree, (node) => {
    if (node.type !== "MemberExpression" || !bound.has(leftmost(node))) return
    const name = !node.computed || node.property.type === "Literal" ? nameOf(node.property) : undefined
    if (name !== undefined && forbidden.test(name)) found.push({ line: lineOf(node), name })
  })
  return found
}

/** Every offence below `top/src/facades`, as `file:line complaint`. */
export const hiddenAuthority = (top) =>
  sourceFiles(top)
    .filter((file) => file.startsWith("src/facades/"))
    .flatMap((file) =>
      offences(parseSource(top, file)).map(
        ({ line, name }) => `${file}:${line} uses ${name}: a facade leaves its services to the caller`
      )
    )

if (isProgram(import.meta.url)) {
  const found = hiddenAuthority(path.resolve(process.argv[2] ?? root))
  for (const line of found) process.stdout.write(`${line}\n`)
  process.exitCode = found.length > 0 ? 1 : 0
}
