import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { compilerErrors, project, working } from "./support.ts"

const rename = (symbol: string, new_name: string, more: object = {}) => ({
  operation: "rename",
  target: { symbol },
  new_name,
  ...more
})

interface Case {
  readonly name: string
  readonly files: { readonly [path: string]: string }
  readonly symbol: string
  readonly to: string
  readonly after: { readonly [path: string]: string }
}

const cases: ReadonlyArray<Case> = [
  {
    name: "leaves what shadows it",
    files: {
      "a.ts": `const count = 1
export function f(count: number): number {
  const g = () => { let count = 3; return count }
  return count + g()
}
export const out = count + 1
`
    },
    symbol: "a.ts::count",
    to: "total",
    after: {
      "a.ts": `const total = 1
export function f(count: number): number {
  const g = () => { let count = 3; return count }
  return count + g()
}
export const out = total + 1
`
    }
  },
  {
    name: "keeps the public name of a re-export by an alias",
    files: {
      "a.ts": "export function helper(): number { return 1 }\n",
      "barrel.ts": 'export { helper } from "./a.js"\nexport { helper as aid } from "./a.js"\n',
      "star.ts": 'export * from "./a.js"\n',
      "use.ts":
        'import { helper, aid } from "./barrel.js"\nimport { helper as h2 } from "./star.js"\nexport const n = helper() + aid() + h2()\n'
    },
    symbol: "a.ts::helper",
    to: "assist",
    after: {
      "a.ts": "export function assist(): number { return 1 }\n",
      "barrel.ts": 'export { assist as helper } from "./a.js"\nexport { assist as aid } from "./a.js"\n',
      "star.ts": 'export * from "./a.js"\n',
      "use.ts":
        'import { helper, aid } from "./barrel.js"\nimport { assist as h2 } from "./star.js"\nexport const n = helper() + aid() + h2()\n'
    }
  },
  {
    name: "goes from a use of an import to its declaration first",
    files: {
      "a.ts": "export function helper(): number { return 1 }\n",
      "use.ts": 'import { helper } from "./a.js"\nexport const n = helper()\n'
    },
    symbol: "use.ts:2:20",
    to: "assist",
    after: {
      "a.ts": "export function assist(): number { return 1 }\n",
      "use.ts": 'import { assist } from "./a.js"\nexport const n = assist()\n'
    }
  },
  {
    name: "takes default imports of the same name along, and no others",
    files: {
      "a.ts": "export default function run(): number { return 1 }\nexport const again = run()\n",
      "re.ts": 'export { default as run } from "./a.js"\n',
      "use.ts":
        'import run from "./a.js"\nimport other, { again } from "./a.js"\nexport const n = run() + other() + again\n'
    },
    symbol: "a.ts::run",
    to: "start",
    after: {
      "a.ts": "export default function start(): number { return 1 }\nexport const again = start()\n",
      "re.ts": 'export { default as run } from "./a.js"\n',
      "use.ts":
        'import start from "./a.js"\nimport other, { again } from "./a.js"\nexport const n = start() + other() + again\n'
    }
  },
  {
    name: "renames an import's own name alone",
    files: {
      "a.ts": "export default function run(): number { return 1 }\n",
      "use.ts": 'import run from "./a.js"\nimport other from "./a.js"\nexport const n = run() + other()\n'
    },
    symbol: "use.ts:3:26",
    to: "begin",
    after: {
      "a.ts": "export default function run(): number { return 1 }\n",
      "use.ts": 'import run from "./a.js"\nimport begin from "./a.js"\nexport const n = run() + begin()\n'
    }
  },
  {
    name: "follows a link of documentation and no prose",
    files: {
      "a.ts": `/** The total is rounded. See {@link total} and total. */
export function total(xs: ReadonlyArray<number>): number { return xs.length }
// total in a comment
export function other(total: number): number { return total }
/** @see total */
export const n = total([1]) + other(2)
`
    },
    symbol: "a.ts::total",
    to: "sum",
    after: {
      "a.ts": `/** The total is rounded. See {@link sum} and total. */
export function sum(xs: ReadonlyArray<number>): number { return xs.length }
// total in a comment
export function other(total: number): number { return total }
/** @see sum */
export const n = sum([1]) + other(2)
`
    }
  },
  {
    name: "takes overloads, the interface, overrides and super along",
    files: {
      "a.ts": `export interface Store { find(id: number): string; find(id: string): string }
export class Mem implements Store {
  find(id: number): string
  find(id: string): string
  find(id: number | string): string { return String(id) }
}
export class Sub extends Mem { override find(id: number | string): string { return "s" + super.find(id as string) } }
export class Other { find(): void {} }
export const r = (s: Store) => s.find(1) + new Mem().find("x") + [1].find((x) => x > 0)
new Other().find()
`
    },
    symbol: "a.ts::Mem.find~3",
    to: "lookup",
    after: {
      "a.ts": `export interface Store { lookup(id: number): string; lookup(id: string): string }
export class Mem implements Store {
  lookup(id: number): string
  lookup(id: string): string
  lookup(id: number | string): string { return String(id) }
}
export class Sub extends Mem { override lookup(id: number | string): string { return "s" + super.lookup(id as string) } }
export class Other { find(): void {} }
export const r = (s: Store) => s.lookup(1) + new Mem().lookup("x") + [1].find((x) => x > 0)
new Other().find()
`
    }
  },
  {
    name: "keeps the shape of objects",
    files: {
      "a.ts": `const port = 80
export const cfg = { port, host: "h" }
export const { port: p2 } = cfg
export function listen({ port }: { port: number }): number { return port }
export const q = cfg.port + listen({ port })
`
    },
    symbol: "a.ts::port",
    to: "portNumber",
    after: {
      "a.ts": `const portNumber = 80
export const cfg = { port: portNumber, host: "h" }
export const { port: p2 } = cfg
export function listen({ port }: { port: number }): number { return port }
export const q = cfg.port + listen({ port: portNumber })
`
    }
  },
  {
    name: "renames a property of a literal by its place",
    files: {
      "a.ts": `const port = 80
export const cfg = { port, host: "h" }
export const { port: p2 } = cfg
export const q = cfg.port
`
    },
    symbol: "a.ts:4:22",
    to: "portNumber",
    after: {
      "a.ts": `const port = 80
export const cfg = { portNumber: port, host: "h" }
export const { portNumber: p2 } = cfg
export const q = cfg.portNumber
`
    }
  },
  {
    name: "renames a type and a value of one name together",
    files: {
      "a.ts": `export interface Money { readonly cents: number }
export const Money = (cents: number): Money => ({ cents })
export class Wallet { Money = Money(1) }
`,
      "use.ts": `import type { Money as M } from "./a.js"
import { Money } from "./a.js"
import * as all from "./a.js"
export const a: M = Money(1)
export const b: all.Money = all.Money(2)
export type W = import("./a.js").Money
`
    },
    symbol: "a.ts:1:18",
    to: "Cash",
    after: {
      "a.ts": `export interface Cash { readonly cents: number }
export const Cash = (cents: number): Cash => ({ cents })
export class Wallet { Money = Cash(1) }
`,
      "use.ts": `import type { Cash as M } from "./a.js"
import { Cash } from "./a.js"
import * as all from "./a.js"
export const a: M = Cash(1)
export const b: all.Cash = all.Cash(2)
export type W = import("./a.js").Cash
`
    }
  }
]

describe("rename through the TypeScript server", () => {
  for (const one of cases)
    it.scoped(one.name, () =>
      Effect.gen(function* () {
        const work = yield* working({ ...project, ...one.files })
        const dry = yield* work.refactor(rename(one.symbol, one.to, { dry_run: true }))
        expect(dry["status"]).toBe("would_apply")
        expect(dry["verification"]).toBe("language_server")
        expect(work.tree()).toEqual({ ...project, ...one.files })
        const real = yield* work.refactor(
          rename(one.symbol, one.to, { guard: { snapshot: dry["snapshot"] } })
        )
        expect(real["status"]).toBe("applied")
        expect(real["edits"]).toEqual(dry["edits"])
        expect(work.tree()).toEqual({ ...project, ...one.after })
        expect(compilerErrors(work.folder.folder.path)).toBe("")
      })
    )

  it.scoped("refuses what would be an error, and writes nothing", () =>
    Effect.gen(function* () {
      const files = {
        ...project,
        "a.ts": `export interface User { email: string }
export const get = (u: User) => u["email"] + u.email
export type Only = Pick<User, "email">
export const key: keyof User = "email"
`
      }
      const work = yield* working(files)
      const failure = yield* work.refused(rename("a.ts::User.email", "mail"))
      expect(failure).toMatchObject({
        code: "edit_conflict",
        reason_code: "new_errors",
        failure_stage: "preflight",
        state_changed: false
      })
      expect(
        ((failure.data ?? {})["errors"] as ReadonlyArray<{ line: number; code: string }>).map(
          ({ code, line }) => [line, code]
        )
      ).toEqual([
        [3, "2344"],
        [4, "2322"]
      ])
      expect(work.tree()).toEqual(files)
      // With the strings it is whole.
      const done = yield* work.refactor(rename("a.ts::User.email", "mail", { options: { in_strings: true } }))
      expect(done["total_edits"]).toBe(5)
      expect(compilerErrors(work.folder.folder.path)).toBe("")
    })
  )

  it.scoped("refuses names that are none", () =>
    Effect.gen(function* () {
      const work = yield* working({ ...project, "a.ts": "export const a = 1\n" })
      const reasons: Array<unknown> = []
      for (const name of ["", " ", "1x", "a b", "class", "a-b", "await", "#a", "constructor"])
        reasons.push((yield* work.refused(rename("a.ts::a", name))).reason_code)
      expect(reasons).toEqual([
        "empty_name",
        "empty_name",
        "not_an_identifier",
        "not_an_identifier",
        "keyword",
        "not_an_identifier",
        "keyword",
        "changes_kind",
        "fixed_name"
      ])
      expect((yield* work.refactor(rename("a.ts::a", "a")))["status"]).toBe("no_edits")
    })
  )

  it.scoped("refuses a name that would be captured, or that captures", () =>
    Effect.gen(function* () {
      const files = {
        ...project,
        "a.ts": `const a = 1
const c = 2
export const f = (b: number) => a + b
export const g = () => { const d = 4; return c + d }
export const h = () => { const e = 5; return a + e }
`
      }
      const work = yield* working(files)
      const captured = yield* work.refused(rename("a.ts::a", "b"))
      expect(captured.reason_code).toBe("captured")
      expect(captured.data?.["lost"]).toEqual([{ file: "a.ts", line: 3, column: 32 }])
      const capturing = yield* work.refused(rename("a.ts:5:32", "a"))
      expect(capturing.reason_code).toBe("captured")
      expect(capturing.data?.["gained"]).toEqual([{ file: "a.ts", line: 5, column: 45 }])
      expect((yield* work.refused(rename("a.ts::a", "c"))).reason_code).toBe("name_taken")
      expect(work.tree()).toEqual(files)
    })
  )

  it.scoped("compares errors with those that were there before", () =>
    Effect.gen(function* () {
      const work = yield* working({
        ...project,
        "a.ts":
          "export interface Old { x: number }\nexport const wrong: Old = { x: 1, y: 2 }\nexport const two: string = 2\n"
      })
      const done = yield* work.refactor(rename("a.ts::Old", "New"))
      expect(done["total_edits"]).toBe(2)
      expect(work.read("a.ts")).toContain("wrong: New")
    })
  )

  it.scoped("lists mentions apart and changes them when asked to", () =>
    Effect.gen(function* () {
      const files = {
        ...project,
        "a.ts":
          "/** helper, the helper */\nexport function helper() { return `helper ${1}` }\n// helpers stay\n",
        "README.md": "Call helper.\n"
      }
      const work = yield* working(files)
      const dry = yield* work.refactor(rename("a.ts::helper", "assist", { dry_run: true }))
      expect(dry["left_behind"]).toMatchObject({ comments: 3, strings: 1 })
      expect(dry["total_edits"]).toBe(1)
      const done = yield* work.refactor(rename("a.ts::helper", "assist", { options: { in_comments: true } }))
      expect(done["total_edits"]).toBe(4)
      expect(done["left_behind"]).toMatchObject({ comments: 0, strings: 1 })
      expect(work.read("a.ts")).toBe(
        "/** assist, the assist */\nexport function assist() { return `helper ${1}` }\n// helpers stay\n"
      )
      expect(work.read("README.md")).toBe("Call assist.\n")
    })
  )

  it.scoped("follows through re-exports when asked to", () =>
    Effect.gen(function* () {
      const work = yield* working({
        ...project,
        "a.ts": "export const helper = 1\n",
        "barrel.ts": 'export { helper } from "./a.js"\n',
        "use.ts": 'import { helper } from "./barrel.js"\nexport const n = helper\n'
      })
      yield* work.refactor(rename("a.ts::helper", "assist", { options: { through_reexports: true } }))
      expect(work.read("barrel.ts")).toBe('export { assist } from "./a.js"\n')
      expect(work.read("use.ts")).toBe('import { assist } from "./barrel.js"\nexport const n = assist\n')
    })
  )

  it.scoped("moves the file of its name, and corrects importers the server leaves out", () =>
    Effect.gen(function* () {
      const files = {
        ...project,
        "src/Option.ts": "export interface Option { readonly a: number }\n",
        "src/augment.ts":
          'import type {} from "./Option.js"\ndeclare module "./Option.js" { interface Option { readonly b: number } }\n',
        "src/use.ts": 'import type { Option } from "./Option.js"\nexport const o: Option = { a: 1, b: 2 }\n'
      }
      const work = yield* working(files)
      const dry = yield* work.refactor(rename("src/Option.ts:1:18", "Choice", { dry_run: true }))
      expect(dry["file_rename"]).toEqual({ from: "src/Option.ts", to: "src/Choice.ts" })
      yield* work.refactor(rename("src/Option.ts:1:18", "Choice", { options: { rename_file: true } }))
      expect(work.has("src/Option.ts")).toBe(false)
      expect(work.read("src/Choice.ts")).toBe("export interface Choice { readonly a: number }\n")
      expect(work.read("src/use.ts")).toBe(
        'import type { Choice } from "./Choice.js"\nexport const o: Choice = { a: 1, b: 2 }\n'
      )
      expect(work.read("src/augment.ts")).toBe(
        'import type {} from "./Choice.js"\ndeclare module "./Choice.js" { interface Choice { readonly b: number } }\n'
      )
      expect(compilerErrors(work.folder.folder.path)).toBe("")
    })
  )

  it.scoped("holds to its guards and to files overlaid in the session", () =>
    Effect.gen(function* () {
      const work = yield* working({ ...project, "a.ts": "export const a = 1\n" })
      const stale = yield* work.refused(
        rename("a.ts::a", "b", { guard: { base_sha: { "a.ts": "0".repeat(40) } } })
      )
      expect(stale).toMatchObject({ code: "stale_revision", reason_code: "base_sha_mismatch" })
      const other = yield* work.refused(rename("a.ts::a", "b", { guard: { snapshot: "nothing" } }))
      expect(other.reason_code).toBe("snapshot_mismatch")
      yield* work.folder.overlay("s", { path: "a.ts", deleted: false, content: "export const a = 2\n" })
      expect((yield* work.refused(rename("a.ts::a", "b"), "s")).reason_code).toBe("overlaid")
      expect((yield* work.refactor(rename("a.ts::a", "b"), "t"))["status"]).toBe("applied")
    })
  )

  it.scoped("keeps a byte order mark and the line ends", () =>
    Effect.gen(function* () {
      const work = yield* working({
        ...project,
        "a.ts": "\uFEFFexport const a = 1\r\nexport const b = a\r\n"
      })
      yield* work.refactor(rename("a.ts::a", "first"))
      expect(work.read("a.ts")).toBe("\uFEFFexport const first = 1\r\nexport const b = first\r\n")
    })
  )
})
