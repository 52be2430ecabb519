import { Effect } from "effect"
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { lookedUp } from "../../../src/engine/graph/Update.ts"
import type { WorkspaceEngine } from "../../../src/engine/workspace/Workspace.ts"
import { TempFolder, withoutPrivilege } from "../git/TempRepo.ts"
import { differenceFromFresh, opened } from "./support.ts"

const now = (workspace: WorkspaceEngine): Promise<Snapshot> =>
  Effect.runPromise(Effect.map(workspace.current, (c) => c.snapshot))
const pathsOf = (snapshot: Snapshot): ReadonlyArray<string> => [...snapshot.byPath.keys()].sort()
const definitionsOf = (snapshot: Snapshot, path: string): ReadonlyArray<string> => {
  const view = snapshot.files[snapshot.byPath.get(path)!]!.view!
  return Array.from({ length: view.definitionCount }, (_, i) => snapshot.names.text(view.def(i, 2)))
}

for (const watch of [false, true]) {
  describe(watch ? "a watched workspace" : "a workspace without a watcher", () => {
    let temp: TempFolder
    beforeEach(() => {
      temp = new TempFolder()
      temp.init()
      for (let i = 0; i < 8; i++)
        temp.write(
          `src/m${i}.ts`,
          `import { f${(i + 1) % 8} } from "./m${(i + 1) % 8}"\nexport function f${i}() { return f${(i + 1) % 8}() }\n`
        )
      temp.commit("", "start")
    })
    afterEach(() => temp[Symbol.dispose]())

    /** Runs steps; after each the workspace must know what an index from nothing knows. */
    const steps = (
      each: ReadonlyArray<readonly [name: string, act: () => void, check?: (snapshot: Snapshot) => void]>
    ) =>
      opened({ directory: temp.path, watch }, (workspace) =>
        Effect.promise(async () => {
          await now(workspace)
          for (const [name, act, check] of each) {
            act()
            const snapshot = await now(workspace)
            expect((await differenceFromFresh(snapshot, temp.path)).join("\n"), name).toBe("")
            check?.(snapshot)
          }
        })
      )

    it("sees edits, new, renamed and deleted files in the call right after the write", async () => {
      await steps([
        [
          "an edit",
          () => temp.write("src/m0.ts", "export function fresh() {}\n"),
          (s) => expect(definitionsOf(s, "src/m0.ts")).toEqual(["fresh"])
        ],
        [
          "an edit of the same size",
          () => temp.write("src/m0.ts", "export function crisp() {}\n"),
          (s) => expect(definitionsOf(s, "src/m0.ts")).toEqual(["crisp"])
        ],
        [
          "a new file",
          () => temp.write("src/new/deep/n.ts", 'import { crisp } from "../../m0"\ncrisp()\n'),
          (s) => expect(pathsOf(s)).toContain("src/new/deep/n.ts")
        ],
        [
          "an edit of the new file",
          () => temp.write("src/new/deep/n.ts", "export const n = 1\n"),
          (s) => expect(definitionsOf(s, "src/new/deep/n.ts")).toEqual(["n"])
        ],
        [
          "a renamed file",
          () => renameSync(temp.at("src/m1.ts"), temp.at("src/other.ts")),
          (s) => {
            expect(pathsOf(s)).toContain("src/other.ts")
            expect(pathsOf(s)).not.toContain("src/m1.ts")
          }
        ],
        [
          "a renamed folder",
          () => renameSync(temp.at("src/new"), temp.at("src/moved")),
          (s) => expect(pathsOf(s).filter((p) => p.includes("n.ts"))).toEqual(["src/moved/deep/n.ts"])
        ],
        [
          "a file in the renamed folder",
          () => temp.write("src/moved/deep/o.ts", "export const o = 2\n"),
          (s) => expect(definitionsOf(s, "src/moved/deep/o.ts")).toEqual(["o"])
        ],
        [
          "a deleted file",
          () => rmSync(temp.at("src/m2.ts")),
          (s) => expect(pathsOf(s)).not.toContain("src/m2.ts")
        ],
        [
          "a deleted folder",
          () => rmSync(temp.at("src/moved"), { recursive: true }),
          (s) => expect(pathsOf(s).some((p) => p.startsWith("src/moved"))).toBe(false)
        ],
        ["a file in place of a folder", () => temp.write("src/moved", "text\n")],
        [
          "a link in place of a file",
          () => {
            rmSync(temp.at("src/m3.ts"))
            symlinkSync("m4.ts", temp.at("src/m3.ts"))
          },
          (s) => expect(pathsOf(s)).not.toContain("src/m3.ts")
        ],
        [
          "a file replaced by renaming another over it",
          () => {
            temp.write("src/tmp~", "export function swapped() {}\n")
            renameSync(temp.at("src/tmp~"), temp.at("src/m4.ts"))
          },
          (s) => expect(definitionsOf(s, "src/m4.ts")).toEqual(["swapped"])
        ],
        ["nothing but a touch", () => utimesSync(temp.at("src/m5.ts"), 1, 1)]
      ])
    })

    it("follows ignore rules as they change", async () => {
      temp.write("out/gen.ts", "export const gen = 1\n")
      temp.write(".gitignore", "out/\n")
      await steps([
        ["hiding a file", () => temp.write(".gitignore", "out/\nsrc/m7.ts\nsrc/extra.ts\n")],
        [
          "a hidden new file",
          () => temp.write("src/extra.ts", "export const extra = 1\n"),
          (s) => expect(pathsOf(s)).not.toContain("src/extra.ts")
        ],
        [
          "unhiding",
          () => temp.write(".gitignore", "nothing\n"),
          (s) => expect(pathsOf(s)).toEqual(expect.arrayContaining(["out/gen.ts", "src/extra.ts"]))
        ],
        [
          "an edit in what was hidden when watching began",
          () => temp.write("out/gen.ts", "export const made = 2\n"),
          (s) => expect(definitionsOf(s, "out/gen.ts")).toEqual(["made"])
        ],
        [
          "another edit there",
          () => temp.write("out/gen.ts", "export const again = 2\n"),
          (s) => expect(definitionsOf(s, "out/gen.ts")).toEqual(["again"])
        ],
        [
          "the repository's own exclude file",
          () => temp.write(".git/info/exclude", "src/extra.ts\n"),
          (s) => expect(pathsOf(s)).not.toContain("src/extra.ts")
        ],
        ["an ignore file that ignores itself", () => temp.write("src/.gitignore", ".gitignore\nloose.ts\n")],
        [
          "a file it hides",
          () => temp.write("src/loose.ts", "export {}\n"),
          (s) => expect(pathsOf(s)).not.toContain("src/loose.ts")
        ],
        [
          "its end",
          () => rmSync(temp.at("src/.gitignore")),
          (s) => expect(pathsOf(s)).toContain("src/loose.ts")
        ]
      ])
    })

    it("follows checkouts, commits and branches, nested repositories too", async () => {
      temp.git("", "checkout", "-q", "-b", "side")
      temp.write("src/m0.ts", "export function side() {}\n")
      rmSync(temp.at("src/m6.ts"))
      temp.write("src/only.ts", "export const only = 1\n")
      temp.commit("", "side")
      temp.git("", "checkout", "-q", "main")
      temp.init("inner")
      temp.write("inner/a.go", "package a\nfunc A() {}\n")
      temp.commit("inner", "one")
      temp.git("inner", "checkout", "-q", "-b", "two")
      temp.write("inner/a.go", "package a\nfunc B() {}\n")
      temp.commit("inner", "two")
      temp.git("inner", "checkout", "-q", "main")
      await steps([
        [
          "another branch",
          () => temp.git("", "checkout", "-q", "side"),
          (s) => {
            expect(s.units[0]).toMatchObject({ root: "", branch: "side" })
            expect(pathsOf(s)).toContain("src/only.ts")
          }
        ],
        [
          "a commit",
          () => temp.git("", "commit", "-q", "--allow-empty", "-m", "more"),
          (s) => expect(s.units[0]!.head).toBe(temp.git("", "rev-parse", "HEAD").trim())
        ],
        [
          "a detached head",
          () => temp.git("", "checkout", "-q", "--detach", "main"),
          (s) => expect(s.units[0]!.branch).toBeUndefined()
        ],
        [
          "a branch of the nested repository",
          () => temp.git("inner", "checkout", "-q", "two"),
          (s) => {
            expect(definitionsOf(s, "inner/a.go")).toEqual(["B"])
            expect(s.units.find((u) => u.root === "inner")).toMatchObject({ branch: "two" })
          }
        ],
        [
          "a nested repository that is gone",
          () => rmSync(temp.at("inner"), { recursive: true }),
          (s) => expect(s.units.map((u) => u.root)).toEqual([""])
        ]
      ])
    })

    it("indexes a repository before its first commit, and follows that commit", async () => {
      rmSync(temp.at(".git"), { recursive: true })
      temp.init()
      await steps([
        ["no commit yet", () => undefined, (s) => expect(s.units[0]!.head).toBeUndefined()],
        [
          "the first commit",
          () => temp.commit("", "first"),
          (s) => expect(s.units[0]!.head).toBe(temp.git("", "rev-parse", "HEAD").trim())
        ]
      ])
    })

    it("keeps what lies in a folder that cannot be read, and says that it is stale", async (context) => {
      temp.write("src/closed/c.ts", "export const c = 1\n")
      const done = await withoutPrivilege(temp, () =>
        opened({ directory: temp.path, watch }, (workspace) =>
          Effect.promise(async () => {
            await now(workspace)
            chmodSync(temp.at("src/closed"), 0)
            try {
              const current = await Effect.runPromise(
                workspace.refresh({}).pipe(Effect.zipRight(workspace.current))
              )
              expect(pathsOf(current.snapshot)).toContain("src/closed/c.ts")
              expect(current.stale).toEqual(["src/closed/c.ts"])
              expect(current.problem).toMatch(/could not be read/)
            } finally {
              chmodSync(temp.at("src/closed"), 0o755)
            }
            const after = await Effect.runPromise(workspace.current)
            expect(after.stale).toEqual([])
            expect(after.problem).toBeUndefined()
            return true
          })
        )
      )
      if (done === null) context.skip()
    })
  })
}

describe("a workspace", () => {
  it("finds writes of equal size within one tick of the clock", async () => {
    using temp = new TempFolder()
    for (let i = 0; i < 10; i++) temp.write(`f${i}.ts`, `export const a${i} = 1\n`)
    await opened({ directory: temp.path }, (workspace) =>
      Effect.promise(async () => {
        await now(workspace)
        for (let round = 0; round < 20; round++) {
          const name = String.fromCharCode(97 + round)
          temp.write("f3.ts", `export const ${name}3 = 1\n`)
          // Looking at another file alone must not hide this one.
          await Effect.runPromise(workspace.refresh({ paths: ["f1.ts"] }))
          expect(definitionsOf(await now(workspace), "f3.ts")).toEqual([`${name}3`])
        }
      })
    )
  })

  it("looks up one file again when a body changes, and reads nothing when only times change", async () => {
    using temp = new TempFolder()
    for (let i = 0; i < 30; i++)
      temp.write(
        `m${i}.ts`,
        `import { f${(i + 1) % 30} } from "./m${(i + 1) % 30}"\nexport function f${i}(): number { return f${(i + 1) % 30}() }\n`
      )
    await opened({ directory: temp.path }, (workspace) =>
      Effect.promise(async () => {
        await now(workspace)
        temp.write(
          "m4.ts",
          'import { f5 } from "./m5"\nexport function f4(): number { const x = f5(); return x + f5() }\n'
        )
        const snapshot = await now(workspace)
        expect(lookedUp(snapshot)).toEqual({ files: 1, all: false })
        for (let i = 0; i < 30; i++) utimesSync(temp.at(`m${i}.ts`), 1000, 1000)
        const touched = await Effect.runPromise(workspace.refresh({}))
        expect(touched.updated).toEqual([])
        const after = await now(workspace)
        expect(after.resolved).toBe(snapshot.resolved)
        expect(after.files[after.byPath.get("m4.ts")!]!.mtimeMs).toBe(statSync(temp.at("m4.ts")).mtimeMs)
      })
    )
  })

  it("serves a second work tree from what the first one knows, and neither answers for the other", async () => {
    using temp = new TempFolder()
    temp.init("main")
    for (let i = 0; i < 12; i++) temp.write(`main/m${i}.ts`, `export function f${i}() { return ${i} }\n`)
    temp.commit("main", "start")
    temp.git("main", "worktree", "add", "-q", "-b", "other", temp.at("second"))
    temp.write("second/m3.ts", "export function elsewhere() {}\n")
    const store = temp.at("store")
    const first = await opened({ directory: temp.at("main"), store }, (w) => w.refresh({}))
    expect(first).toMatchObject({ full: true })
    const second = await opened({ directory: temp.at("second"), store }, (w) =>
      Effect.promise(async () => {
        const refreshed = await Effect.runPromise(w.refresh({}))
        const snapshot = await now(w)
        expect(definitionsOf(snapshot, "m3.ts")).toEqual(["elsewhere"])
        expect(snapshot.units[0]).toMatchObject({ branch: "other" })
        expect(await differenceFromFresh(snapshot, temp.at("second"))).toEqual([])
        return refreshed
      })
    )
    expect(second).toMatchObject({ full: false, updated: ["m3.ts"], removed: [] })
    const again = await opened({ directory: temp.at("main"), store }, (w) =>
      Effect.promise(async () => {
        const refreshed = await Effect.runPromise(w.refresh({}))
        expect(definitionsOf(await now(w), "m3.ts")).toEqual(["f3"])
        return refreshed
      })
    )
    expect(again).toMatchObject({ full: false, updated: [], removed: [] })
    // Of the second tree only what differs is stored, and that is read again.
    const third = await opened({ directory: temp.at("second"), store }, (w) => w.refresh({}))
    expect(third).toMatchObject({ full: false, updated: ["m3.ts"], removed: [] })
  })

  it("reports trouble with the root as what it is", async () => {
    using temp = new TempFolder()
    writeFileSync(temp.at("file"), "")
    mkdirSync(temp.at("there"))
    const failure = (directory: string) =>
      opened({ directory }, () => Effect.void).then(
        () => "opened",
        (e: unknown) => String(e)
      )
    expect(await failure(temp.at("nowhere"))).toMatch(/nowhere/)
    expect(await failure(temp.at("file"))).not.toBe("opened")
    expect(await failure(temp.at("there"))).toBe("opened")
    expect(readFileSync(temp.at("file"), "utf8")).toBe("")
  })
})
