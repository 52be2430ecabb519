/** docs/tools.md: every tool with its operations. */
import { type PolicyRow, policy, requestShape, tools } from "../../registry/Capabilities.ts"
import { type Facade, listed } from "../../registry/Facade.ts"
import type { Operation } from "../../registry/Operation.ts"
import type { Registry } from "../../registry/Registry.ts"
import { anchor, block, code, codes, table } from "./markdown.ts"
import { markdownPage, type Page } from "./Page.ts"

const count = (all: number, available: number): string =>
  available === all ? `${all}` : `${available} of ${all}`

const overview = (registry: Registry.Any): ReadonlyArray<string> =>
  table(
    ["tool", "effect", "world", "operations available", "purpose"],
    tools(registry).map(({ annotations, description, name }) => {
      const facade = registry.facade(name) as Facade.Any
      const operations = listed(facade)
      return [
        `[${code(name)}](${anchor(name)})`,
        facade.effect,
        annotations.openWorldHint ? "open" : "closed",
        count(operations.length, operations.filter(({ available }) => available).length),
        description
      ]
    })
  )

const named = (facade: Facade.Any, operation: Operation.Any): string =>
  [
    `${code(operation.name)}${operation.name === facade.default ? " (default)" : ""}`,
    ...(operation.aliases.length === 0 ? [] : [`also ${codes(operation.aliases)}`])
  ].join(", ")

const row = (facade: Facade.Any, operation: Operation.Any, policyRow: PolicyRow): ReadonlyArray<string> => [
  named(facade, operation),
  codes(operation.tools),
  operation.available ? "yes" : `no: ${operation.unavailable}`,
  codes(policyRow.needs),
  Object.keys(operation.fixed).length === 0 ? "" : code(JSON.stringify(operation.fixed)),
  operation.summary
]

const head = ["operation", "canonical tool", "available", "services", "fixed arguments", "summary"]

const chapter = (
  registry: Registry.Any,
  facade: Facade.Any,
  rows: ReadonlyMap<string, PolicyRow>
): ReadonlyArray<ReadonlyArray<string>> => {
  const open = tools(registry).some(
    ({ annotations, name }) => name === facade.name && annotations.openWorldHint
  )
  const outside = facade.operations.filter(({ openWorld }) => openWorld).map(({ name }) => name)
  const rowsOf = (operations: ReadonlyArray<Operation.Any>) =>
    operations.map((operation) =>
      row(facade, operation, rows.get(`${facade.name}.${operation.name}`) as PolicyRow)
    )
  const hidden = facade.operations.filter((operation) => operation.hidden)
  const callable = listed(facade).filter(({ available }) => available)
  return [
    [`## ${facade.name}`],
    [facade.purpose],
    [
      `Effect ${code(facade.effect)}, ${open ? "open" : "closed"} world; ${code(facade.discriminator)} names the operation.${
        open || outside.length === 0 ? "" : ` Reaching a model that was set up: ${codes(outside)}.`
      }`
    ],
    table(head, rowsOf(listed(facade))),
    ...(hidden.length === 0 ? [] : [["Known by name, listed nowhere else:"], table(head, rowsOf(hidden))]),
    ...(callable.length === 0
      ? [["No operation of this tool is available in this build."]]
      : [
          ["Requests:"],
          block(
            "json",
            callable.map((operation) => JSON.stringify(requestShape(facade, operation)))
          )
        ])
  ]
}

export const toolsPage = (registry: Registry.Any): Page => {
  const rows = new Map(policy(registry).map((each) => [`${each.facade}.${each.operation}`, each]))
  return markdownPage(
    "docs/tools.md",
    "Tools",
    [
      "A tool has one effect class, and every operation behind it has that class. An operation that is not available is part",
      "of the contract without a handler in this build: calling it fails with `operation_unavailable` and the reason below.",
      "Services are what the operation may reach; [policy.md](policy.md) says which mode provides which."
    ],
    [
      "Requests show the least an operation accepts. Texts in angle brackets are for the caller to replace. The exact schema",
      'is answered by `capabilities` with `{"domain":TOOL,"operation":OPERATION,"detail":"schema"}`.'
    ],
    overview(registry),
    ...registry.facades.flatMap((facade) => chapter(registry, facade, rows))
  )
}
