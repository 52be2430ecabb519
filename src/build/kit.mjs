/**
 * Builds `portico/registry`, what operation packs are made with: `dist/registry.js`, which hands out the running engine's
 * own where there is one, `dist/kit.js` for when there is none, and their types below `dist/types`.
 */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { inRoot, root } from "./paths.mjs"

const entry = "src/registry/Kit.ts"

/** Names are written out, so that a module that imports them can be told they are there. */
const handOver = (names) =>
  [
    `"use strict"`,
    `const kit = globalThis[Symbol.for("portico.registry")] ?? require("./kit.js")`,
    ...names.map((name) => `exports.${name} = kit.${name}`),
    ""
  ].join("\n")

/** A folder of declarations refers to its files by the names of their sources, which are not there. */
const rename = (folder) => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath ?? entry.path, entry.name)
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.replace(/((?:from|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"'))
  }
}

const declarations = () => {
  const out = inRoot("dist/types")
  const settings = {
    outDir: out,
    rootDir: inRoot("src"),
    target: "ES2022",
    lib: "ES2023",
    types: "node",
    module: "NodeNext",
    strict: "true",
    exactOptionalPropertyTypes: "true",
    skipLibCheck: "true",
    rewriteRelativeImportExtensions: "true"
  }
  const run = spawnSync(
    process.execPath,
    [
      inRoot("node_modules/typescript/bin/tsc"),
      "--ignoreConfig",
      "--declaration",
      "--emitDeclarationOnly",
      ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      inRoot(entry)
    ],
    { cwd: root, encoding: "utf8" }
  )
  // Complaints are the type check's to make; declarations come out in spite of them.
  if (!existsSync(path.join(out, "registry/Kit.d.ts")))
    throw new Error(`the types of packs do not come out: ${run.stdout}${run.stderr}`)
  rename(out)
}

/** Writes all of it. `inputOptions` are those of the program's own bundle. */
export const buildKit = async (rolldown, inputOptions) => {
  if (!existsSync(inRoot(entry))) return
  const bundler = await rolldown({ ...inputOptions, input: { kit: inRoot(entry) } })
  try {
    await bundler.write({
      file: inRoot("dist/kit.js"),
      format: "cjs",
      exports: "named",
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } }
    })
  } finally {
    await bundler.close()
  }
  writeFileSync(inRoot("dist/package.json"), `${JSON.stringify({ type: "commonjs" })}\n`)
  const names = Object.keys(createRequire(import.meta.url)(inRoot("dist/kit.js"))).sort()
  writeFileSync(inRoot("dist/registry.js"), handOver(names))
  declarations()
}
