import { Effect } from "effect"
import * as fc from "effect/FastCheck"
import { execFileSync, spawn } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { crc32 } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Bearers } from "../../../src/engine/graph/Bearers.ts"
import { LooseFiles } from "../../../src/engine/graph/Loose.ts"
import { factsInFile, loadSnapshot, readAhead, saveSnapshot } from "../../../src/engine/graph/Persist.ts"
import { Incoming, type Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { placeOf } from "../../../src/engine/workspace/Store.ts"
import { buildId } from "../../../src/engine/workspace/Workspace.ts"
import { TempFolder, withoutPrivilege } from "../git/TempRepo.ts"
import { differenceFromFresh, freshSnapshot, opened } from "../workspace/support.ts"
import { program } from "../../program.ts"
import { snapshotFingerprint } from "./fingerprint.ts"

const build = "one build"
const word = Uint8Array.from([1, 2, 3, 250])
const numbers = Uint32Array.from([7, 1 << 31, 0])
const sources: { readonly [path: string]: string } = {
  "a.ts": 'import { b } from "./b"\n/** Doc. */\nexport class A extends Base { go() { return b() } }\n',
  "b.ts": "export function b() { return new Date() }\n",
  "tsconfig.json": "{}",
  "empty.ts": "",
  "pkg/__init__.py": "from .m import f\n",
  "pkg/m.py": "class C:\n    def f(self): pass\ndef f() -> C:\n    return C()\n",
  "name with \n newline.go": "package x\nfunc Ünïcode() {}\n",
  "loose/l.go": "package l\nfunc g() { missing(); missing() }\n",
  "picture.png": "\u0000\u0001"
}

let temp: TempFolder
let snapshot: Snapshot
beforeAll(async () => {
  temp = new TempFolder()
  for (const [path, content] of Object.entries(sources)) temp.write(`tree/${path}`, content)
  snapshot = await freshSnapshot(temp.at("tree"))
})
afterAll(() => temp[Symbol.dispose]())

const save = (name: string, of = snapshot): string => {
  const file = temp.at("saved", name)
  saveSnapshot(file, build, of, { word, numbers }, { note: ["x"] })
  return file
}

describe("a stored snapshot", () => {
  it("comes back equal, with its attachments and notes", () => {
    const loaded = loadSnapshot(save("whole"), build)!
    expect(snapshotFingerprint(loaded.snapshot)).toEqual(snapshotFingerprint(snapshot))
    const rest = ({ at, configs, generation, units }: Snapshot) => ({ at, configs, generation, units })
    expect(rest(loaded.snapshot)).toEqual(rest(snapshot))
    expect(loaded.snapshot.files.map((f) => f && { ...f, view: undefined })).toEqual(
      snapshot.files.map((f) => f && { ...f, view: undefined })
    )
    expect(loaded.attachments).toEqual({ word, numbers })
    expect(loaded.notes).toEqual({ note: ["x"] })
    const again = temp.at("saved", "again")
    saveSnapshot(again, build, loaded.snapshot, { word, numbers }, { note: ["x"] })
    expect(readFileSync(again).equals(readFileSync(temp.at("saved", "whole")))).toBe(true)
  })

  it("comes back with the edges by target that its files have", () => {
    const { files, incoming, resolved } = loadSnapshot(save("edges"), build)!.snapshot
    expect(incoming.edgeCount).toBeGreaterThan(0)
    expect(incoming.columns()).toEqual(new Incoming(files, resolved).columns())
    const { sourceEdges, sourceFiles, starts } = incoming.columns()
    for (const cut of [
      { sourceFiles, sourceEdges, starts: starts.subarray(1) },
      { starts, sourceFiles: sourceFiles.subarray(1), sourceEdges },
      { starts, sourceFiles, sourceEdges: sourceEdges.subarray(1) },
      { starts: starts.map((n) => n + 1), sourceFiles, sourceEdges }
    ])
      expect(() => new Incoming(files, resolved, cut)).toThrow(RangeError)
  })

  it("comes back with the bearers and the unbound references of names", () => {
    const back = loadSnapshot(save("names"), build, [factsInFile])!.snapshot
    const bearers = Bearers.columns(snapshot)
    const loose = LooseFiles.columns(snapshot)
    const unbound = (of: Snapshot) => {
      const out: Array<string> = []
      for (const name of LooseFiles.columns(of).names)
        LooseFiles.of(of).each(name, (file, count) =>
          out.push(`${of.names.text(name)} ${of.files[file]!.path} ${count}`)
        )
      return out
    }
    expect(bearers.nodes.length).toBeGreaterThan(4)
    expect(unbound(snapshot)).toContain("missing loose/l.go 2")
    expect(Bearers.columns(back)).toMatchObject({ starts: bearers.starts, nodes: bearers.nodes })
    expect(LooseFiles.columns(back)).toMatchObject({ ...loose, views: back.files.map((f) => f?.view) })
    expect(unbound(back)).toEqual(unbound(snapshot))
    expect(() => Bearers.restore(back, { ...bearers, nodes: bearers.nodes.slice(1) })).toThrow(RangeError)
    expect(() => LooseFiles.restore(back, { ...loose, ends: loose.ends.slice(1) })).toThrow(RangeError)
  })

  it("leaves attachments in the file on request, and reads them from the file it checked", () => {
    const file = save("parked")
    const { attachments, parked, snapshot: back } = loadSnapshot(file, build, ["word", "numbers", "missing"])!
    // Only bytes can be left there.
    expect(attachments).toEqual({ numbers })
    expect(Object.keys(parked)).toEqual(["word"])
    expect(snapshotFingerprint(back)).toEqual(snapshotFingerprint(snapshot))
    expect(parked["word"]!.length).toBe(4)
    expect(parked["word"]!.read(0, 4)).toEqual(word)
    // Another snapshot in its place is another file.
    saveSnapshot(file, build, snapshot, { word: Uint8Array.from([9, 9, 9, 9]), numbers }, {})
    expect(parked["word"]!.read(1, 3)).toEqual(word.slice(1, 3))
    expect(parked["word"]!.read(3, 99)).toEqual(word.slice(3))
  })

  it("leaves references and texts in the file on request, and tells when they are lost", () => {
    const file = save("facts")
    const { isLost, snapshot: back } = loadSnapshot(file, build, [factsInFile])!
    expect(snapshotFingerprint(back)).toEqual(snapshotFingerprint(snapshot))
    const again = temp.at("saved", "facts-again")
    saveSnapshot(again, build, back, { word, numbers }, { note: ["x"] })
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true)
    expect(isLost()).toBe(false)
    const fresh = loadSnapshot(again, build, [factsInFile])!
    truncateSync(again, 40)
    const { view } = fresh.snapshot.files[fresh.snapshot.byPath.get("a.ts")!]!
    expect(() => view!.refs).toThrow()
    expect(fresh.isLost()).toBe(true)
  })

  it("checks what stays in the file when it is read, and all else at once", () => {
    const large = Uint8Array.from({ length: 100_000 }, (_, i) => i * 7)
    const file = temp.at("saved", "blocks")
    saveSnapshot(file, build, snapshot, { large, numbers }, {})
    const bytes = readFileSync(file)
    const start = bytes.indexOf(large.subarray(0, 64))
    const damage = (at: number) => {
      const damaged = Buffer.from(bytes)
      damaged[at]! ^= 1
      writeFileSync(file, damaged)
    }
    damage(start + 50_000)
    expect(loadSnapshot(file, build)).toBeUndefined()
    const { parked } = loadSnapshot(file, build, ["large"])!
    expect(parked["large"]!.read(0, 1000)).toEqual(large.slice(0, 1000))
    expect(parked["large"]!.read(80_000, 100_000)).toEqual(large.slice(80_000))
    for (const [from, to] of [
      [0, 100_000],
      [49_999, 50_001],
      [50_001, 50_002]
    ] as const)
      expect(() => parked["large"]!.read(from, to), `${from} to ${to}`).toThrow("damaged")
    // The ends of what stays share blocks with what does not.
    for (const at of [start, start + large.length - 1, start - 1, 50]) {
      damage(at)
      expect(loadSnapshot(file, build, ["large"]), `${at - start}`).toBeUndefined()
    }
  })

  it("is the same when it is read ahead, ready or not", async () => {
    const file = save("ahead")
    for (const park of [[], ["word"]]) {
      const whole = loadSnapshot(file, build, park)!
      for (const wait of [true, false]) {
        const ahead = readAhead(file, build, park)!
        if (wait) await ahead.ready
        const loaded = ahead.load()!
        await ahead.ready
        expect(snapshotFingerprint(loaded.snapshot)).toEqual(snapshotFingerprint(whole.snapshot))
        expect(loaded.attachments).toEqual(whole.attachments)
        expect(Object.keys(loaded.parked)).toEqual(park)
        expect(loaded.parked["word"]?.read(0, 4)).toEqual(park.length === 0 ? undefined : word)
      }
    }
    expect(readAhead(temp.at("saved", "missing"), build)).toBeUndefined()
    expect(readAhead(file, "another build")).toBeUndefined()
    const bytes = readFileSync(file)
    bytes[bytes.length - 20]! ^= 1
    writeFileSync(file, bytes)
    const damaged = readAhead(file, build)!
    await damaged.ready
    expect(damaged.load()).toBeUndefined()
    truncateSync(file, 2000)
    expect(readAhead(file, build)).toBeUndefined()
  })

  it("gives nothing from a file that was written to since", () => {
    const file = save("rewritten")
    const { parked } = loadSnapshot(file, build, ["word"])!
    const bytes = readFileSync(file)
    writeFileSync(
      file,
      bytes.map((byte) => byte ^ 1)
    )
    utimesSync(file, 1, 1)
    expect(() => parked["word"]!.read(0, 4)).toThrow()
    truncateSync(file, 40)
    expect(() => parked["word"]!.read(0, 4)).toThrow()
  })

  it("comes back when there is nothing in it", () => {
    const loaded = loadSnapshot(
      save("nothing", {
        ...snapshot,
        files: [],
        resolved: [],
        byPath: new Map(),
        incoming: new Incoming([], [])
      }),
      build
    )
    expect(loaded?.snapshot.files).toEqual([])
  })

  it("keeps the gaps that removed files leave", () => {
    const files = snapshot.files.slice()
    const gone = snapshot.byPath.get("b.ts")!
    files[gone] = undefined
    const resolved = snapshot.resolved.map((r) =>
      r === undefined ? r : { ...r, edges: new Int32Array(0), supers: new Int32Array(0) }
    )
    resolved[gone] = undefined
    const byPath = new Map([...snapshot.byPath].filter(([path]) => path !== "b.ts"))
    const loaded = loadSnapshot(
      save("gaps", { ...snapshot, files, byPath, resolved, incoming: new Incoming(files, resolved) }),
      build
    )!
    expect(loaded.snapshot.files[gone]).toBeUndefined()
    expect(loaded.snapshot.byPath).toEqual(byPath)
  })

  it("is not believed when it is cut anywhere", () => {
    const bytes = readFileSync(save("cut"))
    const file = temp.at("saved", "cut-here")
    const points = [0, 1, 7, 8, 16, 31, 32, 33, 500, bytes.length - 1]
    for (let at = 64; at < bytes.length; at += Math.ceil(bytes.length / 120)) points.push(at)
    for (const at of points) {
      writeFileSync(file, bytes.subarray(0, at))
      expect(loadSnapshot(file, build), `cut at ${at} of ${bytes.length}`).toBeUndefined()
      expect(loadSnapshot(file, build, ["word"]), `cut at ${at}, parked`).toBeUndefined()
    }
    writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(8)]))
    expect(loadSnapshot(file, build)).toBeUndefined()
  })

  it("is not believed when any byte is another", () => {
    const bytes = readFileSync(save("flip"))
    const file = temp.at("saved", "flipped")
    const place = fc.oneof(
      fc.integer({ min: 0, max: 63 }),
      fc.integer({ min: 0, max: 2000 }),
      fc.integer({ min: 0, max: bytes.length - 1 })
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(place, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 3 }),
        (flips) => {
          const damaged = Buffer.from(bytes)
          for (const [at, by] of flips) damaged[at]! ^= by
          if (damaged.equals(bytes)) return
          writeFileSync(file, damaged)
          expect(loadSnapshot(file, build)).toBeUndefined()
          expect(loadSnapshot(file, build, ["word"])).toBeUndefined()
        }
      ),
      { numRuns: 150 }
    )
  })

  it("is not believed when another build, format or facts version wrote it", () => {
    const file = save("old")
    expect(loadSnapshot(file, "another build")).toBeUndefined()
    const bytes = readFileSync(file)
    for (const at of [8, 12]) {
      const older = Buffer.from(bytes)
      older.writeUInt32LE(older.readUInt32LE(at) + 1, at)
      writeFileSync(temp.at("saved", "older"), older)
      expect(loadSnapshot(temp.at("saved", "older"), build)).toBeUndefined()
    }
    // A header that is nonsense under a checksum that is right.
    const nonsense = Buffer.from(bytes)
    nonsense[41]! ^= 1
    nonsense.writeUInt32LE(crc32(nonsense.subarray(40, nonsense.readDoubleLE(32))), 20)
    writeFileSync(temp.at("saved", "nonsense"), nonsense)
    expect(() => loadSnapshot(temp.at("saved", "nonsense"), build)).not.toThrow()
    expect(loadSnapshot(temp.at("saved", "missing"), build)).toBeUndefined()
    expect(loadSnapshot(temp.at("saved"), build)).toBeUndefined()
  })

  it("leaves nothing behind when it cannot be written", () => {
    mkdirSync(temp.at("saved", "occupied", "child"), { recursive: true })
    expect(() => save("occupied")).toThrow()
    expect(readdirSync(temp.at("saved")).filter((name) => name.endsWith(".tmp"))).toEqual([])
  })
})

describe("a workspace with a store", () => {
  const many = (folder: string) => {
    for (let i = 0; i < 14; i++)
      temp.write(
        `${folder}/m${i}.ts`,
        `import { f${(i + 1) % 14} } from "./m${(i + 1) % 14}"\nexport function f${i}() { return f${(i + 1) % 14}() }\n`
      )
    return temp.at(folder)
  }
  const refreshed = (directory: string, store: string) => opened({ directory, store }, (w) => w.refresh({}))
  const stored = (directory: string, store: string) => placeOf(directory, store).file

  it("starts from what it stored, and reads only what changed", async () => {
    const directory = many("kept")
    const store = temp.at("store-kept")
    expect(await refreshed(directory, store)).toMatchObject({ full: true })
    temp.write("kept/m3.ts", "export const three = 3\n")
    const difference = await opened({ directory, store }, (w) =>
      Effect.gen(function* () {
        const seen = yield* w.refresh({})
        expect(seen).toMatchObject({ full: false, updated: ["m3.ts"], removed: [] })
        const { snapshot } = yield* w.current
        return yield* Effect.promise(() => differenceFromFresh(snapshot, directory))
      })
    )
    expect(difference).toEqual([])
  })

  it("starts anew when what it stored is damaged, cut or another's", async () => {
    const directory = many("hurt")
    const store = temp.at("store-hurt")
    await refreshed(directory, store)
    const file = stored(directory, store)
    const bytes = readFileSync(file)
    for (const damage of [
      () => truncateSync(file, bytes.length >> 1),
      () => writeFileSync(file, ""),
      () => writeFileSync(file, Buffer.from(bytes).fill(7, 4000, 4001)),
      () => writeFileSync(file, "not a snapshot")
    ]) {
      damage()
      expect(await refreshed(directory, store)).toMatchObject({ full: true })
      expect(readFileSync(file).length).toBe(bytes.length)
    }
  })

  it("starts anew when what it stored turns out to be damaged later", async () => {
    const lines = Array.from({ length: 1500 }, (_, i) => `export const n${i} = n${(i * 7) % 1500} + n0`)
    for (let i = 0; i < 4; i++) temp.write(`torn/m${i}.ts`, lines.join("\n"))
    const directory = temp.at("torn")
    const store = temp.at("store-torn")
    await refreshed(directory, store)
    const file = stored(directory, store)
    const bytes = readFileSync(file)
    const refs = (from: Snapshot) => from.files.map((f) => f?.view?.refs)
    /** Damages one byte of the references; says whether it did. */
    const damaged = (at: number): boolean => {
      writeFileSync(file, Buffer.from(bytes).fill(bytes[at]! ^ 1, at, at + 1))
      const loaded = loadSnapshot(file, buildId(), [factsInFile])
      try {
        if (loaded !== undefined) refs(loaded.snapshot)
        return false
      } catch {
        return true
      }
    }
    expect(Array.from({ length: 40 }, (_, i) => Math.floor((bytes.length * i) / 40)).some(damaged)).toBe(true)
    const difference = await opened({ directory, store }, (w) =>
      Effect.gen(function* () {
        const before = yield* w.current
        expect(() => refs(before.snapshot)).toThrow("damaged")
        const { snapshot } = yield* w.current
        return yield* Effect.promise(() => differenceFromFresh(snapshot, directory))
      })
    )
    expect(difference).toEqual([])
  })

  it("works without a store that can be written", async (context) => {
    const directory = many("denied")
    const done = await withoutPrivilege(temp, async () => {
      const store = temp.at("store-denied")
      mkdirSync(store)
      chmodSync(store, 0o500)
      try {
        expect(await refreshed(directory, store)).toMatchObject({ full: true })
        expect(await refreshed(directory, store)).toMatchObject({ full: true })
        expect(readdirSync(store)).toEqual([])
      } finally {
        chmodSync(store, 0o700)
      }
      return true
    })
    if (done === null) context.skip()
  })

  it("works when the store is no folder, or full", async () => {
    const directory = many("full")
    temp.write("store-file", "")
    expect(await refreshed(directory, temp.at("store-file"))).toMatchObject({ full: true })
    // No file may grow beyond a few kilobytes: to the writer this is a disk that fills up half way.
    const ran = execFileSync(
      "bash",
      [
        "-c",
        `ulimit -f 8; trap "" XFSZ; exec "$0" "$@"`,
        process.execPath,
        program("indexOnce"),
        directory,
        temp.at("store-full"),
        "2"
      ],
      {
        cwd: join(import.meta.dirname, "../../.."),
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"]
      }
    )
    expect(
      ran
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => JSON.parse(line) as unknown)
    ).toEqual([
      { full: true, updated: 14 },
      { full: true, updated: 14 }
    ])
    expect(existsSync(stored(directory, temp.at("store-full")))).toBe(false)
    expect(readdirSync(dirname(stored(directory, temp.at("store-full"))))).toEqual([])
  })

  it("sweeps what killed writers left long ago, and leaves fresh work alone", async () => {
    const directory = many("swept")
    const store = temp.at("store-swept")
    await refreshed(directory, store)
    const { folder } = placeOf(directory, store)
    writeFileSync(join(folder, "x.graph.1.a.tmp"), "old")
    utimesSync(join(folder, "x.graph.1.a.tmp"), 1000, 1000)
    writeFileSync(join(folder, "x.graph.2.b.tmp"), "fresh")
    await refreshed(directory, store)
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual(["x.graph.2.b.tmp"])
  })

  it("survives two processes that store at once", { timeout: 60_000 }, async () => {
    const file = temp.at("saved", "contested")
    temp.write(
      "writer.mts",
      `
      import { loadSnapshot, saveSnapshot } from ${JSON.stringify(join(import.meta.dirname, "../../../src/engine/graph/Persist.ts"))}
      const [, , from, to] = process.argv
      const { attachments, notes, snapshot } = loadSnapshot(from, ${JSON.stringify(build)})
      for (let i = 0; i < 40; i++) saveSnapshot(to, ${JSON.stringify(build)}, { ...snapshot, at: i }, attachments, notes)
    `
    )
    const from = save("source")
    const writer = () =>
      new Promise<number | null>((resolve) => {
        spawn(process.execPath, ["--import", "tsx", temp.at("writer.mts"), from, file], {
          cwd: join(import.meta.dirname, "../../.."),
          stdio: "ignore"
        }).on("exit", resolve)
      })
    const both = Promise.all([writer(), writer()])
    let running = true
    void both.then(() => (running = false))
    let seen = 0
    while (running) {
      if (existsSync(file)) {
        const loaded = loadSnapshot(file, build)
        expect(loaded).toBeDefined()
        seen++
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(await both).toEqual([0, 0])
    expect(seen).toBeGreaterThan(0)
    expect(snapshotFingerprint(loadSnapshot(file, build)!.snapshot)).toEqual(snapshotFingerprint(snapshot))
  })
})
