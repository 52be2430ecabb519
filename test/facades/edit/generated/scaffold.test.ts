import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { served } from "../../read/support.ts"
import { treeHash } from "./support.ts"

const rules = {
  "package.json": '{ "devDependencies": { "vitest": "3" } }\n',
  "src/types.ts": "export interface Rule {\n  name: string\n  run(): number\n}\n",
  "src/rules/maxLines.ts": `import type { Rule } from "../types.ts"

const MAX_LINES_LIMIT = 100

/** Counts lines: the max-lines rule. */
export const maxLines: Rule = {
  name: "max-lines",
  run: () => MAX_LINES_LIMIT
}
`,
  "src/rules/noVar.ts": `import type { Rule } from "../types.ts"

export const noVar: Rule = {
  name: "no-var",
  run: () => 2
}
`,
  "src/rules/index.ts": `export { maxLines } from "./maxLines.ts"\nexport { noVar } from "./noVar.ts"\n`,
  "src/registry.ts": `import { maxLines, noVar } from "./rules/index.ts"

export const rules = {
  noVar,
  maxLines
}
export const list = [maxLines, noVar]
export function pick(name: string) {
  switch (name) {
    case "max-lines":
      return maxLines
    case "no-var":
      return noVar
  }
}
`,
  "src/main.ts": `import { maxLines } from "./rules/maxLines.ts"\nexport const first = maxLines.run()\n`,
  "test/maxLines.test.ts": `import { expect, it } from "vitest"
import { maxLines } from "../src/rules/maxLines.ts"
it("maxLines counts", () => {
  expect(maxLines.run()).toBe(100)
})
`
}
const scaffold = (symbol: string, new_name: string, rest: object = {}) => ({
  operation: "scaffold",
  target: { symbol },
  options: { new_name },
  ...rest
})

it.scoped(
  "a file of its own is mirrored, listed wherever the example and its like are, and gets a test",
  () =>
    Effect.gen(function* () {
      const { call, folder } = yield* served(rules)
      const before = treeHash(folder.path)
      const dry = yield* call("edit", scaffold("maxLines", "maxDepth"))
      expect(treeHash(folder.path)).toBe(before)
      expect(dry["dry_run"]).toBe(true)
      expect(dry["edits"].map(({ action, part, path }: any) => `${action} ${part} ${path}`)).toEqual([
        "create definition src/rules/maxDepth.ts",
        "edit registration src/registry.ts",
        "edit registration src/rules/index.ts",
        "create test test/maxDepth.test.ts"
      ])
      for (const { diff } of dry["edits"]) expect(diff).toContain("+")
      expect(dry["notes"].join("\n")).toContain("src/main.ts:1 (import)")
      const done = yield* call("edit", scaffold("maxLines", "maxDepth", { dry_run: false }))
      expect(done["applied"]).toBe(true)
      expect(done["dry_run"]).toBeUndefined()
      const text = (path: string) => readFileSync(folder.at(path), "utf8")
      expect(text("src/rules/maxDepth.ts")).toBe(`import type { Rule } from "../types.ts"

const MAX_DEPTH_LIMIT = 100

/** Counts lines: the max-depth rule. */
export const maxDepth: Rule = {
  name: "max-depth",
  run: () => MAX_DEPTH_LIMIT
}
`)
      expect(text("src/rules/index.ts")).toBe(
        `export { maxLines } from "./maxLines.ts"\nexport { maxDepth } from "./maxDepth.ts"\nexport { noVar } from "./noVar.ts"\n`
      )
      expect(text("src/registry.ts")).toBe(`import { maxLines, maxDepth, noVar } from "./rules/index.ts"

export const rules = {
  noVar,
  maxLines,
  maxDepth
}
export const list = [maxLines, maxDepth, noVar]
export function pick(name: string) {
  switch (name) {
    case "max-lines":
      return maxLines
    case "max-depth":
      return maxDepth
    case "no-var":
      return noVar
  }
}
`)
      expect(text("test/maxDepth.test.ts")).toBe(
        `import { it } from "vitest"\n\nit.todo("maxDepth counts")\n`
      )
      expect(text("src/main.ts")).toBe(rules["src/main.ts"])
      // The new one is in the graph, and there only once.
      const again = yield* call("read", { operation: "summary", target: { file: "src/rules/maxDepth.ts" } })
      expect(again["nodes"].map(({ name }: any) => name)).toContain("maxDepth")
    })
)

it.scoped("beside others in one file it comes right after the example, comments and line ends kept", () =>
  Effect.gen(function* () {
    const source =
      "// Handlers.\r\nexport function onOpen(x: number) {\r\n  return x\r\n}\r\n\r\n// When it closes: on_close.\r\nexport function onClose(x: number) {\r\n  return onClose.length + x\r\n}\r\n\r\nexport const handlers = [onOpen, onClose]\r\nexport type Names = 'a' | 'b'\r\n"
    const { call, folder } = yield* served({ "handlers.ts": source })
    const done = yield* call("edit", scaffold("onClose", "onError", { dry_run: false }))
    expect(done["edits"]).toEqual([{ path: "handlers.ts", part: "definition", action: "edit" }])
    expect(readFileSync(folder.at("handlers.ts"), "utf8")).toBe(
      source
        .replace(
          "return onClose.length + x\r\n}\r\n",
          "return onClose.length + x\r\n}\r\n\r\n// When it closes: on_error.\r\nexport function onError(x: number) {\r\n  return onError.length + x\r\n}\r\n"
        )
        .replace("[onOpen, onClose]", "[onOpen, onClose, onError]")
    )
  })
)

it.scoped("what has the example's words in its name and is not copied keeps its name in the copy", () =>
  Effect.gen(function* () {
    const { call, folder } = yield* served({
      "h.ts":
        "import { onCloseLimit } from './limits.ts'\nconst onCloseLog = () => 1\nexport function onOpen() {\n  return 1\n}\n\nexport function onClose() {\n  const onCloseCount = onCloseLog()\n  return onCloseCount + onCloseLimit\n}\n",
      "limits.ts": "export const onCloseLimit = 1\n"
    })
    yield* call("edit", scaffold("onClose", "onError", { dry_run: false }))
    expect(readFileSync(folder.at("h.ts"), "utf8")).toMatch(
      /\nexport function onError\(\) \{\n {2}const onErrorCount = onCloseLog\(\)\n {2}return onErrorCount \+ onCloseLimit\n\}\n$/
    )
  })
)

it.scoped("Python, Go and members of types follow the same way", () =>
  Effect.gen(function* () {
    const { call, folder } = yield* served({
      "app/commands/list_users.py": "def list_users(db):\n    return db.all()\n",
      "app/commands/drop_user.py": "def drop_user(db):\n    return db.drop()\n",
      "app/registry.py":
        "from app.commands.list_users import list_users\nfrom app.commands.drop_user import drop_user\n\nCOMMANDS = {\n    'list-users': list_users,\n    'drop-user': drop_user,\n}\n",
      "tests/test_list_users.py":
        "from app.commands.list_users import list_users\n\n\ndef test_list_users_works():\n    assert list_users(None) == 1\n",
      "go.mod": "module example.org/m\n\ngo 1.22\n",
      "cmd/serve.go": "package cmd\n\nfunc Serve() int {\n\treturn 1\n}\n",
      "cmd/build.go": "package cmd\n\nfunc Build() int {\n\treturn 2\n}\n",
      "cmd/root.go":
        'package cmd\n\nvar All = map[string]func() int{\n\t"serve": Serve,\n\t"build": Build,\n}\n',
      "cmd/serve_test.go":
        'package cmd\n\nimport "testing"\n\nfunc TestServe(t *testing.T) {\n\tif Serve() != 1 {\n\t\tt.Fatal("no")\n\t}\n}\n',
      "color.ts": "export enum Color {\n  Red,\n  DarkBlue\n}\nexport enum Side { Left, Right }\n"
    })
    const text = (path: string) => readFileSync(folder.at(path), "utf8")
    yield* call("edit", scaffold("list_users", "count_users", { dry_run: false }))
    expect(text("app/commands/count_users.py")).toBe("def count_users(db):\n    return db.all()\n")
    expect(text("app/registry.py")).toBe(
      "from app.commands.list_users import list_users\nfrom app.commands.count_users import count_users\nfrom app.commands.drop_user import drop_user\n\nCOMMANDS = {\n    'list-users': list_users,\n    'count-users': count_users,\n    'drop-user': drop_user,\n}\n"
    )
    expect(text("tests/test_count_users.py")).toBe(
      'import pytest\n\n\n@pytest.mark.skip(reason="not written yet")\ndef test_count_users_works():\n    pass\n'
    )
    yield* call("edit", scaffold("cmd/serve.go::Serve", "Watch", { dry_run: false }))
    expect(text("cmd/watch.go")).toBe("package cmd\n\nfunc Watch() int {\n\treturn 1\n}\n")
    expect(text("cmd/root.go")).toBe(
      'package cmd\n\nvar All = map[string]func() int{\n\t"serve": Serve,\n\t"watch": Watch,\n\t"build": Build,\n}\n'
    )
    expect(text("cmd/watch_test.go")).toBe(
      'package cmd\n\nimport "testing"\n\nfunc TestWatch(t *testing.T) {\n\tt.Skip("not written yet")\n}\n'
    )
    yield* call("edit", scaffold("Color.DarkBlue", "DarkGreen", { dry_run: false }))
    yield* call("edit", scaffold("Side.Left", "Middle", { dry_run: false }))
    expect(text("color.ts")).toBe(
      "export enum Color {\n  Red,\n  DarkBlue,\n  DarkGreen\n}\nexport enum Side { Left, Middle, Right }\n"
    )
  })
)

it.scoped("calls are told and never copied; a class with its file's folder is mirrored in a folder", () =>
  Effect.gen(function* () {
    const { call, folder } = yield* served({
      "steps.ts": "export function clean() {\n  return 1\n}\n\nexport function build() {\n  return 2\n}\n",
      "run.ts":
        "import { build, clean } from './steps.ts'\nexport function all() {\n  clean()\n  build()\n}\n",
      "widgets/fancy-button/index.ts":
        "import { fancyButtonStyle } from './fancyButtonStyle.ts'\nexport class FancyButton {\n  label = 'fancyButton'\n  style = fancyButtonStyle\n}\n",
      "widgets/fancy-button/fancyButtonStyle.ts": "export const fancyButtonStyle = 1\n",
      "widgets/fancy-button/index.test.ts":
        "import { it } from 'vitest'\nimport { FancyButton } from './index.ts'\nit('is fancy', () => { new FancyButton() })\n",
      "widgets/plain-list/index.ts": "export class PlainList {\n  label = 'plainList'\n}\n"
    })
    const dry = yield* call("edit", scaffold("clean", "deploy"))
    expect(dry["edits"].map(({ path }: any) => path)).toEqual(["steps.ts"])
    expect(dry["notes"].join("\n")).toContain("run.ts:3 (call)")
    yield* call("edit", scaffold("FancyButton", "DateInput", { dry_run: false }))
    expect(readFileSync(folder.at("widgets/date-input/index.ts"), "utf8")).toBe(
      "import { fancyButtonStyle } from '../fancy-button/fancyButtonStyle.ts'\nexport class DateInput {\n  label = 'dateInput'\n  style = fancyButtonStyle\n}\n"
    )
    expect(readFileSync(folder.at("widgets/date-input/index.test.ts"), "utf8")).toBe(
      'import { it } from "vitest"\n\nit.todo("is fancy")\n'
    )
  })
)

it.scoped("a name that is none, is taken or is reserved is refused, and nothing is written", () =>
  Effect.gen(function* () {
    const { call, folder, refused } = yield* served({
      ...rules,
      "overload.ts": "export function f() {\n  const inner = () => 1\n  return inner()\n}\n"
    })
    const before = treeHash(folder.path)
    const invalid = yield* refused("edit", scaffold("maxLines", "max depth"))
    expect(invalid).toMatchObject({ field: "options.new_name", reason_code: "invalid_name" })
    expect(invalid.recovery?.arguments).toMatchObject({ options: { new_name: "maxDepth" } })
    const same = yield* refused("edit", scaffold("maxLines", "max_lines"))
    expect(same.reason_code).toBe("same_name")
    const taken = yield* refused("edit", scaffold("maxLines", "noVar", { dry_run: false }))
    expect(taken).toMatchObject({
      code: "edit_conflict",
      reason_code: "name_taken",
      field: "options.new_name"
    })
    const keyword = yield* refused("edit", scaffold("overload.ts::f", "class", { dry_run: false }))
    expect(keyword).toMatchObject({ field: "options.new_name", reason_code: "reserved_word" })
    const local = yield* refused("edit", scaffold("overload.ts::f.inner", "other"))
    expect(local).toMatchObject({ field: "target.symbol", reason_code: "not_an_example" })
    const none = yield* refused("edit", scaffold("nowhere", "other"))
    expect(none).toMatchObject({ code: "symbol_not_found", field: "target.symbol" })
    const missing = yield* refused("edit", {
      operation: "scaffold",
      target: { symbol: "maxLines" },
      options: {}
    })
    expect(missing).toMatchObject({ code: "invalid_argument", field: "options.new_name" })
    expect(treeHash(folder.path)).toBe(before)
    expect(existsSync(folder.at("src/rules/class.ts"))).toBe(false)
    yield* call("edit", scaffold("maxLines", "maxDepth"))
    expect(treeHash(folder.path)).toBe(before)
  })
)

it.scoped("a file the session has overlaid is left alone", () =>
  Effect.gen(function* () {
    const { folder, overlay, refused } = yield* served(rules)
    const before = treeHash(folder.path)
    yield* overlay("s", {
      path: "src/rules/index.ts",
      content: `${rules["src/rules/index.ts"]}// more\n`
    } as any)
    const failure = yield* refused("edit", scaffold("maxLines", "maxDepth", { dry_run: false }), "s")
    expect(failure.state_changed).toBe(false)
    expect(["overlaid", "changed_since_indexed"]).toContain(failure.reason_code)
    expect(treeHash(folder.path)).toBe(before)
  })
)
