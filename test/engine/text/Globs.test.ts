import * as fc from "effect/FastCheck"
import { afterAll, describe, expect, it } from "vitest"
import { compileGlob, compileGlobs, InvalidGlob } from "../../../src/engine/text/Globs.ts"
import { ripgrepFiles, writeTree } from "./ripgrep.ts"

const tree = writeTree(
  Object.fromEntries(
    [
      "README.md",
      "a.ts",
      "b.TS",
      "src/a.ts",
      "src/b.tsx",
      "src/deep/a.ts",
      "src/deep/er/c.js",
      "src/build/x.ts",
      "build/x.ts",
      "build/y/z.js",
      "test/a.test.ts",
      "test/src/a.ts",
      "x-y.md",
      "xay.md",
      "[odd].md",
      "{odd}.md",
      "ünïcode.ts",
      ".hidden/a.ts",
      "src/.env",
      "a]b.md",
      "日本/語.ts"
    ].map((path) => [path, "x\n"])
  )
)
afterAll(tree.remove)

const chosen = (globs: ReadonlyArray<string>, ignoreCase = false): Array<string> => {
  const matches = compileGlobs(globs, { ignoreCase })
  return tree.paths.filter(matches).sort()
}
const flags = (globs: ReadonlyArray<string>, flag = "--glob"): Array<string> =>
  globs.map((glob) => `${flag}=${glob}`)
const byBytes = (paths: ReadonlyArray<string> | undefined): Array<string> => [...paths!].sort()

describe("globs choose the files ripgrep chooses", () => {
  it.each([
    [["*.ts"]],
    [["*.{ts,js}"]],
    [["a.ts"]],
    [["/a.ts"]],
    [["src/*.ts"]],
    [["src/**"]],
    [["src/**/*.ts"]],
    [["**/a.ts"]],
    [["**/deep/**"]],
    [["**"]],
    [["*"]],
    [["src/*"]],
    [["s*c/*.ts"]],
    [["**/src/*.ts"]],
    [["{src,test}/**"]],
    [["{src/deep,test}/**/*.ts"]],
    [["x?y.md"]],
    [["x[a-c]y.md"]],
    [["x[!a-c]y.md"]],
    [["[[]odd].md"]],
    [["\\[odd\\].md"]],
    [["\\{odd\\}.md"]],
    [["a[]]b.md"]],
    [["src/?.ts"]],
    [["src/**/c.js"]],
    [["src/**/**/*.ts"]],
    [["src**"]],
    [["s**c/a.ts"]],
    [["!*.ts"]],
    [["!build"]],
    [["!/build"]],
    [["!src/deep"]],
    [["*.ts", "!*.test.ts"]],
    [["!*.ts", "src/a.ts"]],
    [["*.ts", "!src/**", "src/b.tsx"]],
    [["!build/"]],
    [["{a,b}.{ts,TS}"]],
    [["src/{a.ts,deep/{a.ts,er/**}}"]],
    [["*.nothing"]]
  ])("%j", (globs) => {
    expect(chosen(globs)).toEqual(byBytes(ripgrepFiles(tree, flags(globs))))
  })

  it("without regard to case", () => {
    for (const glob of ["*.ts", "SRC/**", "[A-B].ts", "readme*"]) {
      expect([glob, chosen([glob], true)]).toEqual([
        glob,
        byBytes(ripgrepFiles(tree, flags([glob], "--iglob")))
      ])
    }
  })

  it("for random globs over the same alphabet", () => {
    const part = fc.constantFrom(
      "*",
      "**",
      "?",
      "a",
      "b",
      "src",
      "deep",
      ".ts",
      "/",
      "/",
      "**/",
      "{a,b}",
      "[a-s]",
      "{src,deep}/",
      "x"
    )
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("").replace(/\/+/g, "/")),
        (glob) => {
          fc.pre(!glob.endsWith("/") && !/\*{3,}/.test(glob))
          expect([glob, chosen([glob])]).toEqual([glob, byBytes(ripgrepFiles(tree, flags([glob])))])
        }
      ),
      { numRuns: 80, seed: 5 }
    )
  }, 60_000)
})

describe("a glob", () => {
  it("with a slash at its end matches what lies inside, at any depth when it has no other slash", () => {
    expect(tree.paths.filter(compileGlob("build/")).sort()).toEqual([
      "build/x.ts",
      "build/y/z.js",
      "src/build/x.ts"
    ])
    expect(tree.paths.filter(compileGlob("/build/")).sort()).toEqual(["build/x.ts", "build/y/z.js"])
  })

  it("counts characters, not bytes, and folds case beyond ASCII", () => {
    expect(compileGlob("?n?code.ts")("ünïcode.ts")).toBe(true)
    expect(compileGlob("*/?.ts")("日本/語.ts")).toBe(true)
    expect(compileGlob("ÜNÏ*", { ignoreCase: true })("ünïcode.ts")).toBe(true)
  })

  it("that is malformed is refused with its position", () => {
    const position = (glob: string): unknown => {
      try {
        compileGlob(glob)
        return "accepted"
      } catch (error) {
        return error instanceof InvalidGlob ? [error.code, error.position] : error
      }
    }
    expect(position("a[b")).toEqual(["invalid_glob", 1])
    expect(position("/a/{b,c")).toEqual(["invalid_glob", 3])
    expect(position("a}")).toEqual(["invalid_glob", 1])
    expect(position("[z-a]")).toEqual(["invalid_glob", 0])
    expect(position("a\\")).toEqual(["invalid_glob", 1])
    expect(position("")).toEqual(["invalid_glob", 0])
    expect(position("{a,b}".repeat(20))).toMatchObject(["invalid_glob", expect.any(Number)])
  })

  it("with many stars stays polynomial", () => {
    expect(compileGlob("*a".repeat(30) + "b")("a".repeat(2000))).toBe(false)
  })
})

describe("a glob longer than any path", () => {
  it("is refused at once", () => {
    expect(() => compileGlob("x".repeat(300_000))).toThrow(InvalidGlob)
    expect(compileGlob("x".repeat(4096))("x".repeat(4096))).toBe(true)
  })
})
