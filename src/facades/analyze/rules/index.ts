export { domain } from "./domain.ts"
export { hygiene, review, sast, unsafePatterns } from "./families.ts"
export { inspectionCatalog, inspections } from "./inspections.ts"
export { named } from "./named.ts"
