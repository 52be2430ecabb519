import type { Extract } from "../Language.ts"
import { readComponent } from "../outline/Component.ts"

export const extract: Extract = (builder) => readComponent(builder, ".svelte")
