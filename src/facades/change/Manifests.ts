/** Build files around a path, read once a call. */
import { Effect } from "effect"
import type { GraphView } from "../../services/CodeGraph.ts"
import type { ReadFs } from "../../services/ReadFs.ts"

const dirOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")
export const inside = (dir: string, name: string): string => (dir === "" ? name : `${dir}/${name}`)

/** The folders from a file's own up to the root, nearest first. */
export const foldersUp = (path: string): ReadonlyArray<string> => {
  const out: Array<string> = []
  for (let dir = dirOf(path); ; dir = dirOf(dir)) {
    out.push(dir)
    if (dir === "") return out
  }
}

/** The path as seen from a folder above it. */
export const below = (dir: string, path: string): string => (dir === "" ? path : path.slice(dir.length + 1))

export class Manifests {
  private readonly texts = new Map<string, string | undefined>()
  private readonly objects = new Map<string, { readonly [key: string]: unknown } | undefined>()
  private readonly view: GraphView
  private readonly fs: ReadFs["Type"]

  constructor(view: GraphView, fs: ReadFs["Type"]) {
    this.view = view
    this.fs = fs
  }

  has(path: string): boolean {
    return this.view.fileRef(path) !== undefined
  }

  /** The nearest folder at or above the file's that has one of the files. */
  nearest(path: string, ...names: ReadonlyArray<string>): string | undefined {
    return foldersUp(path).find((dir) => names.some((name) => this.has(inside(dir, name))))
  }

  /** The nearest folder at or above the file's with a file whose name ends so, and that file. */
  nearestEnding(path: string, ...endings: ReadonlyArray<string>): string | undefined {
    for (const dir of foldersUp(path)) {
      const found = this.view
        .files()
        .find((file) => dirOf(file.path) === dir && endings.some((ending) => file.path.endsWith(ending)))
      if (found !== undefined) return found.path
    }
    return undefined
  }

  /** Undefined when there is none, or it cannot be read. */
  text(path: string): Effect.Effect<string | undefined> {
    return Effect.suspend(() => {
      if (this.texts.has(path)) return Effect.succeed(this.texts.get(path))
      return this.fs.readText(path).pipe(
        Effect.map(({ text }): string | undefined => text),
        Effect.orElseSucceed(() => undefined),
        Effect.tap((text) => Effect.sync(() => this.texts.set(path, text)))
      )
    })
  }

  /** A JSON file's object. Undefined when there is none, or it holds no object. */
  json(path: string): Effect.Effect<{ readonly [key: string]: unknown } | undefined> {
    return Effect.map(this.text(path), (text) => {
      if (text === undefined) return undefined
      if (!this.objects.has(path)) {
        let value: unknown
        try {
          value = JSON.parse(text.replace(/^\uFEFF/, ""))
        } catch {
          value = undefined
        }
        this.objects.set(
          path,
          typeof value === "object" && value !== null && !Array.isArray(value)
            ? (value as { readonly [key: string]: unknown })
            : undefined
        )
      }
      return this.objects.get(path)
    })
  }
}
