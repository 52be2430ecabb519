/** Fields, definitions, concurrency. */
export { channelOps, unclosedChannels } from "./channels.ts"
export { constructorsMissingFields } from "./constructors_missing_fields.ts"
export { defUse } from "./def_use.ts"
export { errorSurface } from "./error_surface.ts"
export { fieldWriters } from "./field_writers.ts"
export { indirectMutations } from "./indirect_mutations.ts"
export { goroutineSpawns, raceWrites } from "./spawns.ts"
