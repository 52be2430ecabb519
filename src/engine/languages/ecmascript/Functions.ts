/** Functions, arrow functions, their parameters, and class expressions. */
import { Space } from "../FactsBuilder.ts"
import { Bind, Flag, kindNumber, Op, ResultUse, Role } from "../Vocabulary.ts"
import { startsName, tArrow, tEof, tName, tSpread } from "./Lexer.ts"
import { lArray, lFunction, lGenerator, lPromise, thisExpression, thisInstance } from "./Reader.ts"
import { kAsync, kFunction, kOverride, kPrivate, kProtected, kPublic, kReadonly, kThis } from "./Words.ts"
import { asLocal, PatternReader, stepNone } from "./Patterns.ts"

/** Root of a member path that is `this`, and one that is `import.meta`. */
export const rootThis = -1
export const rootMeta = -2

export abstract class FunctionReader extends PatternReader {
  // The member path read last, such as module.exports.x: its root and up to two members.
  protected pathRoot = 0
  protected pathRootAt = 0
  /** Number of members, -1 when the expression read last is no such path. */
  protected pathLength = -1
  protected path1 = 0
  protected path2 = 0
  protected pathAt = 0

  /** An expression with type arguments may be followed by `{` or `implements`. */
  protected heritage = false
  /** The class whose super class is being read: object types among its type arguments tell members of it. */
  protected heritageOf = -1

  protected abstract decorators(): void

  /**
   * A function or arrow function, the current token being its first. Its facts go to the definition, if one is given.
   * `this` inside a `function` is what is given; with `object`, an instance of that definition.
   */
  protected functionValue(
    definition: number,
    headerStart: number,
    thisKind: number,
    thisValue: number,
    object = -1
  ): void {
    const { builder } = this
    if (
      this.at(tName) &&
      (this.says(kFunction) ||
        (this.says(kAsync) && this.wordNumber(this.after(this.te)) === kFunction && !this.crossed))
    ) {
      const start = this.ts
      const isAsync = this.says(kAsync)
      if (isAsync) this.next()
      this.next()
      const generator = this.eat(42)
      const declared = this.types && this.expected >= 0
      const given = this.takeExpected()
      let own = 0
      let ownAt = 0
      let opened = false
      if (this.isName) {
        own = this.name
        ownAt = this.ts
        this.next()
        if (definition < 0) {
          definition = builder.openDefinition(kindNumber.function, own, ownAt, start, Flag.local)
          headerStart = start
          opened = true
        }
      }
      if (definition >= 0)
        builder.addFlags(definition, (isAsync ? Flag.async : 0) | (generator ? Flag.generator : 0))
      const lambda = definition < 0 && this.types
      const { lambdaResult } = this
      this.lambdaResult = -1
      const state = this.enterFunction(lambda ? -2 : generator ? -1 : definition, generator, isAsync)
      if (own !== 0) builder.bindDefinition(own, definition, 0, Space.value)
      this.thisKind = object >= 0 ? thisInstance : thisKind
      this.thisValue = object >= 0 ? object : thisValue
      this.classDef = -1
      this.classFields = undefined
      this.callable(definition, -1, headerStart, given, declared)
      const result = this.lambdaResult
      this.lambdaResult = lambdaResult
      this.leaveFunction(state)
      if (lambda) this.setExpression(this.lambda(result, this.takesOf, isAsync, generator))
      else if (opened) {
        builder.closeDefinition(this.prevEnd)
        this.setExpression(builder.expression(Op.function, definition))
      } else this.setLiteral(lFunction)
      return
    }
    this.arrow(definition, headerStart)
  }

  /**
   * Type parameters, parameters, result type and body; the scope is open. `given` is the function it is expected to be,
   * as far as known; with `declared`, by a declared type.
   */
  protected callable(
    definition: number,
    owner: number,
    headerStart: number,
    given = -1,
    declared = false
  ): void {
    const { builder } = this
    const generics = this.typeParameters()
    let takes: ReadonlyArray<number> | undefined
    if (this.at(40)) {
      takes = this.parameters(definition, owner, given)
      this.generic(definition, generics, this.thisTaken)
    }
    if (this.at(58)) this.resultType(definition)
    else if (declared) this.returnsAs(builder.expression(Op.call, given))
    if (definition >= 0) builder.setSignature(definition, headerStart, this.at(123) ? this.ts : this.prevEnd)
    if (this.at(123)) {
      if (definition >= 0) builder.setBody(definition, this.ts)
      this.functionBody(definition)
    } else if (definition >= 0) builder.addFlags(definition, Flag.declaration)
    this.takesOf = takes
  }
  /** Types of the parameters of the function read last. */
  private takesOf: ReadonlyArray<number> | undefined = undefined
  /** A function given as a value. */
  private lambda(
    result: number,
    takes: ReadonlyArray<number> | undefined,
    isAsync: boolean,
    generator: boolean
  ): number {
    const { builder } = this
    const of = result < 0 ? this.unknown() : result
    const given = generator
      ? builder.withArguments(Op.generic, this.literal(lGenerator), [this.unknown(), of, this.unknown()])
      : isAsync
        ? builder.withArguments(Op.generic, this.literal(lPromise), [of])
        : result
    return builder.withArguments(Op.callable, given, takes ?? [])
  }
  /** `: R` of a function that is being read. */
  private resultType(definition: number): void {
    this.next()
    if (this.returnsOf !== -2) this.returnsOf = -1
    const type = this.instance(this.typeAs(Role.return_type, true))
    if (definition >= 0) this.builder.setType(definition, type)
    else if (this.returnsOf === -2 && !this.isAsync && !this.generator) this.lambdaResult = type
    this.returnsAs(type)
  }
  /** The function being read gives a value of this type when called. */
  private returnsAs(result: number): void {
    if (result >= 0 && !this.generator)
      this.returns = this.isAsync ? this.builder.expression(Op.unwrap, result) : result
  }
  functionBody(_definition: number): void {
    const { heritage, heritageOf, membersOf } = this
    this.heritage = false
    this.heritageOf = this.membersOf = -1
    this.next()
    this.statementList(125)
    this.eat(125)
    this.heritage = heritage
    this.heritageOf = heritageOf
    this.membersOf = membersOf
  }

  protected arrow(definition: number, headerStart: number): void {
    const { builder } = this
    let isAsync = false
    if (this.at(tName) && this.says(kAsync)) {
      const q = this.after(this.te)
      isAsync = !(this.b[q] === 61 && this.b[q + 1] === 62)
      if (isAsync) this.next()
    }
    if (definition >= 0 && isAsync) builder.addFlags(definition, Flag.async)
    const { generator } = this
    // A name called is looked up where the function is, not in it.
    const declared = this.types && this.expected >= 0
    const given = this.expected === -1 ? -1 : this.takeExpected()
    const lambda = definition < 0 && this.types
    const { lambdaResult } = this
    this.lambdaResult = -1
    const state = this.enterFunction(lambda ? -2 : definition, false, isAsync)
    let takes: ReadonlyArray<number> | undefined
    if (this.at(tName)) {
      builder.bindLocal(
        this.name,
        given < 0 ? -1 : builder.expression(Op.parameter, given, 0),
        this.ts,
        Space.value
      )
      if (definition >= 0) builder.setParameters(definition, 1, 1, false)
      this.next()
    } else {
      const generics = this.typeParameters()
      if (this.at(40)) {
        takes = this.parameters(definition, -1, given)
        this.generic(definition, generics, this.thisTaken)
      }
      if (this.at(58)) this.resultType(definition)
    }
    if (declared && this.returns < 0) this.returnsAs(builder.expression(Op.call, given))
    if (definition >= 0) builder.setSignature(definition, headerStart, this.te)
    this.eat(tArrow)
    if (definition >= 0) builder.setBody(definition, this.ts)
    if (this.at(123)) this.functionBody(definition)
    else {
      this.conditional = state.conditional
      const infer = this.returnsOf >= 0 && this.returnsOf === definition
      const expected = this.returns
      this.expected = expected
      this.assign(infer || lambda)
      this.contextualize(expected)
      if (lambda && this.lambdaResult < 0) this.lambdaResult = this.value()
      if (this.callRef >= 0) builder.setUse(this.callRef, ResultUse.returned)
      if (infer) {
        const type = this.value()
        if (type >= 0) builder.setType(definition, type)
      }
    }
    const result = this.lambdaResult
    this.lambdaResult = lambdaResult
    this.leaveFunction(state)
    this.generator = generator
    if (lambda) this.setExpression(this.lambda(result, takes, isAsync, false))
    else this.setLiteral(lFunction)
    this.pathLength = -1
  }

  /**
   * `( … )` of a function at its parenthesis. `owner` is the class whose constructor this is: modifiers declare
   * fields of it; -1 for any other function, -2 where only the types matter, -3 where only the names in them do.
   * `given` is the function this one is expected to be: its parameters have the types of those not annotated.
   * Gives the types of the parameters, the last one's elements for a rest parameter and -1 for those not annotated;
   * undefined when none is.
   */
  parameters(definition: number, owner: number, given = -1): ReadonlyArray<number> | undefined {
    const { builder } = this
    let takes: Array<number> | undefined
    let self = -1
    this.next()
    let min = 0
    let max = 0
    let variadic = false
    while (!this.at(41) && !this.at(tEof)) {
      const at = this.ts
      const { docEnd, docStart } = this
      if (this.at(64)) this.decorators()
      const start = this.ts
      let flags = 0
      while (
        this.at(tName) &&
        (this.says(kPublic) ||
          this.says(kPrivate) ||
          this.says(kProtected) ||
          this.says(kReadonly) ||
          this.says(kOverride))
      ) {
        const c = this.following
        if (!startsName(c) && c !== 123 && c !== 91) break
        flags |= this.says(kPrivate)
          ? Flag.private
          : this.says(kProtected)
            ? Flag.protected
            : this.says(kReadonly)
              ? Flag.readonly
              : this.says(kOverride)
                ? Flag.override
                : Flag.exported
        this.next()
      }
      let optional = false
      const rest = this.eat(tSpread)
      if (rest) {
        variadic = true
        optional = true
      }
      if (this.at(tName)) {
        const isThis = this.says(kThis)
        const name = isThis ? 0 : this.name
        const nameAt = this.ts
        this.next()
        if (this.eat(63)) optional = true
        let type = -1
        let annotated = false
        if (this.eat(58)) {
          annotated = true
          type = this.instance(this.typeAs(Role.parameter_type, owner > -3))
        } else if (given >= 0 && !isThis) type = this.parameterOf(given, max, rest)
        if (this.eat(61)) {
          optional = true
          this.expected = type
          this.assign(!annotated)
          if (!annotated) type = this.orElse(type)
        }
        if (isThis) {
          self = type
          if (owner > -2 && type >= 0) {
            this.thisKind = thisExpression
            this.thisValue = type
          }
        } else {
          builder.bindLocal(name, type, nameAt, Space.value)
          if (flags !== 0 && owner >= 0) {
            const { current } = builder
            builder.current = owner
            const visible = (flags & (Flag.private | Flag.protected)) === 0 ? Flag.exported : 0
            const field = builder.define(kindNumber.field, name, nameAt, start, this.prevEnd, flags | visible)
            builder.setType(field, type)
            builder.setSignature(field, start, this.prevEnd)
            this.document(field, docStart, docEnd)
            builder.current = current
            this.classFields?.declared.add(name)
          }
          if (annotated && type >= 0)
            (takes ??= unknownTypes(max))[max] = rest ? builder.expression(Op.element, type) : type
          else takes?.push(-1)
          max++
          if (!optional) min = max
        }
      } else if (this.at(123) || this.at(91)) {
        const base = this.pattern.length
        this.readPattern(-1, stepNone, 0)
        if (this.eat(63)) optional = true
        let type = -1
        let annotated = false
        if (this.eat(58)) {
          annotated = true
          type = this.instance(this.typeAs(Role.parameter_type, owner > -3))
        } else if (given >= 0) type = this.parameterOf(given, max, rest)
        if (this.eat(61)) {
          optional = true
          this.expected = type
          this.assign(!annotated)
          if (!annotated) type = this.orElse(type)
        }
        this.bindPattern(base, type, asLocal, 0, 0)
        if (annotated && type >= 0)
          (takes ??= unknownTypes(max))[max] = rest ? builder.expression(Op.element, type) : type
        else takes?.push(-1)
        max++
        if (!optional) min = max
      }
      if (this.at(44)) {
        this.next()
        continue
      }
      if (this.at(41)) break
      builder.addParseError()
      if (this.at(125) || this.at(59)) break
      if (this.ts === at) this.next()
    }
    this.eat(41)
    this.thisTaken = self
    this.arityRead = Math.min(min, 255) | (Math.min(max, 255) << 8) | (variadic ? 1 << 16 : 0)
    if (definition >= 0) {
      builder.setParameters(definition, min, max, variadic)
      if (takes !== undefined) builder.setTakes(definition, builder.withArguments(Op.tuple, 0, takes))
    }
    return takes
  }
  /** What the function given passes as a parameter. */
  private parameterOf(given: number, place: number, rest: boolean): number {
    const type = this.builder.expression(Op.parameter, given, place)
    return rest ? this.builder.withArguments(Op.generic, this.literal(lArray), [type]) : type
  }
  /** The type given, or that of the value read last. */
  private orElse(type: number): number {
    const value = this.value()
    return type < 0 ? value : value < 0 ? type : this.builder.expression(Op.union, type, value)
  }

  /** A class expression at `class`, told as the given definition or as one of its own. */
  protected classValue(definition: number, headerStart: number): void {
    const { builder } = this
    const start = this.ts
    this.next()
    let own = 0
    let ownAt = start
    if (this.isName && !(this.kw === 0 ? false : this.wordsAfterClass())) {
      own = this.name
      ownAt = this.ts
      this.next()
    }
    let opened = false
    if (definition < 0) {
      opened = true
      headerStart = start
      definition = builder.openDefinition(
        kindNumber.class,
        own === 0 ? this.known.anonymous : own,
        ownAt,
        start,
        Flag.local | (own === 0 ? Flag.synthetic : 0)
      )
    }
    builder.openScope()
    if (own !== 0) builder.bindDefinition(own, definition)
    this.classBody(definition, headerStart)
    builder.closeScope()
    if (opened) builder.closeDefinition(this.prevEnd)
    this.setExpression(
      opened
        ? builder.expression(Op.name, own === 0 ? this.known.anonymous : own, Bind.definition, definition)
        : -1
    )
    this.pathLength = -1
  }
  /** The word behind `class` is `implements`, not a name. */
  private wordsAfterClass(): boolean {
    const c = this.following
    return this.types && c !== 123 && c !== 60 && this.builder.interner.text(this.name) === "implements"
  }
}

const unknownTypes = (count: number): Array<number> => Array.from({ length: count }, () => -1)
