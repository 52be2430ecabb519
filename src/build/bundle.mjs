/** How the sources become dist/: CommonJS chunks, beside the launcher that loads them. */
import { existsSync } from "node:fs"
import { parseAst } from "rolldown/parseAst"
import { constantTables } from "./constants.mjs"
import { inRoot } from "./paths.mjs"
import { walk } from "./sources.mjs"

/** Bundle name of each entry, and its source. */
const entries = { app: "src/main.ts", reader: "src/engine/indexer/worker.ts" }

/** Entries whose source exists. A launcher loads each: `main.js` the app, `worker.js` the reader in worker threads. */
export const presentEntries = () =>
  Object.fromEntries(
    Object.entries(entries)
      .map(([name, file]) => [name, inRoot(file)])
      .filter(([, file]) => existsSync(file))
  )

/** Packages that find files of their own at run time, so they stay in node_modules. */
const external = [
  /^web-tree-sitter(\/|$)/,
  /^@vscode\/(tree-sitter-wasm|ripgrep)(\/|$)/,
  /^@repomix\/tree-sitter-wasms(\/|$)/,
  /^tree-sitter-/,
  /^@parcel\/watcher(\/|$)/,
  /^@?libsql(\/|$)/,
  /^typescript/,
  /\.(node|wasm)$/
]

/**
 * The MCP library builds a JSON Schema validator unless it is handed one. We validate with our own schemas,
 * so its default never runs, and the package behind it would be half of what a start-up loads.
 */
const withoutValidator = {
  name: "without-validator",
  resolveId: (id) => (/\/ajv-provider(\.js)?$/.test(id) ? "\0no-validator" : undefined),
  load: (id) =>
    id === "\0no-validator"
      ? `export class AjvJsonSchemaValidator {
           getValidator() { throw new Error("This build carries no JSON Schema validator: pass jsonSchemaValidator") }
         }`
      : undefined
}

/**
 * The MCP library's module of schemas makes one for every message there is. Making them has no effect, which a bundler
 * cannot know: told so, it leaves out those that nothing uses.
 */
const onlyUsedSchemas = {
  name: "only-used-schemas",
  transform: {
    filter: { id: /@modelcontextprotocol\/sdk\/dist\/esm\/types\.js$/ },
    handler: (code) => {
      const calls = new Set()
      for (const { declaration } of parseAst(code).body)
        if (declaration?.type === "VariableDeclaration")
          walk(declaration, ({ start, type }) => type === "CallExpression" && calls.add(start))
      const at = [0, ...[...calls].sort((a, b) => a - b), code.length]
      const pieces = at.slice(1).map((to, i) => code.slice(at[i], to))
      return { code: pieces.join("/*@__PURE__*/ "), map: null }
    }
  }
}

/** Options for rolldown's bundler. */
export const inputOptions = () => ({
  input: presentEntries(),
  cwd: inRoot(),
  platform: "node",
  external,
  plugins: [constantTables(), withoutValidator, onlyUsedSchemas],
  // A package's UMD build hides its imports from a bundler.
  resolve: { mainFields: ["module", "main"] },
  transform: { target: "node20" },
  checks: { circularDependency: false },
  onLog: (level, log, handle) => {
    // Optional accelerators that libraries try to load and do without.
    if (log.code === "UNRESOLVED_IMPORT" && /bufferutil|utf-8-validate/.test(log.message)) return
    handle(level, log)
  }
})

/** Options for writing the bundle. Names stay whole, so stack traces can be read. */
export const outputOptions = () => ({
  dir: inRoot("dist"),
  format: "cjs",
  exports: "auto",
  // A cached script cannot call import(), so a lazy chunk is required when its time comes.
  dynamicImportInCjs: false,
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  minify: {
    compress: true,
    mangle: false,
    codegen: { removeWhitespace: true }
  }
})
