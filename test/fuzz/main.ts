/**
 * `npm run fuzz -- [--requests N] [--seed N]`: sends requests made from the server's own OpenAPI document to servers over a
 * small folder, and fails when one is answered with a status of 500 or more, or otherwise than the document says.
 */
import { parseArgs } from "node:util"
import { run, tokens } from "../transports/http/inventories/running.ts"
import { fuzz } from "./Fuzz.ts"
import { fuzzed } from "./settings.ts"

const { values } = parseArgs({
  options: { requests: { type: "string", default: "5000" }, seed: { type: "string", default: "1" } }
})
const requests = Number(values.requests)
let wrong = 0
for (const [at, settings] of fuzzed.entries()) {
  const server = await run({ settings })
  const { answers, findings } = await fuzz({
    url: server.url,
    requests: Math.ceil(requests / fuzzed.length),
    seed: Number(values.seed) + at,
    tokens: Object.values(tokens)
  })
  process.stdout.write(`\n${JSON.stringify(settings)}\n`)
  for (const [route, counts] of Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1)))
    process.stdout.write(
      `${route}: ${Object.entries(counts)
        .map(([status, count]) => `${status} × ${count}`)
        .join(", ")}\n`
    )
  for (const finding of findings.slice(0, 20))
    process.stdout.write(`\n${JSON.stringify(finding, null, 1).slice(0, 3000)}\n`)
  for (const line of server.log.slice(0, 20)) process.stdout.write(`log: ${line}\n`)
  wrong += findings.length
  await server.close()
}
process.stdout.write(`\n${requests} requests, ${wrong} findings\n`)
process.exitCode = wrong > 0 ? 1 : 0
