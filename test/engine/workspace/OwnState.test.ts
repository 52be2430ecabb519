/** A home within what is served: nothing of what this server writes there is read as if it were somebody's. */
import { Effect } from "effect"
import { appendFileSync, mkdirSync, renameSync, symlinkSync } from "node:fs"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { keptBelow } from "../../../src/engine/workspace/Home.ts"
import { layerWorkspace } from "../../../src/engine/workspace/layer.ts"
import type { Current, WorkspaceEngine } from "../../../src/engine/workspace/Workspace.ts"
import { LocalWriter } from "../../../src/services/LocalWriter.ts"
import { TempFolder } from "../git/TempRepo.ts"
import { opened } from "./support.ts"

const hash = "0123456789abcdef"
/** What is written into a home, and what else may lie there. */
const ours = [
  `graphs/${hash}/${hash}.graph`,
  `records/${hash}/records.db-wal`,
  "edits/locks/a",
  "telemetry/counts.json",
  "control.db-wal"
]
const theirs = ["records/report.ts", "graphs/draw.ts", "control.ts", "notes.md"]
/** How those of ours are counted: each thing once, whatever is in it. */
const counted = [`graphs/${hash}`, `records/${hash}`, "edits", "telemetry", "control.db-wal"].sort()

const at = (folder: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => (folder === "" ? name : `${folder}/${name}`))
const pathsOf = ({ snapshot }: Current): ReadonlyArray<string> => [...snapshot.byPath.keys()].sort()
const leftOf = ({ left }: Current): ReadonlyArray<string> =>
  left.filter(({ reason }) => reason === "own_state").map(({ path }) => path)

for (const git of [true, false])
  describe(git ? "in a repository" : "in a plain folder", () => {
    let temp: TempFolder
    beforeEach(() => {
      temp = new TempFolder()
      temp.write("top/a.ts", "export const a = 1\n")
      if (git) {
        temp.init("top")
        temp.commit("top", "start")
      }
    })
    afterEach(() => temp[Symbol.dispose]())

    /** Fills a folder of the tree as a home would be, and more. */
    const fill = (folder: string) => {
      for (const name of [...ours, ...theirs]) temp.write(`top/${folder}/${name}`, "export const x = 1\n")
    }
    const look = (watch: boolean, use: (workspace: WorkspaceEngine) => Effect.Effect<void, unknown>) =>
      opened({ directory: temp.at("top"), watch }, use)

    for (const watch of [true, false])
      for (const [name, folder, home] of [
        ["a folder below the root", "kept/home", () => temp.at("top/kept/home")],
        ["the root itself", "", () => temp.at("top")],
        [
          "a link to a folder below the root",
          "kept",
          () => {
            mkdirSync(temp.at("top/kept"))
            symlinkSync(temp.at("top/kept"), temp.at("link"))
            return temp.at("link")
          }
        ],
        [
          "a folder below a link that is yet to be made",
          "kept/new",
          () => {
            mkdirSync(temp.at("top/kept"), { recursive: true })
            symlinkSync(temp.at("top/kept"), temp.at("link"))
            return temp.at("link/new")
          }
        ],
        [
          "a relative path",
          "kept",
          () => {
            process.chdir(temp.at("top"))
            return "kept"
          }
        ]
      ] as const)
        it(`leaves out what is kept in ${name}${watch ? ", while it watches" : ""}`, async () => {
          const before = process.cwd()
          try {
            vi.stubEnv("PORTICO_HOME", home())
            await look(watch, (workspace) =>
              Effect.gen(function* () {
                const none = yield* workspace.current
                expect(leftOf(none)).toEqual([])
                fill(folder)
                const first = yield* workspace.current
                expect(pathsOf(first)).toEqual(["a.ts", ...at(folder, theirs)].sort())
                expect(leftOf(first)).toEqual(at(folder, counted))
                // What is written there later is no reason to look at anything.
                for (const path of at(folder, ours)) appendFileSync(temp.at("top", path), "more\n")
                temp.write(`top/${at(folder, [`records/${hash}/new.db`])[0]}`, "")
                const next = yield* workspace.current
                expect(pathsOf(next)).toEqual(pathsOf(first))
                if (watch) expect(next.checkedAt).toBe(first.checkedAt)
                // Nor is being told of it.
                const told = yield* workspace.refresh({ paths: at(folder, ours) })
                expect([...told.updated, ...told.removed]).toEqual([])
                expect(leftOf(workspace.known()!)).toEqual(at(folder, counted))
              })
            )
          } finally {
            process.chdir(before)
          }
        })

    it("takes out what it knew once a home is there, and takes it up once the home is elsewhere", async () => {
      const store = temp.at("store")
      fill("kept")
      const paths = (home: string) => {
        vi.stubEnv("PORTICO_HOME", home)
        let found: ReadonlyArray<string> = []
        return opened({ directory: temp.at("top"), watch: false, store }, (workspace) =>
          Effect.map(workspace.current, (current) => {
            found = pathsOf(current)
            expect(current.stale).toEqual([])
          })
        ).then(() => found)
      }
      const all = ["a.ts", ...at("kept", ours), ...at("kept", theirs)].sort()
      expect(await paths(temp.at("elsewhere"))).toEqual(all)
      expect(await paths(temp.at("top/kept"))).toEqual(["a.ts", ...at("kept", theirs)].sort())
      expect(await paths(temp.at("elsewhere"))).toEqual(all)
      renameSync(temp.at("top/kept"), temp.at("top/moved"))
      expect(await paths(temp.at("top/moved"))).toEqual(["a.ts", ...at("moved", theirs)].sort())
    })
  })

it("leaves it out of a repository below the root", async () => {
  const temp = new TempFolder()
  try {
    temp.init()
    temp.write("inner/a.ts", "export const a = 1\n")
    temp.init("inner")
    for (const name of [...ours, ...theirs]) temp.write(`inner/kept/${name}`)
    vi.stubEnv("PORTICO_HOME", temp.at("inner/kept"))
    await opened({ directory: temp.path, watch: true }, (workspace) =>
      Effect.map(workspace.current, (current) => {
        expect(pathsOf(current)).toEqual(["inner/a.ts", ...at("inner/kept", theirs)].sort())
        expect(leftOf(current)).toEqual(at("inner/kept", counted))
      })
    )
  } finally {
    temp[Symbol.dispose]()
  }
})

it("knows of nothing of its own where the home lies elsewhere, also by a similar name", () => {
  vi.stubEnv("PORTICO_HOME", "/there/home")
  for (const root of ["/there/home2", "/there/hom", "/elsewhere"])
    for (const path of ours) expect(keptBelow(root)(path)).toBeUndefined()
  expect(keptBelow("/there")(`home/${ours[0]}`)).toBe(`home/graphs/${hash}`)
  expect(keptBelow("/")(`there/home/${ours[0]}`)).toBe(`there/home/graphs/${hash}`)
  // A root within what is kept is all of ours.
  expect(keptBelow(`/there/home/graphs/${hash}`)("x.graph")).toBe("")
  // One beside it is not.
  expect(keptBelow("/there/home/project")("edits/a")).toBeUndefined()
})

it("writes nothing into what it keeps for writing, however the home is spelled", async () => {
  const temp = new TempFolder()
  const before = process.cwd()
  try {
    temp.write("a.ts", "export const a = 1\n")
    mkdirSync(temp.at("kept"))
    symlinkSync("kept", temp.at("link"))
    process.chdir(temp.path)
    for (const home of ["kept", temp.at("link")]) {
      vi.stubEnv("PORTICO_HOME", home)
      const written = (path: string) =>
        Effect.runPromise(
          Effect.either(
            Effect.flatMap(LocalWriter, (writer) =>
              writer.commit([{ op: "write", path, content: "export const b = 1\n" }])
            )
          ).pipe(
            Effect.provide(
              layerWorkspace({ directory: temp.path, exact: true, watch: false, store: false, threads: 1 })
            )
          )
        )
      expect((await written("b.ts"))._tag).toBe("Right")
      expect((await written("kept/edits/c.ts"))._tag).toBe("Left")
    }
  } finally {
    process.chdir(before)
    temp[Symbol.dispose]()
  }
})
