import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { read } from "./facade.ts"
import { allowSecrets, compressBodies, fidelityGlobs, keep, maxLines, windowFields, windowRules } from "./fields.ts"

export const file = read.declared("file", {
  tool: "read_file",
  summary: "A file's text: whole, a window of lines, or with bodies stubbed.",
  input: F.input(
    {
      target: F.target({ file: Shared.file }),
      options: F.group({
        ...windowFields,
        keep,
        fidelity_globs: fidelityGlobs,
        max_chars: F.described(F.clamped({ min: 0, max: 10_000_000, default: 0 }), "bytes of text; 0 for no bound"),
        allow_secrets: allowSecrets,
        physical_evidence: F.withDefault(F.described(F.flag, "add the SHA-256 and byte count of the file on disk"), false),
        if_none_match: Shared.ifNoneMatch
      }),
      context: F.group({ compress_bodies: compressBodies, max_lines: maxLines })
    },
    windowRules
  ),
  needs: [ReadFs, CodeGraph, OverlayView],
  because: "its handler is not installed"
})
