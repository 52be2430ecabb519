/** The language servers this program knows how to run. `ServerRow.ts` says how to add one. */
import { existsSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Candidate, DocumentKind, ServerRow } from "./ServerRow.ts"

const MiB = 1024 * 1024
const GiB = 1024 * MiB
const minutes = 60_000

const kind = (
  language: string,
  globs: ReadonlyArray<string>,
  languageId: string = language
): DocumentKind => ({
  language,
  languageId,
  globs
})

const program = (
  name: string,
  args: ReadonlyArray<string> = [],
  versionArgs: ReadonlyArray<string> = ["--version"]
): Candidate => ({ kind: "program", name, args, versionArgs })

const script = (name: string, path: string, args: ReadonlyArray<string> = ["--stdio"]): Candidate => ({
  kind: "package",
  name,
  script: path,
  args
})

const common = {
  rootMarkers: [],
  readiness: { kind: "waits" },
  runsWorkspaceCode: false,
  serves: "everything",
  memory: { hardBytes: 512 * MiB },
  idleMillis: 5 * minutes,
  quirks: {}
} satisfies Partial<ServerRow>

const onPath = (name: string): string => `Install ${name} and have it on PATH.`

/** The compiler of TypeScript 7 is a native program in a package of its own, beside `typescript` or below it. */
const nativeCompiler = (directory: string): string | undefined => {
  const name = `typescript-${process.platform}-${process.arch}`
  for (const modules of [
    join(directory, "node_modules"),
    dirname(directory),
    dirname(realpathSync(directory))
  ]) {
    const file = join(modules, "@typescript", name, "lib", process.platform === "win32" ? "tsc.exe" : "tsc")
    if (existsSync(file)) return file
  }
  return undefined
}

const ecmascript: ReadonlyArray<DocumentKind> = [
  kind("typescript", ["*.ts", "*.mts", "*.cts"]),
  kind("tsx", ["*.tsx"], "typescriptreact"),
  kind("javascript", ["*.js", "*.mjs", "*.cjs"]),
  kind("jsx", ["*.jsx"], "javascriptreact")
]

const clangdNames = ["clangd", ...Array.from({ length: 12 }, (_, i) => `clangd-${25 - i}`)]

/** Every row, in the order in which rows claim files. */
export const catalogue: ReadonlyArray<ServerRow> = [
  {
    ...common,
    id: "typescript",
    documents: ecmascript,
    candidates: [
      {
        kind: "package",
        name: "typescript",
        script: "bin/tsc",
        args: ["--lsp", "--stdio"],
        native: nativeCompiler
      },
      program("tsc", ["--lsp", "--stdio"]),
      program("tsgo", ["--lsp", "--stdio"])
    ],
    minVersion: "7.0.0",
    // A soft limit for its garbage collector; lower ones make it slow and save nothing.
    env: { GOMEMLIMIT: "1536MiB" },
    settings: {
      typescript: { preferences: { useAliasesForRenames: true } },
      javascript: { preferences: { useAliasesForRenames: true } }
    },
    memory: { softBytes: GiB, hardBytes: 2 * GiB },
    idleMillis: 15 * minutes,
    hint: "Install it with `npm install --save-dev typescript@7`.",
    quirks: {
      answersUnopened: true,
      judgesTexts: true,
      projectOf: "custom/projectInfo",
      renameThroughAliases: {
        typescript: { preferences: { useAliasesForRenames: false } },
        javascript: { preferences: { useAliasesForRenames: false } }
      }
    }
  },
  {
    ...common,
    id: "typescript6",
    documents: ecmascript,
    candidates: [
      {
        kind: "package",
        name: "typescript-language-server",
        script: "lib/cli.mjs",
        args: ["--stdio"],
        // The server is a shell around the compiler's own, which version 7 has no more.
        needs: ["ts6"]
      }
    ],
    minVersion: "5.0.0",
    serves: "actions",
    initOptions: (directoryOf) => ({
      // Its partial mode answers from one file; with it off, requests wait for the whole project.
      tsserver: { useSyntaxServer: "never", path: join(directoryOf("ts6") ?? "", "lib", "tsserver.js") },
      maxTsServerMemory: 2048,
      disableAutomaticTypingAcquisition: true
    }),
    memory: { hardBytes: 2.5 * GiB },
    idleMillis: 2 * minutes,
    hint: "Install `typescript-language-server@5` and `ts6` (`npm:typescript@6`) for refactorings of TypeScript.",
    quirks: {}
  },
  {
    ...common,
    id: "python",
    documents: [kind("python", ["*.py", "*.pyi", "*.pyw"])],
    rootMarkers: ["pyrightconfig.json", "pyproject.toml", "setup.py", "setup.cfg"],
    candidates: [
      script("basedpyright", "langserver.index.js"),
      program("basedpyright-langserver", ["--stdio"], []),
      script("pyright", "langserver.index.js"),
      program("pyright-langserver", ["--stdio"], [])
    ],
    // References asked for before it has listed the files come from the open ones only.
    readiness: { kind: "log", line: /^(Found \d+ source file|No source files found)/ },
    settings: {
      python: { analysis: { diagnosticMode: "openFilesOnly" } },
      basedpyright: { analysis: { diagnosticMode: "openFilesOnly", typeCheckingMode: "standard" } }
    },
    memory: { hardBytes: 1.5 * GiB },
    hint: "Install it with `npm install --save-dev basedpyright`.",
    // After other texts were shown to it, it renames in the open files only.
    quirks: { renamesReferences: true }
  },
  {
    ...common,
    id: "go",
    documents: [kind("go", ["*.go"])],
    rootMarkers: ["go.work", "go.mod"],
    candidates: [program("gopls", [], ["version"])],
    runsWorkspaceCode: true,
    memory: { hardBytes: 3 * GiB },
    hint: onPath("gopls (`go install golang.org/x/tools/gopls@latest`)"),
    quirks: {}
  },
  {
    ...common,
    id: "rust",
    documents: [kind("rust", ["*.rs"])],
    rootMarkers: ["Cargo.toml", "rust-project.json"],
    candidates: [program("rust-analyzer")],
    // Reading every dependency ahead keeps it from being ready, and changes no answer.
    initOptions: () => ({ cachePriming: { enable: false } }),
    readiness: { kind: "status" },
    runsWorkspaceCode: true,
    memory: { hardBytes: 3 * GiB },
    hint: onPath("rust-analyzer (`rustup component add rust-analyzer`)"),
    quirks: {}
  },
  {
    ...common,
    id: "clangd",
    documents: [
      kind("c", ["*.c", "*.h"]),
      kind("cpp", ["*.cc", "*.cpp", "*.cxx", "*.c++", "*.hh", "*.hpp", "*.hxx", "*.h++", "*.ipp"])
    ],
    rootMarkers: ["compile_commands.json", "compile_flags.txt", ".clangd"],
    candidates: clangdNames.map((name) =>
      program(name, [
        "--background-index",
        "--background-index-priority=normal",
        "--use-dirty-headers",
        "--log=error"
      ])
    ),
    minVersion: "14",
    readiness: { kind: "progress", tokens: ["backgroundIndexProgress"] },
    memory: { hardBytes: 3 * GiB },
    hint: onPath("clangd"),
    // Else it takes an unchanged text for an unchanged file, whatever became of its headers.
    quirks: { again: { wantDiagnostics: true, forceRebuild: true } }
  },
  {
    ...common,
    id: "bash",
    documents: [
      kind("bash", ["*.sh", "*.bash", "*.ksh", ".bashrc", ".bash_profile", ".profile"], "shellscript")
    ],
    candidates: [
      script("bash-language-server", "out/cli.js", ["start"]),
      program("bash-language-server", ["start"])
    ],
    readiness: { kind: "log", line: /BackgroundAnalysis: (Completed|Skipping|.*skipped)/ },
    hint: "Install it with `npm install --save-dev bash-language-server`, and shellcheck for its diagnostics.",
    quirks: {}
  },
  {
    ...common,
    id: "yaml",
    documents: [kind("yaml", ["*.yaml", "*.yml"])],
    candidates: [
      script("yaml-language-server", "bin/yaml-language-server"),
      program("yaml-language-server", ["--stdio"], [])
    ],
    // Schemas are only taken from this machine.
    settings: { yaml: { schemaStore: { enable: false }, validate: true } },
    hint: "Install it with `npm install --save-dev yaml-language-server@1`.",
    quirks: {}
  },
  {
    ...common,
    id: "json",
    documents: [kind("json", ["*.jsonc", "tsconfig*.json", ".effectrc"], "jsonc"), kind("json", ["*.json"])],
    candidates: [
      script("vscode-langservers-extracted", "bin/vscode-json-language-server"),
      program("vscode-json-language-server", ["--stdio"], [])
    ],
    initOptions: () => ({ handledSchemaProtocols: ["file"], provideFormatter: false }),
    settings: { json: { validate: { enable: true }, schemaDownload: { enable: false } } },
    hint: "Install it with `npm install --save-dev vscode-langservers-extracted`.",
    quirks: {}
  },
  {
    ...common,
    id: "css",
    documents: [kind("css", ["*.css"]), kind("css", ["*.scss"], "scss"), kind("css", ["*.less"], "less")],
    candidates: [
      script("vscode-langservers-extracted", "bin/vscode-css-language-server"),
      program("vscode-css-language-server", ["--stdio"], [])
    ],
    settings: { css: { validate: true }, scss: { validate: true }, less: { validate: true } },
    hint: "Install it with `npm install --save-dev vscode-langservers-extracted`.",
    quirks: {}
  },
  {
    ...common,
    id: "html",
    documents: [kind("html", ["*.html", "*.htm"])],
    candidates: [
      script("vscode-langservers-extracted", "bin/vscode-html-language-server"),
      program("vscode-html-language-server", ["--stdio"], [])
    ],
    settings: {
      html: { validate: { scripts: true, styles: true } },
      css: { validate: true },
      javascript: { validate: { enable: true } }
    },
    hint: "Install it with `npm install --save-dev vscode-langservers-extracted`.",
    quirks: {}
  },
  {
    ...common,
    id: "svelte",
    documents: [kind("svelte", ["*.svelte"])],
    candidates: [script("svelte-language-server", "bin/server.js"), program("svelteserver", ["--stdio"], [])],
    runsWorkspaceCode: true,
    memory: { hardBytes: 1.5 * GiB },
    hint: "Install it with `npm install --save-dev svelte-language-server`.",
    quirks: {}
  },
  {
    ...common,
    id: "java",
    documents: [kind("java", ["*.java"])],
    rootMarkers: ["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts", "pom.xml"],
    candidates: [program("jdtls", [], [])],
    readiness: { kind: "idle" },
    runsWorkspaceCode: true,
    memory: { hardBytes: 3 * GiB },
    hint: onPath("jdtls"),
    quirks: {}
  },
  {
    ...common,
    id: "kotlin",
    documents: [kind("kotlin", ["*.kt", "*.kts"])],
    rootMarkers: ["settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts", "pom.xml"],
    candidates: [program("kotlin-language-server", [], [])],
    readiness: { kind: "idle" },
    runsWorkspaceCode: true,
    memory: { hardBytes: 3 * GiB },
    hint: onPath("kotlin-language-server"),
    quirks: {}
  },
  {
    ...common,
    id: "scala",
    documents: [kind("scala", ["*.scala", "*.sc"])],
    rootMarkers: ["build.sbt", "build.sc", "build.mill"],
    candidates: [program("metals")],
    readiness: { kind: "idle" },
    runsWorkspaceCode: true,
    memory: { hardBytes: 3 * GiB },
    hint: onPath("metals"),
    quirks: {}
  },
  {
    ...common,
    id: "csharp",
    documents: [kind("csharp", ["*.cs"])],
    candidates: [program("csharp-ls"), program("omnisharp", ["-lsp"], [])],
    readiness: { kind: "idle" },
    runsWorkspaceCode: true,
    memory: { hardBytes: 3 * GiB },
    hint: onPath("csharp-ls"),
    quirks: {}
  },
  {
    ...common,
    id: "ruby",
    documents: [kind("ruby", ["*.rb", "*.rake", "*.gemspec", "Rakefile", "Gemfile"])],
    rootMarkers: ["Gemfile"],
    candidates: [program("ruby-lsp"), program("solargraph", ["stdio"])],
    readiness: { kind: "idle" },
    runsWorkspaceCode: true,
    memory: { hardBytes: 1.5 * GiB },
    hint: onPath("ruby-lsp"),
    quirks: {}
  },
  {
    ...common,
    id: "php",
    documents: [kind("php", ["*.php"])],
    rootMarkers: ["composer.json"],
    candidates: [program("phpactor", ["language-server"])],
    readiness: { kind: "idle" },
    runsWorkspaceCode: true,
    memory: { hardBytes: 1.5 * GiB },
    hint: onPath("phpactor"),
    quirks: {}
  },
  {
    ...common,
    id: "lua",
    documents: [kind("lua", ["*.lua"])],
    candidates: [program("lua-language-server")],
    readiness: { kind: "idle" },
    // Its configuration file may name a plugin, which is a program.
    runsWorkspaceCode: true,
    memory: { hardBytes: 1.5 * GiB },
    hint: onPath("lua-language-server"),
    quirks: {}
  },
  {
    ...common,
    id: "swift",
    documents: [kind("swift", ["*.swift"])],
    rootMarkers: ["Package.swift"],
    candidates: [program("sourcekit-lsp", [], [])],
    readiness: { kind: "idle" },
    runsWorkspaceCode: true,
    memory: { hardBytes: 3 * GiB },
    hint: onPath("sourcekit-lsp"),
    quirks: {}
  },
  {
    ...common,
    id: "terraform",
    documents: [kind("terraform", ["*.tf", "*.tfvars"])],
    candidates: [program("terraform-ls", ["serve"], ["version"])],
    readiness: { kind: "idle" },
    runsWorkspaceCode: true,
    hint: onPath("terraform-ls"),
    quirks: {}
  },
  {
    ...common,
    id: "dockerfile",
    documents: [kind("dockerfile", ["Dockerfile", "Dockerfile.*", "*.dockerfile", "Containerfile"])],
    candidates: [
      script("dockerfile-language-server-nodejs", "bin/docker-langserver"),
      program("docker-langserver", ["--stdio"], [])
    ],
    hint: "Install it with `npm install --save-dev dockerfile-language-server-nodejs`.",
    quirks: {}
  }
]
