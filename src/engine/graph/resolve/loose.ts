/**
 * Languages where loading a file puts its names into one global space: Ruby, Lua, shell. A name means the definitions
 * of that name in files loaded from here, else the only one there is.
 */
import { I } from "../../languages/Facts.ts"
import type { Family as FamilyName } from "../../languages/Language.ts"
import { baseOf, dirOf, fileOf, joinPath, type Node, nodeOf, type WorldFile } from "../World.ts"
import type { Family } from "./Family.ts"
import type { Resolver } from "./Resolver.ts"
import { type Found, moduleValue, nothing, outside } from "./Value.ts"

export const loose =
  (family: FamilyName, extensions: ReadonlyArray<string>, separator: string) =>
  (resolver: Resolver): Family => {
    const { world } = resolver
    const { names } = world
    const global = new Map<number, Array<Node>>()
    const byStem = new Map<string, Array<WorldFile>>()
    for (const file of world.files) {
      if (file === undefined || file.language.family !== family) continue
      const stem = baseOf(file.path).replace(/\.[^.]*$/, "")
      const list = byStem.get(stem)
      if (list === undefined) byStem.set(stem, [file])
      else list.push(file)
      for (const [name, definitions] of resolver.fileScope(file)) {
        const nodes = definitions.map((i) => nodeOf(file.id, i))
        const known = global.get(name)
        if (known === undefined) global.set(name, nodes)
        else known.push(...nodes)
      }
    }
    const moduleOf = (file: WorldFile, index: number): number => {
      const written = names.text(file.view.import(index, I.module))
      const path = separator === "/" ? written : written.replaceAll(separator, "/")
      for (let dir = file.dir; ; dir = dirOf(dir)) {
        for (const sub of ["", "lib/", "src/", "lua/", "app/"]) {
          for (const extension of ["", ...extensions, ...extensions.map((e) => `/init${e}`)]) {
            const at = joinPath(dir, sub + path + extension)
            const found = at === undefined ? -1 : world.fileAt(at)
            if (found >= 0) return found
          }
        }
        if (dir === "") break
      }
      const ending = (byStem.get(baseOf(path)) ?? []).filter((f) =>
        f.path.replace(/\.[^.]*$/, "").endsWith(`/${path}`)
      )
      return ending.length === 1 ? ending[0]!.id : -1
    }
    return {
      importTarget: (file, index): Found => {
        const module = moduleOf(file, index)
        return module < 0 ? outside : { nodes: [nodeOf(module, -1)], value: moduleValue(module) }
      },
      free: (file, name): Found => {
        const nodes = global.get(name)
        if (nodes === undefined) return nothing
        const loaded = new Set<number>()
        for (let i = 0; i < file.view.importCount; i++) loaded.add(moduleOf(file, i))
        const near = nodes.filter((n) => loaded.has(fileOf(n)))
        const chosen = near.length > 0 ? near : nodes
        if (chosen.length > 4) return nothing
        const found = resolver.found(chosen)
        return near.length > 0 || found.value === undefined
          ? found
          : { nodes: found.nodes, value: { ...found.value, sure: false } }
      },
      moduleMember: (id, name): Found => {
        const file = world.files[id]
        const definitions = file === undefined ? undefined : resolver.fileScope(file).get(name)
        return definitions === undefined ? nothing : resolver.found(definitions.map((i) => nodeOf(id, i)))
      }
    }
  }
