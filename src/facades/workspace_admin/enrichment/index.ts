/** Facts stamped onto the graph from outside it, and feedback on answers. They stay, which makes them control writes. */
export { coverage } from "./coverage.ts"
export { feedback } from "./feedback.ts"
export { blame, enrichChurn, enrichReleases } from "./history.ts"
export { sqlRebuild } from "./sql_rebuild.ts"
export { temporalVerify } from "./temporal_verify.ts"
