import { callChain, graph, path, walk } from "./calls/index.ts"
import { trace } from "./facade.ts"
import { cfg, flow, taint } from "./flow/index.ts"

export const traceFacade = trace.of(callChain, walk, path, flow, taint, cfg, graph)
