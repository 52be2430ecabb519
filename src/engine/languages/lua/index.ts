import type { Language } from "../Language.ts"

export const lua: Language = {
  id: "lua",
  label: "Lua",
  extensions: [".lua"],
  interpreters: ["lua", "luajit"],
  depth: "references",
  family: "lua",
  reads: "text",
  hoisting: false,
  grammar: { package: "@tree-sitter-grammars/tree-sitter-lua", file: "tree-sitter-lua.wasm" },
  load: async () => {
    const [{ extractorOf }, { rules }] = await Promise.all([
      import("../treesitter/extractor.ts"),
      import("./rules.ts")
    ])
    return extractorOf(rules)
  }
}
