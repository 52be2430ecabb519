/** Histories written down commit by commit, with times and authors of their own. */
import { execFileSync } from "node:child_process"
import type { TempFolder } from "../../../engine/git/TempRepo.ts"

export interface Written {
  /** ISO 8601. */
  readonly at: string
  readonly by: readonly [name: string, email: string]
  readonly subject: string
  readonly body?: string
  /** New texts; null takes a file away, an object moves one. */
  readonly files: {
    readonly [path: string]: string | null | { readonly from: string; readonly text: string }
  }
  readonly tag?: string
}

/** Makes the history in an empty folder and checks its end out. Commits follow each other. */
export const write = (folder: TempFolder, commits: ReadonlyArray<Written>): void => {
  folder.init()
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const stream: Array<string> = []
  commits.forEach(({ at, body, by: [name, email], files, subject, tag }, i) => {
    const time = Math.floor(Date.parse(at) / 1000)
    const who = `${name} <${email}> ${time} +0000`
    stream.push(
      `commit refs/heads/main\nmark :${i + 1}\nauthor ${who}\ncommitter ${who}\n`,
      data(body === undefined ? subject : `${subject}\n\n${body}`),
      i === 0 ? "" : `from :${i}\n`
    )
    for (const [path, text] of Object.entries(files)) {
      if (text !== null && typeof text === "object") stream.push(`D ${text.from}\n`)
      if (text === null) stream.push(`D ${path}\n`)
      else stream.push(`M 100644 inline ${path}\n`, data(typeof text === "string" ? text : text.text))
    }
    if (tag !== undefined) stream.push(`reset refs/tags/${tag}\nfrom :${i + 1}\n\n`)
  })
  execFileSync("git", ["fast-import", "--quiet", "--force"], {
    cwd: folder.path,
    input: stream.join(""),
    stdio: ["pipe", "pipe", "pipe"]
  })
  folder.git("", "reset", "-q", "--hard", "main")
}
