import { Effect } from "effect"
import { open } from "../../src/engine/workspace/Workspace.ts"
import { TextIndex } from "../../src/services/TextIndex.ts"
import { CodeGraph } from "../../src/services/CodeGraph.ts"
import { servicesOf } from "../facades/explore/services.ts"
import { questionOf } from "../../src/facades/explore/Question.ts"
import { relevanceOf } from "../../src/facades/explore/Relevance.ts"
import { git, labelled, isSource } from "./commits.ts"
import { keywordFiles } from "./keywords.ts"
const n = Number(process.env.N ?? 40), verbose = process.env.V
for (const repo of process.argv.slice(2)) {
  const rows = labelled(repo, n).slice().reverse()
  const head = git(repo, "rev-parse", "HEAD").trim()
  const ranks: number[] = [], base: number[] = [], base2: number[] = [], times: number[] = []
  await Effect.runPromise(Effect.scoped(Effect.gen(function*(){
    let engine: any, services: any
    for (const row of rows) {
      git(repo, "checkout", "-q", "--detach", row.parent)
      if (engine === undefined) { engine = yield* open({directory: repo, watch:false, store:false, threads:1}); services = servicesOf(engine); yield* services.graph.view }
      yield* engine.current
      const view = yield* (services.graph as any).view as any
      const t = performance.now()
      const r: any = yield* relevanceOf(view, questionOf(row.subject), {paths: []}).pipe(Effect.provideService(TextIndex, services.text))
      times.push(performance.now()-t)
      const at = (list: string[]) => { const i = Math.min(...row.touched.map((p: string)=>{const k=list.indexOf(p); return k<0?Infinity:k})); return i }
      const mine = r.files.map((f:any)=>f.path)
      const a = at(mine)
      ranks.push(a)
      const k = keywordFiles(repo, row.subject, ()=>true)
      base.push(at([...k])); base2.push(at(k.filter(isSource)))
      if (verbose && a >= 5) console.log(a, base.at(-1), row.subject, "=>", row.touched.join(" "), "| got", r.files.slice(0,4).map((f:any)=>f.path+":"+f.score.toFixed(2)+f.reasons.join("+")).join("  "))
    }
    git(repo, "checkout", "-q", "--detach", head)
  })))
  const rec = (r: number[], k: number) => (r.filter(x=>x<k).length/r.length).toFixed(2)
  const mrr = (r: number[]) => (r.reduce((s,x)=>s+1/(x+1),0)/r.length).toFixed(2)
  times.sort((a,b)=>a-b)
  console.log(repo.split("/").pop(), ranks.length, "ours", rec(ranks,1),rec(ranks,5),rec(ranks,10),mrr(ranks), "| rg all", rec(base,1),rec(base,5),rec(base,10),mrr(base),"| rg source", rec(base2,1),rec(base2,5),rec(base2,10),mrr(base2), "ms p50", times[times.length>>1]?.toFixed(0), "p95", times[Math.floor(times.length*.95)]?.toFixed(0))
}
