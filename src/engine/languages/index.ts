/** Every language there is, in the order of their numbers in facts of this build. */
import { go } from "./go/index.ts"
import { java } from "./java/index.ts"
import type { Language } from "./Language.ts"

export const languages: ReadonlyArray<Language> = [
  go,
  java
]
