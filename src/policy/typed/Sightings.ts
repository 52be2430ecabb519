/**
 * Operations where they are declared: what the compiler says of their class, of the services they declare and of those
 * their handlers require. And what could hide a requirement from it: assertions that drop one, complaints that are kept
 * quiet, services that are provided on the spot, modules that reach the machine without any service.
 */
import type { CallExpression, Expression, Node, SourceFile } from "typescript/unstable/ast"
import * as is from "typescript/unstable/ast/is"
import { type Type, TypeFlags } from "typescript/unstable/sync"
import type { Place } from "../Audit.ts"
import type { Program } from "./Compiler.ts"
import { every, textOf, typesAt } from "./Nodes.ts"
import { Requirements, type Services } from "./Requirement.ts"

/** One declaration of an operation. */
export interface Sighting {
  readonly facade: string
  /** Undefined where a function declares operations by names it is given. */
  readonly operation: string | undefined
  /** The class as the type has it; undefined when that is no single class. */
  readonly effect: string | undefined
  /** The services its type admits, the witness included. */
  readonly admits: Services
  /** What its handler requires; undefined where none is to be seen. */
  readonly requires: Services | undefined
  readonly place: Place
  /** First and last offset of the declaration in its file. */
  readonly span: readonly [from: number, to: number]
}

/** Something that takes a requirement out of the compiler's sight. */
export interface Hideaway {
  readonly rule: "silenced" | "hidden" | "provided" | "ambient"
  readonly place: Place
  readonly at: number
  readonly message: string
  /** Keys of the services that are hidden, where that is known. */
  readonly services: ReadonlyArray<string>
}

export interface Seen {
  readonly sightings: ReadonlyArray<Sighting>
  readonly hideaways: ReadonlyArray<Hideaway>
}

/** Provides a service, or runs an Effect: after either its requirements are in no type. */
const closing =
  /^(provide(Some)?(Service|Layer|Context|Effect|ServiceEffect)?|mapInputContext|runtime|run(Promise|Sync|Fork|Callback)(Exit)?)$/

/** Modules of Node that reach beyond the process, or load what does. */
const reaching =
  /^(node:)?(fs|fs\/promises|child_process|cluster|dgram|dns|dns\/promises|http|http2|https|inspector|module|net|process|repl|sqlite|tls|vm|wasi|worker_threads)$/

/** A comment by which the compiler is told to keep quiet, in the forms it knows. */
const quiet = /^[ \t]*(?:\/\/\/?|(?:\/\*|\*)+)[ \t]*@ts-(ignore|expect-error|nocheck)\b/gm

const ofEffect = /[\\/]effect[\\/](dist[\\/]dts|src)[\\/]/

const unwrapped = (expression: Expression): Expression =>
  is.isAsExpression(expression) ||
  is.isTypeAssertion(expression) ||
  is.isSatisfiesExpression(expression) ||
  is.isParenthesizedExpression(expression) ||
  is.isNonNullExpression(expression)
    ? unwrapped(expression.expression)
    : expression

/** Whether a node loads the module that a text in it names. */
const isLoad = (node: Node): boolean =>
  is.isImportDeclaration(node) ||
  is.isExportDeclaration(node) ||
  (is.isCallExpression(node) && /^(import|require)$/.test(node.expression.getText()))

/** Looks through the files of a program. */
export const look = (program: Program): Seen => {
  const { checker, files, shown } = program
  const requirements = new Requirements(checker)
  const sightings: Array<Sighting> = []
  const hideaways: Array<Hideaway> = []

  const placeAt = (file: SourceFile, at: number): Place => {
    const { character, line } = file.getLineAndCharacterOfPosition(at)
    return { file: shown(file.fileName), line: line + 1, column: character + 1 }
  }

  const isOperation = (type: Type): boolean =>
    type.getSymbol()?.declarations.some(({ path }) => /\/registry\/operation\.(d\.)?ts$/i.test(path)) ===
      true && type.getSymbol()?.name === "Operation"

  /** The handler among the arguments of a declaration, as what the compiler makes of it. */
  const handlerOf = (call: CallExpression): Services | undefined | "none" => {
    const last = call.arguments.at(-1)
    if (last === undefined) return "none"
    const spec = unwrapped(last)
    if (is.isObjectLiteralExpression(spec)) {
      for (const property of [...spec.properties].reverse()) {
        if (is.isSpreadAssignment(property)) {
          const inherited = checker.getTypeAtLocation(property.expression)
          const member = inherited === undefined ? undefined : checker.getPropertyOfType(inherited, "handler")
          if (member === undefined) continue
          const type = checker.getTypeOfSymbol(member)
          return type === undefined ? undefined : requirements.ofCall(type)
        }
        if (
          property.name === undefined ||
          !is.isIdentifier(property.name) ||
          property.name.text !== "handler"
        )
          continue
        if (is.isShorthandPropertyAssignment(property)) {
          const symbol = checker.getShorthandAssignmentValueSymbol(property)
          const type = symbol === undefined ? undefined : checker.getTypeOfSymbol(symbol)
          return type === undefined ? undefined : requirements.ofCall(type)
        }
        const type = checker.getTypeAtLocation(
          is.isPropertyAssignment(property) ? unwrapped(property.initializer) : property
        )
        return type === undefined ? undefined : requirements.ofCall(type)
      }
      return "none"
    }
    const type = checker.getTypeAtLocation(spec)
    if (type === undefined) return undefined
    if ((type.flags & TypeFlags.AnyOrUnknown) !== 0) return undefined
    const member = checker.getPropertyOfType(type, "handler")
    const handler = member === undefined ? undefined : checker.getTypeOfSymbol(member)
    return handler === undefined ? "none" : requirements.ofCall(handler)
  }

  const unreadable: Services = { keys: [], others: ["any"] }

  /** Functions by which operations were declared, with the sighting each call of one made. */
  const makers = new Map<Sighting, { readonly file: string; readonly span: readonly [number, number] }>()

  /** Where the function that a call calls is written. */
  const makerOf = (call: CallExpression) => {
    const maker = checker.getResolvedSignature(call)?.declaration?.resolve()
    return maker === undefined
      ? undefined
      : { file: shown(maker.getSourceFile().fileName), span: [maker.pos, maker.end] as const }
  }

  /** A sighting by way of a function, with the requirements of the handler that stands in it. */
  const seenThrough = (sighting: Sighting): Sighting => {
    const maker = makers.get(sighting)
    if (maker === undefined) return sighting
    const inner = sightings.filter(
      ({ operation, place, requires, span }) =>
        operation === undefined &&
        requires !== undefined &&
        place.file === maker.file &&
        maker.span[0] <= span[0] &&
        span[1] <= maker.span[1]
    )
    return inner.length === 0
      ? sighting
      : {
          ...sighting,
          requires: {
            keys: [...new Set(inner.flatMap(({ requires }) => requires?.keys ?? []))].sort(),
            others: [...new Set(inner.flatMap(({ requires }) => requires?.others ?? []))].sort()
          }
        }
  }

  const sight = (file: SourceFile, call: CallExpression, type: Type): void => {
    if (!type.isTypeReference()) return
    const [facade, name, effect, admits] = checker.getTypeArguments(type)
    if (facade === undefined || admits === undefined) return
    const handler = handlerOf(call)
    const sighting: Sighting = {
      facade: textOf(facade) ?? checker.typeToString(facade),
      operation: textOf(name),
      effect: textOf(effect),
      admits: requirements.services(admits),
      requires: handler === "none" ? undefined : (handler ?? unreadable),
      place: placeAt(file, call.getStart(file)),
      span: [call.getStart(file), call.end]
    }
    sightings.push(sighting)
    const maker = handler === "none" && sighting.operation !== undefined ? makerOf(call) : undefined
    if (maker !== undefined) makers.set(sighting, maker)
  }

  for (const file of files) {
    const calls: Array<CallExpression> = []
    const assertions: Array<{ readonly node: Expression; readonly inner: Expression }> = []
    const words: Array<{ readonly node: Node; readonly name: string }> = []
    every(file, (node) => {
      if (is.isCallExpression(node)) calls.push(node)
      else if (is.isAsExpression(node) || is.isTypeAssertion(node))
        assertions.push({ node, inner: unwrapped(node.expression) })
      else if (is.isIdentifier(node) && closing.test(node.text)) words.push({ node, name: node.text })
      else if (is.isStringLiteral(node) && reaching.test(node.text) && isLoad(node.parent)) {
        const typeOnly =
          is.isImportDeclaration(node.parent) && /^import\s+type\b/.test(node.parent.getText(file))
        if (!typeOnly)
          hideaways.push({
            rule: "ambient",
            place: placeAt(file, node.getStart(file)),
            at: node.getStart(file),
            message: `loads ${node.text}, which no service stands for`,
            services: []
          })
      }
    })

    const types = typesAt(checker, calls)
    calls.forEach((call, at) => {
      const type = types[at]
      if (type !== undefined && isOperation(type)) sight(file, call, type)
    })

    const asserted = typesAt(
      checker,
      assertions.flatMap(({ inner, node }) => [inner, node])
    )
    assertions.forEach(({ node }, at) => {
      const before = asserted[2 * at]
      const after = asserted[2 * at + 1]
      if (before === undefined || after === undefined || before.id === after.id) return
      const had = requirements.ofValue(before)
      if (had === undefined) return
      const has = requirements.ofValue(after)
      const lost = had.keys.filter((key) => has?.keys.includes(key) !== true)
      if (lost.length === 0) return
      hideaways.push({
        rule: "hidden",
        place: placeAt(file, node.getStart(file)),
        at: node.getStart(file),
        message: `an assertion takes ${lost.map((key) => key.replace("portico/", "")).join(", ")} out of a type`,
        services: lost
      })
    })

    for (const { name, node } of words) {
      const symbol = checker.getSymbolAtLocation(node)
      const places = symbol?.declarations.map(({ path }) => path) ?? []
      if (!places.some((path) => ofEffect.test(path))) continue
      hideaways.push({
        rule: "provided",
        place: placeAt(file, node.getStart(file)),
        at: node.getStart(file),
        message: `uses ${name}: an operation leaves its services to the caller`,
        services: []
      })
    }

    for (const found of file.text.matchAll(quiet)) {
      const at = found.index + found[0].indexOf("@ts-")
      hideaways.push({
        rule: "silenced",
        place: placeAt(file, at),
        at,
        message: `@ts-${found[1]} keeps the compiler from saying what is wrong`,
        services: []
      })
    }
  }
  return { sightings: sightings.map(seenThrough), hideaways }
}
