/** Files of settings as text that is somebody else's: read as values, changed in one place and nowhere else. */
import { isDeepStrictEqual } from "node:util"

export type Path = ReadonlyArray<string | number>

/** Why a text cannot be read, or not be changed. */
export class Unreadable extends Error {
  /** Counts from 1; undefined where no line is to blame. */
  readonly line: number | undefined

  constructor(why: string, line?: number) {
    super(why)
    this.line = line
  }
}

export interface Format {
  /** Its name, as a person knows it. */
  readonly name: string
  /** The value of a text; an empty one is an empty table. Throws {@link Unreadable}. */
  readonly read: (text: string) => unknown
  /** The text with another value at a path: what leads there is made where it is missing. Throws {@link Unreadable}. */
  readonly put: (text: string, path: Path, value: unknown) => string
  /** The text without what is at a path, and without what only held that. */
  readonly drop: (text: string, path: Path) => string
  /** Whether nothing is left in a text. */
  readonly isEmpty: (text: string) => boolean
}

const isContainer = (value: unknown): value is { [key: string | number]: unknown } =>
  typeof value === "object" && value !== null && !(value instanceof Date)

/** What is at a path; undefined where there is nothing. */
export const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (isContainer(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value
  )

/** What makes a new value at the end of a path. */
export const nested = (path: Path, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => (typeof key === "number" ? [inner] : { [key]: inner }), value)

/** A value without what is at a path, and without what is empty along it. */
const without = (value: unknown, [key, ...rest]: Path): unknown => {
  if (key === undefined) return undefined
  if (!isContainer(value) || !Object.hasOwn(value, key)) return value
  const inner = without(value[key], rest)
  const gone = inner === undefined || (isContainer(inner) && Object.keys(inner).length === 0)
  if (Array.isArray(value))
    return value.flatMap((each, index) => (index !== key ? [each] : gone ? [] : [inner]))
  const { [key]: _, ...others } = value
  return gone ? others : { ...others, [key]: inner }
}

/** Prototypes are of no account: a reader of some format may make objects without one. */
const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(structuredClone(a), structuredClone(b))

/**
 * The text with a value at a path, undefined for none. Whatever the formats do with texts, the outcome is read again and
 * compared: it has that value there, and everything else as it was. Throws {@link Unreadable} where it could not be done.
 */
export const changed = (format: Format, text: string, path: Path, value: unknown): string => {
  const before = format.read(text)
  if (same(at(before, path), value)) return text
  const after = value === undefined ? format.drop(text, path) : format.put(text, path, value)
  let read: unknown
  try {
    read = format.read(after)
  } catch {
    // What was written does not go with the rest.
    throw byHand(path)
  }
  if (!same(at(read, path), value) || !same(without(read, path), without(before, path))) throw byHand(path)
  return after
}

/** What stands at a path has a form in which nothing can be changed by itself. */
export const byHand = (path: Path): Unreadable =>
  new Unreadable(`${path.join(".")} is written in a way that only a person can change`)

/** The line of an offset, from 1. */
export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

/** How a text ends its lines. */
export const lineEnd = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n")
