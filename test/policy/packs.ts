/** The packs of the fixtures in a folder of their own, where `portico/registry` is what this process has. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as kit from "../../src/registry/Kit.ts"

const fixtures = fileURLToPath(new URL("../fixtures/packs", import.meta.url))

export const packFolder = () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "portico-packs-")))
  cpSync(fixtures, root, { recursive: true })
  const portico = join(root, "node_modules/portico")
  mkdirSync(portico, { recursive: true })
  writeFileSync(
    join(portico, "package.json"),
    JSON.stringify({ name: "portico", exports: { "./registry": "./registry.js" } })
  )
  writeFileSync(
    join(portico, "registry.js"),
    [
      `const kit = globalThis[Symbol.for("portico.registry")]`,
      ...Object.keys(kit).map((name) => `exports.${name} = kit.${name}`)
    ].join("\n")
  )
  return { root, end: () => rmSync(root, { recursive: true, force: true }) }
}
