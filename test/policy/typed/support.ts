/** Sources of operations in a folder of their own, audited as a pack's are. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Bounds } from "../../../src/policy/typed/Compare.ts"
import { type Audited, audited } from "../../../src/policy/typed/Audited.ts"
import type { Registry } from "../../../src/registry/Registry.ts"

export const kit = fileURLToPath(new URL("../../../src/registry/Kit.ts", import.meta.url))

/** A folder with files, removed by `end`. */
export const folderOf = (files: { readonly [path: string]: string }) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "portico-audit-")))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { root, end: () => rmSync(root, { recursive: true, force: true }) }
}

/** Audits sources, with a registry of their values where one is given. */
export const auditOf = (
  files: { readonly [path: string]: string },
  registry?: Registry.Any,
  bounds: Bounds = { ceilings: {}, grants: {} }
): Audited => {
  const { end, root } = folderOf(files)
  try {
    return audited({
      registry,
      sources: { root, include: ["**/*"], paths: { "portico/registry": kit } },
      bounds
    })
  } finally {
    end()
  }
}

/** A source of operations of a reading tool and a writing one, `looks` and `writes`. */
export const source = (...lines: ReadonlyArray<string>): string =>
  [
    `import { Effect, Facade, Fields as F, LocalWriter, CodeGraph, ReadFs, SessionStore } from "portico/registry"`,
    `import type { Member } from "portico/registry"`,
    `const looks = Facade.make("looks", { effect: "read", purpose: "Looks.", envelope: { properties: {} } })`,
    `const writes = Facade.make("writes", { effect: "local_write", purpose: "Writes.", envelope: { properties: {} } })`,
    `const of = { tool: "t", summary: "A sentence.", input: F.input({}) }`,
    `void [Effect, LocalWriter, CodeGraph, ReadFs, SessionStore, looks, writes, of]`,
    `export type M = Member<typeof looks, "x", []>`,
    ...lines
  ].join("\n")
/** Line of the first of `lines` in a {@link source}. */
export const firstLine = 8
