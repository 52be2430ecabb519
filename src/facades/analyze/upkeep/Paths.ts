/** Whether paths that prose names are there. */
import { Effect } from "effect"
import type { GraphView } from "../../../services/CodeGraph.ts"
import type { ReadFs } from "../../../services/ReadFs.ts"

/** Folders of what is made from the sources: not there is no news. */
const madeFolders =
  /^(?:\.?\/)?(?:dist|build|out|target|node_modules|coverage|tmp|temp|logs?|\.next|\.nuxt|\.turbo|\.cache|\.venv|venv|vendor|bin|obj|__pycache__|\.git)(?:\/|$)/

const dirOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")

/** A path from a folder on; undefined when it leaves the root. */
const joined = (dir: string, path: string): string | undefined => {
  const out = dir === "" ? [] : dir.split("/")
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    if (part === "..") {
      if (out.length === 0) return undefined
      out.pop()
    } else out.push(part)
  }
  return out.join("/")
}

/** `there` with the listed file it is, if it is one; `missing`; or `unknown`, when that cannot be told. */
export type Presence =
  | { readonly state: "there"; readonly file: string | undefined }
  | { readonly state: "missing" }
  | { readonly state: "unknown" }

export class Paths {
  private readonly folders = new Set<string>()
  private readonly files = new Set<string>()
  private readonly tails = new Map<string, string>()

  constructor(
    view: GraphView,
    private readonly fs: ReadFs["Type"]
  ) {
    for (const { path } of view.files()) {
      this.files.add(path)
      for (let dir = dirOf(path); dir !== "" && !this.folders.has(dir); dir = dirOf(dir))
        this.folders.add(dir)
      // By its last two parts, for paths that begin somewhere below the root.
      this.tails.set(path.split("/").slice(-2).join("/"), path)
    }
  }

  private listed(path: string): { readonly file: string | undefined } | undefined {
    const bare = path.replace(/\/+$/, "")
    if (bare === "" || this.folders.has(bare)) return { file: undefined }
    return this.files.has(bare) ? { file: bare } : undefined
  }

  private onDisk(path: string): Effect.Effect<boolean> {
    return Effect.match(this.fs.readText(path), {
      // A folder is no file, and what may not be read is there.
      onFailure: ({ reason }) =>
        reason !== "not_found" && reason !== "path_outside_root" && reason !== "invalid_path",
      onSuccess: () => true
    })
  }

  /** Looks from the folder of a document and from the root. `link`: the path is a link's, and so certainly one. */
  look(path: string, from: string, link: boolean): Effect.Effect<Presence> {
    return Effect.gen(this, function* () {
      let text = path.replace(/[?#].*$/, "").replace(/:\d+(?:[-:]\d+)*$/, "")
      try {
        text = decodeURIComponent(text)
      } catch {
        // Written as it is.
      }
      if (text === "" || text === "/") return { state: "unknown" } as const
      const tried = [joined(dirOf(from), text), joined("", text)].filter((each) => each !== undefined)
      const suffixes = link ? ["", ".md", ".mdx", "/index.md", "/README.md", "/index.mdx"] : [""]
      for (const each of tried)
        for (const suffix of suffixes) {
          const found = this.listed(each + suffix)
          if (found !== undefined) return { state: "there", file: found.file } as const
        }
      if (madeFolders.test(text) || tried.some((each) => madeFolders.test(each)))
        return { state: "unknown" } as const
      // `packages/ID/README.md` shows where something would be.
      if (text.split("/").some((part) => /^[A-Z]+$/.test(part) && !this.folders.has(part)))
        return { state: "unknown" } as const
      const first = text.replace(/^(?:\.{1,2}\/)+/, "").split("/")[0]!
      const begins = [joined(dirOf(from), first), first].some(
        (each) => each !== undefined && this.folders.has(each)
      )
      const suffixed = /\.[A-Za-z]\w{0,9}$/.test(text)
      // Without a suffix it may be an address, a package or a branch as well.
      if (!suffixed && (link || !begins)) return { state: "unknown" } as const
      if (link && text.startsWith("/")) return { state: "unknown" } as const
      if (!link && text.split("/").length >= 2) {
        const tail = this.tails.get(text.split("/").slice(-2).join("/"))
        if (tail?.endsWith(`/${text}`) === true) return { state: "there", file: tail } as const
        for (const folder of this.folders)
          if (folder.endsWith(`/${text.replace(/\/$/, "")}`))
            return { state: "there", file: undefined } as const
      }
      for (const each of tried)
        if (each !== "" && (yield* this.onDisk(each))) return { state: "there", file: undefined } as const
      // An example's first folder is nowhere in the tree.
      if (!link && !begins) return { state: "unknown" } as const
      return { state: "missing" } as const
    })
  }
}
