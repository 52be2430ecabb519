/**
 * C and C++: a file sees what it includes, directly or through other headers; a declaration stands for the one
 * definition of its name elsewhere.
 */
import { D, I } from "../../languages/Facts.ts"
import { Flag, ImportFlag } from "../../languages/Vocabulary.ts"
import { baseOf, dirOf, fileOf, joinPath, type Node, nodeOf, type WorldFile } from "../World.ts"
import type { Family } from "./Family.ts"
import type { Resolver } from "./Resolver.ts"
import { type Found, nothing, outside } from "./Value.ts"

export const c = (resolver: Resolver): Family => {
  const { world } = resolver
  const { names } = world
  const byBase = new Map<string, Array<WorldFile>>()
  const global = new Map<number, Array<Node>>()
  for (const file of world.files) {
    if (file === undefined || file.language.family !== "c") continue
    const list = byBase.get(baseOf(file.path))
    if (list === undefined) byBase.set(baseOf(file.path), [file])
    else list.push(file)
    for (const [name, definitions] of resolver.fileScope(file)) {
      for (const i of definitions) {
        const nodes = global.get(name)
        if (nodes === undefined) global.set(name, [nodeOf(file.id, i)])
        else nodes.push(nodeOf(file.id, i))
      }
    }
  }
  const included = (file: WorldFile, index: number): number => {
    const path = names.text(file.view.import(index, I.module))
    for (let dir = file.dir; ; dir = dirOf(dir)) {
      for (const sub of ["", "include/", "src/", "inc/"]) {
        const at = joinPath(dir, sub + path)
        const found = at === undefined ? -1 : world.fileAt(at)
        if (found >= 0) return found
      }
      if (dir === "") break
    }
    // Include paths are a matter of the build: one file whose path ends this way is taken for it.
    const ending = (byBase.get(baseOf(path)) ?? []).filter(
      (f) => f.path === path || f.path.endsWith(`/${path}`)
    )
    return ending.length === 1 ? ending[0]!.id : -1
  }
  const closures = new Map<number, ReadonlySet<number>>()
  const closure = (file: WorldFile): ReadonlySet<number> => {
    let seen = closures.get(file.id) as Set<number> | undefined
    if (seen === undefined) {
      seen = new Set([file.id])
      const queue = [file]
      for (let at = queue.pop(); at !== undefined && seen.size < 2000; at = queue.pop()) {
        for (let i = 0; i < at.view.importCount; i++) {
          const next = included(at, i)
          if (next >= 0 && !seen.has(next)) {
            seen.add(next)
            queue.push(world.files[next]!)
          }
        }
      }
      closures.set(file.id, seen)
    }
    return seen
  }
  const bodied = (nodes: ReadonlyArray<Node>) =>
    nodes.filter((n) => (resolver.def(n, D.flags) & Flag.declaration) === 0)
  return {
    importTarget: (file, index) => {
      const found = included(file, index)
      if (found >= 0) return { nodes: [nodeOf(found, -1)], value: undefined }
      return (file.view.import(index, I.flags) & ImportFlag.quoted) !== 0 ? nothing : outside
    },
    free: (file, name): Found => {
      const all = (global.get(name) ?? []).filter(
        (n) =>
          fileOf(n) === file.id ||
          (resolver.def(n, D.flags) & Flag.private) === 0 ||
          closure(file).has(fileOf(n))
      )
      if (all.length === 0) return nothing
      const seen = closure(file)
      const visible = all.filter((n) => seen.has(fileOf(n)))
      const real = bodied(all)
      // What is declared here is defined once somewhere.
      if (visible.length > 0) {
        const here = bodied(visible)
        return resolver.found(here.length > 0 ? here : real.length === 1 ? real : visible)
      }
      if (real.length === 1) {
        const found = resolver.found(real)
        return {
          nodes: found.nodes,
          value: found.value === undefined ? undefined : { ...found.value, sure: false }
        }
      }
      return nothing
    },
    moduleMember: () => nothing
  }
}
