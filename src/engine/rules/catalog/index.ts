/** Every rule of the build, by family, then language. */
import type { RuleGroup } from "../Rule.ts"
import * as hygiene from "./hygiene/index.ts"
import * as review from "./review/index.ts"
import * as c from "./sast/c.ts"
import * as configuration from "./sast/configuration.ts"
import * as csharp from "./sast/csharp.ts"
import * as go from "./sast/go.ts"
import * as java from "./sast/java.ts"
import * as javascript from "./sast/javascript.ts"
import * as php from "./sast/php.ts"
import * as python from "./sast/python.ts"
import * as ruby from "./sast/ruby.ts"
import * as rust from "./sast/rust.ts"
import * as secrets from "./sast/secrets.ts"
import * as unsafePatterns from "./unsafe_patterns/index.ts"

export const groups: ReadonlyArray<RuleGroup> = [
  ...hygiene.groups,
  ...review.groups,
  c.group,
  csharp.group,
  go.group,
  java.group,
  javascript.group,
  php.group,
  python.group,
  ruby.group,
  rust.group,
  ...configuration.groups,
  secrets.group,
  ...unsafePatterns.groups
]
