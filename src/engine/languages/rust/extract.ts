import type { Extract } from "../Language.ts"
import { ItemReader } from "./ItemReader.ts"

/** Reads one Rust file into the builder. */
export const extract: Extract = (builder) => new ItemReader(builder).read()
