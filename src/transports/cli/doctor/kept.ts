/** What the doctor finds of what this program keeps. */
import type { Standing } from "../../../pipeline/Engine.ts"
import { shownPath } from "../../../hosts/Host.ts"
import { shellLine } from "../../../hosts/Program.ts"
import { verdictTold } from "../audit/verify.ts"
import { broken, type Finding, note, ok, unknown } from "./Finding.ts"
import { command, type Patient } from "./Patient.ts"

const ofIndex = (patient: Patient, index: Standing["index"]): Finding => {
  const about = "index"
  const mend = command(patient, "index")
  switch (index.state) {
    case "fresh":
      return ok(about, "fresh", `files, all as they are indexed: ${index.files}`)
    case "stale":
      return note(
        about,
        "stale",
        `files that differ from what is indexed, and are read before the next answer: ${index.differing}`,
        // What is stored is left as it is while few files differ.
        command(patient, "index", "--anew")
      )
    case "missing":
      return note(about, "missing", "there is none yet; the first answer waits for it", mend)
    case "other_build":
      return note(
        about,
        "stale",
        "it is of another build of this program; the first answer waits for a new one",
        mend
      )
    case "damaged":
      return broken(
        about,
        "damaged",
        "it is not what was written, and is not used; the first answer waits for a new one",
        command(patient, "index", "--anew")
      )
    case "unknown":
      return unknown(about, index.why)
  }
}

const ofLedger = ({ own, where }: Patient, ledger: Standing["ledger"]): Finding => {
  const about = "record of calls"
  if (ledger.state === "missing") return note(about, "missing", "no call has been recorded here")
  const verify = shellLine([...own, "audit", "verify", "--dir", where.project])
  if (ledger.state === "unreadable") return broken(about, "unreadable", ledger.why, verify)
  const means = verdictTold(ledger.verdict, undefined).trim().replace(/\.?\n/g, "; ")
  return ledger.verdict.ok ? ok(about, "whole", means) : broken(about, "damaged", means, verify)
}

/** What is found of folders, index and record. */
export const keptFindings = (
  patient: Patient,
  { homes, index, ledger }: Standing
): ReadonlyArray<Finding> => [
  ...homes.map(({ folder, problem }) => {
    const about = `folder ${shownPath(folder, patient.where)}`
    return problem === undefined
      ? ok(about, "writable", "what is kept can be kept there")
      : broken(about, "unwritable", `nothing can be kept there: ${problem}; PORTICO_HOME names another place`)
  }),
  ofIndex(patient, index),
  ofLedger(patient, ledger)
]
