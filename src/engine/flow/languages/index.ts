/** The languages that can be lowered. A further one is a file beside this and a line here. */
import type { Language } from "../Lower.ts"
import { c } from "./c.ts"
import { csharp } from "./csharp.ts"
import { ecmascript } from "./ecmascript.ts"
import { go } from "./go.ts"
import { java } from "./java.ts"
import { python } from "./python.ts"
import { rust } from "./rust.ts"

export const flowLanguages: ReadonlyArray<Language> = [ecmascript, go, python, rust, java, csharp, c]
