/** Members and super types that are declared away from their types, by type. Of each file they are gathered when they are asked for. */
import { D } from "../../languages/Facts.ts"
import { fileOf, type Node, nodeOf, type World } from "../World.ts"

/**
 * A member or super type that is declared away from its type. `declaration` is the member, or -1 for a super type;
 * `round` is when it was found; `file` and `definition` are the type, file -1 for one from outside; `superFile` and
 * `superDefinition` are the super type.
 */
export const Link = {
  declaration: 0,
  round: 1,
  file: 2,
  definition: 3,
  superFile: 4,
  superDefinition: 5,
  size: 6
} as const

type ByName = Map<number, Array<Node>>

export class Attached {
  /** By the file of the type, what is not gathered yet, in the order it came: files of declarations and places of their records. */
  private readonly waiting: Array<Array<number> | undefined> = []
  private readonly members = new Map<Node, ByName>()
  private readonly supers = new Map<Node, Array<Node>>()
  /** Members of types from outside, by the type's name. */
  private readonly foreign = new Map<number, ByName>()

  constructor(
    private readonly world: World,
    /** Records of {@link Link} by file. More of a file may come to be, behind those that are there. */
    private readonly records: ReadonlyArray<Int32Array>
  ) {}

  /** Attaches what the record at a place of a file's tells. */
  add(file: number, place: number): void {
    const target = this.records[file]![place + Link.file]!
    if (target < 0) this.addForeign(file, place)
    else {
      const list = this.waiting[target]
      if (list === undefined) this.waiting[target] = [file, place]
      else list.push(file, place)
    }
  }

  membersOf(type: Node): ReadonlyMap<number, ReadonlyArray<Node>> | undefined {
    this.gather(fileOf(type))
    return this.members.get(type)
  }
  supersOf(type: Node): ReadonlyArray<Node> {
    this.gather(fileOf(type))
    return this.supers.get(type) ?? []
  }
  /** Members of a name that are declared for types from outside that bear another. */
  foreignMember(type: number, name: number): ReadonlyArray<Node> | undefined {
    return this.foreign.get(type)?.get(name)
  }

  private gather(target: number): void {
    const list = this.waiting[target]
    if (list === undefined) return
    this.waiting[target] = undefined
    for (let i = 0; i < list.length; i += 2) this.put(list[i]!, list[i + 1]!)
  }
  private put(file: number, place: number): void {
    const records = this.records[file]!
    const declaration = records[place + Link.declaration]!
    const type = nodeOf(records[place + Link.file]!, records[place + Link.definition]!)
    if (declaration >= 0) this.addMember(this.members, type, file, declaration)
    else {
      const above = nodeOf(records[place + Link.superFile]!, records[place + Link.superDefinition]!)
      const list = this.supers.get(type)
      if (list === undefined) this.supers.set(type, [above])
      else list.push(above)
    }
  }
  private addForeign(file: number, place: number): void {
    const declaration = this.records[file]![place + Link.declaration]!
    this.addMember(
      this.foreign,
      this.world.files[file]!.view.def(declaration, D.container),
      file,
      declaration
    )
  }
  private addMember(to: Map<number, ByName>, key: number, file: number, declaration: number): void {
    let members = to.get(key)
    if (members === undefined) to.set(key, (members = new Map()))
    const name = this.world.files[file]!.view.def(declaration, D.name)
    const list = members.get(name)
    if (list === undefined) members.set(name, [nodeOf(file, declaration)])
    else list.push(nodeOf(file, declaration))
  }
}
