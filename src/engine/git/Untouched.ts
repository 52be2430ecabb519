/**
 * Which files of a work tree git knows the bytes of without reading them: those that look as they did when git last wrote
 * or read them. Another work tree of a repository that is known already is compared by it.
 */
import { Effect } from "effect"
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Looked } from "../files/Census.ts"
import type { GitError } from "./GitError.ts"
import { eachEntry } from "./IndexFile.ts"
import { splitNul } from "./Parse.ts"
import { run } from "./Process.ts"

/** In the flags of an entry: taken for unchanged whatever the disk holds, with more flags behind, not merged. */
const assumed = 0x8000
const extended = 0x4000
const stage = 0x3000

/** Milliseconds before the index was written in which a file may have changed without a trace. */
const grainMs = 100
/** Milliseconds between two spellings of one time. */
const spellingMs = 0.001
const word = 2 ** 32

/** Of a mode: what it is, and whether its owner may run it. */
const kindAndOwner = 0o170100

const near = (left: number, right: number): boolean => Math.abs(left - right) < spellingMs

/**
 * Files that git may write with other bytes than their blob has, though as many: those with a filter, an encoding, or
 * their blob's id within them. Line ends that are written otherwise change how many there are.
 */
const rewritten = (directory: string): Effect.Effect<ReadonlySet<string>, GitError> =>
  Effect.map(
    run(directory, ["ls-files", "-z", "--", ":(exclude,attr:!filter !ident !working-tree-encoding)"]),
    ({ stdout }) => new Set(splitNul(stdout).texts)
  )

/** An index, and where in it the entries begin that git would compare by their stat, by their paths. */
interface Index {
  readonly bytes: Buffer
  readonly entries: ReadonlyMap<string, number>
}

/** Milliseconds of a time in an index. */
const timeAt = (index: Buffer, at: number): number =>
  index.readUInt32BE(at) * 1000 + index.readUInt32BE(at + 4) / 1e6

/** Reads an index; undefined when it cannot be read. */
const read = (file: string): Index | undefined => {
  const entries = new Map<string, number>()
  try {
    const handle = openSync(file, "r")
    try {
      const safe = fstatSync(handle).mtimeMs - grainMs
      const bytes = readFileSync(handle)
      const whole = eachEntry(bytes, (at, name, from, to) => {
        if ((bytes.readUInt16BE(at + 60) & (assumed | extended | stage)) !== 0) return
        if (timeAt(bytes, at + 8) < safe) entries.set(name.toString("utf8", from, to), at)
      })
      return whole ? { bytes, entries } : undefined
    } finally {
      closeSync(handle)
    }
  } catch {
    return undefined
  }
}

/** The blob id of a file that looks as an entry says. */
const blobAt = (index: Buffer, at: number, file: Looked): string | undefined =>
  index.readUInt32BE(at + 36) === file.size % word &&
  index.readUInt32BE(at + 20) === file.ino % word &&
  near(timeAt(index, at + 8), file.mtimeMs) &&
  near(timeAt(index, at), file.ctimeMs) &&
  (index.readUInt32BE(at + 24) & kindAndOwner) === (file.mode & kindAndOwner)
    ? index.toString("hex", at + 40, at + 60)
    : undefined

/** Answers the blob id of a file's bytes where there are as many as the blob has; undefined where only the bytes tell. */
export type BlobOf = (file: Looked) => string | undefined

const isAttributes = /(?:^|\/)\.gitattributes$/

/**
 * What git knows of a work tree with its own git directory. What this answers is asked once the files were looked at, all
 * of which are given.
 */
export const untouched = (
  topLevel: string,
  gitDir: string
): Effect.Effect<(files: ReadonlyArray<Looked>) => BlobOf, GitError> =>
  Effect.map(rewritten(topLevel), (others) => (files) => {
    const index = read(join(gitDir, "index"))
    const blobOf: BlobOf = (file) => {
      const at = others.has(file.path) ? undefined : index?.entries.get(file.path)
      return at === undefined ? undefined : blobAt(index!.bytes, at, file)
    }
    // Attributes that changed say nothing about how files were written under those before.
    return files.every((file) => !isAttributes.test(file.path) || blobOf(file) !== undefined)
      ? blobOf
      : () => undefined
  })
