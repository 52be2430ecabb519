/**
 * What conditions tell of the types of parameters and local variables. Where a condition holds, the name is bound to
 * what is left of its type; behind that place it is bound as before. Which types are left is not decided here.
 */
import { Space } from "../FactsBuilder.ts"
import { Op } from "../Vocabulary.ts"
import { type FunctionState, Reader } from "./Reader.ts"

/** A test of a name: what has to hold of it, told by one of the forms of {@link Op.chosen}. */
interface Test {
  readonly name: number
  readonly at: number
  /** What it is tested for: made when something asks for it. */
  readonly what: () => number
  /** Of a test for texts in a member: the member and the texts; tests of one member can be joined. */
  readonly key: number
  readonly texts: ReadonlyArray<number>
  readonly holds: boolean
}
/** What is known where a condition holds, and where it does not. */
export interface Condition {
  readonly yes: ReadonlyArray<Test>
  readonly no: ReadonlyArray<Test>
}
/** How names were bound before. */
export type Narrowed = ReadonlyArray<readonly [name: number, before: number]>

const none: ReadonlyArray<Test> = []
const untouched: Narrowed = []
const opposite = (test: Test): Test => ({ ...test, holds: !test.holds })

export abstract class NarrowingReader extends Reader {
  /** What the expression read last tells where it holds, as a condition. */
  protected when: Condition | undefined = undefined

  protected override leaveFunction(state: FunctionState): void {
    super.leaveFunction(state)
    this.when = undefined
  }

  /** The expression read last tests a name. */
  private tested(
    name: number,
    at: number,
    what: () => number,
    holds: boolean,
    key = 0,
    texts: Test["texts"] = []
  ): void {
    if (!this.types || !this.builder.isLocal(name)) return
    const test: Test = { name, at, what, key, texts, holds }
    this.when = { yes: [test], no: [opposite(test)] }
  }
  /** `name.key === "text"`, or one of several texts. */
  protected testedText(
    name: number,
    at: number,
    key: number,
    texts: ReadonlyArray<number>,
    holds: boolean
  ): void {
    this.tested(name, at, () => this.textTest(key, texts), holds, key, texts)
  }
  private textTest(key: number, texts: ReadonlyArray<number>): number {
    const { builder } = this
    const any = texts.reduce((all, one) => builder.expression(Op.union, all, one))
    return builder.withArguments(Op.record, 0, [builder.expression(Op.property, any, key)])
  }
  /** `"key" in name`. */
  protected testedKey(name: number, at: number, key: number): void {
    this.tested(name, at, () => this.builder.expression(Op.property, -1, key), true)
  }
  /** Any other test: `what` is an instance of the class it must be of, the word `typeof` gives, or the call of a guard. */
  protected testedAs(name: number, at: number, what: number, holds: boolean): void {
    this.tested(name, at, () => what, holds)
  }
  protected negate(): void {
    if (this.when !== undefined) this.when = { yes: this.when.no, no: this.when.yes }
  }
  /** Both conditions hold. */
  protected both(a: Condition | undefined, b: Condition | undefined): Condition | undefined {
    const yes = [...(a?.yes ?? none), ...(b?.yes ?? none)]
    return yes.length === 0 && (a === undefined || b === undefined)
      ? undefined
      : { yes, no: a === undefined || b === undefined ? none : joined(a.no, b.no) }
  }
  /** One of the conditions holds. */
  protected one(a: Condition | undefined, b: Condition | undefined): Condition | undefined {
    const no = [...(a?.no ?? none), ...(b?.no ?? none)]
    return no.length === 0 && (a === undefined || b === undefined)
      ? undefined
      : { yes: a === undefined || b === undefined ? none : joined(a.yes, b.yes), no }
  }

  /** From the current token on the tests are known to hold. Gives what {@link widen} takes. */
  protected narrow(tests: ReadonlyArray<Test> | undefined): Narrowed {
    if (tests === undefined || tests.length === 0) return untouched
    const { builder, narrowed } = this
    const out: Array<readonly [number, number]> = []
    for (const { at, holds, key, name, texts, what } of tests) {
      const before = narrowed.get(name) ?? builder.nameExpression(name, at, Space.value)
      const test = key > 0 ? this.textTest(key, texts) : what()
      const now = builder.withArguments(Op.chosen, 0, holds ? [before, test, -1] : [before, -1, test])
      out.push([name, before])
      narrowed.set(name, now)
      builder.bindLocal(name, now, this.ts, Space.value | Space.onwards)
    }
    return out
  }
  /** From the current token on names mean what they did before. */
  protected widen(names: Narrowed): void {
    for (let i = names.length - 1; i >= 0; i--) {
      const [name, before] = names[i]!
      this.builder.bindLocal(name, before, this.ts, Space.value | Space.onwards)
      if (i === 0 || !names.slice(0, i).some((one) => one[0] === name)) this.narrowed.set(name, before)
    }
  }
  /** The name is given another value: nothing is known of it any more. */
  protected reassigned(name: number): void {
    const before = this.narrowed.get(name)
    if (before === undefined) return
    let at = before
    // What it was declared to be lies behind all that was chosen from it.
    while (this.builder.operatorOf(at) === Op.chosen) at = this.builder.firstOf(at)
    this.builder.bindLocal(name, at, this.ts, Space.value | Space.onwards)
    this.narrowed.set(name, at)
  }
}

/** Tests of which one holds: told where all are of one member of one name. */
const joined = (a: ReadonlyArray<Test>, b: ReadonlyArray<Test>): ReadonlyArray<Test> => {
  const [one] = a
  const [other] = b
  return a.length === 1 &&
    b.length === 1 &&
    one!.key > 0 &&
    one!.key === other!.key &&
    one!.name === other!.name &&
    one!.holds &&
    other!.holds
    ? [{ ...one!, texts: [...one!.texts, ...other!.texts] }]
    : none
}
