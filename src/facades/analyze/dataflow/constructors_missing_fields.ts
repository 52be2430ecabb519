import { Effect, Either } from "effect"
import { page } from "../../../registry/Answer.ts"
import { invalidArgument } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../../services/CodeGraph.ts"
import { ProgramFlow } from "../../../services/ProgramFlow.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import * as Shared from "../../fields.ts"
import { graph, oneDefinition } from "../../shared/symbols.ts"
import { inTurns } from "../../../registry/Turns.ts"
import { type analyze, kind } from "../facade.ts"
import { under } from "../upkeep/Narrowing.ts"
import { isField } from "./Fields.ts"
import { factsOf, Places, type Read, reach } from "./Reading.ts"

interface Site {
  readonly function_id: string
  readonly function_name: string
  readonly file_path: string
  readonly line: number
  readonly type_id: string
  readonly type_name: string
  readonly missing_fields: ReadonlyArray<string>
  readonly total_fields: number
  /** literal: a composite literal names some fields; constructor: a class's own constructor assigns some. */
  readonly by: string
}

/** A class's fields start out unset in these. */
const byConstructor = new Set(["typescript", "tsx", "java", "csharp", "cpp"])

const fieldsOf = (view: GraphView, type: SymbolRef): ReadonlyArray<SymbolRef> =>
  view.members(type).filter((m) => isField(view.symbol(m).kind))

/** Whether a field has a value, or may go without one, by its declaration. */
const settled = (view: GraphView, ref: SymbolRef): boolean => {
  const { flags, kind, signature } = view.symbol(ref)
  return (
    /[^=!<>]=[^=>]/.test(signature) ||
    /\?\s*:|!\s*:/.test(signature) ||
    flags.includes("static") ||
    flags.includes("abstract") ||
    flags.includes("declaration") ||
    (kind === "property" && /\{|=>/.test(signature))
  )
}

const constructorSites = (view: GraphView, type: SymbolRef): ReadonlyArray<Site> => {
  const { id, language, name } = view.symbol(type)
  if (!byConstructor.has(language)) return []
  const fields = fieldsOf(view, type)
  if (fields.length === 0) return []
  const made = view.members(type).filter((m) => view.symbol(m).kind === "constructor")
  return made.flatMap((constructor) => {
    const own = view.symbol(constructor)
    // A parameter may declare the field it sets.
    const byParameter = (field: SymbolRef) => {
      const { line, path } = view.symbol(field)
      return path === own.path && line >= own.start_line && line <= (own.body_line ?? own.end_line)
    }
    const missing = fields.filter(
      (field) =>
        !settled(view, field) &&
        !byParameter(field) &&
        !view.incoming(field).some((e) => e.role === "write" && e.from === constructor)
    )
    return missing.length === 0
      ? []
      : [
          {
            function_id: own.id,
            function_name: own.name,
            file_path: own.path,
            line: own.line,
            type_id: id,
            type_name: name,
            missing_fields: missing.map((f) => view.symbol(f).name).sort(),
            total_fields: fields.length,
            by: "constructor"
          }
        ]
  })
}

const needs = [CodeGraph, TextIndex, ProgramFlow] as const

export const constructorsMissingFields: Member<typeof analyze, "constructors_missing_fields", typeof needs> =
  kind("constructors_missing_fields", {
    summary: "Constructors that leave fields unset.",
    page: { default: 100, max: 1000 },
    input: F.input({
      options: F.group({
        type_id: F.optional(F.text),
        min_missing: F.optional(F.described(F.count, "fields left unset")),
        path_prefix: Shared.pathPrefix
      })
    }),
    needs,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const inPath = yield* under(view, options.path_prefix)
        const least = Math.max(1, options.min_missing ?? 1)
        let only: SymbolRef | undefined
        if (options.type_id !== undefined) {
          only = yield* Either.mapLeft(
            oneDefinition(view, options.type_id, {
              facade: "analyze",
              operation: "constructors_missing_fields",
              field: "options.type_id"
            }),
            (failure) =>
              failure.recovery?.tool === "analyze"
                ? invalidArgument("options.type_id", failure.message, {
                    reason_code: failure.reason_code,
                    data: failure.data
                  })
                : failure
          )
          const { id, kind: is } = view.symbol(only)
          if (fieldsOf(view, only).length === 0)
            return yield* invalidArgument("options.type_id", `${id} is a ${is} without fields`, {
              reason_code: "no_fields",
              data: { id, kind: is }
            })
        }
        const sites: Array<Site> = []
        const paths = new Set<string>()
        const structs = new Map<SymbolRef, ReadonlyArray<string>>()
        let types = 0
        yield* inTurns(only === undefined ? view.all() : [only], (ref) => {
          const { kind: is, language } = view.symbol(ref)
          if (is !== "struct" && is !== "class" && is !== "record") return
          types++
          if (language === "go") {
            const names = fieldsOf(view, ref).map((f) => view.symbol(f).name)
            if (names.length === 0) return
            structs.set(ref, names)
            if (only !== undefined)
              for (const { path, role } of view.incoming(ref))
                if (role === "new" && inPath(path)) paths.add(path)
          } else sites.push(...constructorSites(view, ref).filter(({ file_path }) => inPath(file_path)))
        })
        if (only === undefined && structs.size > 0)
          for (const { language, path, skipped } of view.files())
            if (language === "go" && skipped === undefined && inPath(path)) paths.add(path)
        const wanted = [...paths].sort()
        const { files, unread } = yield* factsOf(view, wanted)
        const read: Read = {
          files,
          unread,
          candidates: wanted.length,
          languages: ["cpp", "csharp", "go", "java", "tsx", "typescript"]
        }
        const places = new Places(view)
        yield* inTurns(files, (file) => {
          for (const fn of file.functions)
            for (const literal of fn.literals) {
              // `T{}` and a literal without names say nothing of what was forgotten.
              if (literal.fields.length === 0 || literal.positional > 0 || literal.rest) continue
              const type = places.used(file.path, literal).find(({ to }) => structs.has(to))?.to
              if (type === undefined) continue
              const own = view.symbol(type)
              const all = structs.get(type)!
              const missing = all.filter((name) => !literal.fields.includes(name))
              if (missing.length === 0) continue
              const owner = places.owner(file.path, fn)
              sites.push({
                function_id: places.nameOf(owner, file.path),
                function_name: owner === undefined ? "" : view.nameOf(owner),
                file_path: file.path,
                line: literal.line,
                type_id: own.id,
                type_name: own.name,
                missing_fields: [...missing].sort(),
                total_fields: all.length,
                by: "literal"
              })
            }
        })
        const isTest = ({ file_path }: Site) => view.file(file_path)?.test === true
        const rows = sites
          .filter(({ missing_fields }) => missing_fields.length >= least)
          .sort(
            (a, b) =>
              Number(isTest(a)) - Number(isTest(b)) ||
              b.missing_fields.length - a.missing_fields.length ||
              (a.file_path < b.file_path ? -1 : a.file_path > b.file_path ? 1 : a.line - b.line) ||
              (a.type_id < b.type_id ? -1 : 1)
          )
        return page(
          "sites",
          {
            sites: rows.map((row) => ({ id: `${row.file_path}:${row.line}`, ...row })),
            total: rows.length,
            min_missing: least,
            types_looked_at: types,
            accuracy:
              "go: literals that name some fields of a struct of the repository; typescript, java, csharp, cpp: constructors that assign some declared fields without an initial value. Fields set later, by a constructor it calls, or by a base class are counted as missing",
            ...reach(view, read)
          },
          { snapshot: view.generation }
        )
      })
  })
