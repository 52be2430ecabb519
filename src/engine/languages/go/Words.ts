/** Names that mean something to the reader, as a table from interned number to class. */
import type { Interner } from "../Interner.ts"
import { keywords } from "./Token.ts"

/** Classes of names that are no keywords. Keywords carry their token. */
export const Word = {
  /** Predeclared type. */
  type: 100,
  /** `nil`. */
  nil: 101,
  /** `true`, `false`. */
  boolean: 102,
  /** `iota`. */
  number: 103,
  make: 110,
  new: 111,
  /** Registers a route when called with a path. */
  route: 120,
  /** `Getenv`, `LookupEnv`. */
  environment: 121,
  /** `Run`: a nested test. */
  run: 122
} as const

const types = [
  "any",
  "bool",
  "byte",
  "comparable",
  "complex64",
  "complex128",
  "error",
  "float32",
  "float64",
  "int",
  "int8",
  "int16",
  "int32",
  "int64",
  "rune",
  "string",
  "uint",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
  "uintptr"
]
const routes = [
  "Handle",
  "HandleFunc",
  "Get",
  "Post",
  "Put",
  "Delete",
  "Patch",
  "Head",
  "Options",
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "HEAD",
  "OPTIONS",
  "Any",
  "Route",
  "Group",
  "Mount",
  "Path",
  "PathPrefix"
]

export interface Words {
  /** Class of a name by its number; names beyond the end have none. */
  readonly classes: Uint8Array
  readonly blank: number
  readonly init: number
  readonly string: number
  readonly number: number
  readonly boolean: number
  readonly null: number
  readonly array: number
  readonly map: number
  readonly struct: number
  readonly interface: number
  readonly runner: number
  /** The package `sync` and its functions that return their argument with memory. */
  readonly sync: number
  readonly onces: ReadonlyArray<number>
}

const cache = new WeakMap<Interner, Words>()

export const wordsOf = (interner: Interner): Words => {
  const known = cache.get(interner)
  if (known !== undefined) return known
  const entries: Array<readonly [number, number]> = []
  const put = (text: string, kind: number) => entries.push([interner.string(text), kind])
  for (const [word, token] of keywords) put(word, token)
  for (const t of types) put(t, Word.type)
  put("nil", Word.nil)
  put("true", Word.boolean)
  put("false", Word.boolean)
  put("iota", Word.number)
  put("make", Word.make)
  put("new", Word.new)
  for (const r of routes) put(r, Word.route)
  put("Getenv", Word.environment)
  put("LookupEnv", Word.environment)
  put("Run", Word.run)
  const classes = new Uint8Array(1 + entries.reduce((max, [id]) => Math.max(max, id), 0))
  for (const [id, kind] of entries) classes[id] = kind
  const words: Words = {
    classes,
    blank: interner.string("_"),
    init: interner.string("init"),
    string: interner.string("string"),
    number: interner.string("number"),
    boolean: interner.string("boolean"),
    null: interner.string("null"),
    array: interner.string("array"),
    map: interner.string("map"),
    struct: interner.string("struct"),
    interface: interner.string("interface"),
    runner: interner.string("go test"),
    sync: interner.string("sync"),
    onces: ["OnceFunc", "OnceValue", "OnceValues"].map((name) => interner.string(name))
  }
  cache.set(interner, words)
  return words
}
