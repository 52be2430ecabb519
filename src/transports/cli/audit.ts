/** `portico audit`: by itself the audit of the policy; with a word behind it the record of calls. */
import type { Deps } from "./run.ts"
import { exported, exportUsage } from "./audit/export.ts"
import { log, logUsage } from "./audit/log.ts"
import { audit as policy, usage as policyUsage } from "./audit/policy.ts"
import { verify, verifyUsage } from "./audit/verify.ts"

const ofLedger: {
  readonly [word: string]: (args: ReadonlyArray<string>, deps: Deps) => Promise<number>
} = { log, verify, export: exported }

export const usage = `${policyUsage}
The record of calls is read by

  portico audit log       rows of it, the newest when nothing else is said
  portico audit verify    whether any row was edited, removed or reordered, and no segment is missing
  portico audit export    all rows, for keeping elsewhere
`

export const usages = { log: logUsage, verify: verifyUsage, export: exportUsage } as const

export const audit = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const [word = "", ...rest] = args
  const command = Object.hasOwn(ofLedger, word) ? ofLedger[word] : undefined
  if (command !== undefined) return command(rest, deps)
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(usage)
    return 0
  }
  return policy(args, deps)
}
