/** A property graph as GraphML, DOT, Cypher and JSON. */
import type { Edge, Node, PropertyGraph } from "./PropertyGraph.ts"

// What XML 1.0 has no way to write, and halves of characters.
const unwritable =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Text for XML and HTML, in content and in quoted attributes. */
export const escapeXml = (text: string): string =>
  text
    .replace(unwritable, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
    .replaceAll("\t", "&#9;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\r", "&#13;")

type Value = string | number | boolean
const nodeKeys = [
  "kind",
  "name",
  "path",
  "language",
  "line",
  "end_line",
  "signature",
  "test",
  "synthetic"
] as const
const edgeKeys = ["kind", "tier", "count"] as const
const typeOf = (key: string): string =>
  key === "line" || key === "end_line" || key === "count"
    ? "int"
    : key === "test" || key === "synthetic"
      ? "boolean"
      : "string"

/** Members that say something. */
const told = (of: Node): ReadonlyArray<readonly [string, Value]> =>
  nodeKeys.flatMap((key) => {
    const value = of[key]
    return value === "" || value === 0 || value === false ? [] : [[key, value] as const]
  })
const toldOfEdge = (of: Edge): ReadonlyArray<readonly [string, Value]> =>
  edgeKeys.map((key) => [key, of[key]])

export const graphMl = ({ edges, nodes }: PropertyGraph): string => {
  const data = (prefix: string, values: ReadonlyArray<readonly [string, Value]>): string =>
    values.map(([key, value]) => `<data key="${prefix}_${key}">${escapeXml(String(value))}</data>`).join("")
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...nodeKeys.map(
      (key) => `  <key id="n_${key}" for="node" attr.name="${key}" attr.type="${typeOf(key)}"/>`
    ),
    ...edgeKeys.map(
      (key) => `  <key id="e_${key}" for="edge" attr.name="${key}" attr.type="${typeOf(key)}"/>`
    ),
    '  <graph id="code" edgedefault="directed">',
    ...nodes.map((node) => `    <node id="${escapeXml(node.id)}">${data("n", told(node))}</node>`),
    ...edges.map(
      (edge) =>
        `    <edge source="${escapeXml(edge.from)}" target="${escapeXml(edge.to)}">${data("e", toldOfEdge(edge))}</edge>`
    ),
    "  </graph>",
    "</graphml>",
    ""
  ].join("\n")
}

const dotText = (text: string): string =>
  `"${text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replace(/\r\n|[\r\n]/g, "\\n")
    .replaceAll("\0", "\ufffd")}"`

export const dot = ({ edges, nodes }: PropertyGraph): string =>
  [
    "digraph code {",
    ...nodes.map(
      ({ id, kind, name, synthetic }) =>
        `  ${dotText(id)} [label=${dotText(name)}, kind=${dotText(kind)}${synthetic ? ", style=dashed" : ""}];`
    ),
    ...edges.map(
      ({ count, from, kind, tier, to }) =>
        `  ${dotText(from)} -> ${dotText(to)} [label=${dotText(kind)}, tier=${dotText(tier)}, weight=${count}];`
    ),
    "}",
    ""
  ].join("\n")

const cypherText = (text: string): string =>
  `'${text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replace(
      // Other control characters and the separators some readers take for line ends.
      // oxlint-disable-next-line no-control-regex
      /[\u0000-\u001f\u007f\u2028\u2029]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`
    )}'`
const cypherValue = (value: Value): string => (typeof value === "string" ? cypherText(value) : String(value))
const properties = (values: ReadonlyArray<readonly [string, Value]>): string =>
  `{${values.map(([key, value]) => `${key}: ${cypherValue(value)}`).join(", ")}}`

/** One statement a line. */
export const cypher = ({ edges, nodes }: PropertyGraph): string =>
  [
    "CREATE CONSTRAINT code_node_id IF NOT EXISTS FOR (n:CodeNode) REQUIRE n.id IS UNIQUE;",
    ...nodes.map(
      (node) => `CREATE (:CodeNode:\`${node.kind}\` ${properties([["id", node.id], ...told(node)])});`
    ),
    ...edges.map(
      ({ count, from, kind, tier, to }) =>
        `MATCH (a:CodeNode {id: ${cypherText(from)}}), (b:CodeNode {id: ${cypherText(to)}}) CREATE (a)-[:\`${kind.toUpperCase()}\` ${properties(
          [
            ["tier", tier],
            ["count", count]
          ]
        )}]->(b);`
    ),
    ""
  ].join("\n")

/** `{nodes, edges}`, one of them a line. */
export const graphJson = ({ edges, nodes }: PropertyGraph): string => {
  const lines = (rows: ReadonlyArray<object>) => rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n")
  return `{\n  "nodes": [\n${lines(nodes.map((node) => ({ id: node.id, ...Object.fromEntries(told(node)) })))}\n  ],\n  "edges": [\n${lines(edges)}\n  ]\n}\n`
}
