import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, linkSync, mkdirSync, realpathSync, statSync, symlinkSync } from "node:fs"
import { join, sep } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import type { Root } from "../../../src/engine/files/Confine.ts"
import {
  confine,
  confineSync,
  openRoot,
  openRootSync,
  PathRefused,
  readConfined,
  readConfinedSync
} from "../../../src/engine/files/Confine.ts"
import { TempFolder, withoutPrivilege } from "../git/TempRepo.ts"

const rootOf = (path: string): Root => {
  const root = openRootSync(path)
  if (root instanceof PathRefused) throw root
  return root
}

const answer = (root: Root, path: string, options = {}) => {
  const result = confineSync(root, path, options)
  return result instanceof PathRefused ? result.reason : result.relative
}

const stage = (temp: TempFolder): Root => {
  temp.write("outside/secret.txt", "secret\n")
  temp.write("root/a/b.txt", "b\n")
  temp.write("root/.git/config", "[core]\n")
  temp.write("root-sibling/x.txt")
  mkdirSync(temp.at("root/empty"))
  symlinkSync("a/b.txt", temp.at("root/to-b"))
  symlinkSync("a", temp.at("root/to-a"))
  symlinkSync(temp.at("root/a"), temp.at("root/to-a-absolute"))
  symlinkSync("../outside", temp.at("root/out"))
  symlinkSync(temp.at("outside/secret.txt"), temp.at("root/secret"))
  symlinkSync("../outside/new.txt", temp.at("root/dangling-out"))
  symlinkSync("a/new.txt", temp.at("root/dangling-in"))
  symlinkSync("loop2", temp.at("root/loop1"))
  symlinkSync("loop1", temp.at("root/loop2"))
  symlinkSync(".git", temp.at("root/to-git"))
  execFileSync("mkfifo", [temp.at("root/fifo")])
  return rootOf(temp.at("root"))
}

describe("confine", () => {
  it("refuses what is written the way of another place, unless a file really has that name", () => {
    using temp = new TempFolder()
    const root = stage(temp)
    for (const path of ["file:///a/b.txt", "https://x.y/a", "~", "~/a/b.txt", "C:\\a\\b.txt", "c:/a"]) {
      const refused = confineSync(root, path, { allowMissing: true })
      expect(refused instanceof PathRefused ? refused.reason : refused.relative, path).toBe(
        sep === "\\" && /^c:/i.test(path) ? "path_outside_root" : "invalid_path"
      )
    }
    temp.write("root/~/kept.txt", "x")
    expect(answer(root, "~/kept.txt")).toBe("~/kept.txt")
    expect(answer(root, "~other")).toBe("not_found")
    expect(answer(root, "a:b.txt")).toBe("not_found")
  })

  it("accepts relative and absolute paths inside and follows links that stay inside", () => {
    using temp = new TempFolder()
    const root = stage(temp)
    expect(answer(root, "a/b.txt")).toBe("a/b.txt")
    expect(answer(root, "./a//b.txt")).toBe("a/b.txt")
    expect(answer(root, temp.at("root/a/b.txt"))).toBe("a/b.txt")
    expect(answer(root, temp.at("root"))).toBe("")
    expect(answer(root, ".")).toBe("")
    expect(answer(root, "to-b")).toBe("a/b.txt")
    expect(answer(root, "to-a/b.txt")).toBe("a/b.txt")
    expect(answer(root, "to-a-absolute/b.txt")).toBe("a/b.txt")
    expect(confineSync(root, "to-a/b.txt")).toEqual({
      relative: "a/b.txt",
      absolute: temp.at("root/a/b.txt"),
      requested: "to-a/b.txt",
      exists: true
    })
  })

  it("refuses everything that leaves the root", () => {
    using temp = new TempFolder()
    const root = stage(temp)
    const outside = [
      "..",
      "../outside/secret.txt",
      "a/../../outside",
      "a/../a/b.txt",
      "/etc/passwd",
      "/",
      temp.at("root-sibling/x.txt"),
      temp.at("root/../outside/secret.txt"),
      "a\0b",
      "\0",
      "out",
      "out/secret.txt",
      "secret",
      "dangling-out",
      "out/new/file"
    ]
    for (const path of outside) {
      expect([path, answer(root, path)]).toEqual([path, "path_outside_root"])
      expect([path, answer(root, path, { allowMissing: true })]).toEqual([path, "path_outside_root"])
    }
    // Other letter case is another path on this file system, and outside when it is absolute.
    if (!existsSync(temp.at("ROOT"))) {
      expect(answer(root, temp.at("ROOT/a/b.txt"))).toBe("path_outside_root")
      expect(answer(root, "A/b.txt")).toBe("not_found")
    }
  })

  it("keeps git's own files out of reach unless asked, in any letter case", () => {
    using temp = new TempFolder()
    const root = stage(temp)
    for (const path of [
      ".git/config",
      ".git",
      ".GIT/config",
      "a/.Git/x",
      "to-git/config",
      "git~1/config",
      ".git./config"
    ]) {
      expect([path, answer(root, path, { allowMissing: true })]).toEqual([path, "sensitive_path"])
    }
    expect(answer(root, ".git/config", { allowGitDir: true })).toBe(".git/config")
    expect(answer(root, ".gitignore", { allowMissing: true })).toBe(".gitignore")
    expect(answer(root, ".github/x.yml", { allowMissing: true })).toBe(".github/x.yml")
  })

  it("separates missing, wrong kind, unusable names and loops", () => {
    using temp = new TempFolder()
    const root = stage(temp)
    expect(answer(root, "nope")).toBe("not_found")
    expect(answer(root, "a/b.txt/below")).toBe("not_found")
    expect(answer(root, "a/b.txt/below", { allowMissing: true })).toBe("not_found")
    expect(answer(root, "a", { kind: "file" })).toBe("not_file")
    expect(answer(root, "fifo", { kind: "file" })).toBe("not_file")
    expect(answer(root, "a/b.txt", { kind: "directory" })).toBe("not_directory")
    expect(answer(root, "")).toBe("invalid_path")
    expect(answer(root, "x".repeat(300))).toBe("invalid_path")
    expect(answer(root, "bad\ud800name")).toBe("invalid_path")
    expect(answer(root, "loop1")).toBe("invalid_path")
  })

  it("places files that do not exist yet, through links to where a write would land", () => {
    using temp = new TempFolder()
    const root = stage(temp)
    expect(answer(root, "new/deep/file.ts", { allowMissing: true })).toBe("new/deep/file.ts")
    expect(answer(root, "to-a/new.ts", { allowMissing: true })).toBe("a/new.ts")
    expect(answer(root, "dangling-in", { allowMissing: true })).toBe("a/new.txt")
    expect(answer(root, "dangling-in")).toBe("not_found")
    expect(confineSync(root, "new.ts", { allowMissing: true })).toMatchObject({ exists: false })
  })

  it("takes a root that is itself reached through a link", () => {
    using temp = new TempFolder()
    stage(temp)
    symlinkSync("root", temp.at("alias"))
    const root = rootOf(temp.at("alias"))
    expect(root).toEqual({ given: temp.at("alias"), real: temp.at("root") })
    expect(answer(root, temp.at("alias/a/b.txt"))).toBe("a/b.txt")
    expect(answer(root, temp.at("root/a/b.txt"))).toBe("a/b.txt")
  })

  it("never accepts what realpath puts elsewhere, and never refuses what it puts inside", () => {
    using temp = new TempFolder()
    const root = stage(temp)
    const piece = FastCheck.constantFrom(
      "a",
      "b.txt",
      "to-a",
      "to-b",
      "out",
      "secret.txt",
      "secret",
      "..",
      ".",
      "",
      "empty",
      "loop1",
      "dangling-in",
      "dangling-out",
      "to-a-absolute",
      "nope",
      "root",
      "outside",
      "..."
    )
    const prefix = FastCheck.constantFrom(
      "",
      "/",
      `${temp.at("root")}/`,
      `${temp.at("outside")}/`,
      `${temp.path}/`
    )
    FastCheck.assert(
      FastCheck.property(prefix, FastCheck.array(piece, { maxLength: 5 }), (start, pieces) => {
        const path = start + pieces.join("/")
        const result = confineSync(root, path)
        let real: string | null = null
        try {
          real = realpathSync.native(path.startsWith("/") ? path : `${root.real}/${path}`)
        } catch {
          real = null
        }
        const inside = real !== null && (real === root.real || real.startsWith(`${root.real}/`))
        if (result instanceof PathRefused) {
          if (inside && path !== "" && !pieces.includes("..")) {
            // An absolute path that enters through a link outside the root is refused as text; none of these do.
            expect.unreachable(`${path} refused as ${result.reason}`)
          }
          return
        }
        expect(real).toBe(result.absolute)
        expect(inside).toBe(true)
        expect(join(root.real, result.relative)).toBe(
          result.absolute === root.real ? root.real : result.absolute
        )
        const missing = confineSync(root, path, { allowMissing: true })
        expect(missing).toEqual(result)
      }),
      { numRuns: 2000 }
    )
  })

  it("puts missing files only where the nearest existing folder is inside", () => {
    using temp = new TempFolder()
    const root = stage(temp)
    const piece = FastCheck.constantFrom(
      "a",
      "to-a",
      "out",
      "empty",
      "dangling-in",
      "dangling-out",
      "n1",
      "n2",
      "b.txt"
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        const result = confineSync(root, pieces.join("/"), { allowMissing: true })
        if (result instanceof PathRefused) return
        let at = result.absolute
        while (!existsSync(at)) at = join(at, "..")
        expect(realpathSync.native(at)).toBe(at)
        expect(at === root.real || at.startsWith(`${root.real}/`)).toBe(true)
        if (at !== result.absolute) expect(statSync(at).isDirectory()).toBe(true)
      }),
      { numRuns: 2000 }
    )
  })

  it.effect("fails with the tagged error in its Effect form", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      stage(temp)
      const root = yield* openRoot(temp.at("root"))
      expect((yield* confine(root, "a")).relative).toBe("a")
      const error = yield* Effect.flip(confine(root, "../x"))
      expect(error).toMatchObject({
        _tag: "PathRefused",
        reason: "path_outside_root",
        path: "../x",
        detail: "parent_segment"
      })
    })
  )
})

describe("reading inside the root", () => {
  it.effect("gives whole regular files and nothing else, without ever waiting on a FIFO", () =>
    Effect.gen(function* () {
      using temp = new TempFolder()
      const root = stage(temp)
      linkSync(temp.at("root/a/b.txt"), temp.at("root/hard"))
      expect((yield* readConfined(root, "to-b")).bytes.toString()).toBe("b\n")
      expect((yield* readConfined(root, "hard")).file.relative).toBe("hard")
      const reason = (path: string, maxBytes = 1000) =>
        Effect.map(Effect.flip(readConfined(root, path, { maxBytes })), (error) => error.reason)
      expect(yield* reason("fifo")).toBe("not_file")
      expect(yield* reason("a")).toBe("not_file")
      expect(yield* reason("secret")).toBe("path_outside_root")
      expect(yield* reason("a/b.txt", 1)).toBe("too_large")
      expect(yield* reason("nope")).toBe("not_found")
    })
  )

  it("reads files whose size the system does not tell", () => {
    const root = rootOf("/proc/self")
    const result = readConfinedSync(root, "status")
    // The kernel may not let every system list /proc; where it does, the content is there although the size is 0.
    if (!(result instanceof PathRefused)) expect(result.bytes.toString()).toContain("Pid:")
    else expect(result.reason).not.toBe("path_outside_root")
  })

  it("names missing permission as such", async (test) => {
    using temp = new TempFolder()
    const root = stage(temp)
    temp.write("root/locked/x.txt")
    chmodSync(temp.at("root/a/b.txt"), 0)
    chmodSync(temp.at("root/locked"), 0)
    const results = await withoutPrivilege(temp, () => [
      readConfinedSync(root, "a/b.txt"),
      readConfinedSync(root, "locked/x.txt"),
      confineSync(root, "locked/new.txt", { allowMissing: true })
    ])
    if (results === null) return test.skip("this process cannot give up its privilege")
    for (const result of results) expect(result).toMatchObject({ reason: "permission_denied" })
  })
})
