import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import ignoreModule from "ignore"
import type { Ignore } from "ignore"
import { safeReadFlags } from "./SafeOpen.ts"

// The package is CommonJS: depending on the loader, its function is the module or the module's `default`.
const makeIgnore = ((ignoreModule as unknown as { default?: unknown }).default ?? ignoreModule) as (options: {
  readonly ignorecase: boolean
}) => Ignore

/** Patterns in `.gitignore` syntax, matched case-sensitively against paths relative to where they were written. */
export interface Patterns {
  /** True: ignored. False: explicitly kept (`!pattern`). Null: the patterns say nothing. Directories are given with a trailing `/`. */
  readonly test: (relative: string) => boolean | null
}

/** Git matches bytes (`?` is one byte of `é`): spell other than ASCII text one character per byte. */
const asBytes = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, "utf8").toString("latin1")

/** Compiles patterns; lines the syntax does not know match nothing. */
export const compilePatterns = (text: string | ReadonlyArray<string>): Patterns => {
  const rules = makeIgnore({ ignorecase: false }).add(
    typeof text === "string" ? asBytes(text) : text.map(asBytes)
  )
  return {
    test: (relative) => {
      const { ignored, unignored } = rules.test(asBytes(relative))
      return ignored ? true : unignored ? false : null
    }
  }
}

/** Largest ignore file that is read, in bytes. */
const ignoreFileLimit = 1 << 20

/** Reads an ignore file without following a link or blocking; null when there is no usable one. */
export const readIgnoreFile = (absolute: string): Patterns | null => {
  let fd: number
  try {
    fd = openSync(absolute, safeReadFlags)
  } catch {
    return null
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile() || stat.size > ignoreFileLimit) return null
    const buffer = Buffer.alloc(stat.size)
    const length = readSync(fd, buffer, 0, buffer.length, 0)
    return compilePatterns(buffer.toString("utf8", 0, length))
  } catch {
    return null
  } finally {
    closeSync(fd)
  }
}
