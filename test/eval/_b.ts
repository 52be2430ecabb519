import { Effect } from "effect"
import { open } from "../../src/engine/workspace/Workspace.ts"
import { SymbolSearch } from "../../src/engine/symbols/SymbolSearch.ts"
import { Incoming } from "../../src/engine/graph/Snapshot.ts"
await Effect.runPromise(Effect.scoped(Effect.gen(function*(){
  const e = yield* open({directory: process.argv[2]!, exact:true, watch:false, store:false, threads:2})
  let {snapshot} = yield* e.current
  let n = snapshot.files.reduce((s,f)=>s+(f?.view?.definitionCount??0),0)
  console.log("definitions", n, "names", snapshot.names.size)
  const files=[...snapshot.files]; const copies=Math.max(1,Math.round(160000/n))
  for (let k=1;k<copies;k++) for (const f of snapshot.files) if (f) files.push({...f, id: files.length, path: "copy"+k+"/"+f.path})
  snapshot = {...snapshot, files, resolved: [], byPath: new Map(), incoming: new Incoming(files, [])}
  n = files.reduce((s,f)=>s+(f?.view?.definitionCount??0),0)
  console.log("now", n)
  for (let round=0; round<3; round++) {
  const s = new SymbolSearch(snapshot) as any
  let t=(process.cpuUsage().user/1000); s.names; const a=(process.cpuUsage().user/1000)-t
  t=(process.cpuUsage().user/1000); s.search({text:"Handler",limit:20}); const b=(process.cpuUsage().user/1000)-t
  t=(process.cpuUsage().user/1000); s.terms; const c=(process.cpuUsage().user/1000)-t
  console.log("build names",a.toFixed(0),"first exact",b.toFixed(1),"terms",c.toFixed(0),"MB",(s.bytes/1e6).toFixed(1))
  const uniq=[...new Set(files.flatMap(f=>f?.view?Array.from({length:Math.min(f.view.definitionCount,6)},(_,i)=>snapshot.names.text(f.view!.def(i*3%f.view!.definitionCount,2))):[]))].filter(x=>/^\w+$/.test(x))
  const run=(qs:string[])=>{const ts=qs.map(q=>{const t=(process.cpuUsage().user/1000); s.search({text:q,limit:20,per_file:3}); return (process.cpuUsage().user/1000)-t}).sort((a,b)=>a-b); return ts[ts.length>>1]!.toFixed(2)+" / "+ts[Math.floor(ts.length*.95)]!.toFixed(2)+" max "+ts.at(-1)!.toFixed(1)}
  const pick=uniq.filter((_,i)=>i%Math.ceil(uniq.length/400)===0)
  run(pick); console.log("exact p50/p95",run(pick),pick.length)
  const soup=["rate limiter","how are certificates renewed","parse json response body","request header validation error handling","middleware for authentication","close idle connections when the server stops","route matching with parameters"]
  run(soup);console.log("concept",run([...soup,...soup]))
  console.log("fuzzy",run(pick.filter(p=>p.length>5).slice(0,60).map(p=>p.slice(0,2)+"q"+p.slice(3))))
  }
})))
