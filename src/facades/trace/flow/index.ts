/** Where values and control go. */
export { cfg } from "./cfg.ts"
export { flow } from "./flow.ts"
export { taint } from "./taint.ts"
