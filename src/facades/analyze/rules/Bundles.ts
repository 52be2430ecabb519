/** Bundles of rules that have a name: those of this build by tags, those of the project by names. */
import type { DetectorBundle } from "../../../registry/DetectorRules.ts"
import type { RuleInfo } from "../../../services/RuleMatcher.ts"

export interface Bundle {
  readonly name: string
  readonly description: string
  readonly detectors: ReadonlyArray<string>
  /** Whether the project's settings state it. */
  readonly own: boolean
}

const builtIn: ReadonlyArray<
  readonly [name: string, description: string, fits: (rule: RuleInfo) => boolean]
> = [
  [
    "injection",
    "text of callers that becomes SQL, commands, code or queries",
    ({ tags }) => tags.includes("injection")
  ],
  ["xss", "text that becomes markup without being escaped", ({ tags }) => tags.includes("xss")],
  ["secrets", "keys, tokens and passwords in the sources", ({ tags }) => tags.includes("secrets")],
  ["crypto", "weak digests, ciphers, keys and random numbers", ({ tags }) => tags.includes("crypto")],
  ["transport", "connections that are not encrypted or not checked", ({ tags }) => tags.includes("tls")],
  ["deserialization", "objects made out of untrusted bytes", ({ tags }) => tags.includes("deserialization")],
  ["files", "paths, permissions and temporary files", ({ tags }) => tags.includes("files")],
  [
    "web",
    "cookies, redirects, cross-origin requests, headers and tokens of web applications",
    ({ tags }) => tags.includes("web")
  ],
  ["memory", "buffers, formats and pointers without bounds", ({ tags }) => tags.includes("memory")],
  [
    "configuration",
    "settings of containers, pipelines and frameworks",
    ({ tags }) => tags.includes("configuration")
  ],
  [
    "errors",
    "errors that are dropped, hidden or turned into an end of the program",
    ({ tags }) => tags.includes("errors")
  ],
  ["concurrency", "threads, tasks and locks", ({ tags }) => tags.includes("concurrency")],
  ["leftovers", "debug output, disabled tests and unfinished code", ({ tags }) => tags.includes("leftovers")],
  [
    "owasp",
    "every security rule with a place in the OWASP top ten of 2021",
    ({ owasp }) => owasp !== undefined
  ]
]

export const bundlesOf = (
  catalog: ReadonlyArray<RuleInfo>,
  own: ReadonlyArray<DetectorBundle>
): ReadonlyArray<Bundle> => [
  ...own.map(({ description, detectors, name }) => ({
    name,
    description: description ?? "",
    detectors,
    own: true
  })),
  ...builtIn
    .filter(([name]) => own.every((bundle) => bundle.name !== name))
    .map(([name, description, fits]) => ({
      name,
      description,
      detectors: catalog.filter(fits).map(({ id }) => id),
      own: false
    }))
]
