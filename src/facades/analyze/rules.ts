/** Rules matched against code. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { native } from "./facade.ts"
import { rules, severities } from "./fields.ts"

const because = "this build has no rules to match"

export const sast = native("sast", {
  summary: "Security rules, with CWE and OWASP tags.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      ...rules,
      cwe: F.optional(F.csv),
      tag: F.optional(F.text),
      exclude_tests: F.withDefault(F.flag, true),
      kinds_only: F.withDefault(F.described(F.flag, "breakdown without rows"), false)
    })
  }),
  needs: [CodeGraph],
  because
})

export const hygiene = native("hygiene", {
  summary: "Hygiene rules.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      ...rules,
      exclude_tests: F.withDefault(F.flag, true)
    })
  }),
  needs: [CodeGraph],
  because
})

export const review = native("review", {
  summary: "Rules of idiom and correctness behind a review.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      ...rules,
      exclude_tests: F.optional(F.flag)
    })
  }),
  needs: [CodeGraph],
  because
})

export const unsafePatterns = native("unsafe_patterns", {
  summary: "Primitives that panic or are undefined.",
  page: { default: 200, max: 1000 },
  input: F.input({
    options: F.group({
      ...rules,
      exclude_tests: F.withDefault(F.flag, true)
    })
  }),
  needs: [CodeGraph],
  because
})

export const domain = native("domain", {
  summary: "The project's own rules for facts of its domain.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      ...rules,
      tag: F.optional(F.text),
      exclude_tests: F.optional(F.flag),
      kinds_only: F.withDefault(F.described(F.flag, "breakdown without rows"), false)
    })
  }),
  needs: [CodeGraph],
  because
})

export const named = native("named", {
  summary: "A named bundle of detectors; without a name, the bundles.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      name: F.optional(F.text),
      severity: F.optional(severities),
      language: F.optional(F.csv),
      exclude_tests: F.optional(F.flag),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})
