import type { ChangeItem, TextEdit } from "../../../src/services/LocalWriter.ts"
import { createHash } from "node:crypto"
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit } from "effect"
import { type Disk, realDisk } from "../../../src/engine/edits/Disk.ts"
import type { ParseGate } from "../../../src/engine/edits/ParseGate.ts"
import type { Plan, PlanOptions } from "../../../src/engine/edits/Plan.ts"
import { EditRefused } from "../../../src/services/EditRefused.ts"
import { openGate } from "../../../src/engine/edits/SyntaxGate.ts"
import {
  type CommitOptions,
  makeWriter,
  type Receipt,
  type Writer
} from "../../../src/engine/edits/Writer.ts"
import { openRootSync, PathRefused, type Root } from "../../../src/engine/files/Confine.ts"
import { TempFolder } from "../git/TempRepo.ts"

export const rootAt = (path: string): Root => {
  const root = openRootSync(path)
  if (root instanceof PathRefused) throw root
  return root
}

/** A folder with a root in `tree` and a state directory in `state`. */
export class Bench extends TempFolder {
  constructor(files: { readonly [path: string]: string | Uint8Array } = {}) {
    super()
    mkdirSync(this.at("tree"))
    for (const [path, content] of Object.entries(files)) this.write(`tree/${path}`, content)
  }

  writer(options: { readonly disk?: Disk; readonly gate?: ParseGate } = {}): Promise<Writer> {
    return Effect.runPromise(
      makeWriter({
        root: rootAt(this.at("tree")),
        state: this.at("state"),
        gate: options.gate ?? openGate,
        facts: () => Effect.succeed(new Map()),
        ...(options.disk === undefined ? {} : { disk: options.disk })
      })
    )
  }

  text(path: string): string {
    return readFileSync(this.at("tree", path), "utf8")
  }

  bytes(path: string): Buffer {
    return readFileSync(this.at("tree", path))
  }

  /** Everything in the tree: paths, kinds, modes and bytes. */
  treeHash(): string {
    return treeHash(this.at("tree"))
  }

  names(): ReadonlyArray<string> {
    return (readdirSync(this.at("tree"), { recursive: true }) as Array<string>).sort()
  }
}

export const treeHash = (directory: string): string => {
  const hash = createHash("sha256")
  const walk = (path: string, name: string): void => {
    const stat = lstatSync(path)
    hash.update(`${name}\0${stat.mode}\0`)
    if (stat.isDirectory())
      for (const child of readdirSync(path).sort()) walk(join(path, child), `${name}/${child}`)
    else if (stat.isSymbolicLink()) hash.update(readlinkSync(path))
    else hash.update(readFileSync(path))
  }
  walk(directory, "")
  return hash.digest("hex")
}

export const shaOf = (bytes: string | Uint8Array): string => {
  const content = Buffer.from(bytes as string)
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex")
}

/** The success, or the refusal as a value; anything else is thrown. */
export const outcome = async <A>(effect: Effect.Effect<A, EditRefused>): Promise<A | EditRefused> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) return exit.value
  if (exit.cause._tag === "Fail") return exit.cause.error
  throw new Error(String(exit.cause))
}

export const planOf = async (
  writer: Writer,
  items: ReadonlyArray<ChangeItem>,
  options?: PlanOptions
): Promise<Plan> => Effect.runPromise(writer.plan(items, options))

/** Plans and commits; the receipt or the refusal. */
export const apply = (
  writer: Writer,
  items: ReadonlyArray<ChangeItem>,
  options?: PlanOptions,
  commit?: CommitOptions
): Promise<Receipt | EditRefused> =>
  outcome(Effect.flatMap(writer.plan(items, options), (plan) => writer.commit(plan, commit)))

export const reasonOf = (value: unknown): string =>
  value instanceof EditRefused ? value.reason : "succeeded"

export const refusedOf = (value: unknown): EditRefused => {
  if (value instanceof EditRefused) return value
  throw new Error("it succeeded")
}

export const edit = (
  path: string,
  match: string,
  replacement: string,
  more: Partial<TextEdit> = {}
): ChangeItem => ({ op: "edit", path, edits: [{ match, replacement, ...more }] })

/** A disk that stops answering (as if the process had died) at the first step that satisfies the test. */
export const dyingAt = (
  at: (step: string, path: string) => boolean
): { readonly disk: Disk; readonly died: Promise<void> } => {
  let dead = false
  let tell: () => void = () => {}
  const died = new Promise<void>((resolve) => {
    tell = resolve
  })
  const disk = Object.fromEntries(
    Object.entries(realDisk).map(([step, run]) => [
      step,
      (...args: ReadonlyArray<unknown>) =>
        Effect.suspend(() => {
          const path = String(step === "rename" || step === "link" ? args[1] : args[0])
          if (dead || at(step, path)) {
            dead = true
            tell()
            return Effect.never
          }
          return (run as (...all: ReadonlyArray<unknown>) => Effect.Effect<unknown>)(...args)
        })
    ])
  ) as unknown as Disk
  return { disk, died }
}

/** Leaves a transaction half-way and forgets its locks, as a killed process does. */
export const abandoned = async (
  bench: Bench,
  items: ReadonlyArray<ChangeItem>,
  at: (step: string, path: string) => boolean
): Promise<void> => {
  const { disk, died } = dyingAt(at)
  const writer = await bench.writer({ disk })
  Effect.runFork(Effect.flatMap(writer.plan(items), (plan) => writer.commit(plan, { transactionId: "t" })))
  await died
  for (const name of readdirSync(bench.at("state/locks"))) {
    const file = bench.at("state/locks", name)
    // The holder is made one that is no more.
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), start: "0", instance: "" })
    )
  }
}
