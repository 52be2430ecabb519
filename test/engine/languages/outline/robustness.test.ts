import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import { css } from "../../../../src/engine/languages/css/index.ts"
import { dockerfile } from "../../../../src/engine/languages/dockerfile/index.ts"
import { FactsBuilder } from "../../../../src/engine/languages/FactsBuilder.ts"
import { graphql } from "../../../../src/engine/languages/graphql/index.ts"
import { html } from "../../../../src/engine/languages/html/index.ts"
import { ini } from "../../../../src/engine/languages/ini/index.ts"
import { Interner } from "../../../../src/engine/languages/Interner.ts"
import { json } from "../../../../src/engine/languages/json/index.ts"
import { markdown } from "../../../../src/engine/languages/markdown/index.ts"
import { protobuf } from "../../../../src/engine/languages/protobuf/index.ts"
import { Source } from "../../../../src/engine/languages/Source.ts"
import { sql } from "../../../../src/engine/languages/sql/index.ts"
import { svelte } from "../../../../src/engine/languages/svelte/index.ts"
import { terraform } from "../../../../src/engine/languages/terraform/index.ts"
import { toml } from "../../../../src/engine/languages/toml/index.ts"
import { vue } from "../../../../src/engine/languages/vue/index.ts"
import { yaml } from "../../../../src/engine/languages/yaml/index.ts"

const languages = [
  css,
  dockerfile,
  graphql,
  html,
  ini,
  json,
  markdown,
  protobuf,
  sql,
  svelte,
  terraform,
  toml,
  vue,
  yaml
]
const builder = new FactsBuilder(new Interner())
const words = [
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  "<",
  ">",
  '"',
  "'",
  "`",
  "\n",
  "  ",
  ":",
  ";",
  ",",
  "=",
  "-",
  "- ",
  "#",
  "//",
  "/*",
  "*/",
  "--",
  "$$",
  "\\",
  "a",
  "b-c",
  "type",
  "message",
  "enum",
  "service",
  "rpc",
  "oneof",
  "create",
  "table",
  "view",
  "procedure",
  "begin",
  "end",
  "case",
  "FROM",
  "ENV",
  "ARG",
  "AS",
  "resource",
  "variable",
  "locals",
  "<<EOT",
  "@",
  "@media",
  "@mixin",
  "--x",
  "$v",
  "<script>",
  "</script>",
  "<p",
  "id=",
  "<!--",
  "```",
  "===",
  "---",
  '"""',
  "'''",
  "|",
  "&",
  "*",
  "%",
  "query",
  "fragment",
  "const",
  "function",
  "export",
  "let"
]

for (const language of languages) {
  describe(`${language.label} of any kind`, async () => {
    const extract = await language.load()
    const read = (bytes: Uint8Array) => {
      builder.begin(Source.bytes(`any${language.extensions[0]}`, bytes), { hoisting: false })
      extract(builder)
      assert.strictEqual(builder.depth, 1)
      assert.strictEqual(builder.current, -1)
      builder.end()
      builder.take()
    }
    it("is read to its end", () => {
      FastCheck.assert(FastCheck.property(FastCheck.uint8Array({ maxLength: 200 }), read), { numRuns: 100 })
      FastCheck.assert(
        FastCheck.property(
          FastCheck.array(FastCheck.constantFrom(...words), { maxLength: 80 }),
          FastCheck.boolean(),
          (tokens, spaced) => read(new TextEncoder().encode(tokens.join(spaced ? " " : "")))
        ),
        { numRuns: 500 }
      )
    })
    it("is read to its end however deep or long", () => {
      for (const opener of [
        "{",
        "[",
        "(",
        "a {",
        '{"a":',
        "message a {",
        "create table a (",
        "<p ",
        "a: ",
        "- ",
        "  a:\n",
        '"',
        "'",
        "# a\n",
        "#",
        "a=",
        "type A {",
        "oneof a {"
      ]) {
        read(new TextEncoder().encode(opener.repeat(50_000)))
      }
      read(new TextEncoder().encode('a b="c" '.repeat(1 << 18)))
    })
  })
}
