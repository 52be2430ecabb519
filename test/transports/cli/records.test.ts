/** `portico approvals` and `portico audit log|verify|export`, over the records that calls have left. */
import { createClient } from "@libsql/client"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { createHash } from "node:crypto"
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { fileOf, layerStore, segmentsOf } from "../../../src/engine/store/layer.ts"
import type { LedgerLimits } from "../../../src/engine/store/LedgerRotation.ts"
import { openRecords } from "../../../src/layers.ts"
import { type ApprovalDraft, ApprovalStore } from "../../../src/services/ApprovalStore.ts"
import { AuditLedger, type LedgerEntry } from "../../../src/services/AuditLedger.ts"
import { run } from "../../../src/transports/cli/run.ts"
import { TempFolder, withoutPrivilege } from "../../engine/git/TempRepo.ts"

const made: Array<string> = []
const folder = (): string => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "portico-records-")))
  made.push(directory)
  return directory
}
let directory = ""
beforeAll(() => {
  process.env["PORTICO_HOME"] = folder()
})
beforeEach(() => {
  directory = folder()
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => {
  delete process.env["PORTICO_HOME"]
  for (const one of made) rmSync(one, { recursive: true, force: true })
})

/** Runs a command line on the test's folder. An engine is never asked for: the records are enough. */
const portico = async (...argv: ReadonlyArray<string>) => {
  const said = { out: "", err: "" }
  const into = (stream: "out" | "err") => (text: string | Uint8Array) => {
    said[stream] += text.toString()
    return true
  }
  vi.spyOn(process.stdout, "write").mockImplementation(into("out"))
  vi.spyOn(process.stderr, "write").mockImplementation(into("err"))
  const code = await run([...argv, "--dir", directory], {
    version: "0",
    loadEngine: () => Promise.reject(new Error("no engine is needed for this")),
    loadRecords: async () => openRecords,
    loadInspect: () => Promise.reject(new Error("no audit is needed for this")),
    loadAudit: () => Promise.reject(new Error("no audit is needed for this"))
  })
  vi.restoreAllMocks()
  return { code, ...said }
}

/** Works on the records of the test's folder as a server would. */
const asServer = async <A>(
  use: (stores: {
    readonly approvals: ApprovalStore["Type"]
    readonly ledger: AuditLedger["Type"]
  }) => Effect.Effect<A, unknown>,
  limits?: LedgerLimits
): Promise<A> => {
  const scope = await Effect.runPromise(Scope.make())
  const stores = await Effect.runPromise(
    Layer.buildWithScope(
      layerStore(fileOf(directory), undefined, () => limits),
      scope
    )
  )
  try {
    return await Effect.runPromise(
      use({ approvals: Context.get(stores, ApprovalStore), ledger: Context.get(stores, AuditLedger) })
    )
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const question = (more: Partial<ApprovalDraft> = {}): ApprovalDraft => ({
  principalKind: "agent",
  principalId: "agent:stdio",
  facade: "edit",
  operation: "file",
  effect: "local_write",
  digest: "d",
  subject: { files: { "a.ts": "0123456789abcdef" }, snapshot: null },
  arguments: { target: { file: "a.ts" }, match: "one", replacement: "two" },
  lifeMs: 60_000,
  ...more
})
const ask = (more: Partial<ApprovalDraft> = {}) =>
  asServer(({ approvals }) => approvals.request(question(more)))

describe("portico approvals", () => {
  it("says that nothing waits, and in JSON that the list is empty", async () => {
    expect(await portico("approvals")).toEqual({ code: 0, out: "Nothing waits for you.\n", err: "" })
    expect(await portico("approvals", "list", "--json")).toEqual({ code: 0, out: "[]\n", err: "" })
  })

  it("shows what waits, approves one, and leaves a row about that in the record", async () => {
    const { reference } = await ask()
    const { out } = await portico("approvals")
    const [head, row, ...more] = out.trimEnd().split("\n")
    expect(head).toMatch(/^REFERENCE +STATE +OPERATION +CLASS +ASKED BY +EXPIRES +ARGUMENTS$/)
    expect(row).toMatch(
      new RegExp(
        `^${reference} +pending +edit\\.file +local_write +agent:stdio +in \\d+ s +file=a\\.ts match=one replacement=two$`
      )
    )
    expect(more).toEqual([])
    const approved = await portico("approvals", "approve", reference)
    expect(approved).toMatchObject({ code: 0, err: "" })
    expect(approved.out).toMatch(
      new RegExp(`^${reference} is approved: edit\\.file runs once when agent:stdio makes the call again`)
    )
    const shown = await portico("approvals", "show", reference)
    expect(shown.out).toMatch(/^\S+ is approved\n/)
    expect(shown.out).toContain("settled")
    const [decision] = JSON.parse((await portico("audit", "log", "--json")).out)
    expect(decision).toMatchObject({
      principal_id: "cli",
      door: "cli",
      facade: "edit",
      operation: "file",
      decision: "approved",
      approval: reference
    })
  })

  it("denies, and refuses to settle a question again, one that lapsed, and one that is not there", async () => {
    const { reference } = await ask()
    expect((await portico("approvals", "deny", reference)).out).toContain("is denied: edit.file is refused")
    expect(await portico("approvals", "approve", reference)).toEqual({
      code: 1,
      out: "",
      err: `portico approvals: ${reference} is denied already\n`
    })
    const late = await ask({ digest: "e", lifeMs: -1000 })
    const lapsed = await portico("approvals", "approve", late.reference)
    expect(lapsed).toMatchObject({ code: 1, out: "" })
    expect(lapsed.err).toContain(`${late.reference} lapsed at `)
    expect(await portico("approvals", "approve", "apr_nothing")).toMatchObject({
      code: 1,
      err: "portico approvals: there is no question apr_nothing\n"
    })
    expect((await portico("approvals")).out).toBe("Nothing waits for you.\n")
    const all = JSON.parse((await portico("approvals", "--all", "--json")).out)
    expect(all.map(({ state }: { state: string }) => state).sort()).toEqual(["denied", "expired"])
  })

  it("refuses to let the one who asked be the one who agrees", async () => {
    const { reference } = await ask({ principalKind: "cli", principalId: "cli" })
    expect(await portico("approvals", "approve", reference)).toEqual({
      code: 1,
      out: "",
      err: `portico approvals: ${reference} was asked by the one who would decide it\n`
    })
  })

  it("never shows nor keeps a secret of the arguments, and lets no word of them move the cursor", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`
    const { reference } = await ask({
      arguments: {
        target: { file: "\u001b[2J\u202ea.ts" },
        content: `API_TOKEN=${token}\nPASSWORD=correct-horse-battery\n`,
        options: { password: "correct-horse-battery" }
      }
    })
    const listed = await portico("approvals")
    const shown = await portico("approvals", "show", reference)
    const json = await portico("approvals", "--json")
    for (const { out } of [listed, shown, json]) {
      expect(out).not.toContain(token)
      expect(out).not.toContain("correct-horse-battery")
    }
    for (const { out } of [listed, shown])
      for (const character of ["\u001b", "\u202e"]) expect(out).not.toContain(character)
    expect(shown.out).toContain("[redacted:")
    const raw = createClient({ url: `file:${fileOf(directory)}` })
    const { rows } = await raw.execute("SELECT arguments FROM approvals")
    raw.close()
    expect(JSON.stringify(rows)).not.toMatch(/ghp_|correct-horse/)
  })

  it("refuses a command line it does not understand", async () => {
    for (const [args, message] of [
      [["approvals", "allow"], /allow is nothing to do with a question/],
      [["approvals", "approve"], /approve needs the reference/],
      [["approvals", "list", "apr_x"], /apr_x is not expected after list/],
      [["approvals", "deny", "apr_x", "--all"], /--all belongs to list/],
      [["audit", "log", "--limit", "0"], /--limit takes a whole number from 1 on/],
      [["audit", "log", "--after", "-1"], /--after/],
      [["audit", "verify", "--head", "abc"], /64 hexadecimal digits/],
      [["audit", "export", "--format", "xml"], /jsonl or csv/]
    ] as ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]>) {
      const { code, err, out } = await portico(...args)
      expect([args, code, out]).toEqual([args, 2, ""])
      expect(err).toMatch(message)
    }
  })
})

const entry = (at: number): LedgerEntry => ({
  at: new Date(1_700_000_000_000 + at).toISOString(),
  request_id: `call-${at}`,
  principal_kind: "agent",
  principal_id: at === 2 ? '=cmd,"x"' : "agent:stdio",
  door: "stdio",
  session: undefined,
  layer: at % 2 === 0 ? "facade" : "target",
  facade: "edit",
  operation: "file",
  canonical_tool: "edit_file",
  effect: "local_write",
  decision: "allowed",
  stage: undefined,
  approval: undefined,
  duration_ms: at,
  outcome: "ok",
  state_changed: true,
  arguments_digest: "ab".repeat(32)
})
const fill = (count: number, limits?: LedgerLimits) =>
  asServer(({ ledger }) => ledger.append(Array.from({ length: count }, (_, at) => entry(at))), limits)

/** Changes the file behind the back of everything that guards it. */
const tamper = async (...statements: ReadonlyArray<string>): Promise<void> => {
  const raw = createClient({ url: `file:${fileOf(directory)}` })
  for (const statement of ["DROP TRIGGER ledger_keeps_unsealed", "DROP TRIGGER ledger_stays", ...statements])
    await raw.execute(statement)
  raw.close()
}

describe("portico audit log", () => {
  it("shows the newest rows, and those behind a number", async () => {
    expect((await portico("audit", "log")).out).toBe("No call has been recorded here.\n")
    await fill(60)
    const seqs = async (...more: ReadonlyArray<string>) =>
      JSON.parse((await portico("audit", "log", "--json", ...more)).out).map(
        ({ seq }: { seq: number }) => seq
      )
    const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
    expect(await seqs()).toEqual(range(11, 60))
    expect(await seqs("--limit", "3")).toEqual([58, 59, 60])
    expect(await seqs("--after", "0", "--limit", "4")).toEqual([1, 2, 3, 4])
    expect(await seqs("--after", "57")).toEqual([58, 59, 60])
    expect((await portico("audit", "log", "--after", "60")).out).toBe("No row follows 60.\n")
    const lines = (await portico("audit", "log", "--limit", "1")).out.trimEnd().split("\n")
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(
      /^60 +2023-11-14T22:13:20\.059Z +stdio +agent:stdio +target +edit\.file +local_write +allowed +ok +yes +59$/
    )
  })
})

describe("portico audit verify", () => {
  it("finds an untouched record whole, also from a head that was noted down", async () => {
    await fill(5)
    const first = await portico("audit", "verify")
    expect(first.code).toBe(0)
    const head = /^5 rows, all as they were written\.\nhead ([0-9a-f]{64})\n$/.exec(first.out)?.[1] ?? ""
    await fill(3)
    const later = await portico("audit", "verify", "--head", head)
    expect(later).toMatchObject({ code: 0, err: "" })
    expect(later.out).toContain("8 rows, all as they were written.")
    expect(later.out).toContain("Row 5 has the hash that was given.")
    const strange = await portico("audit", "verify", "--head", "f".repeat(64), "--json")
    expect(strange.code).toBe(1)
    expect(JSON.parse(strange.out)).toMatchObject({ ok: false, known: null, rows: 8 })
  })

  for (const [what, statements, row, reason] of [
    [
      "an edited row",
      ["UPDATE ledger SET entry = replace(entry, 'edit', 'read') WHERE seq = 3"],
      3,
      "edited"
    ],
    ["a removed row", ["DELETE FROM ledger WHERE seq = 2"], 2, "removed"],
    ["removed last rows", ["DELETE FROM ledger WHERE seq > 4"], 5, "removed"],
    [
      "reordered rows",
      [
        "UPDATE ledger SET seq = 100 WHERE seq = 3",
        "UPDATE ledger SET seq = 3 WHERE seq = 5",
        "UPDATE ledger SET seq = 5 WHERE seq = 100"
      ],
      3,
      "reordered"
    ]
  ] as const)
    it(`finds ${what}`, async () => {
      await fill(6)
      await tamper(...statements)
      expect(await portico("audit", "verify")).toEqual({
        code: 1,
        out: `Row ${row} was ${reason}; the ${row - 1} before it are as they were written.\n`,
        err: ""
      })
      const json = await portico("audit", "verify", "--json")
      expect(json.code).toBe(1)
      expect(JSON.parse(json.out).broken).toEqual({ seq: row, reason })
    })

  it("finds a record that was written anew by its noted head alone", async () => {
    await fill(3)
    const { head } = JSON.parse((await portico("audit", "verify", "--json")).out)
    await tamper("DELETE FROM ledger", "DELETE FROM ledger_head")
    await asServer(({ ledger }) => ledger.append([entry(7)]))
    expect((await portico("audit", "verify")).code).toBe(0)
    expect((await portico("audit", "verify", "--head", head)).code).toBe(1)
  })
})

describe("a record of calls with segments", () => {
  const bounds: LedgerLimits = { segmentBytes: 5_000, segmentMs: Infinity }

  it("is shown, exported and checked as one, and says which segment is missing", async () => {
    for (let turn = 0; turn < 3; turn++) await fill(12, bounds)
    await fill(2)
    const { head, ...verdict } = JSON.parse((await portico("audit", "verify", "--json")).out)
    expect(verdict).toEqual({ rows: 38, ok: true, from: 1, segments: 3 })
    const shown = JSON.parse((await portico("audit", "log", "--json", "--limit", "20")).out)
    expect(shown.map(({ seq }: { seq: number }) => seq)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 19)
    )
    expect((await portico("audit", "export")).out.trimEnd().split("\n")).toHaveLength(38)
    expect((await portico("audit", "verify", "--head", head)).out).toContain("Row 38 has the hash")
    const folder = segmentsOf(fileOf(directory))
    const [, second = ""] = readdirSync(folder).sort()
    rmSync(join(folder, second))
    expect(await portico("audit", "verify")).toEqual({
      code: 1,
      out: `Segment ${second} is missing, at row 13; the 12 before it are as they were written.\n`,
      err: ""
    })
  })

  it("says from which row on it is whole where old ones were let go, and knows the last head of these", async () => {
    await fill(12, bounds)
    const { head } = JSON.parse((await portico("audit", "verify", "--json")).out)
    await fill(12, bounds)
    const newest = JSON.parse((await portico("audit", "verify", "--json")).out).head
    const older = JSON.parse((await portico("audit", "log", "--json", "--limit", "1", "--after", "3")).out)[0]
    await fill(1, { ...bounds, retainMs: 86_400_000 })
    const verified = await portico("audit", "verify")
    expect(verified).toMatchObject({ code: 0, err: "" })
    expect(verified.out).toMatch(/^2 rows from 25 on, all as they were written\.\nhead [0-9a-f]{64}\n$/)
    const lines = (await portico("audit", "log")).out.trimEnd().split("\n")
    expect(lines.at(-1)).toMatch(/^26 .* server +portico +target +audit\.retain +\? +allowed +ok +yes +0$/)
    const gone = await portico("audit", "verify", "--head", older.hash)
    expect(gone.code).toBe(1)
    expect(gone.out).toContain("rows are gone, as those before row 25 are.")
    expect((await portico("audit", "verify", "--head", head)).code).toBe(1)
    const known = await portico("audit", "verify", "--head", newest)
    expect(known.code).toBe(0)
    expect(known.out).toContain("Row 24 has the hash that was given.")
  })
})

describe("portico audit export", () => {
  it("prints rows whose hashes can be worked out again from the lines alone", async () => {
    await fill(1200)
    const lines = (await portico("audit", "export")).out.trimEnd().split("\n")
    expect(lines).toHaveLength(1200)
    let before = "0".repeat(64)
    for (const [at, line] of lines.entries()) {
      const { hash, previous, seq, ...rest } = JSON.parse(line)
      expect([seq, previous]).toEqual([at + 1, before])
      before = createHash("sha256")
        .update(`${seq}\n${previous}\n${JSON.stringify(rest)}`)
        .digest("hex")
      expect(hash).toBe(before)
    }
    expect((await portico("audit", "export", "--after", "1198")).out.split("\n")).toHaveLength(3)
  })

  it("prints a table with a cell for every member", async () => {
    await fill(3)
    const { out } = await portico("audit", "export", "--format", "csv")
    const lines = out.split("\r\n")
    expect(lines).toHaveLength(5)
    expect(lines[0]).toMatch(
      /^seq,previous,hash,at,request_id,.*,arguments_digest,retained_from,retained_previous$/
    )
    expect(lines[3]).toContain(`,"'=cmd,""x""",stdio,,facade,edit,file,`)
    expect(lines[1]?.split(",")).toHaveLength(lines[0]?.split(",").length ?? 0)
  })
})

describe("a record that cannot be written to", () => {
  let home: TempFolder
  beforeEach(() => {
    home = new TempFolder()
  })
  afterEach(() => {
    each((path, isFolder) => chmodSync(path, isFolder ? 0o700 : 0o600))
    home[Symbol.dispose]()
  })

  /** Everything in the home, folders after what is in them unless they are wanted `first`. */
  const each = (visit: (path: string, isFolder: boolean) => void, at = home.path): void => {
    const isFolder = lstatSync(at).isDirectory()
    if (isFolder) chmodSync(at, 0o700)
    if (isFolder) for (const name of readdirSync(at)) each(visit, join(at, name))
    visit(at, isFolder)
  }
  const state = () => {
    const found: Array<string> = []
    const files = readdirSync(home.path, { recursive: true }) as Array<string>
    for (const file of files.sort()) {
      const { mode, mtimeMs, size } = statSync(home.at(file))
      found.push([file, mode, mtimeMs, size].join(" "))
    }
    return found
  }
  /** Leaves 5 rows in the file and 3 beside it, as a server that is killed does, and asks where nothing can be written. */
  const asked = async (
    argv: ReadonlyArray<string>,
    change: (file: string) => void | Promise<void> = () => {},
    folders = 0o500,
    allBeside = false
  ) => {
    await fill(5)
    const raw = createClient({ url: `file:${fileOf(directory)}` })
    if (!allBeside) await raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    const records = join(process.env["PORTICO_HOME"]!, "records")
    await asServer(({ ledger }) =>
      Effect.zipRight(
        ledger.append(Array.from({ length: 3 }, (_, at) => entry(at))),
        Effect.sync(() => cpSync(records, home.at("records"), { recursive: true }))
      )
    )
    vi.stubEnv("PORTICO_HOME", home.path)
    await change(fileOf(directory))
    let answer: Awaited<ReturnType<typeof portico>> | undefined
    await withoutPrivilege(home, async () => {
      each((path, isFolder) => chmodSync(path, isFolder ? folders : statSync(path).mode & 0o400 ? 0o400 : 0))
      const before = state()
      answer = await portico(...argv)
      expect(state()).toEqual(before)
    })
    vi.unstubAllEnvs()
    return answer
  }

  for (const [where, folders] of [
    ["in a folder that cannot be written to", 0o500],
    ["in one that can", 0o700]
  ] as const) {
    it(`is verified ${where}, with what was written beside its file`, async () => {
      const answer = await asked(["audit", "verify"], undefined, folders)
      expect(answer).toMatchObject({ code: 0, err: "" })
      expect(answer!.out).toMatch(/^8 rows, all as they were written\.\nhead [0-9a-f]{64}\n$/)
    })

    it(`is verified ${where} as far as it can be read, which is said`, async () => {
      const unread = "records.db-wal cannot be read: EACCES"
      const answer = await asked(["audit", "verify"], (file) => chmodSync(`${file}-wal`, 0), folders)
      expect(answer).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^5 rows, all as they were written/),
        err: `portico: ${unread}; rows that were written last may be in it\n`
      })
    })
  }

  it("says in a verdict of JSON what could not be read", async () => {
    const answer = await asked(["audit", "verify", "--json"], (file) => chmodSync(`${file}-wal`, 0))
    expect(JSON.parse(answer!.out)).toMatchObject({
      ok: false,
      rows: 5,
      unread: "records.db-wal cannot be read: EACCES"
    })
  })

  it("is not called empty where nothing of it could be read", async () => {
    for (const [verb, code] of [
      ["verify", 1],
      ["log", 0]
    ] as const) {
      const answer = await asked(["audit", verb], (file) => chmodSync(`${file}-wal`, 0), 0o500, true)
      expect(answer).toMatchObject({ code, out: "No row is in what could be read.\n" })
      each((path) => rmSync(path, { recursive: true }), home.at("records"))
    }
  })

  it("is found out where a row was edited", async () => {
    const answer = await asked(["audit", "verify"], () =>
      tamper("UPDATE ledger SET entry = replace(entry, 'edit', 'read') WHERE seq = 7")
    )
    expect(answer).toMatchObject({ code: 1, out: expect.stringMatching(/^Row 7 was edited/), err: "" })
  })

  it("is shown and copied out", async () => {
    const shown = await asked(["audit", "log", "--json"])
    expect(JSON.parse(shown!.out)).toHaveLength(8)
    const copied = await asked(["audit", "export"])
    expect(copied!.out.trimEnd().split("\n").length).toBeGreaterThanOrEqual(8)
  })

  it("is not made where there is none", async () => {
    vi.stubEnv("PORTICO_HOME", home.at("new"))
    expect(await portico("audit", "verify")).toEqual({
      code: 0,
      out: "No call has been recorded here.\n",
      err: ""
    })
    expect(readdirSync(home.path)).toEqual([])
  })
})
