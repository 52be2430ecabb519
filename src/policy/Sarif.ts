/** An audit as a SARIF 2.1.0 log, for whatever shows findings in sources. */
import type { Json } from "../registry/Json.ts"
import { type Difference, rules } from "./Audit.ts"
import type { Looked } from "./typed/Audited.ts"

const names = Object.keys(rules) as ReadonlyArray<Difference["rule"]>

const uri = (file: string): string => file.split("/").map(encodeURIComponent).join("/")

const result = ({
  message,
  place,
  rule,
  service,
  subject
}: Difference): { readonly [key: string]: Json } => ({
  ruleId: rule,
  ruleIndex: names.indexOf(rule),
  level: "error",
  message: { text: `${subject} ${message}` },
  locations: [
    {
      ...(place === undefined
        ? {}
        : {
            physicalLocation: {
              artifactLocation: { uri: uri(place.file), uriBaseId: "SRCROOT" },
              region: { startLine: place.line, startColumn: place.column }
            }
          }),
      logicalLocations: [{ fullyQualifiedName: subject, kind: "function" }]
    }
  ],
  partialFingerprints: { "portico/v1": [rule, subject, service ?? "", place?.file ?? ""].join(":") }
})

/** The log. `version` is Portico's. Columns are in UTF-16 units. */
export const sarif = (
  { differences, looked }: { readonly differences: ReadonlyArray<Difference>; readonly looked: Looked },
  version: string
): { readonly [key: string]: Json } => ({
  $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
  version: "2.1.0",
  runs: [
    {
      tool: {
        driver: {
          name: "portico audit",
          version,
          rules: names.map((id) => ({ id, shortDescription: { text: rules[id] } }))
        }
      },
      columnKind: "utf16CodeUnits",
      originalUriBaseIds: { SRCROOT: { description: { text: "The folder whose sources were audited." } } },
      invocations: [
        {
          executionSuccessful: true,
          ...(looked.typed
            ? {}
            : {
                toolExecutionNotifications: [
                  {
                    level: "note",
                    message: { text: `Only the values of operations were checked: ${looked.because}.` }
                  }
                ]
              })
        }
      ],
      results: differences.map(result)
    }
  ]
})
