/** Walks over calls and other edges. */
export { callChain } from "./call_chain.ts"
export { graph } from "./graph.ts"
export { path } from "./path.ts"
export { walk } from "./walk.ts"
