/** What a type says of the services an Effect requires. */
import { type Checker, SignatureKind, type Type, TypeFlags } from "typescript/unstable/sync"

/** Services by their keys, and what stands in their place without being one, as the compiler prints it. */
export interface Services {
  readonly keys: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
}

export const none: Services = { keys: [], others: [] }

const join = (parts: ReadonlyArray<Services>): Services => ({
  keys: [...new Set(parts.flatMap(({ keys }) => keys))].sort(),
  others: [...new Set(parts.flatMap(({ others }) => others))].sort()
})

const members = (type: Type): ReadonlyArray<Type> => (type.isUnionType() ? type.getTypes() : [type])

/** Reads requirements out of types. */
export class Requirements {
  readonly #checker: Checker
  readonly #ofEffects = new Map<number, Services | undefined>()
  readonly #ofServices = new Map<number, Services>()

  constructor(checker: Checker) {
    this.#checker = checker
  }

  /** The services a requirement type names. */
  services(type: Type): Services {
    return join(
      members(type).map((member) => {
        let known = this.#ofServices.get(member.id)
        if (known === undefined) this.#ofServices.set(member.id, (known = this.#service(member)))
        return known
      })
    )
  }

  #service(type: Type): Services {
    if ((type.flags & TypeFlags.Never) !== 0) return none
    const checker = this.#checker
    if ((type.flags & TypeFlags.AnyOrUnknown) === 0) {
      const id = checker.getPropertyOfType(type, "Id")
      const key = id === undefined ? undefined : checker.getTypeOfSymbol(id)
      if (key?.isStringLiteralType() === true) return { keys: [key.value], others: [] }
    }
    return { keys: [], others: [checker.typeToString(type)] }
  }

  /** What an Effect or Stream of a type requires, of a union everything any member does; undefined for no Effect. */
  ofEffect(type: Type): Services | undefined {
    if (this.#ofEffects.has(type.id)) return this.#ofEffects.get(type.id)
    const parts = members(type).map((member) => this.#effect(member))
    const found = parts.some((part) => part !== undefined)
      ? join(parts.map((part) => part ?? none))
      : undefined
    this.#ofEffects.set(type.id, found)
    return found
  }

  #effect(type: Type): Services | undefined {
    if ((type.flags & (TypeFlags.AnyOrUnknown | TypeFlags.Never)) !== 0) return undefined
    const checker = this.#checker
    const brand = checker
      .getPropertiesOfType(type)
      .find(({ escapedName }) => /^__@(Effect|Stream)TypeId@/.test(escapedName))
    const variance = brand === undefined ? undefined : checker.getTypeOfSymbol(brand)
    const slot = variance === undefined ? undefined : checker.getPropertyOfType(variance, "_R")
    const covariant = slot === undefined ? undefined : checker.getTypeOfSymbol(slot)
    return covariant === undefined ? undefined : this.#returned(covariant, (result) => this.services(result))
  }

  /** What calling a function of a type requires; undefined when that gives no Effect. */
  ofCall(type: Type): Services | undefined {
    const parts = members(type).map((member) => this.#returned(member, (result) => this.ofEffect(result)))
    return parts.some((part) => part !== undefined) ? join(parts.map((part) => part ?? none)) : undefined
  }

  #returned(type: Type, read: (result: Type) => Services | undefined): Services | undefined {
    const parts = this.#checker.getSignaturesOfType(type, SignatureKind.Call).map((signature) => {
      const result = this.#checker.getReturnTypeOfSignature(signature)
      return result === undefined ? undefined : read(result)
    })
    return parts.some((part) => part !== undefined) ? join(parts.map((part) => part ?? none)) : undefined
  }

  /** What a value of a type stands for: an Effect, or a function that gives one. */
  ofValue(type: Type): Services | undefined {
    return this.ofEffect(type) ?? this.ofCall(type)
  }
}
