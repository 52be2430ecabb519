/** Several repositories as one workspace: tracked, read, bound to each other by package names, and given up again. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { TempFolder } from "../../engine/git/TempRepo.ts"
import { served } from "../read/support.ts"

/** A repository of its own with these files. */
const repository = (files: { readonly [path: string]: string }) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = new TempFolder()
      folder.init()
      for (const [path, content] of Object.entries(files)) folder.write(path, content)
      folder.commit("", "first")
      return folder
    }),
    (folder) => Effect.sync(() => folder[Symbol.dispose]())
  )

const billing = {
  "package.json": JSON.stringify({ name: "@acme/billing", main: "dist/index.js" }),
  "src/index.ts": [
    'export { charge } from "./charge.ts"',
    'import { charge } from "./charge.ts"',
    "export class Invoice {",
    "  total(): number {",
    "    return charge(1)",
    "  }",
    "}",
    ""
  ].join("\n"),
  "src/charge.ts": "export function charge(amount: number): number {\n  return amount\n}\n",
  "src/unused.ts": "export function checkout() {}\n"
}
const app = {
  "package.json": JSON.stringify({ name: "app" }),
  "src/main.ts": [
    'import { charge, Invoice } from "@acme/billing"',
    'import * as all from "@acme/billing"',
    'import { charge as other } from "@acme/else"',
    "export function checkout(): number {",
    "  return charge(3) + new Invoice().total()",
    "}",
    "export const again = () => all.charge(4)",
    "export const elsewhere = () => other(5)",
    "export function top() {",
    "  return checkout()",
    "}",
    ""
  ].join("\n")
}

const ids = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id).sort()

describe("a workspace of several repositories", () => {
  it.scopedLive("binds uses across repositories by the names of packages", () =>
    Effect.gen(function* () {
      const other = yield* repository(billing)
      const here = yield* served(app, { git: true })
      const alone = yield* here.refused("relations", {
        operation: "callers",
        target: { symbol: "charge" }
      })
      expect(alone.code).toBe("symbol_not_found")
      const tracked = yield* here.call("workspace_admin", {
        operation: "track",
        arguments: { path: other.path, name: "billing" }
      })
      expect(tracked).toMatchObject({
        status: "tracked",
        name: "billing",
        prefix: "billing/",
        file_count: 4
      })
      const callers = yield* here.call("relations", {
        operation: "callers",
        target: { symbol: "charge" }
      })
      expect(ids(callers["nodes"])).toEqual([
        "billing/src/index.ts::Invoice.total",
        "src/main.ts::again",
        "src/main.ts::checkout",
        "src/main.ts::top"
      ])
      const method = yield* here.call("relations", {
        operation: "callers",
        target: { symbol: "billing/src/index.ts::Invoice.total" },
        options: { depth: 1 }
      })
      expect(ids(method["nodes"])).toEqual(["src/main.ts::checkout"])
      const dependencies = yield* here.call("relations", {
        operation: "dependencies",
        target: { symbol: "src/main.ts::again" }
      })
      expect(JSON.stringify(dependencies)).toContain("billing/src/charge.ts::charge")
      const impact = yield* here.call("change", {
        operation: "impact",
        source: { symbols: ["billing/src/charge.ts::charge"] }
      })
      expect(impact["by_depth_counts"]).toEqual({ "1": 3, "2": 1, "3": 0 })
      // The name alone means one in each repository.
      const several = yield* here.refused("relations", {
        operation: "callers",
        target: { symbol: "checkout" }
      })
      expect(several.data?.["candidates"]).toHaveLength(2)
    })
  )

  it.scopedLive("reads and searches all of them, and writes only what is served", () =>
    Effect.gen(function* () {
      const other = yield* repository(billing)
      const here = yield* served(app, { git: true })
      yield* here.call("workspace_admin", { operation: "track", arguments: { path: other.path, name: "b" } })
      const text = yield* here.call("search", { operation: "text", query: "charge(" })
      expect(text["matches"].map((m: { path: string; line: number }) => `${m.path}:${m.line}`)).toEqual([
        "src/main.ts:5",
        "src/main.ts:7",
        "b/src/charge.ts:1",
        "b/src/index.ts:5"
      ])
      const one = yield* here.call("search", {
        operation: "text",
        query: "charge(",
        options: { path: "b/src/charge.ts" }
      })
      expect(one["total"]).toBe(1)
      const file = yield* here.call("read", { operation: "file", target: { file: "b/src/charge.ts" } })
      expect(file["content"]).toContain("return amount")
      const absolute = yield* here.call("read", {
        operation: "file",
        target: { file: other.at("src/charge.ts") }
      })
      expect(absolute["path"] ?? absolute["file_path"]).toBe("b/src/charge.ts")
      const refused = yield* here.refused("edit", {
        operation: "write",
        target: { file: "b/src/charge.ts" },
        arguments: { content: "export {}\n" }
      })
      expect(refused).toMatchObject({ code: "path_outside_root", state_changed: false })
      expect(refused.message).toContain("tracked repository b")
      expect(other.git("", "status", "--porcelain")).toBe("")
      // History is that of the repository a path lies in.
      other.write(
        "src/charge.ts",
        "export function charge(amount: number): number {\n  return amount * 2\n}\n"
      )
      const changed = yield* here.call("change", { operation: "detect", options: { repo: "b" } })
      expect(changed["changed_files"]).toEqual(["b/src/charge.ts"])
      // What changes on the other side is seen.
      other.write(
        "src/more.ts",
        'import { charge } from "./charge.ts"\nexport const more = () => charge(9)\n'
      )
      const callers = yield* here.call("relations", {
        operation: "callers",
        target: { symbol: "b/src/charge.ts::charge" },
        options: { depth: 1 }
      })
      expect(ids(callers["nodes"])).toContain("b/src/more.ts::more")
      const repos = yield* here.call("workspace", { operation: "repos" })
      expect(repos["repos"]).toHaveLength(2)
      const untracked = yield* here.call("workspace_admin", {
        operation: "untrack",
        arguments: { path: "b" }
      })
      expect(untracked).toMatchObject({ status: "untracked", prefix: "b" })
      expect(
        (yield* here.refused("read", { operation: "file", target: { file: "b/src/charge.ts" } })).code
      ).toBe("not_found")
      expect(yield* here.call("workspace", { operation: "repos" })).toMatchObject({
        mode: "single_repository"
      })
    })
  )

  it.scopedLive("refuses what is no other repository", () =>
    Effect.gen(function* () {
      const here = yield* served(app, { git: true })
      const track = (path: string, more: object = {}) =>
        here.refused("workspace_admin", { operation: "track", arguments: { path, ...more } })
      expect((yield* track("relative/path")).reason_code).toBe("not_absolute")
      expect((yield* track("/")).reason_code).toBe("too_wide")
      expect((yield* track(`${here.folder.path}/src`)).reason_code).toBe("served")
      expect((yield* track(`${here.folder.path}/none`)).reason_code).toBe("not_found")
      const other = yield* repository(billing)
      expect((yield* track(other.path, { name: "a/b" })).reason_code).toBe("invalid_name")
      // An agent widens what it reads by repositories only.
      const plain = yield* here.refused(
        "workspace_admin",
        { operation: "track", arguments: { path: other.at("src") } },
        "s"
      )
      expect(plain.reason_code).toBe("not_a_repository")
      const forced = yield* here.refused(
        "workspace_admin",
        { operation: "track", arguments: { path: "/", force: true } },
        "s"
      )
      expect(forced.reason_code).toBe("operator_only")
      const unknown = yield* here.refused("workspace_admin", {
        operation: "untrack",
        arguments: { path: "nothing" }
      })
      expect(unknown).toMatchObject({ code: "repo_not_tracked", field: "arguments.path" })
      here.folder.git("", "worktree", "add", "-q", `${other.path}-tree`)
      expect((yield* track(`${other.path}-tree`)).reason_code).toBe("linked_worktree")
      const tree = yield* here.call("workspace_admin", {
        operation: "track",
        arguments: { path: `${other.path}-tree`, as_worktree: true }
      })
      expect(tree["file_count"]).toBe(2)
      here.folder.git("", "worktree", "remove", "--force", `${other.path}-tree`)
      // One that is gone is told, and does not read as empty.
      const name = tree["prefix"] as string
      const callers = yield* here.call("relations", {
        operation: "callers",
        target: { symbol: "src/main.ts::checkout" }
      })
      expect(callers["freshness"]).toEqual({ state: "stale", stale_files: [name] })
      expect(ids(callers["nodes"])).toEqual(["src/main.ts::top"])
      const text = yield* here.call("search", { operation: "text", query: "checkout" })
      expect(text).toMatchObject({ complete: false, stale_files: [name] })
      const syntax = yield* here.call("search", {
        operation: "ast",
        query: "(call_expression) @call",
        options: { language: "typescript" }
      })
      expect(syntax).toMatchObject({
        complete: false,
        errors: [`the tracked repository ${name.slice(0, -1)} cannot be opened`]
      })
      expect(syntax["matches"].length).toBeGreaterThan(0)
      const rules = yield* here.call("analyze", { kind: "sast" })
      expect(rules).toMatchObject({ errors: [`${name}: repository_unavailable`] })
      const routes = yield* here.call("analyze", { kind: "routes" })
      expect(routes["completeness"]["unread_files"]).toEqual([
        { file_path: name, reason: "repository_unavailable" }
      ])
    })
  )

  it.scopedLive("narrows answers to the active project, and looks into the others when told so", () =>
    Effect.gen(function* () {
      const first = yield* repository(billing)
      const second = yield* repository({ "src/ship.ts": "export function ship() {}\n" })
      const here = yield* served(app, { git: true })
      for (const [name, { path }] of Object.entries({ billing: first, shipping: second }))
        yield* here.call("workspace_admin", { operation: "track", arguments: { path, name } })
      const whole = yield* here.call("workspace", { operation: "active_project" })
      expect(whole).toMatchObject({ bound: true, projects: ["billing", "shipping"] })
      expect(whole["project"]).toBe(whole["workspace"])
      expect(whole["repos"]).toHaveLength(3)
      const set = (project: string) => ({ operation: "set_active_project", arguments: { project } })
      expect(yield* here.call("workspace_admin", set("shipping"))).toMatchObject({ repos: [".", "shipping"] })
      expect(yield* here.call("workspace", { operation: "active_project" })).toMatchObject({
        project: "shipping"
      })
      const charge = { operation: "symbols", query: "charge" }
      expect((yield* here.call("search", charge))["total"]).toBe(0)
      expect((yield* here.call("search", { operation: "symbols", query: "ship" }))["total"]).toBe(1)
      const elsewhere = yield* here.call("workspace", {
        operation: "project",
        arguments: { project: "billing", query: "charge" }
      })
      expect(elsewhere["results"][0]).toMatchObject({ id: "billing/src/charge.ts::charge", match: "exact" })
      // A file that is named is read, whichever project is active.
      yield* here.call("read", { operation: "file", target: { file: "billing/src/charge.ts" } })
      for (const [tool, args] of [
        ["workspace_admin", set("bilings")],
        ["workspace", { operation: "project", arguments: { project: "bilings", query: "x" } }]
      ] as const)
        expect(yield* here.refused(tool, args)).toMatchObject({
          code: "project_unknown",
          field: "arguments.project",
          data: { suggested_project: "billing" }
        })
      yield* here.call("workspace_admin", set(whole["workspace"]))
      expect((yield* here.call("search", charge))["total"]).toBeGreaterThan(0)
    })
  )

  it.scopedLive("narrows a call to a repository, a project, or a saved scope", () =>
    Effect.gen(function* () {
      const first = yield* repository(billing)
      const second = yield* repository({
        "package.json": JSON.stringify({ name: "ship" }),
        "src/ship.ts": "export function charge() {\n  return go()\n}\n",
        "lib/go.ts": "export function charge() {}\n"
      })
      const here = yield* served(app, { git: true })
      for (const [name, { path }] of Object.entries({ billing: first, shipping: second }))
        yield* here.call("workspace_admin", { operation: "track", arguments: { path, name } })
      const found = (options: object) =>
        Effect.map(here.call("search", { operation: "symbols", query: "charge", options }), ({ results }) =>
          ids(results)
        )
      const all = yield* found({})
      expect(all).toEqual([
        "billing/src/charge.ts::charge",
        "shipping/lib/go.ts::charge",
        "shipping/src/ship.ts::charge"
      ])
      expect(yield* found({ repo: "billing" })).toEqual(["billing/src/charge.ts::charge"])
      expect(yield* found({ repo: "." })).toEqual([])
      expect(yield* found({ repo: "*" })).toEqual(all)
      expect(yield* found({ repo: second.path })).toHaveLength(2)
      expect(yield* found({ project: "shipping" })).toHaveLength(2)
      const save = (name: string, repos: string, paths?: string) =>
        here.call("workspace_admin", { operation: "save_scope", arguments: { name, repos, paths } })
      yield* save("ships", "shipping", "src")
      yield* save("bills", "billing")
      expect(yield* found({ scope: "ships" })).toEqual(["shipping/src/ship.ts::charge"])
      expect(yield* found({ scope: "ships", path: "shipping/lib" })).toEqual([])
      const lines = yield* here.call("search", {
        operation: "text",
        query: "charge(",
        options: { scope: "ships" }
      })
      expect(lines["matches"].map(({ path }: { path: string }) => path)).toEqual(["shipping/src/ship.ts"])
      // What is outside of the scope uses it nonetheless, and is not told.
      const callers = { operation: "callers", target: { symbol: "billing/src/charge.ts::charge" } }
      expect(ids((yield* here.call("relations", callers))["nodes"])).toContain("src/main.ts::again")
      const narrow = yield* here.call("relations", { ...callers, options: { scope: "bills" } })
      expect(ids(narrow["nodes"])).toEqual(["billing/src/index.ts::Invoice.total"])
      const groups = yield* here.call("analyze", { kind: "communities", options: { scope: "bills" } })
      expect(JSON.stringify(groups["communities"])).not.toContain("src/main.ts")

      const refused = (options: object) =>
        here.refused("search", { operation: "symbols", query: "charge", options })
      expect(yield* refused({ scope: "shps" })).toMatchObject({
        code: "invalid_argument",
        reason_code: "unknown_scope",
        field: "options.scope",
        data: { valid_values: ["bills", "ships"] }
      })
      expect(yield* refused({ workspace: "elsewhere" })).toMatchObject({
        code: "workspace_unknown",
        field: "options.workspace"
      })
      expect(yield* refused({ repo: "biling" })).toMatchObject({
        code: "repo_not_tracked",
        field: "options.repo"
      })
      expect(yield* refused({ project: "biling" })).toMatchObject({
        code: "project_unknown",
        field: "options.project"
      })
      expect(yield* refused({ repo: "billing", scope: "ships" })).toMatchObject({
        code: "invalid_argument",
        reason_code: "nothing_in_common"
      })
    })
  )

  it.scopedLive("analyses all of them, and says what it could not look at", () =>
    Effect.gen(function* () {
      const body = (name: string) =>
        [
          `export function ${name}(a: number, b: number) {`,
          "  let sum = 0",
          "  for (let i = a; i < b; i++) {",
          "    if (i % 2 === 0) sum += i * 3",
          "    else sum -= i * 5",
          "    while (sum > 1000) sum = Math.floor(sum / 2) + 1",
          "  }",
          "  return [sum, a, b].map((n) => n + 1).filter((n) => n > 0).join()",
          "}",
          ""
        ].join("\n")
      const other = yield* repository({
        "package.json": JSON.stringify({ name: "danger", main: "src/run.ts" }),
        "src/run.ts": "export function run(code: string) {\n  return eval(code)\n}\n",
        "src/one.ts": body("one"),
        "src/two.ts": body("two")
      })
      const here = yield* served(
        {
          "package.json": JSON.stringify({ name: "app" }),
          "src/main.ts":
            'import { run } from "danger"\nexport function start(text: string) {\n  return run(text)\n}\n'
        },
        { git: true }
      )
      yield* here.call("workspace_admin", {
        operation: "track",
        arguments: { path: other.path, name: "danger" }
      })
      const found = yield* here.call("analyze", { kind: "sast", options: { path_prefix: "danger/src" } })
      expect(found["matches"].map((m: { file: string; line: number }) => `${m.file}:${m.line}`)).toContain(
        "danger/src/run.ts:2"
      )
      const clones = yield* here.call("analyze", { kind: "clones" })
      expect(JSON.stringify(clones)).toContain("danger/src/two.ts::two")
      const cfg = yield* here.call("trace", {
        operation: "cfg",
        target: { symbol: "danger/src/one.ts::one" }
      })
      expect(cfg["blocks"].length).toBeGreaterThan(3)
      const flow = yield* here.call("trace", {
        operation: "flow",
        target: { symbol: "src/main.ts::start#text" },
        to: { symbol: "danger/src/run.ts::run#code" }
      })
      expect(JSON.stringify(flow["paths"])).toContain("src/main.ts")
      const todos = yield* here.call("analyze", { kind: "pagerank" })
      expect(JSON.stringify(todos)).toContain("danger/src/run.ts::run")
      const calls = yield* here.call("analyze", { kind: "cross_repo" })
      expect(JSON.stringify(calls)).toContain("danger/src/run.ts::run")
    })
  )

  it.scopedLive("follows module paths of Go and packages of Python", () =>
    Effect.gen(function* () {
      const go = yield* repository({
        "go.mod": "module example.com/billing\n\ngo 1.22\n",
        "money/money.go":
          "package money\n\nfunc Charge(n int) int { return n }\n\ntype Card struct{}\n\nfunc (c *Card) Pay() {}\n"
      })
      const python = yield* repository({
        "pyproject.toml": '[project]\nname = "acme-billing"\n',
        "src/acme_billing/__init__.py": "from .core import refund\n",
        "src/acme_billing/core.py":
          "def refund(n):\n    return n\n\n\nclass Card:\n    def pay(self):\n        pass\n"
      })
      const here = yield* served({
        "go.mod": "module example.com/app\n\ngo 1.22\n",
        "main.go": [
          "package main",
          "",
          'import "example.com/billing/money"',
          "",
          "func main() {",
          "\tmoney.Charge(1)",
          "}",
          ""
        ].join("\n"),
        "use.py": [
          "from acme_billing import refund",
          "from acme_billing.core import Card",
          "import acme_billing.core",
          "",
          "",
          "def a():",
          "    refund(1)",
          "",
          "",
          "def b():",
          "    acme_billing.core.refund(2)",
          "",
          "",
          "def c():",
          "    return Card().pay()",
          ""
        ].join("\n")
      })
      for (const folder of [go, python])
        yield* here.call("workspace_admin", { operation: "track", arguments: { path: folder.path } })
      const callers = (symbol: string) =>
        Effect.map(
          here.call("relations", { operation: "callers", target: { symbol }, options: { depth: 1 } }),
          (answer) => ids(answer["nodes"])
        )
      expect(yield* callers("Charge")).toEqual(["main.go::main"])
      expect(yield* callers("refund")).toEqual(["use.py::a", "use.py::b"])
    })
  )
})
