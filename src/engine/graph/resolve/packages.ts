/**
 * Languages whose names live in declared packages or namespaces, whatever the folder: Java, Kotlin and Scala; C#; PHP;
 * Swift, where the whole module is one package.
 */
import { D, I } from "../../languages/Facts.ts"
import type { Family as FamilyName } from "../../languages/Language.ts"
import { ImportFlag, kindNumber } from "../../languages/Vocabulary.ts"
import { type Node, nodeOf, type WorldFile } from "../World.ts"
import type { Family } from "./Family.ts"
import type { Resolver } from "./Resolver.ts"
import { type Found, nothing, outside, packageValue } from "./Value.ts"

export interface PackageRules {
  readonly family: FamilyName
  readonly separator: string
  /** Names of enclosing packages are visible too (C#). */
  readonly nested: boolean
  /** Everything of the family is one package (Swift). */
  readonly single?: boolean
  /** Names that are not found fall back to the package without a name (PHP functions). */
  readonly fallback?: boolean
}

export const packages =
  (rules: PackageRules) =>
  (resolver: Resolver): Family => {
    const { world } = resolver
    const { names } = world
    const scopes = new Map<string, Map<number, Array<Node>>>()
    const packageNumber = new Map<string, number>()
    const packageNames: Array<string> = []
    const base = (["jvm", "csharp", "php", "swift"].indexOf(rules.family) + 2) << 24
    const known = (name: string) => scopes.has(name)
    const numberOf = (name: string): number => {
      let id = packageNumber.get(name)
      if (id === undefined) {
        id = packageNames.length
        packageNumber.set(name, id)
        packageNames.push(name)
      }
      return base + id
    }
    const scopeOf = (name: string) => {
      let scope = scopes.get(name)
      if (scope === undefined) scopes.set(name, (scope = new Map()))
      return scope
    }
    const normal = (name: string) =>
      name.startsWith(rules.separator) ? name.slice(rules.separator.length) : name
    const packageOf = (file: WorldFile) =>
      rules.single === true ? "" : normal(names.text(file.view.package))
    for (const file of world.files) {
      if (file === undefined || file.language.family !== rules.family) continue
      const name = packageOf(file)
      const scope = scopeOf(name)
      for (let at = name; at.includes(rules.separator); ) {
        at = at.slice(0, at.lastIndexOf(rules.separator))
        scopeOf(at)
      }
      for (const [word, definitions] of resolver.fileScope(file)) {
        const nodes = definitions
          .filter((i) => file.view.def(i, D.kind) !== kindNumber.namespace)
          .map((i) => nodeOf(file.id, i))
        if (nodes.length === 0) continue
        const list = scope.get(word)
        if (list === undefined) scope.set(word, nodes)
        else list.push(...nodes)
      }
      // Namespaces written as blocks hold their members as children.
      const { view } = file
      for (let i = 0; i < view.definitionCount; i++) {
        if (view.def(i, D.kind) !== kindNumber.namespace) continue
        let path = names.text(view.def(i, D.name))
        for (let p = view.def(i, D.parent); p >= 0; p = view.def(p, D.parent))
          path = names.text(view.def(p, D.name)) + rules.separator + path
        if (name !== "") path = name + rules.separator + path
        const inner = scopeOf(path)
        for (let k = i + 1; k < view.definitionCount; k++) {
          if (view.def(k, D.parent) !== i) continue
          const list = inner.get(view.def(k, D.name))
          if (list === undefined) inner.set(view.def(k, D.name), [nodeOf(file.id, k)])
          else list.push(nodeOf(file.id, k))
        }
      }
    }
    const inPackage = (name: string, word: number): Found => {
      const nodes = scopes.get(name)?.get(word)
      return nodes === undefined ? nothing : resolver.found(nodes.length > 8 ? nodes.slice(0, 8) : nodes)
    }
    /** A dotted name: the longest package prefix, then members. */
    const qualified = (text: string): Found => {
      const path = normal(text)
      if (known(path)) return { nodes: [], value: packageValue(numberOf(path)) }
      const at = path.lastIndexOf(rules.separator)
      const last = names.string(at < 0 ? path : path.slice(at + rules.separator.length))
      if (at < 0) return inPackage("", last)
      const owner = path.slice(0, at)
      if (known(owner)) {
        const found = inPackage(owner, last)
        if (found.nodes.length > 0) return found
        return nothing
      }
      const outer = qualified(owner)
      return outer.value === undefined
        ? nothing
        : outer.value.tag === 8
          ? outside
          : resolver.member(outer.value, last, -1)
    }
    const importTarget = (file: WorldFile, index: number): Found => {
      const { view } = file
      const module = names.text(view.import(index, I.module))
      const imported = names.text(view.import(index, I.imported))
      const flags = view.import(index, I.flags)
      if ((flags & ImportFlag.sideEffect) !== 0) return outside
      if ((flags & (ImportFlag.wildcard | ImportFlag.namespace)) !== 0 || imported === "") {
        const found = qualified(module)
        return found.value === undefined && found.nodes.length === 0 ? outside : found
      }
      const found = qualified(module === "" ? imported : `${module}${rules.separator}${imported}`)
      if (found.nodes.length > 0 || found.value !== undefined) return found
      return known(normal(module)) ? nothing : outside
    }
    return {
      importTarget,
      free: (file, word, within) => {
        const own = packageOf(file)
        // Namespace blocks around the use, innermost first.
        for (let i = within; i >= 0; i = file.view.def(i, D.parent)) {
          if (file.view.def(i, D.kind) !== kindNumber.namespace) continue
          let path = names.text(file.view.def(i, D.name))
          for (let p = file.view.def(i, D.parent); p >= 0; p = file.view.def(p, D.parent))
            path = names.text(file.view.def(p, D.name)) + rules.separator + path
          const found = inPackage(path, word)
          if (found.nodes.length > 0) return found
        }
        for (let at = own; ; ) {
          const found = inPackage(at, word)
          if (found.nodes.length > 0) return found
          if (!rules.nested || at === "") break
          at = at.includes(rules.separator) ? at.slice(0, at.lastIndexOf(rules.separator)) : ""
        }
        for (let i = 0; i < file.view.importCount; i++) {
          if ((file.view.import(i, I.flags) & ImportFlag.wildcard) === 0) continue
          const module = importTarget(file, i)
          if (module.value === undefined || module.value.tag === 8) continue
          const found = resolver.member(module.value, word, -1)
          if (found.nodes.length > 0) return found
        }
        if (rules.fallback === true && own !== "") {
          const found = inPackage("", word)
          if (found.nodes.length > 0) return found
        }
        const text = names.text(word)
        return known(text) ? { nodes: [], value: packageValue(numberOf(text)) } : nothing
      },
      moduleMember: () => nothing,
      packageMember: (id, word) => {
        const name = packageNames[id - base]
        if (name === undefined) return nothing
        const found = inPackage(name, word)
        if (found.nodes.length > 0) return found
        const inner = name === "" ? names.text(word) : `${name}${rules.separator}${names.text(word)}`
        return known(inner) ? { nodes: [], value: packageValue(numberOf(inner)) } : nothing
      }
    }
  }
