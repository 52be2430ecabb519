/** Every language there is, in the order of their numbers in facts of this build. */
import { bash } from "./bash/index.ts"
import { c } from "./c/index.ts"
import { cpp } from "./cpp/index.ts"
import { csharp } from "./csharp/index.ts"
import { css } from "./css/index.ts"
import { dockerfile } from "./dockerfile/index.ts"
import { go } from "./go/index.ts"
import { graphql } from "./graphql/index.ts"
import { html } from "./html/index.ts"
import { ini } from "./ini/index.ts"
import { java } from "./java/index.ts"
import { javascript, jsx } from "./javascript/index.ts"
import { json } from "./json/index.ts"
import { kotlin } from "./kotlin/index.ts"
import { lua } from "./lua/index.ts"
import { markdown } from "./markdown/index.ts"
import { php } from "./php/index.ts"
import { protobuf } from "./protobuf/index.ts"
import { python } from "./python/index.ts"
import { ruby } from "./ruby/index.ts"
import { rust } from "./rust/index.ts"
import { scala } from "./scala/index.ts"
import { sql } from "./sql/index.ts"
import { svelte } from "./svelte/index.ts"
import { swift } from "./swift/index.ts"
import { terraform } from "./terraform/index.ts"
import { toml } from "./toml/index.ts"
import { tsx, typescript } from "./typescript/index.ts"
import { vue } from "./vue/index.ts"
import { yaml } from "./yaml/index.ts"
import type { Language } from "./Language.ts"

export const languages: ReadonlyArray<Language> = [
  bash,
  c,
  cpp,
  csharp,
  css,
  dockerfile,
  go,
  graphql,
  html,
  ini,
  java,
  javascript,
  json,
  jsx,
  kotlin,
  lua,
  markdown,
  php,
  protobuf,
  python,
  ruby,
  rust,
  scala,
  sql,
  svelte,
  swift,
  terraform,
  toml,
  tsx,
  typescript,
  vue,
  yaml
]
