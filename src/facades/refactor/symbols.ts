/** Refactorings of one symbol. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { refactor } from "./facade.ts"

const because = "this build writes no files"
const target = F.target({ symbol: Shared.symbol })
const dryRun = F.withDefault(F.described(F.flag, "say what would happen and write nothing"), false)

export const rename = refactor.declared("rename", {
  tool: "rename_symbol",
  summary: "Rename a symbol wherever it is used: all or nothing.",
  input: F.input({
    target,
    new_name: F.text,
    dry_run: dryRun,
    options: F.group({ allow_parse_errors: F.withDefault(F.flag, false) })
  }),
  needs: [LocalWriter, ReadFs, CodeGraph, LanguageReader],
  because
})

export const move = refactor.declared("move", {
  tool: "move_symbol",
  summary: "Move a symbol to another file and rewrite what refers to it.",
  input: F.input({
    target,
    destination: F.aliased(F.described(F.text, "file to move it to"), "target_file"),
    dry_run: dryRun,
    options: F.group({ target_package: F.optional(F.described(F.text, "package name of a new folder")) })
  }),
  needs: [LocalWriter, ReadFs, CodeGraph],
  because
})

export const inline = refactor.declared("inline", {
  tool: "inline_symbol",
  summary: "Put a small function's body in place of its calls.",
  input: F.input({
    target,
    dry_run: dryRun,
    options: F.group({
      delete_after: F.withDefault(F.described(F.flag, "delete the function afterwards"), true)
    })
  }),
  needs: [LocalWriter, ReadFs, CodeGraph],
  because
})

export const remove = refactor.declared("delete", {
  tool: "safe_delete_symbol",
  summary: "Delete a symbol that nothing refers to; a dry run unless told otherwise.",
  input: F.input({
    target,
    dry_run: F.withDefault(dryRun, true),
    options: F.group({
      force: F.withDefault(F.described(F.flag, "delete in spite of references"), false),
      cascade: F.withDefault(
        F.described(F.choice("off", "preview", "apply"), "symbols nothing uses any more"),
        "off"
      ),
      cascade_into_tests: F.withDefault(F.described(F.flag, "uses in tests do not count"), false),
      propagate: F.withDefault(F.described(F.flag, "remove calls that stand alone"), false)
    })
  }),
  needs: [LocalWriter, ReadFs, CodeGraph],
  because
})
