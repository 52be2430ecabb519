import type { Language } from "../Language.ts"

export const ruby: Language = {
  id: "ruby",
  label: "Ruby",
  extensions: [".rb", ".rake", ".gemspec", ".ru", ".rbw"],
  filenames: [
    "Rakefile",
    "Gemfile",
    "Guardfile",
    "Capfile",
    "Vagrantfile",
    "Podfile",
    "Fastfile",
    "Brewfile"
  ],
  interpreters: ["ruby", "jruby", "rbx"],
  depth: "references",
  family: "ruby",
  reads: "text",
  hoisting: false,
  implicitThis: true,
  callMakesInstance: false,
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-ruby.wasm" },
  load: async () => {
    const [{ extractorOf }, { rules }] = await Promise.all([
      import("../treesitter/extractor.ts"),
      import("./rules.ts")
    ])
    return extractorOf(rules)
  }
}
