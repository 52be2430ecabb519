/**
 * From one snapshot to the next: which files' names must be looked up again when some files changed, and no others.
 *
 * A file is looked up again when it changed, when it mentions a name that some change added, removed or altered, when
 * a module it imports may now be found elsewhere, or when what it learnt from another file may have changed that way.
 */
import { D, E, type FactsView, H, I, N, R, X } from "../languages/Facts.ts"
import type { Interner } from "../languages/Interner.ts"
import { Bind, Flag, ImportFlag, Op } from "../languages/Vocabulary.ts"
import type { Resolved } from "./Edges.ts"
import { familiesOf } from "./resolve/families.ts"
import { Resolver } from "./resolve/Resolver.ts"
import { forgetValues } from "./resolve/Value.ts"
import { configNames, type FileEntry, Incoming, renumbered, type Snapshot, type Unit, worldOf } from "./Snapshot.ts"
import { baseOf, dirOf } from "./World.ts"

export interface Changes {
  /** New or changed files; an id that is already in use replaces that file. */
  readonly entries: ReadonlyArray<FileEntry>
  readonly removed: ReadonlyArray<number>
  readonly units: ReadonlyArray<Unit>
  readonly at: number
}

export const emptySnapshot = (names: Interner): Snapshot => ({
  generation: 0, files: [], byPath: new Map(), resolved: [], names, units: [], incoming: new Incoming([], []), at: 0
})

export const update = (previous: Snapshot, changes: Changes, readConfig: (path: string) => string | undefined): Snapshot => {
  const files = previous.files.slice()
  const byPath = new Map(previous.byPath)
  for (const id of changes.removed) {
    const file = files[id]
    if (file !== undefined && byPath.get(file.path) === id) byPath.delete(file.path)
    files[id] = undefined
  }
  for (const entry of changes.entries) {
    while (files.length < entry.id) files.push(undefined)
    files[entry.id] = entry
    byPath.set(entry.path, entry.id)
  }
  const { names } = previous
  const plan = planOf(previous, changes, files, names)
  const resolved: Array<Resolved | undefined> = previous.resolved.slice()
  while (resolved.length < files.length) resolved.push(undefined)
  if (plan.dirty === undefined || plan.dirty.size > 0) {
    const resolver = new Resolver(worldOf(files, byPath, names, readConfig), familiesOf)
    for (let id = 0; id < files.length; id++) {
      if (plan.dirty !== undefined && !plan.dirty.has(id)) continue
      const file = resolver.file(id)
      resolved[id] = file === undefined ? undefined : resolver.resolve(file)
    }
    forgetValues()
  }
  for (const id of changes.removed) if (files[id] === undefined) resolved[id] = undefined
  for (const [file, map] of plan.moved) {
    for (let id = 0; id < resolved.length; id++) {
      const slice = resolved[id]
      if (slice !== undefined && plan.dirty !== undefined && !plan.dirty.has(id)) resolved[id] = renumbered(slice, file, map)
    }
  }
  return {
    generation: previous.generation + 1,
    files,
    byPath,
    resolved,
    names,
    units: changes.units,
    incoming: new Incoming(files, resolved),
    at: changes.at
  }
}

interface Plan {
  /** Files to look up again; undefined for all. */
  readonly dirty: Set<number> | undefined
  /** Definitions that only got another index, per changed file: old index to new. */
  readonly moved: ReadonlyMap<number, Int32Array>
}
const everything: Plan = { dirty: undefined, moved: new Map() }

const planOf = (previous: Snapshot, changes: Changes, files: ReadonlyArray<FileEntry | undefined>, names: Interner): Plan => {
  const total = files.length
  if (previous.generation === 0 || changes.entries.length + changes.removed.length > total * 0.3) return everything
  const words = new Set<number>()
  const modules: Array<string> = []
  const dirty = new Set<number>()
  const moved = new Map<number, Int32Array>()
  /** Files whose dependents must follow whatever they mention. */
  const upset = new Set<number>()
  const appears = (path: string, view: FactsView | undefined) => {
    const base = baseOf(path)
    if (configNames.includes(base) || /^__init__\.pyi?$/.test(base)) return false
    modules.push(base.replace(/\.[^.]*$/, ""))
    if (/^(?:index|mod|lib|main|init)\./.test(base) || view !== undefined) modules.push(baseOf(dirOf(path)))
    if (view !== undefined) for (let i = 0; i < view.definitionCount; i++) words.add(view.def(i, D.name))
    words.add(names.string(base.replace(/\.[^.]*$/, "")))
    return true
  }
  for (const id of changes.removed) {
    const old = previous.files[id]
    if (old === undefined) continue
    if (!appears(old.path, old.view)) return everything
    upset.add(id)
  }
  for (const entry of changes.entries) {
    const old = previous.files[entry.id]
    dirty.add(entry.id)
    if (configNames.includes(baseOf(entry.path))) return everything
    if (old === undefined || old.path !== entry.path || (old.view === undefined) !== (entry.view === undefined)) {
      if (old !== undefined && !appears(old.path, old.view)) return everything
      if (!appears(entry.path, entry.view)) return everything
      if (old !== undefined) upset.add(entry.id)
      continue
    }
    if (old.view === undefined || entry.view === undefined) continue
    if (sameInterface(old.view, entry.view) && old.language === entry.language) continue
    if (old.view.package !== entry.view.package || old.language !== entry.language) return everything
    const difference = compare(old.view, entry.view, names)
    for (const word of difference.words) words.add(word)
    if (difference.upset) upset.add(entry.id)
    if (difference.map !== undefined) moved.set(entry.id, difference.map)
  }
  if (words.size > 0 || modules.length > 0) {
    const flags = new Uint8Array(names.size)
    for (const word of words) flags[word] = 1
    const parts = modules.filter((m) => m !== "")
    const moduleFlags = new Uint8Array(names.size)
    if (parts.length > 0) {
      for (let n = 1; n < names.size; n++) {
        const text = names.text(n)
        if (parts.some((p) => text.includes(p))) moduleFlags[n] = 1
      }
    }
    for (const file of files) {
      if (file?.view === undefined || dirty.has(file.id)) continue
      if (importsAny(file.view, moduleFlags) || mentionsAny(file.view, flags)) {
        dirty.add(file.id)
        if (interfaceMentions(file.view, flags) || importsAny(file.view, moduleFlags)) upset.add(file.id)
      }
    }
  }
  if (upset.size > 0) follow(previous, upset, dirty)
  for (const id of changes.removed) dirty.delete(id)
  return dirty.size > total * 0.6 ? everything : { dirty, moved }
}

/** Adds every file that learnt something from an upset one, directly or through others. */
const follow = (previous: Snapshot, upset: ReadonlySet<number>, dirty: Set<number>): void => {
  const dependents: Array<Array<number>> = []
  previous.resolved.forEach((slice, id) => {
    for (const on of slice?.dependencies ?? []) (dependents[on] ??= []).push(id)
  })
  const queue = [...upset]
  const seen = new Set(queue)
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const id of dependents[at] ?? []) {
      dirty.add(id)
      if (!seen.has(id)) {
        seen.add(id)
        queue.push(id)
      }
    }
  }
}

const sameInterface = (a: FactsView, b: FactsView): boolean =>
  a.ints[a.at + H.interfaceHigh] === b.ints[b.at + H.interfaceHigh] && a.ints[a.at + H.interfaceLow] === b.ints[b.at + H.interfaceLow] &&
  a.definitionCount === b.definitionCount

const mentionsAny = (view: FactsView, flags: Uint8Array): boolean => {
  const { ints } = view
  for (let p = view.references + R.name, end = view.expressions; p < end; p += R.size) if (flags[ints[p]!] === 1) return true
  for (let p = view.expressions, end = view.args; p < end; p += X.size) {
    const op = ints[p]!
    if ((op === Op.name && flags[ints[p + X.a]!] === 1) || (op === Op.member && flags[ints[p + X.b]!] === 1)) return true
  }
  for (let i = 0; i < view.importCount; i++) if (flags[view.import(i, I.imported)] === 1 || flags[view.import(i, I.local)] === 1) return true
  for (let i = 0; i < view.exportCount; i++) {
    if (flags[view.export(i, E.exported)] === 1 || flags[view.export(i, E.local)] === 1 || flags[view.export(i, E.imported)] === 1) return true
  }
  for (let i = 0; i < view.definitionCount; i++) if (flags[view.def(i, D.name)] === 1 || flags[view.def(i, D.container)] === 1) return true
  return false
}
const importsAny = (view: FactsView, flags: Uint8Array): boolean => {
  for (let i = 0; i < view.importCount; i++) if (flags[view.import(i, I.module)] === 1 || flags[view.import(i, I.imported)] === 1) return true
  for (let i = 0; i < view.exportCount; i++) if (view.export(i, E.from) !== 0 && flags[view.export(i, E.from)] === 1) return true
  return false
}

/** Whether what other files see of this one is written in terms of a flagged name. */
const interfaceMentions = (view: FactsView, flags: Uint8Array): boolean => {
  const tree = (e: number, depth: number): boolean => {
    if (e < 0 || depth > 12) return false
    const a = view.expr(e, X.a)
    const b = view.expr(e, X.b)
    const c = view.expr(e, X.c)
    switch (view.expr(e, X.op)) {
      case Op.name:
        return flags[a] === 1 || (b === Bind.local && tree(c, depth + 1)) ||
          (b === Bind.definition && depth < 8 && tree(view.def(c, D.type), depth + 4))
      case Op.member:
        return flags[b] === 1 || tree(a, depth + 1)
      case Op.union:
        return tree(a, depth + 1) || tree(b, depth + 1)
      case Op.generic: case Op.tuple: {
        if (view.expr(e, X.op) === Op.generic && tree(a, depth + 1)) return true
        for (let i = 0; i < c; i++) if (tree(view.ints[view.args + b + i]!, depth + 1)) return true
        return false
      }
      case Op.literal: case Op.self: case Op.selfType: case Op.super: case Op.function: case Op.unknown:
        return false
      default:
        return tree(a, depth + 1)
    }
  }
  for (let i = 0; i < view.definitionCount; i++) {
    if ((view.def(i, D.flags) & Flag.local) !== 0) continue
    if (tree(view.def(i, D.type), 0) || tree(view.def(i, D.owner), 0)) return true
  }
  for (let i = 0; i < view.inheritCount; i++) {
    if (tree(view.inherit(i, N.superType), 0) || tree(view.inherit(i, N.subjectType), 0)) return true
  }
  for (let i = 0; i < view.exportCount; i++) {
    if (flags[view.export(i, E.exported)] === 1 || flags[view.export(i, E.local)] === 1 || flags[view.export(i, E.imported)] === 1) return true
  }
  for (let i = 0; i < view.importCount; i++) {
    if (flags[view.import(i, I.imported)] === 1 || flags[view.import(i, I.local)] === 1) return true
  }
  return false
}

interface Difference {
  readonly words: ReadonlyArray<number>
  /** Something changed that can matter under any name: dependents follow. */
  readonly upset: boolean
  /** Old definition index to new; undefined when they all stayed. */
  readonly map: Int32Array | undefined
}

const compare = (old: FactsView, now: FactsView, names: Interner): Difference => {
  const words: Array<number> = []
  const before = definitionsByKey(old, names)
  const after = definitionsByKey(now, names)
  const map = new Int32Array(old.definitionCount).fill(-1)
  let same = old.definitionCount === now.definitionCount
  for (const [key, i] of before) {
    const k = after.get(key)
    if (k === undefined) words.push(old.def(i, D.name))
    else {
      map[i] = k
      if (i !== k) same = false
      if (shapeOf(old, names, i) !== shapeOf(now, names, k)) words.push(old.def(i, D.name))
    }
  }
  for (const [key, k] of after) if (!before.has(key)) words.push(now.def(k, D.name))
  let upset = false
  const setOf = <A>(count: number, text: (i: number) => string, word: (i: number) => ReadonlyArray<number>, wide: (i: number) => boolean) => {
    const all = new Map<string, A | number>()
    for (let i = 0; i < count; i++) all.set(text(i), i)
    return { all, word, wide }
  }
  const importSet = (v: FactsView) => setOf(v.importCount,
    (i) => [I.module, I.imported, I.local].map((f) => names.text(v.import(i, f))).concat([I.flags, I.level].map((f) => String(v.import(i, f)))).join("\n"),
    (i) => [v.import(i, I.local), v.import(i, I.imported)],
    (i) => (v.import(i, I.flags) & (ImportFlag.wildcard | ImportFlag.reexport)) !== 0)
  const exportSet = (v: FactsView) => setOf(v.exportCount,
    (i) => [E.exported, E.local, E.from, E.imported].map((f) => names.text(v.export(i, f))).join("\n"),
    (i) => [v.export(i, E.exported), v.export(i, E.local)],
    (i) => names.text(v.export(i, E.exported)) === "*" || names.text(v.export(i, E.exported)) === "default")
  const inheritSet = (v: FactsView) => setOf(v.inheritCount,
    (i) => `${v.inherit(i, N.subject) < 0 ? typeText(v, names, v.inherit(i, N.subjectType), 0) : names.text(v.def(v.inherit(i, N.subject), D.name))}\n${typeText(v, names, v.inherit(i, N.superType), 0)}\n${v.inherit(i, N.how)}`,
    () => [],
    () => true)
  for (const make of [importSet, exportSet, inheritSet]) {
    const a = make(old)
    const b = make(now)
    for (const [from, to] of [[a, b], [b, a]] as const) {
      for (const [text, i] of from.all) {
        if (to.all.has(text)) continue
        words.push(...from.word(i as number))
        if (from.wide(i as number)) upset = true
      }
    }
  }
  return { words: words.filter((w) => w !== 0), upset, map: same ? undefined : map }
}

const definitionsByKey = (view: FactsView, names: Interner): Map<string, number> => {
  const keys: Array<string> = []
  const out = new Map<string, number>()
  for (let i = 0; i < view.definitionCount; i++) {
    const parent = view.def(i, D.parent)
    const key = `${parent < 0 ? "" : keys[parent]}/${view.def(i, D.kind)} ${names.text(view.def(i, D.container))} ${names.text(view.def(i, D.name))}`
    let unique = key
    for (let n = 1; out.has(unique); n++) unique = `${key}#${n}`
    keys.push(unique)
    out.set(unique, i)
  }
  return out
}

const shapeOf = (view: FactsView, names: Interner, i: number): string =>
  `${view.def(i, D.flags)} ${view.def(i, D.parameters)} ${typeText(view, names, view.def(i, D.type), 0)} ${typeText(view, names, view.def(i, D.owner), 0)}`

const typeText = (view: FactsView, names: Interner, e: number, depth: number): string => {
  if (e < 0 || depth > 12) return "?"
  const op = view.expr(e, X.op)
  const a = view.expr(e, X.a)
  const b = view.expr(e, X.b)
  const c = view.expr(e, X.c)
  const inner = (i: number) => typeText(view, names, i, depth + 1)
  switch (op) {
    case Op.name:
      return b === Bind.local ? `(${inner(c)})` : `${names.text(a)}@${b}`
    case Op.member:
      return `${inner(a)}.${names.text(b)}`
    case Op.literal:
      return `'${names.text(a)}'`
    case Op.self: case Op.selfType: case Op.super: case Op.function:
      return `${op}:${names.text(view.def(a, D.name))}`
    case Op.union:
      return `${inner(a)}|${inner(b)}`
    case Op.generic: case Op.tuple:
      return `${op === Op.generic ? inner(a) : ""}<${Array.from({ length: c }, (_, i) => inner(view.ints[view.args + b + i]!)).join(",")}>`
    case Op.slot:
      return `${inner(a)}[${b}]`
    case Op.unknown:
      return "?"
    default:
      return `${op}(${inner(a)})`
  }
}
