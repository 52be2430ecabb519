/** One request, made once. It holds no process up: neither its socket nor its clock keeps one alive. */

/** Milliseconds a request may take, connecting included. */
export const postMs = 5_000

/** Bytes of an answer that are read before the connection is dropped. Nothing in it is of interest. */
const mostAnswer = 64 * 1024

/** Posts JSON. True when it was taken (status 2xx); it never rejects, follows no redirect and tries once. */
export const post = async (url: string, body: string, limitMs = postMs): Promise<boolean> => {
  const { request } = url.startsWith("https:") ? await import("node:https") : await import("node:http")
  return new Promise((settled) => {
    const asked = request(
      url,
      {
        method: "POST",
        agent: false,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          connection: "close"
        }
      },
      (answer) => {
        const { statusCode = 0 } = answer
        let size = 0
        answer.on("data", (chunk: Buffer) => {
          size += chunk.length
          if (size > mostAnswer) asked.destroy()
        })
        answer.on("error", () => end(false))
        answer.on("end", () => end(statusCode >= 200 && statusCode < 300))
      }
    )
    const clock = setTimeout(() => asked.destroy(), limitMs).unref()
    const end = (taken: boolean) => {
      clearTimeout(clock)
      settled(taken)
    }
    asked.on("socket", (socket) => socket.unref())
    asked.on("error", () => end(false))
    asked.on("close", () => end(false))
    asked.end(body)
  })
}
