import { Effect } from "effect"
import { open } from "../../src/engine/workspace/Workspace.ts"
import { TextIndex } from "../../src/services/TextIndex.ts"
import { servicesOf } from "../facades/explore/services.ts"
import { questionOf } from "../../src/facades/explore/Question.ts"
import { relevanceOf } from "../../src/facades/explore/Relevance.ts"
await Effect.runPromise(Effect.scoped(Effect.gen(function*(){
  const engine = yield* open({directory: process.argv[2]!, watch:false, store:false, threads:1}); const services = servicesOf(engine)
  const view = yield* services.graph.view
  let inText=0, calls=0
  const timed = TextIndex.of({...services.text, search: (q)=>Effect.suspend(()=>{const t=performance.now(); return Effect.tap(services.text.search(q),(r)=>Effect.sync(()=>{const d=performance.now()-t; inText+=d;calls++; if(process.env.V) console.log(q.mode,q.pattern,d.toFixed(1),r.searched_files)}))})})
  for (let i=0;i<8;i++) { inText=0;calls=0; const t=performance.now(); yield* relevanceOf(view, questionOf(process.argv[3]!), {paths:[]}).pipe(Effect.provideService(TextIndex, timed)); console.log("total",(performance.now()-t).toFixed(0),"text",inText.toFixed(0),calls) }
})))
