/** How one file names another in an import. */

const folderOf = (path: string): ReadonlyArray<string> => path.split("/").slice(0, -1)

/** The way from a folder to a path, with `..` where it goes up. */
const way = (from: ReadonlyArray<string>, to: ReadonlyArray<string>): ReadonlyArray<string> => {
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  return [...from.slice(same).map(() => ".."), ...to.slice(same)]
}

const ending = /\.(?:d\.)?[cm]?[jt]sx?$/

const joined = (folder: ReadonlyArray<string>, specifier: string): string => {
  const parts = [...folder]
  for (const part of specifier.split("/"))
    if (part === "..") parts.pop()
    else if (part !== "." && part !== "") parts.push(part)
  return parts.join("/")
}

/** Whether a relative specifier in a file means a path, whatever ending it is written with. */
export const means = (from: string, specifier: string, path: string): boolean => {
  if (!specifier.startsWith(".")) return false
  const there = joined(folderOf(from), specifier).replace(ending, "")
  const bare = path.replace(ending, "")
  return there === bare || `${there}/index`.replace(/^\//, "") === bare
}

/** A specifier for a path, written like another one: with its ending of sources or outputs, or without. */
export const ecmascriptSpecifier = (from: string, to: string, like: string | undefined): string => {
  const parts = [...way(folderOf(from), to.split("/"))]
  const base = parts.at(-1)!
  const style =
    like === undefined
      ? "output"
      : /\.[cm]?tsx?$/.test(like)
        ? "source"
        : ending.test(like)
          ? "output"
          : "none"
  const stem = base.replace(ending, "")
  const own = ending.exec(base)?.[0] ?? ""
  parts[parts.length - 1] =
    style === "source"
      ? base
      : style === "output"
        ? stem + (/^\.[cm]?jsx?$/.test(own) ? own : own.replace(/^\.(?:d\.)?([cm]?)tsx?$/, ".$1js"))
        : stem
  if (style === "none" && stem === "index" && parts.length > 1) parts.pop()
  const said = parts.join("/")
  return said.startsWith("..") ? said : `./${said}`
}

/** The same specifier seen from another file. */
export const rebased = (specifier: string, from: string, to: string): string => {
  if (!specifier.startsWith(".")) return specifier
  const said = way(folderOf(to), joined(folderOf(from), specifier).split("/")).join("/")
  return said.startsWith("..") ? said : `./${said}`
}

/** Dotted parts of a Python file as a module. */
const moduleParts = (path: string): ReadonlyArray<string> => {
  const parts = path.replace(/\.pyi?$/, "").split("/")
  return parts.at(-1) === "__init__" ? parts.slice(0, -1) : parts
}

/** The folder that an absolute module name counts from; undefined when the name is not that of the file. */
export const pythonRoot = (module: string, path: string): string | undefined => {
  const name = module.split(".")
  const parts = moduleParts(path)
  const head = parts.slice(0, parts.length - name.length)
  return parts.length >= name.length && parts.slice(head.length).join(".") === module
    ? head.map((part) => `${part}/`).join("")
    : undefined
}

/** The file's path a relative Python module means, without its ending. */
export const pythonMeans = (from: string, module: string, path: string): boolean => {
  const target = moduleParts(path).join("/")
  if (!module.startsWith(".")) return pythonRoot(module, path) !== undefined
  const dots = /^\.+/.exec(module)![0].length
  const folder = folderOf(from)
  const base = folder.slice(0, folder.length - (dots - 1))
  const rest = module.slice(dots)
  return [...base, ...(rest === "" ? [] : rest.split("."))].join("/") === target
}

export const pythonRelative = (from: string, to: string): string => {
  const parts = way(folderOf(from), [...moduleParts(to)])
  const ups = parts.filter((part) => part === "..").length
  return ".".repeat(ups + 1) + parts.slice(ups).join(".")
}

/** An absolute module name; undefined when the path is not below the root. */
export const pythonAbsolute = (root: string, path: string): string | undefined =>
  path.startsWith(root) ? moduleParts(path.slice(root.length)).join(".") : undefined

/** A relative module name seen from another file. */
export const pythonRebased = (module: string, from: string, to: string): string => {
  if (!module.startsWith(".")) return module
  const dots = /^\.+/.exec(module)![0].length
  const folder = folderOf(from)
  const base = folder.slice(0, folder.length - (dots - 1))
  const rest = module.slice(dots)
  return pythonRelative(to, `${[...base, ...(rest === "" ? ["__init__"] : rest.split("."))].join("/")}.py`)
}
