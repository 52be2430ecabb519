import { cpSync } from "node:fs"
import * as path from "node:path"
import { describe, expect, it } from "vitest"
import { directoryOf, node, top } from "./support.ts"

/** `line specifier` of each import of `file` that our lint rules refuse. */
const refused = (file: string, imports: ReadonlyArray<string>) => {
  const text = imports
    .map((specifier, index) => `import * as i${index} from "${specifier}"\nexport { i${index} }\n`)
    .join("")
  const here = directoryOf({ [file]: text })
  cpSync(path.join(top, ".oxlintrc.json"), path.join(here, ".oxlintrc.json"))
  const ran = node(here, [path.join(top, "node_modules/oxlint/bin/oxlint"), "-f", "json", "src"])
  const { diagnostics } = JSON.parse(ran.stdout) as {
    diagnostics: ReadonlyArray<{ code: string; labels: ReadonlyArray<{ span: { line: number } }> }>
  }
  const lines = new Set(diagnostics.map(({ labels }) => labels[0]?.span.line))
  return imports.filter((_, index) => lines.has(2 * index + 1))
}

describe("restricted imports", () => {
  it("leave a facade no built-in, package or module with authority", () => {
    const forbidden = [
      "node:fs",
      "node:fs/promises",
      "fs",
      "node:child_process",
      "node:net",
      "node:http",
      "@effect/platform/FileSystem",
      "@effect/platform-node",
      "../../engine/files/Files.ts",
      "../../layers.ts"
    ]
    const fine = ["node:path", "node:path/posix", "node:crypto", "effect", "../../services/ReadFs.ts"]
    expect(refused("src/facades/read/file.ts", [...forbidden, ...fine])).toEqual(forbidden)
  })

  it("leave the registry node:crypto alone", () => {
    const forbidden = ["node:fs", "node:fs/promises", "node:path", "@effect/platform"]
    expect(refused("src/registry/Operation.ts", [...forbidden, "node:crypto", "effect"])).toEqual(forbidden)
  })

  it("do not touch the engine", () => {
    expect(refused("src/engine/files/Files.ts", ["node:fs", "node:child_process"])).toEqual([])
  })
})
