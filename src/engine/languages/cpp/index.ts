import type { Language } from "../Language.ts"

export const cpp: Language = {
  id: "cpp",
  label: "C++",
  extensions: [
    ".cpp",
    ".cc",
    ".cxx",
    ".c++",
    ".hpp",
    ".hh",
    ".hxx",
    ".h++",
    ".ipp",
    ".inl",
    ".tpp",
    ".cppm",
    ".ixx",
    ".cu",
    ".cuh"
  ],
  depth: "references",
  family: "c",
  reads: "text",
  hoisting: false,
  implicitThis: true,
  callMakesInstance: true,
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-cpp.wasm" },
  load: async () => {
    const [{ extractorOf }, { rules }] = await Promise.all([
      import("../treesitter/extractor.ts"),
      import("./rules.ts")
    ])
    return extractorOf(rules)
  }
}
