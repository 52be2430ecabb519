/** Everything the doctor finds about a project. */
import { checkup } from "../../../hosts/Checkup.ts"
import { here } from "../../../hosts/Host.ts"
import { hosts } from "../../../hosts/index.ts"
import { ownProgram, type Program } from "../../../hosts/Program.ts"
import { asking } from "../../../hosts/Running.ts"
import type { Deps } from "../run.ts"
import type { Finding } from "./Finding.ts"
import { hostFindings } from "./hosts.ts"
import { keptFindings } from "./kept.ts"
import { settingsFindings } from "./settings.ts"

/** The findings, and the program that made them. */
export const examined = async (
  folder: string,
  { loadInspect, version }: Deps
): Promise<{ readonly findings: ReadonlyArray<Finding>; readonly own: Program }> => {
  const where = here(folder)
  const own = ownProgram()
  const patient = { where, own, version }
  const ask = asking(where, own)
  const inspect = await loadInspect()
  const ofHosts = await Promise.all(
    hosts.map((host) => hostFindings(patient, checkup(host, where, own, ask)))
  )
  return {
    own,
    findings: [
      ...ofHosts.flat(),
      ...(await settingsFindings(patient)),
      ...keptFindings(patient, await inspect(folder))
    ]
  }
}
