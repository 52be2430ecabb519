/** The policy of a folder as its files say now: read again when one of them has changed, so a grant taken back is gone with the next call. */
import { Either } from "effect"
import { statSync } from "node:fs"
import { join } from "node:path"
import { type Config, fileName, readFile } from "./Config.ts"
import * as Policy from "./Policy.ts"
import { userFile } from "./UserFile.ts"

export { userFile } from "./UserFile.ts"

/** What holds while a file of settings cannot be understood: whatever it would have taken away is taken away. */
const readOnly: Config = {
  grants: { agent: ["read"], ui: ["read"], federation: ["read"], cli: ["read"] }
}

const stampOf = (file: string): string => {
  try {
    // Most often there is none, and an error would be made for every call.
    const stat = statSync(file, { throwIfNoEntry: false })
    return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  } catch {
    return ""
  }
}

export class Settled {
  readonly #files: readonly [user: string, repository: string]
  readonly #trusted: boolean
  readonly #log: (text: string) => void
  #stamp: string | undefined
  #policy: Policy.Policy = Policy.make({})

  /** `directory` is the folder that is served. `log` takes what the operator should know of its settings. */
  constructor(directory: string, trusted: boolean, log: (text: string) => void) {
    this.#files = [userFile(), join(directory, fileName)]
    this.#trusted = trusted
    this.#log = log
  }

  readonly current = (): Policy.Policy => {
    const stamp = this.#files.map(stampOf).join("\n")
    if (stamp === this.#stamp) return this.#policy
    this.#stamp = stamp
    const broken: Array<"user" | "repository"> = []
    const [user, repository] = this.#files.map((file, at) =>
      Either.getOrElse(readFile(file), (why) => {
        this.#log(`${why}; until that is mended, calls may only read`)
        broken.push(at === 0 ? "user" : "repository")
        return readOnly
      })
    )
    this.#policy = Policy.make({ user, repository, trusted: this.#trusted, broken })
    for (const sentence of this.#policy.leftOut) this.#log(sentence)
    return this.#policy
  }
}
