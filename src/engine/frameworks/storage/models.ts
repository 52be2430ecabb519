/** Object models and the tables they are mapped to. One entry of a list for each mapper. */
import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass } from "../Pass.ts"
import { at } from "../Routers.ts"
import { argOf, type Argument, type Class, type Expr, type Script, textOf } from "../Script.ts"

export const snake = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
export const plural = (word: string): string =>
  /(?:s|x|z|ch|sh)$/.test(word)
    ? `${word}es`
    : /[^aeiou]y$/.test(word)
      ? `${word.slice(0, -1)}ies`
      : word.endsWith("person")
        ? word.replace(/person$/, "people")
        : word.endsWith("child")
          ? `${word}ren`
          : `${word}s`

/** derivation: explicit where the table is written, convention where the mapper makes it out of the name. */
const model = (
  script: Script,
  orm: string,
  name: string,
  token: number,
  table: string | undefined,
  derived: string
): LocalFact => ({
  kind: "note",
  pass: orm,
  what: "model",
  name,
  data: { orm, table: table ?? derived, derivation: table === undefined ? "convention" : "explicit" },
  names: { model: { kind: "definition", name, ...at(script, token) } },
  ...at(script, token)
})

const define = (
  name: string,
  languages: ReadonlyArray<string>,
  hints: ReadonlyArray<string>,
  read: (script: Script, text: string) => Iterable<LocalFact>
): Pass => ({
  name,
  family: "models",
  languages,
  hints,
  read: ({ script, text }) => read(script, text)
})

/** The text of a name that is bound in a class body, such as `__tablename__ = "users"`. */
const bound = (script: Script, { from, to }: Class, names: ReadonlyArray<string>): string | undefined => {
  for (let i = from; i + 2 < to; i++)
    if (names.includes(script.word(i)) && /^(?:=|:)$/.test(script.word(i + 1))) {
      let k = i + 1
      while (k < to && script.word(k) !== "=" && script.line(k) === script.line(i)) k++
      const value = script.word(k) === "=" ? script.expr(k + 1, script.statementEnd(k + 1)) : undefined
      return textOf(value)
    }
  return undefined
}

const annotated = (
  script: Script,
  orm: string,
  matches: (name: string) => boolean,
  tableOf: (
    args: ReadonlyArray<Argument>,
    name: string,
    others: ReadonlyArray<{ readonly name: string; readonly args: ReadonlyArray<Argument> }>
  ) => string | undefined,
  derive: (name: string) => string
): ReadonlyArray<LocalFact> => {
  const out: Array<LocalFact> = []
  const seen = new Set<number>()
  for (const { args, name, on } of script.decorations()) {
    if (on.kind !== "class" || !matches(name) || seen.has(on.at)) continue
    seen.add(on.at)
    const others = script.decorations().filter((each) => each.on.at === on.at)
    out.push(model(script, orm, on.name, on.at, tableOf(args, on.name, others), derive(on.name)))
  }
  return out
}

const recordText = (expr: Expr | undefined, label: string): string | undefined =>
  expr?.kind === "record" || expr?.kind === "list" ? textOf(argOf(expr.items, label)) : undefined

export const modelPasses: ReadonlyArray<Pass> = [
  define("typeorm", ecmascript, ["@Entity"], (script, text) =>
    /mikro-orm/.test(text)
      ? []
      : annotated(
          script,
          "typeorm",
          (name) => name === "Entity" || name === "ViewEntity",
          (args) =>
            textOf(args[0]?.value) ??
            recordText(args[0]?.value, "name") ??
            recordText(args[1]?.value, "name"),
          snake
        )
  ),
  define("mikro-orm", ecmascript, ["mikro-orm"], (script) =>
    annotated(
      script,
      "mikro-orm",
      (name) => name === "Entity",
      (args) => recordText(args[0]?.value, "tableName") ?? recordText(args[0]?.value, "collection"),
      snake
    )
  ),
  define("sequelize", ecmascript, ["equelize"], function* (script) {
    for (const { parts, at: token } of script.chains()) {
      const part = parts.at(-1)!
      if (part.args === undefined) continue
      if (part.name === "define" && parts.length > 1 && part.args.length >= 2) {
        const name = textOf(part.args[0]?.value)
        if (name !== undefined)
          yield model(
            script,
            "sequelize",
            name,
            token,
            recordText(part.args[2]?.value, "tableName"),
            plural(name)
          )
      } else if (
        part.name === "init" &&
        parts.length === 2 &&
        part.args.length === 2 &&
        recordText(part.args[1]?.value, "modelName") !== undefined
      ) {
        yield model(
          script,
          "sequelize",
          parts[0]!.name,
          token,
          recordText(part.args[1]?.value, "tableName"),
          plural(recordText(part.args[1]?.value, "modelName")!)
        )
      } else if (
        part.name === "init" &&
        parts.length === 2 &&
        part.args.length === 2 &&
        part.args[1]?.value.kind === "record" &&
        argOf(part.args[1].value.items, "sequelize") !== undefined
      )
        yield model(
          script,
          "sequelize",
          parts[0]!.name,
          token,
          recordText(part.args[1].value, "tableName"),
          plural(parts[0]!.name)
        )
    }
    for (const fact of annotated(
      script,
      "sequelize",
      (name) => name === "Table",
      (args) => recordText(args[0]?.value, "tableName"),
      plural
    ))
      yield fact
  }),
  define("mongoose", ecmascript, ["mongoose", "@Schema"], function* (script) {
    for (const { parts } of script.chains()) {
      const part = parts.at(-1)!
      if (part.name !== "model" || part.args === undefined || part.args.length < 2) continue
      const name = textOf(part.args[0]?.value)
      if (name === undefined) continue
      yield model(script, "mongoose", name, part.at, textOf(part.args[2]?.value), plural(name.toLowerCase()))
    }
    yield* annotated(
      script,
      "mongoose",
      (name) => name === "Schema",
      (args) => recordText(args[0]?.value, "collection"),
      (name) => plural(name.toLowerCase())
    )
  }),
  define("drizzle", ecmascript, ["pgTable", "mysqlTable", "sqliteTable"], function* (script) {
    for (const [name, bindings] of script.bindings())
      for (const { at: token, value } of bindings) {
        if (value?.kind !== "chain") continue
        const part = value.chain.parts.at(-1)!
        const table = textOf(part.args?.[0]?.value)
        if (
          table !== undefined &&
          (/^(?:pg|mysql|sqlite|singlestore)Table$/.test(part.name) ||
            (part.name === "table" && value.chain.parts.length > 1))
        )
          yield model(script, "drizzle", name, token, table, table)
      }
  }),
  define("objection", ecmascript, ["tableName"], function* (script, text) {
    if (!/objection|bookshelf/i.test(text)) return
    for (const each of script.classes()) {
      if (!/extends\b/.test(each.header)) continue
      const named =
        bound(script, each, ["tableName"]) ??
        /tableName\s*\(\s*\)\s*\{\s*return\s*["'](\w+)/.exec(script.slice(each.from, each.to))?.[1]
      if (named !== undefined) yield model(script, "objection", each.name, each.at, named, named)
    }
  }),
  define(
    "sqlalchemy",
    ["python"],
    ["__tablename__", "db.Model", "SQLModel", "Table("],
    function* (script, text) {
      for (const each of script.classes()) {
        const table = bound(script, each, ["__tablename__"])
        const flask = /\b(?:db\.Model|SurrogatePK|PkModel|Base|SQLModel)\b/.test(each.header)
        if (
          table !== undefined ||
          (flask &&
            /\b(?:db\.)?Column\(|mapped_column\(|table\s*=\s*True/.test(
              script.slice(each.from - 1, each.to) + each.header
            ))
        )
          yield model(
            script,
            /SQLModel/.test(each.header) ? "sqlmodel" : "sqlalchemy",
            each.name,
            each.at,
            table,
            /SQLModel/.test(each.header) ? each.name.toLowerCase() : snake(each.name)
          )
      }
      if (!/sqlalchemy|metadata/i.test(text)) return
      for (const [name, bindings] of script.bindings())
        for (const { at: token, value } of bindings) {
          const part = value?.kind === "chain" ? value.chain.parts.at(-1)! : undefined
          const table = part?.name === "Table" ? textOf(part.args?.[0]?.value) : undefined
          if (table !== undefined) yield model(script, "sqlalchemy", name, token, table, table)
        }
    }
  ),
  define(
    "django",
    ["python"],
    ["models.Model", "db_table", "TimestampedModel", "AbstractBaseUser", "AbstractUser", "models."],
    function* (script, text) {
      if (!/\bdjango\b/.test(text)) return
      const app = /(?:^|\/)([^/]+)\/models(?:\.py|\/)/.exec(script.path)?.[1]
      for (const each of script.classes()) {
        if (!/\b(?:models\.Model|\w*Model|AbstractBaseUser|AbstractUser)\b/.test(each.header)) continue
        const body = script.slice(each.from - 1, each.to)
        if (/\babstract\s*=\s*True\b/.test(body) || !/\bmodels\.\w+\(|\bdb_table\b/.test(body)) continue
        const table = /\bdb_table\s*=\s*["'](\w+)["']/.exec(body)?.[1]
        yield model(
          script,
          "django",
          each.name,
          each.at,
          table,
          `${app === undefined ? "" : `${app}_`}${each.name.toLowerCase()}`
        )
      }
    }
  ),
  define("peewee", ["python"], ["peewee"], function* (script) {
    for (const each of script.classes()) {
      if (!/\bModel\b|BaseModel/.test(each.header) || !/Field\(/.test(script.slice(each.from - 1, each.to)))
        continue
      yield model(
        script,
        "peewee",
        each.name,
        each.at,
        /\btable_name\s*=\s*["'](\w+)["']/.exec(script.slice(each.from - 1, each.to))?.[1],
        each.name.toLowerCase()
      )
    }
  }),
  define("mongoengine", ["python"], ["mongoengine"], function* (script) {
    for (const each of script.classes())
      if (/\bDocument\b/.test(each.header))
        yield model(
          script,
          "mongoengine",
          each.name,
          each.at,
          /["']collection["']\s*:\s*["'](\w+)["']/.exec(script.slice(each.from - 1, each.to))?.[1],
          snake(each.name)
        )
  }),
  define("gorm", ["go"], ["gorm"], function* (script, text) {
    const named = new Map<string, string>()
    for (const found of text.matchAll(
      /func\s*\(\s*(?:\w+\s+)?\*?(\w+)\s*\)\s*TableName\(\)\s*string\s*\{\s*return\s*"([^"]+)"/g
    ))
      named.set(found[1]!, found[2]!)
    for (const each of script.classes()) {
      const body = script.slice(each.from, each.to)
      if (each.keyword !== "struct" || (!named.has(each.name) && !/\bgorm\.Model\b|gorm:"/.test(body)))
        continue
      yield model(script, "gorm", each.name, each.at, named.get(each.name), plural(snake(each.name)))
    }
  }),
  define("ent", ["go"], ["entgo.io/ent"], function* (script) {
    for (const each of script.classes())
      if (each.keyword === "struct" && /\bent\.Schema\b/.test(script.slice(each.from, each.to)))
        yield model(script, "ent", each.name, each.at, undefined, plural(snake(each.name)))
  }),
  define("jpa", ["java", "kotlin"], ["@Entity", "@Table"], (script) =>
    annotated(
      script,
      "jpa",
      (name) => name === "Entity",
      (_, __, others) => textOf(argOf(others.find(({ name }) => name === "Table")?.args, "name")),
      snake
    )
  ),
  define("spring data", ["java", "kotlin"], ["@Document", "@Table", "@MappedEntity"], (script, text) =>
    /springframework\.data/.test(text)
      ? annotated(
          script,
          "spring data",
          (name) => name === "Document" || (name === "Table" && !/persistence/.test(text)),
          (args) => textOf(argOf(args, ["collection", "value", "name"], 0)),
          snake
        )
      : []
  ),
  define("exposed", ["kotlin"], ["Table("], function* (script, text) {
    if (!/exposed/.test(text)) return
    for (const each of script.classes()) {
      const found = /:\s*(?:\w*Id)?Table\(\s*(?:"([^"]+)")?/.exec(each.header)
      if (each.keyword === "object" && found !== null)
        yield model(script, "exposed", each.name, each.at, found[1], each.name.replace(/Table$/, ""))
    }
  }),
  define("ef core", ["csharp"], ["DbSet<", "[Table(", "ToTable("], function* (script, text) {
    const explicit = new Map<string, string>()
    for (const { args, name, on } of script.decorations())
      if (name === "Table" && on.kind === "class") {
        const table = textOf(args[0]?.value)
        if (table !== undefined) {
          explicit.set(on.name, table)
          yield model(script, "ef core", on.name, on.at, table, table)
        }
      }
    const named = new Map<string, string>()
    for (const found of text.matchAll(/Entity<(\w+)>\([\s\S]{0,400}?\.ToTable\(\s*"([^"]+)"/g))
      named.set(found[1]!, found[2]!)
    for (let i = 0; i + 4 < script.count; i++) {
      if (script.word(i) !== "DbSet" || script.word(i + 1) !== "<" || script.word(i + 3) !== ">") continue
      const type = script.word(i + 2)
      const set = script.word(i + 4)
      if (explicit.has(type) || !/^[A-Z]/.test(set)) continue
      yield {
        kind: "note",
        pass: "ef core",
        what: "model",
        name: type,
        data: {
          orm: "ef core",
          table: named.get(type) ?? set,
          derivation: named.has(type) ? "explicit" : "convention"
        },
        names: { model: { kind: "name", name: type, ...at(script, i + 2) } },
        ...at(script, i + 2)
      }
    }
  }),
  define("active record", ["ruby"], ["ApplicationRecord", "ActiveRecord::Base"], function* (script) {
    for (const each of script.classes()) {
      if (
        !/<\s*(?:ApplicationRecord|ActiveRecord::Base)\b/.test(each.header) ||
        each.name === "ApplicationRecord"
      )
        continue
      const body = script.slice(each.from, each.to)
      if (/\babstract_class\s*=\s*true/.test(body)) continue
      yield model(
        script,
        "active record",
        each.name,
        each.at,
        /\btable_name\s*=\s*["'](\w+)["']/.exec(body)?.[1],
        plural(snake(each.name.split("::").at(-1)!))
      )
    }
  }),
  define("mongoid", ["ruby"], ["Mongoid::Document"], function* (script) {
    for (const each of script.classes())
      if (/Mongoid::Document/.test(script.slice(each.from, each.to).replaceAll(" ", "")))
        yield model(
          script,
          "mongoid",
          each.name,
          each.at,
          /store_in[^\n]*collection:\s*["'](\w+)/.exec(script.slice(each.from, each.to))?.[1],
          plural(snake(each.name))
        )
  }),
  define("eloquent", ["php"], ["Eloquent", "extends Model", "Authenticatable"], function* (script) {
    for (const each of script.classes()) {
      if (!/extends\s+(?:\w+\\)*(?:Model|Authenticatable|Pivot)\b/.test(each.header)) continue
      const body = script.slice(each.from, each.to)
      yield model(
        script,
        "eloquent",
        each.name,
        each.at,
        /\$table\s*=\s*["'](\w+)["']/.exec(body)?.[1],
        plural(snake(each.name))
      )
    }
  }),
  define("doctrine", ["php"], ["ORM\\", "Entity"], function* (script, text) {
    const seen = new Set<number>()
    for (const { name, on } of script.decorations())
      if (name === "Entity" && on.kind === "class" && !seen.has(on.at)) {
        seen.add(on.at)
        const others = script.decorations().filter((each) => each.on.at === on.at)
        yield model(
          script,
          "doctrine",
          on.name,
          on.at,
          textOf(argOf(others.find((each) => each.name === "Table")?.args, "name", 0)),
          snake(on.name)
        )
      }
    if (!/@ORM\\Entity/.test(text)) return
    for (const each of script.classes())
      if (!seen.has(each.at))
        yield model(
          script,
          "doctrine",
          each.name,
          each.at,
          /@ORM\\Table\([^)]*name\s*=\s*"([^"]+)"/.exec(text)?.[1],
          snake(each.name)
        )
  }),
  define("diesel", ["rust"], ["diesel", "Queryable", "Insertable"], function* (script) {
    for (const { args, name, on } of script.decorations()) {
      if (on.kind !== "class") continue
      const table =
        name === "diesel" ? argOf(args, "table_name") : name === "table_name" ? args[0]?.value : undefined
      if (table?.kind === "chain")
        yield model(script, "diesel", on.name, on.at, table.chain.parts.at(-1)!.name, "")
      else if (
        name === "diesel" &&
        args[0]?.value.kind === "chain" &&
        args[0].value.chain.parts[0]!.name === "table_name"
      )
        yield model(script, "diesel", on.name, on.at, undefined, plural(snake(on.name)))
    }
    for (let i = 0; i + 1 < script.count; i++)
      if (script.word(i) === "#" && script.slice(i, i + 5).startsWith("# [ table_name")) continue
  }),
  define("sea-orm", ["rust"], ["sea_orm"], function* (script) {
    for (const { args, name, on } of script.decorations())
      if (name === "sea_orm" && on.kind === "class") {
        const table = textOf(argOf(args, "table_name"))
        if (table !== undefined) yield model(script, "sea-orm", on.name, on.at, table, table)
      }
  })
]

/** Models of Prisma's own schema files. */
export const prisma: Pass = {
  name: "prisma",
  family: "models",
  languages: [],
  files: (path) => path.endsWith(".prisma"),
  *read({ text }): Generator<LocalFact> {
    const lineOf = (offset: number) => text.slice(0, offset).split("\n").length
    for (const found of text.matchAll(/^model\s+(\w+)\s*\{([\s\S]*?)^\}/gm)) {
      const table = /@@map\(\s*(?:name:\s*)?"([^"]+)"/.exec(found[2]!)?.[1]
      yield {
        kind: "note",
        pass: "prisma",
        what: "model",
        name: found[1]!,
        data: {
          orm: "prisma",
          table: table ?? found[1]!,
          derivation: table === undefined ? "convention" : "explicit"
        },
        line: lineOf(found.index),
        column: 0
      }
    }
  }
}
