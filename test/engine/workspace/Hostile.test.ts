import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, symlinkSync } from "node:fs"
import { createServer } from "node:net"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { TempFolder, withoutPrivilege } from "../git/TempRepo.ts"
import { differenceFromFresh, differenceFromResolved, opened } from "./support.ts"

const entry = (snapshot: Snapshot, path: string) => snapshot.files[snapshot.byPath.get(path) ?? -1]

describe("a hostile tree", () => {
  let temp: TempFolder
  beforeEach(() => {
    temp = new TempFolder()
    temp.write("good/a.ts", 'import { b } from "./b"\nexport const a = b()\n')
    temp.write("good/b.ts", "export function b() { return 1 }\n")
  })
  afterEach(() => temp[Symbol.dispose]())

  /** The good files must be as good as ever, whatever lies beside them. */
  const good = (snapshot: Snapshot) => {
    expect(entry(snapshot, "good/a.ts")!.view!.definitionCount).toBe(1)
    expect(snapshot.incoming.count(snapshot.byPath.get("good/b.ts")!, 0)).toBeGreaterThan(0)
  }
  const current = () => opened({ directory: temp.path }, (w) => w.current)

  it("with lines and files beyond all measure", async () => {
    temp.write("line.js", `var x = "${"y".repeat(10 << 20)}"\n`)
    temp.write("line.json", `[${"1,".repeat(700_000)}1]`)
    temp.write("long.py", `x = ${"1 + ".repeat(200_000)}1\n`)
    temp.write("empty.rs", "")
    const { snapshot } = await current()
    good(snapshot)
    expect(entry(snapshot, "line.js")).toMatchObject({ skip: "too_large", view: undefined })
    for (const path of ["line.json", "long.py", "empty.rs"]) {
      const file = entry(snapshot, path)!
      expect(file.view !== undefined || file.skip !== "", path).toBe(true)
    }
  })

  it("with nesting fifty thousand deep, in every language that nests", { timeout: 120_000 }, async () => {
    const deep = 50_000
    const around = (open: string, inner: string, close: string) =>
      open.repeat(deep) + inner + close.repeat(deep)
    const trees: { readonly [path: string]: string } = {
      "deep.ts": `export const x = ${around("(", "1", ")")}\n`,
      "deep.js": `export const x = ${around("[", "", "]")}\n`,
      "deep.tsx": `export const x = ${around("<a>", "", "</a>")}\n`,
      "chain.ts": `declare const a: any\nexport const x = a${".b".repeat(deep)}\nx.c()\n`,
      "calls.ts": `declare const a: any\nexport const x = a${".b()".repeat(deep)}\nx.c()\n`,
      "types.ts": `export type X = ${around("Array<", "X", ">")}\n`,
      "union.ts": `export type X = ${"A | ".repeat(deep)}B\n`,
      "blocks.c": `int f(void) ${around("{", ";", "}")}\n`,
      "deep.go": `package p\nvar X = ${around("(", "1", ")")}\n`,
      "deep.rs": `fn f() { let x = ${around("(", "1", ")")}; }\n`,
      "mods.rs": around("mod m {", "", "}"),
      "deep.py": `x = ${around("(", "1", ")")}\n`,
      "attrs.py": `import a\nx = a${".b".repeat(deep)}\nx.c()\n`,
      "deep.java": `class A { int x = ${around("(", "1", ")")}; }\n`,
      "deep.json": around("[", "", "]"),
      "deep.yaml": around("[", "", "]"),
      "deep.rb": `x = ${around("(", "1", ")")}\n`,
      "deep.php": `<?php $x = ${around("(", "1", ")")};\n`,
      "deep.md": `${">".repeat(deep)} x\n`,
      "deep.html": around("<div>", "", "</div>"),
      "deep.css": around("a{", "", "}")
    }
    for (const [path, content] of Object.entries(trees)) temp.write(path, content)
    await opened({ directory: temp.path }, (w) =>
      Effect.promise(async () => {
        const { snapshot } = await Effect.runPromise(w.current)
        good(snapshot)
        for (const path of Object.keys(trees)) {
          const file = entry(snapshot, path)!
          expect(file.view !== undefined || file.skip !== "", path).toBe(true)
        }
        // And once more by way of an update.
        for (const path of ["chain.ts", "types.ts", "attrs.py", "mods.rs"])
          temp.write(
            path,
            `${path.endsWith(".py") ? "" : "// "}${path.endsWith(".py") ? "# " : ""}moved\n${trees[path]!.replace("x.c()", "x.d()")}`
          )
        const next = (await Effect.runPromise(w.current)).snapshot
        good(next)
        expect(differenceFromResolved(next, temp.path)).toEqual([])
      })
    )
  })

  it("with bytes that are no text and names that are no names", async () => {
    temp.write("latin.ts", Buffer.from("export function caf\xe9() {}\nexport const ok = 1\n", "latin1"))
    temp.write("nul.ts", Buffer.from("export const a = 1\u0000\u0001\u0002", "latin1"))
    temp.write(
      "wide.ts",
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("export const wide = 1\n", "utf16le")])
    )
    temp.write("lone.ts", 'export const s = "\ud800"\n')
    temp.write("new\nline.ts", "export const newline = 1\n")
    temp.write('tab\tand "quotes".ts', "export const quotes = 1\n")
    temp.write("-rf", "x\n")
    temp.write("ünï/çødé.ts", "export const code = 1\n")
    temp.write(`${"n".repeat(250)}.ts`, "export const long = 1\n")
    for (const init of [false, true]) {
      if (init) temp.init()
      const { snapshot } = await current()
      good(snapshot)
      for (const path of [
        "new\nline.ts",
        'tab\tand "quotes".ts',
        "ünï/çødé.ts",
        `${"n".repeat(250)}.ts`,
        "wide.ts",
        "latin.ts"
      ]) {
        expect(entry(snapshot, path)?.view?.definitionCount, path).toBeGreaterThan(0)
      }
      expect(entry(snapshot, "nul.ts")).toBeDefined()
    }
  })

  it("with pipes, sockets, devices and circles of links", async () => {
    execFileSync("mkfifo", [temp.at("pipe.ts")])
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(temp.at("socket.ts"), resolve))
    symlinkSync("/dev/zero", temp.at("zero.ts"))
    symlinkSync("loop2", temp.at("loop1"))
    symlinkSync("loop1", temp.at("loop2"))
    symlinkSync("..", temp.at("good/up"))
    symlinkSync("nowhere", temp.at("dangling.ts"))
    mkdirSync(temp.at("folder.ts"))
    try {
      for (const init of [false, true]) {
        if (init) temp.init()
        const state = await current()
        good(state.snapshot)
        expect([...state.snapshot.byPath.keys()].sort()).toEqual(["good/a.ts", "good/b.ts"])
        const reasons = new Map(state.left.map((s) => [s.path, s.reason]))
        expect(reasons.get("zero.ts")).toBe("symlink_outside")
        expect(reasons.get("loop1")).toBe("symlink_loop")
        expect(reasons.get("good/up")).toBe("symlink")
        expect(reasons.get("dangling.ts")).toBe("symlink_dangling")
        // git lists neither pipes nor sockets, the plain walk tells of them.
        if (!init) for (const path of ["pipe.ts", "socket.ts"]) expect(reasons.get(path)).toBe("not_regular")
      }
    } finally {
      server.close()
    }
  })

  it("with files and folders that cannot be read", async (context) => {
    temp.write("closed/in.ts", "export const hidden = 1\n")
    temp.write("secret.ts", "export const secret = 1\n")
    const done = await withoutPrivilege(temp, async () => {
      chmodSync(temp.at("closed"), 0)
      chmodSync(temp.at("secret.ts"), 0)
      try {
        const state = await current()
        good(state.snapshot)
        expect(entry(state.snapshot, "secret.ts")).toMatchObject({ skip: "unreadable", view: undefined })
        expect(state.left.map((s) => [s.path, s.reason])).toContainEqual(["closed", "unreadable"])
        expect(state.problem).toMatch(/could not be read/)
      } finally {
        chmodSync(temp.at("closed"), 0o755)
        chmodSync(temp.at("secret.ts"), 0o644)
      }
      return true
    })
    if (done === null) context.skip()
  })

  it("that changes its shape under the reader's feet", async () => {
    await opened({ directory: temp.path }, (w) =>
      Effect.promise(async () => {
        let moving = true
        const mover = (async () => {
          for (let i = 0; moving; i++) {
            temp.write(`churn/f${i % 7}.ts`, `import { b } from "../good/b"\nexport const v${i} = b()\n`)
            if (i % 3 === 0) execFileSync("rm", ["-rf", temp.at("churn")])
            await new Promise((resolve) => setImmediate(resolve))
          }
        })()
        for (let look = 0; look < 12; look++) good((await Effect.runPromise(w.current)).snapshot)
        moving = false
        await mover
        const { snapshot } = await Effect.runPromise(w.current)
        expect(await differenceFromFresh(snapshot, temp.path)).toEqual([])
      })
    )
  })
})
