/** `portico approvals`: the questions calls wait for, and a person's answers. */
import type { Approval, ApprovalState, OpenedRecords } from "../../pipeline/Engine.ts"
import { cli } from "../../policy/Principal.ts"
import { UsageError } from "./Arguments.ts"
import { columns, cut, plain } from "./Columns.ts"
import { told, withRecords } from "./Kept.ts"
import { flag, read, value } from "./Options.ts"
import type { Deps } from "./run.ts"

export const usage = `portico approvals [list] [--all] [--dir PATH] [--json]
portico approvals show|approve|deny REFERENCE [--dir PATH] [--json]

Lists the calls that wait for you, newest first; --all adds those that are settled. show prints the arguments of one as
they will be used, with secrets masked. An approved call runs once, when it is made again, as long as its files are what
they were when it was asked about.

  --all       questions in every state, not only those that wait
  --dir PATH  folder whose questions they are; the current one when absent
  --json      the questions as JSON

Exits with 1 when a question cannot be settled.
`

const verdicts: { readonly [word: string]: "approved" | "denied" } = { approve: "approved", deny: "denied" }

/** States in which a question can still matter. */
const open: ReadonlyArray<ApprovalState> = ["pending", "approved"]

/** Characters of the arguments in a row, and of one value in them. */
const mostOfArguments = 72
const mostOfValue = 32

/** The leaves of an object as `name=value`, the names without the groups they stand in. */
const leaves = (given: unknown, name: string): ReadonlyArray<string> => {
  if (given === undefined || given === null || given === "") return []
  if (Array.isArray(given))
    return given.length === 0
      ? []
      : given.every((one) => typeof one !== "object")
        ? [`${name}=${cut(given.join(","), mostOfValue)}`]
        : [`${name}=${given.length} items`, ...given.slice(0, 2).flatMap((one) => leaves(one, name))]
  if (typeof given === "object") return Object.entries(given).flatMap(([key, inner]) => leaves(inner, key))
  return [
    `${name}=${typeof given === "string" ? cut(JSON.stringify(given).replace(/^"([\w./:@-]*)"$/, "$1"), mostOfValue) : String(given)}`
  ]
}

/** What a call is about, in part of a line. */
export const summaryOf = (given: Approval["arguments"]): string =>
  given === undefined ? "" : plain(cut(leaves(given, "").join(" "), mostOfArguments))

/** How long until, or since, a moment; coarse. */
export const fromNow = (at: string, now: number): string => {
  const seconds = Math.round((Date.parse(at) - now) / 1000)
  const far = Math.abs(seconds)
  const size =
    far < 100 ? `${far} s` : far < 6000 ? `${Math.round(far / 60)} min` : `${Math.round(far / 3600)} h`
  return seconds >= 0 ? `in ${size}` : `${size} ago`
}

const table = (found: ReadonlyArray<Approval>, now: number): string =>
  columns([
    ["REFERENCE", "STATE", "OPERATION", "CLASS", "ASKED BY", "EXPIRES", "ARGUMENTS"],
    ...found.map((one) => [
      one.reference,
      one.state,
      `${one.facade}.${one.operation}`,
      one.effect,
      plain(one.principalId),
      open.includes(one.state) ? fromNow(one.expiresAt, now) : "",
      summaryOf(one.arguments)
    ])
  ])

const whole = (one: Approval, now: number): string => {
  const files = Object.entries(one.subject.files)
  return [
    `${one.reference} is ${one.state}`,
    `operation  ${one.facade}.${one.operation} (${one.effect})`,
    `asked by   ${plain(one.principalId)}, ${fromNow(one.createdAt, now)}`,
    ...(open.includes(one.state) ? [`expires    ${fromNow(one.expiresAt, now)}, at ${one.expiresAt}`] : []),
    ...(one.decidedAt === undefined
      ? []
      : [`settled    ${fromNow(one.decidedAt, now)} by ${plain(one.decidedBy ?? "nobody known")}`]),
    ...(files.length === 0
      ? []
      : [
          `files      ${files.map(([path, sha]) => `${plain(path)} (${sha === null ? "not there" : sha.slice(0, 12)})`).join(", ")}`
        ]),
    ...(one.subject.snapshot === null ? [] : ["void when anything that is indexed changes"]),
    one.arguments === undefined
      ? "Its arguments are no longer kept."
      : `arguments\n${JSON.stringify(one.arguments, null, 2)
          .split("\n")
          .map((line) => `  ${plain(line)}`)
          .join("\n")}`
  ].join("\n")
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const list = async ({ approvals }: OpenedRecords, all: boolean, json: boolean): Promise<number> => {
  const found = await approvals.list(all ? undefined : open)
  if (json) print(JSON.stringify(found, null, 2))
  else if (found.length === 0) print(all ? "Nothing was ever asked here." : "Nothing waits for you.")
  else print(table(found, Date.now()))
  return 0
}

const refuse = (why: string): number => {
  process.stderr.write(`portico approvals: ${why}\n`)
  return 1
}

export const approvals = async (args: ReadonlyArray<string>, deps: Deps): Promise<number> => {
  const { help, positionals, values } = read(
    "approvals",
    args,
    { all: flag, dir: value("PATH"), json: flag },
    2
  )
  if (help) {
    process.stdout.write(usage)
    return 0
  }
  const [word = "list", reference] = positionals
  const verdict = Object.hasOwn(verdicts, word) ? verdicts[word] : undefined
  if (word === "list") {
    if (reference !== undefined) throw new UsageError(`${reference} is not expected after list`)
    return withRecords(deps.loadRecords, values.dir, (records) => list(records, values.all, values.json))
  }
  if (verdict === undefined && word !== "show")
    throw new UsageError(`${word} is nothing to do with a question; there are list, show, approve, deny`)
  if (reference === undefined)
    throw new UsageError(`${word} needs the reference of a question; portico approvals lists them`)
  if (values.all) throw new UsageError(`--all belongs to list, not to ${word}`)
  return withRecords(deps.loadRecords, values.dir, async (records) => {
    if (verdict === undefined) {
      const found = await records.approvals.get(reference)
      if (found === undefined) return refuse(`there is no question ${plain(reference)}`)
      print(values.json ? JSON.stringify(found, null, 2) : whole(found, Date.now()))
      return 0
    }
    let settled: Approval
    try {
      settled = await records.approvals.decide(reference, verdict, cli.id)
    } catch (cause) {
      return refuse(plain(told(cause)))
    }
    if (values.json) print(JSON.stringify(settled, null, 2))
    else
      print(
        verdict === "approved"
          ? `${settled.reference} is approved: ${settled.facade}.${settled.operation} runs once when ${plain(settled.principalId)} makes the call again, until ${settled.expiresAt}`
          : `${settled.reference} is denied: ${settled.facade}.${settled.operation} is refused to ${plain(settled.principalId)} until ${settled.expiresAt}`
      )
    return 0
  })
}
