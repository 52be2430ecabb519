import { Effect } from "effect"
import { failure, fromService, invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { freshnessOf, graph, oneDefinition } from "../shared/symbols.ts"
import { relations } from "./facade.ts"
import { importOf, related } from "./Imports.ts"
import { ownerOf, types } from "./Kin.ts"

const containers = new Set(["namespace", "module"])

const needs = [CodeGraph, ReadFs] as const

export const importPath: Member<typeof relations, "import_path", typeof needs> = relations.operation(
  "import_path",
  {
    tool: "find_import_path",
    flat: { "target.symbol": "name" },
    summary: "The import to write in a file to use a symbol.",
    tier: 2,
    input: F.input({
      target: F.target({ symbol: F.aliased(Shared.symbol, "name") }),
      options: F.group({ path: F.aliased(F.described(F.path, "file that will import it"), "file") })
    }),
    needs,
    handler: ({ options, target }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const fs = yield* ReadFs
        const from =
          view.fileRef(options.path) !== undefined
            ? options.path
            : yield* Effect.mapError(fs.relative(options.path), (cause) =>
                fromService(cause, { field: "options.path", failure_stage: "resolve" })
              )
        const ref = yield* oneDefinition(view, target.symbol, {
          facade: "relations",
          operation: "import_path",
          rest: { options: { path: options.path } }
        })
        const asked = view.symbol(ref)
        // A member comes with its type: what is imported is the outermost definition around it.
        let top = types.has(asked.kind) ? ref : (ownerOf(view, ref) ?? ref)
        for (
          let parent = view.parent(top);
          parent !== undefined &&
          !view.isFile(parent) &&
          !containers.has(view.symbol(parent).kind) &&
          asked.language !== "java";
          parent = view.parent(top)
        )
          top = parent
        const symbol = view.symbol(top)
        const language = view.file(from)?.language
        if (language !== undefined && !related(language, symbol.language)) {
          return yield* invalidArgument(
            "options.path",
            `${from} is ${language} and ${symbol.id} is ${symbol.language}`,
            {
              reason_code: "other_language",
              data: { id: symbol.id, language: symbol.language, importing_language: language }
            }
          )
        }
        const found = yield* importOf(view, symbol, from)
        if (found === undefined) {
          return yield* failure(
            "capability_unavailable",
            `how ${from} would import ${symbol.id} cannot be told from the project`,
            {
              failure_stage: "resolve",
              reason_code: "import_unknown",
              data: { id: symbol.id, language: symbol.language }
            }
          )
        }
        const own = view.fileRef(symbol.path)
        const imported = view
          .imports(from)
          .some(
            ({ module, name, targets }) =>
              targets.includes(top) ||
              (targets.some((to) => to === own) && (name === "" || name === "*" || name === symbol.name)) ||
              (symbol.language === "go" && module === found.import_path)
          )
        const { in_reach, ...rest } =
          symbol.path === from
            ? { import_path: found.import_path, basis: found.basis, in_reach: "same_file" }
            : found
        const hidden =
          symbol.flags.includes("private") ||
          (!symbol.flags.includes("exported") &&
            !symbol.flags.includes("default_export") &&
            in_reach === undefined)
        return {
          symbol_id: symbol.id,
          ...(top === ref ? {} : { for_member: asked.id }),
          ...rest,
          already_imported: imported || in_reach !== undefined,
          ...(in_reach === undefined ? {} : { in_reach }),
          ...(hidden ? { not_exported: true } : {}),
          ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
        }
      })
  }
)
