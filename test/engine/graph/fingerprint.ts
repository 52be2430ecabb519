/**
 * A snapshot in words, without the numbers that two indexes of one tree may choose differently: file ids, name
 * numbers, stats. Two snapshots of equal trees have equal fingerprints whatever way they were made.
 */
import { describeFacts } from "../../../src/engine/languages/describe.ts"
import { R } from "../../../src/engine/languages/Facts.ts"
import { G, S, targetDefinition, targetTier } from "../../../src/engine/graph/Edges.ts"
import { qualifiedParts, type Snapshot } from "../../../src/engine/graph/Snapshot.ts"

/** Per path: lines that say all that is known of the file. */
export type Fingerprint = ReadonlyMap<string, ReadonlyArray<string>>

export const snapshotFingerprint = (snapshot: Snapshot, facts = true): Fingerprint => {
  const { files, names } = snapshot
  const text = (name: number) => names.text(name)
  const node = (file: number, definition: number): string => {
    const entry = files[file]
    if (entry === undefined) return `no file ${file}`
    if (entry.view === undefined) return `${entry.path} without facts`
    if (definition >= entry.view.definitionCount) return `${entry.path} no definition ${definition}`
    return definition < 0
      ? entry.path
      : `${entry.path}#${definition} ${qualifiedParts(entry.view, names, definition).join(".")}`
  }
  const out = new Map<string, ReadonlyArray<string>>()
  for (const file of files) {
    if (file === undefined) continue
    if (snapshot.byPath.get(file.path) !== file.id)
      throw new Error(`${file.path} is not found under its path`)
    const lines: Array<string> = [
      `file ${file.language} ${file.flags} ${file.skip} ${file.oid} ${file.size} ${file.mode & 0o111}`
    ]
    if (file.view !== undefined && facts) {
      const described = describeFacts(file.view, text)
      for (const [section, value] of Object.entries(described)) {
        if (Array.isArray(value))
          value.forEach((row, i) => lines.push(`${section}[${i}] ${JSON.stringify(row)}`))
        else lines.push(`${section} ${JSON.stringify(value)}`)
      }
    }
    const resolved = snapshot.resolved[file.id]
    if (resolved !== undefined) {
      const { edges, supers } = resolved
      const references = file.view === undefined ? 0 : file.view.referenceCount
      for (let p = 0; p < edges.length; p += G.size) {
        const source = edges[p + G.source]!
        const packed = edges[p + G.target]!
        const from = source >= 0 ? `${text(file.view!.ref(source, R.name))}` : "import"
        if (source >= references) lines.push(`edge from no reference ${source}`)
        lines.push(
          `edge ${source} ${from} -> ${node(edges[p + G.file]!, targetDefinition(packed))} tier ${targetTier(packed)}`
        )
      }
      lines.push(
        `outside ${Buffer.from(resolved.outside.buffer, resolved.outside.byteOffset, resolved.outside.byteLength).toString("hex")}`
      )
      for (let p = 0; p < supers.length; p += S.size) {
        lines.push(
          `super ${node(supers[p + S.file]!, supers[p + S.definition]!)} -> ${node(supers[p + S.superFile]!, supers[p + S.superDefinition]!)} how ${supers[p + S.how]!} line ${supers[p + S.line]!}`
        )
      }
    } else if (file.view !== undefined) lines.push("not resolved")
    out.set(file.path, lines)
  }
  for (const [path, id] of snapshot.byPath)
    if (files[id]?.path !== path) throw new Error(`${path} names a file that is not there`)
  return out
}

/** What differs, as lines `path: - before` and `path: + after`; at most `limit`. */
export const fingerprintDifference = (a: Fingerprint, b: Fingerprint, limit = 12): ReadonlyArray<string> => {
  const out: Array<string> = []
  for (const path of new Set([...a.keys(), ...b.keys()])) {
    const left = a.get(path)
    const right = b.get(path)
    if (left === undefined || right === undefined)
      out.push(`${path}: only in the ${left === undefined ? "second" : "first"}`)
    else {
      const before = counted(left)
      const after = counted(right)
      const lost = left.filter((line) => !after.has(line)).map((line) => `${path}: - ${line}`)
      const gained = right.filter((line) => !before.has(line)).map((line) => `${path}: + ${line}`)
      out.push(...lost, ...gained)
      if (lost.length + gained.length === 0 && left.join("\n") !== right.join("\n"))
        out.push(`${path}: same lines, another order or number`)
    }
    if (out.length >= limit) break
  }
  return out.slice(0, limit)
}
const counted = (lines: ReadonlyArray<string>) => new Set(lines)
