/**
 * A program that speaks the protocol's framing and otherwise does what its argument, a JSON text, tells it to: the ways a
 * server can misbehave are the things under test.
 */
import { spawn } from "node:child_process"
import { appendFileSync } from "node:fs"

const plan = JSON.parse(process.argv[2] ?? "{}")
const note = (message) => plan.log && appendFileSync(plan.log, `${JSON.stringify(message)}\n`)
note({ started: process.pid })

if (plan.diesAtStart) {
  process.stderr.write("cannot read the moon\n")
  process.exit(3)
}
if (plan.prints) process.stdout.write(plan.prints)
if (plan.deaf) {
  process.on("SIGTERM", () => undefined)
  process.on("SIGINT", () => undefined)
  setInterval(() => undefined, 1000)
}
globalThis.ballast = plan.ballastMiB ? Buffer.alloc(plan.ballastMiB * 1024 * 1024, 1) : undefined
if (plan.child) {
  const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { stdio: "ignore" })
  note({ child: child.pid })
}

const send = (message) => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }))
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`)
  process.stdout.write(body)
}

const asked = []
const take = (message) => {
  note(message)
  if (message.method === undefined) return
  if (message.id === undefined) {
    if (message.method === "initialized") {
      for (const request of plan.asks ?? []) send({ id: `ask-${asked.push(request)}`, ...request })
      for (const notification of plan.says ?? []) send(notification)
    }
    if (message.method === "exit" && !plan.deaf) process.exit(0)
    for (const notification of plan.saysAfter?.[message.method] ?? []) send(notification)
    return
  }
  if (plan.diesOn?.includes(message.method)) {
    process.stderr.write(`fell over ${message.method}\n`)
    process.exit(7)
  }
  if (plan.silentOn?.includes(message.method) || plan.deaf && message.method === "shutdown") return
  const error = plan.refuses?.[message.method]
  if (error !== undefined) return send({ id: message.id, error: { code: error, message: "no" } })
  if (message.method === "initialize")
    return send({
      id: message.id,
      result: { capabilities: plan.capabilities ?? {}, serverInfo: { name: "scripted", version: "1.2.3" } }
    })
  send({ id: message.id, result: plan.answers?.[message.method] ?? null })
}

let bytes = Buffer.alloc(0)
process.stdin.on("data", (chunk) => {
  if (plan.slow) {
    process.stdin.pause()
    setTimeout(() => process.stdin.resume(), 2)
  }
  bytes = Buffer.concat([bytes, chunk])
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n")
    if (end < 0) return
    const length = Number(/Content-Length: (\d+)/.exec(bytes.toString("latin1", 0, end))?.[1])
    if (bytes.length < end + 4 + length) return
    const body = bytes.toString("utf8", end + 4, end + 4 + length)
    bytes = bytes.subarray(end + 4 + length)
    take(JSON.parse(body))
  }
})
process.stdin.on("end", () => {
  if (!plan.deaf) process.exit(0)
})
