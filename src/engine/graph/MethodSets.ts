/** Which types of Go satisfy which interfaces, by the names and parameter counts of their methods. */
import type { SymbolRef } from "../../services/CodeGraph.ts"
import { D } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import { kindNumber } from "../languages/Vocabulary.ts"
import { inPathOrder, type Snapshot } from "./Snapshot.ts"
import { definitionOf, dirOf, fileOf, nodeOf } from "./World.ts"

export interface MethodSets {
  /** Methods of interfaces through which a method of a type may be called. */
  readonly above: (ref: SymbolRef) => ReadonlyArray<SymbolRef>
  /** Methods of types that stand for a method of an interface. */
  readonly below: (ref: SymbolRef) => ReadonlyArray<SymbolRef>
}

const none: ReadonlyArray<SymbolRef> = []

/** Gathers the methods of all Go files once. Promoted and embedded methods do not count. */
export const methodSets = (snapshot: Snapshot): MethodSets => {
  const { files } = snapshot
  /** Names of methods with their parameter counts, by folder and name of the type. */
  const types = new Map<string, Map<number, number>>()
  const interfaces = new Map<SymbolRef, Map<number, number>>()
  const ofTypes = new Map<number, Array<SymbolRef>>()
  const ofInterfaces = new Map<number, Array<SymbolRef>>()
  const push = (map: Map<number, Array<SymbolRef>>, name: number, ref: SymbolRef) => {
    const list = map.get(name)
    if (list === undefined) map.set(name, [ref])
    else list.push(ref)
  }
  const enter = <K>(map: Map<K, Map<number, number>>, key: K, name: number, parameters: number) => {
    const set = map.get(key)
    if (set === undefined) map.set(key, new Map([[name, parameters]]))
    else set.set(name, parameters)
  }
  for (const file of inPathOrder(snapshot)) {
    const { view } = file
    if (view === undefined || languages[file.language]?.id !== "go") continue
    const dir = dirOf(file.path)
    for (let i = 0; i < view.definitionCount; i++) {
      if (view.def(i, D.kind) !== kindNumber.method) continue
      const name = view.def(i, D.name)
      const parameters = view.def(i, D.parameters)
      const container = view.def(i, D.container)
      const parent = view.def(i, D.parent)
      if (container !== 0) {
        enter(types, `${dir}\0${container}`, name, parameters)
        push(ofTypes, name, nodeOf(file.id, i))
      } else if (parent >= 0 && view.def(parent, D.kind) === kindNumber.interface) {
        enter(interfaces, nodeOf(file.id, parent), name, parameters)
        push(ofInterfaces, name, nodeOf(file.id, i))
      }
    }
  }
  const satisfies = (type: ReadonlyMap<number, number>, wanted: ReadonlyMap<number, number>): boolean => {
    for (const [name, parameters] of wanted) if (type.get(name) !== parameters) return false
    return true
  }
  const methodOf = (ref: SymbolRef) => {
    const file = files[fileOf(ref)]
    const definition = definitionOf(ref)
    const view = file?.view
    if (file === undefined || view === undefined || definition < 0) return undefined
    if (languages[file.language]?.id !== "go" || view.def(definition, D.kind) !== kindNumber.method)
      return undefined
    return { file, view, definition, name: view.def(definition, D.name) }
  }
  const typeOf = (ref: SymbolRef) => {
    const file = files[fileOf(ref)]!
    return types.get(`${dirOf(file.path)}\0${file.view!.def(definitionOf(ref), D.container)}`)
  }
  const interfaceOf = (ref: SymbolRef) => {
    const file = files[fileOf(ref)]!
    return interfaces.get(nodeOf(file.id, file.view!.def(definitionOf(ref), D.parent)))
  }
  /** Methods of interfaces by the method they are looked for from: a walk asks for each that it passes. */
  const aboves = new Map<SymbolRef, ReadonlyArray<SymbolRef>>()
  const aboveOf = (ref: SymbolRef): ReadonlyArray<SymbolRef> => {
    const method = methodOf(ref)
    const named = method === undefined ? undefined : ofInterfaces.get(method.name)
    const type = named === undefined ? undefined : typeOf(ref)
    if (named === undefined || type === undefined) return none
    return named.filter((other) => satisfies(type, interfaceOf(other)!))
  }
  return {
    above: (ref) => {
      let known = aboves.get(ref)
      if (known === undefined) aboves.set(ref, (known = aboveOf(ref)))
      return known
    },
    below: (ref) => {
      const method = methodOf(ref)
      const wanted = method === undefined ? undefined : interfaceOf(ref)
      if (method === undefined || wanted === undefined) return none
      return (ofTypes.get(method.name) ?? none).filter((other) => satisfies(typeOf(other)!, wanted))
    }
  }
}
