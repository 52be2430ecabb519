/** Models of dbt and SQLMesh with what they are made of. */
import { accessesOf } from "../storage/sql.ts"
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { documentsOf } from "./kubernetes.ts"

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length
const base = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "")

export const dbtSql: Pass = {
  name: "dbt",
  family: "lineage",
  languages: ["sql"],
  hints: ["{{", "{%"],
  *read({ path, text }): Generator<LocalFact> {
    if (!/\{[{%]-?\s*(?:ref|source|config|snapshot|test|this)\b|\{\{[^}]*\b(?:ref|source)\s*\(/.test(text))
      return
    const upstream = new Set<string>()
    for (const found of text.matchAll(/\bref\(\s*["']([\w.]+)["'](?:\s*,\s*["']([\w.]+)["'])?/g))
      upstream.add(found[2] ?? found[1]!)
    for (const found of text.matchAll(/\bsource\(\s*["']([\w.]+)["']\s*,\s*["']([\w.]+)["']/g))
      upstream.add(`source.${found[1]}.${found[2]}`)
    const config = /\bconfig\(([\s\S]*?)\)\s*-?\}\}/.exec(text)?.[1] ?? ""
    const option = (name: string): string =>
      new RegExp(`\\b${name}\\s*=\\s*["']([^"']+)["']`).exec(config)?.[1] ?? ""
    const snapshot = /\{%-?\s*snapshot\s+(\w+)/.exec(text)
    const test = /(?:^|\/)tests\//.test(path) || /\{%-?\s*test\b/.test(text)
    const type =
      snapshot !== null
        ? "snapshot"
        : test
          ? "test"
          : /(?:^|\/)analys[ie]s\//.test(path)
            ? "analysis"
            : /(?:^|\/)macros\//.test(path)
              ? "macro"
              : "model"
    if (type === "macro") return
    yield {
      kind: "note",
      pass: "dbt",
      what: "dbt",
      name: snapshot?.[1] ?? base(path),
      data: {
        framework: "dbt",
        resource_type: type,
        materialized: type === "snapshot" ? "snapshot" : option("materialized"),
        schema: option("schema"),
        columns: [],
        upstream: [...upstream].sort()
      },
      line: snapshot === null ? 1 : lineOf(text, snapshot.index),
      column: 0
    }
  }
}

type Value = string | ReadonlyArray<Value> | { readonly [key: string]: Value } | undefined
const list = (value: Value): ReadonlyArray<{ readonly [key: string]: Value }> =>
  Array.isArray(value)
    ? (value.filter((each) => typeof each === "object" && each !== null && !Array.isArray(each)) as never)
    : []
const said = (value: Value): string => (typeof value === "string" ? value : "")
const columns = (value: Value): ReadonlyArray<string> =>
  list(value).flatMap((each) => (said(each["name"]) === "" ? [] : [said(each["name"])]))

/** Properties of models, and sources, in YAML. */
export const dbtYaml: Pass = {
  name: "dbt",
  family: "lineage",
  languages: ["yaml"],
  hints: ["models:", "sources:", "seeds:", "snapshots:"],
  *read(source): Generator<LocalFact> {
    if (
      !/^(?:models|sources|seeds|snapshots):\s*(?:#.*)?$/m.test(source.text) ||
      !/^version:|(?:^|\/)(?:models|seeds|snapshots)\//m.test(source.text + source.path)
    )
      return
    const lineFor = (name: string): number => {
      const found = new RegExp(
        `^\\s*-\\s*name:\\s*["']?${name.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&")}["']?\\s*$`,
        "m"
      ).exec(source.text)
      return found === null ? 1 : lineOf(source.text, found.index + found[0].search(/\S/))
    }
    for (const { value } of documentsOf(source)) {
      for (const each of list(value["sources"] as Value)) {
        const name = said(each["name"])
        for (const table of list(each["tables"]))
          yield {
            kind: "note",
            pass: "dbt",
            what: "dbt",
            name: `source.${name}.${said(table["name"])}`,
            data: {
              framework: "dbt",
              resource_type: "source",
              materialized: "",
              schema: said(each["schema"]) || name,
              columns: columns(table["columns"]),
              upstream: []
            },
            line: lineFor(said(table["name"])),
            column: 0
          }
      }
      for (const key of ["models", "seeds", "snapshots"] as const)
        for (const each of list(value[key] as Value)) {
          if (said(each["name"]) === "") continue
          const config = each["config"] as { readonly [key: string]: Value } | undefined
          yield {
            kind: "note",
            pass: "dbt",
            what: "dbt_properties",
            name: said(each["name"]),
            data: {
              columns: columns(each["columns"]),
              materialized: said(config?.["materialized"]),
              schema: said(config?.["schema"])
            },
            line: lineFor(said(each["name"])),
            column: 0
          }
        }
    }
  }
}

export const dbtPlain: Pass = {
  name: "dbt",
  family: "lineage",
  languages: [],
  files: (path) => /(?:^|\/)seeds\/.*\.csv$/.test(path),
  *read({ path, text }): Generator<LocalFact> {
    yield {
      kind: "note",
      pass: "dbt",
      what: "dbt",
      name: base(path),
      data: {
        framework: "dbt",
        resource_type: "seed",
        materialized: "seed",
        schema: "",
        columns: text
          .slice(0, text.indexOf("\n") < 0 ? undefined : text.indexOf("\n"))
          .trim()
          .split(",")
          .map((each) => each.replace(/["']/g, "").trim()),
        upstream: []
      },
      line: 1,
      column: 0
    }
  }
}

export const sqlmesh: Pass = {
  name: "sqlmesh",
  family: "lineage",
  languages: ["sql", "python"],
  hints: ["MODEL", "model", "@model"],
  *read({ language, script, text }): Generator<LocalFact> {
    if (language === "python") {
      for (const { args, name, on } of script.decorations()) {
        const first = args[0]?.value
        if (name !== "model" || first?.kind !== "string" || !/sqlmesh/.test(text)) continue
        const upstream = [...text.matchAll(/resolve_table\(\s*["']([\w.]+)["']/g)].map(([, table]) => table!)
        yield {
          kind: "note",
          pass: "sqlmesh",
          what: "dbt",
          name: first.text,
          data: {
            framework: "sqlmesh",
            resource_type: "model",
            materialized: "python",
            schema: first.text.split(".").at(-2) ?? "",
            columns: [],
            upstream
          },
          line: script.line(on.at),
          column: 0
        }
      }
      return
    }
    const head = /^\s*(?:--[^\n]*\n\s*)*MODEL\s*\(/i.exec(text)
    if (head === null) return
    let depth = 1
    let end = head[0].length
    while (end < text.length && depth > 0) {
      if (text[end] === "(") depth++
      else if (text[end] === ")") depth--
      end++
    }
    const config = text.slice(head[0].length, end - 1)
    const name = /\bname\s+([\w."]+)/i.exec(config)?.[1]?.replaceAll('"', "")
    if (name === undefined) return
    const kind = /\bkind\s+([A-Z_]+)/i.exec(config)?.[1]?.toLowerCase() ?? "view"
    const listed = /\bcolumns\s*\(([\s\S]*?)\)\s*(?:,|$)/i.exec(config)?.[1]
    const upstream = new Set(
      accessesOf(text.slice(end))
        .filter(({ access }) => access === "read")
        .map(({ schema, table }) => (schema === undefined ? table : `${schema}.${table}`))
    )
    upstream.delete(name.toLowerCase())
    yield {
      kind: "note",
      pass: "sqlmesh",
      what: "dbt",
      name,
      data: {
        framework: "sqlmesh",
        resource_type: kind === "seed" ? "seed" : "model",
        materialized: kind,
        schema: name.split(".").at(-2) ?? "",
        columns:
          listed === undefined
            ? []
            : listed
                .split(",")
                .map((each) => each.trim().split(/\s/)[0]!)
                .filter((each) => each !== ""),
        upstream: [...upstream].sort()
      },
      line: lineOf(text, head[0].search(/MODEL/i)),
      column: 0
    }
  }
}

export const lineagePasses: ReadonlyArray<Pass> = [dbtSql, dbtYaml, dbtPlain, sqlmesh]
