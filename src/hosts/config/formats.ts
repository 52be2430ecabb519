import type { Format } from "./Format.ts"
import { json } from "./Json.ts"
import { toml } from "./Toml.ts"

export const formats = { json, toml } as const satisfies { readonly [name: string]: Format }
