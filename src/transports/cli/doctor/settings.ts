/** What the doctor finds of settings, and of the servers they name. */
import { Either } from "effect"
import { join } from "node:path"
import { shownPath } from "../../../hosts/Host.ts"
import { type Config, fileName, readFile } from "../../../policy/Config.ts"
import * as Policy from "../../../policy/Policy.ts"
import { userFile } from "../../../policy/UserFile.ts"
import { broken, type Finding } from "./Finding.ts"
import type { Patient } from "./Patient.ts"
import { server } from "./server.ts"

/** What is found of the user's settings and the repository's. */
export const settingsFindings = async ({ version, where }: Patient): Promise<ReadonlyArray<Finding>> => {
  const found: Array<Finding> = []
  const read = (file: string): Config | undefined => {
    const config = readFile(file)
    if (Either.isRight(config)) return config.right
    found.push(
      broken(
        `settings in ${shownPath(file, where)}`,
        "unreadable",
        `${config.left}; until that is mended, calls may only read`
      )
    )
    return undefined
  }
  const { peers } = Policy.make({
    user: read(userFile()),
    repository: read(join(where.project, fileName)),
    trusted: where.env["PORTICO_TRUST_WORKSPACE"] === "1"
  })
  const servers = peers
    .filter(({ enabled }) => enabled)
    .map(({ name, url }) => server(`server ${name}`, url, version, { anywhere: true }))
  return [...found, ...(await Promise.all(servers))]
}
