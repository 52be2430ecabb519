import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { languagesPage, readings } from "../../src/build/docs/languages.ts"
import { samplesOf } from "../../src/build/docs/readings.ts"
import { dockerfile } from "../../src/engine/languages/dockerfile/index.ts"
import { python } from "../../src/engine/languages/python/index.ts"
import { typescript } from "../../src/engine/languages/typescript/index.ts"

const samples = (files: { readonly [path: string]: string }) => {
  const top = mkdtempSync(join(tmpdir(), "portico-samples-"))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(top, path, ".."), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  return top
}

describe("samples", () => {
  it("are the files a language reads in its own folder", () => {
    const top = samples({
      "python/b.py": "",
      "python/deep/a.py": "",
      "python/notes.md": "",
      "go/c.py": "",
      "dockerfile/Dockerfile": "",
      "typescript/d.ts.txt": ""
    })
    const paths = (language: typeof python) => samplesOf(language, [top]).map(({ path }) => path)
    expect(paths(python)).toEqual(["b.py", "deep/a.py"])
    expect(paths(dockerfile)).toEqual(["Dockerfile"])
    expect(paths(typescript)).toEqual(["d.ts"])
  })

  it("tell what was read from them and nothing else", async () => {
    const top = samples({
      "python/a.py": "class A:\n    def get(self) -> int:\n        return 1\n",
      "dockerfile/Dockerfile": "FROM node AS build\n"
    })
    const seen = await readings([python, dockerfile], [top])
    expect(seen.get("python")).toMatchObject({
      samples: 1,
      kinds: ["method", "class"],
      imports: false,
      inherits: [],
      types: true,
      tests: false,
      docs: false
    })
    expect(seen.get("dockerfile")).toMatchObject({ samples: 1, kinds: ["stage"], roles: [], types: false })
  })

  it("see imports, inheritance, receivers, tests and docs where there are some", async () => {
    const top = samples({
      "python/test_a.py":
        'import os\n\nclass B(Base):\n    """Doc."""\n    def go(self):\n        self.get()\n\ndef test_it():\n    os.getcwd()\n'
    })
    expect((await readings([python], [top])).get("python")).toMatchObject({
      imports: true,
      inherits: ["extends"],
      receivers: true,
      tests: true,
      docs: true
    })
  })
})

describe("the page of languages", () => {
  it("is refused when a language has no sample", async () => {
    const seen = await readings([python], [samples({})])
    expect(() => languagesPage([python], seen)).toThrow("no sample of python was read")
  })
})
