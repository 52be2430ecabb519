/** The linters there are: for which languages, how they are started on one file, and how what they print is read. */
import type { LintFinding } from "../../services/LintReader.ts"

export interface Linter {
  readonly id: string
  readonly languages: ReadonlyArray<string>
  readonly program: string
  /** Loads code of the repository by itself, such as a configuration that is a program. */
  readonly runsCode: boolean
  /** Takes the text from its standard input; otherwise it reads the file. */
  readonly stdin: boolean
  readonly args: (path: string) => ReadonlyArray<string>
  /** Base name of a file whose folder, the nearest above, it has to be started in. */
  readonly from?: string
  /** What it found. Throws when it is not what it prints. */
  readonly read: (stdout: string, stderr: string, path: string) => ReadonlyArray<LintFinding>
}

type Json = { readonly [key: string]: unknown }
const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {})
const list = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.map(object) : [])
const number = (value: unknown, otherwise = 1): number =>
  typeof value === "number" && Number.isFinite(value) ? value : otherwise
const text = (value: unknown): string => (typeof value === "string" ? value : "")
const optional = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

const severityOf = (word: unknown): LintFinding["severity"] => {
  const said = text(word).toLowerCase()
  return said === "error" || said === "fatal" || said === "deny"
    ? "error"
    : said === "info" ||
        said === "information" ||
        said === "hint" ||
        said === "style" ||
        said === "note" ||
        said === "convention" ||
        said === "refactor"
      ? "info"
      : "warning"
}

const finding = (
  linter: string,
  row: {
    readonly severity: LintFinding["severity"]
    readonly rule?: string | undefined
    readonly message: string
    readonly line: unknown
    readonly column: unknown
    readonly end?: unknown
  }
): LintFinding => ({
  linter,
  severity: row.severity,
  rule: row.rule,
  message: row.message,
  line: Math.max(1, number(row.line)),
  column: Math.max(1, number(row.column)),
  end_line: row.end === undefined || row.end === null ? undefined : number(row.end)
})

/** The first piece of JSON in what was printed: some say a word before it. */
const json = (stdout: string): unknown => {
  const from = stdout.search(/[[{]/)
  return JSON.parse(from < 0 ? stdout : stdout.slice(from))
}
const lines = (stdout: string): ReadonlyArray<Json> =>
  stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => object(JSON.parse(line)))

const script = ["typescript", "tsx", "javascript", "jsx"]
const sameFile = (said: string, path: string): boolean =>
  said === "" || said === path || said.endsWith(`/${path}`) || path.endsWith(said.replace(/^\.\//, ""))

export const linters: ReadonlyArray<Linter> = [
  {
    id: "oxlint",
    languages: [...script, "vue", "svelte"],
    program: "oxlint",
    // Its settings may name plugins that are programs.
    runsCode: true,
    stdin: false,
    args: (path) => ["--format", "json", path],
    read: (stdout) =>
      list(object(json(stdout))["diagnostics"]).map((each) => {
        const span = object(list(each["labels"])[0]?.["span"])
        return finding("oxlint", {
          severity: severityOf(each["severity"]),
          rule: optional(each["code"])?.replace(/^(\w+)\((.*)\)$/, "$1/$2"),
          message: text(each["message"]),
          line: span["line"],
          column: span["column"]
        })
      })
  },
  {
    id: "biome",
    languages: [...script, "json", "css", "graphql"],
    program: "biome",
    runsCode: false,
    stdin: false,
    args: (path) => ["lint", "--reporter=json", "--colors=off", path],
    read: (stdout) =>
      list(object(json(stdout))["diagnostics"]).map((each) => {
        const location = object(each["location"])
        const start = object(location["start"])
        return finding("biome", {
          severity: severityOf(each["severity"]),
          rule: optional(each["category"]),
          message: text(each["message"]),
          line: start["line"],
          column: start["column"],
          end: object(location["end"])["line"]
        })
      })
  },
  {
    id: "eslint",
    languages: [...script, "vue", "svelte"],
    program: "eslint",
    runsCode: true,
    stdin: true,
    args: (path) => ["--format", "json", "--stdin", "--stdin-filename", path],
    read: (stdout) =>
      list(json(stdout)).flatMap((file) =>
        list(file["messages"]).map((each) =>
          finding("eslint", {
            severity: each["severity"] === 2 ? "error" : "warning",
            rule: optional(each["ruleId"]),
            message: text(each["message"]),
            line: each["line"],
            column: each["column"],
            end: each["endLine"]
          })
        )
      )
  },
  {
    id: "ruff",
    languages: ["python"],
    program: "ruff",
    runsCode: false,
    stdin: true,
    args: (path) => ["check", "--output-format", "json", "--no-cache", "--stdin-filename", path, "-"],
    read: (stdout) =>
      list(json(stdout)).map((each) => {
        const at = object(each["location"])
        return finding("ruff", {
          severity: each["code"] === null || text(each["code"]).startsWith("E9") ? "error" : "warning",
          rule: optional(each["code"]),
          message: text(each["message"]),
          line: at["row"],
          column: at["column"],
          end: object(each["end_location"])["row"]
        })
      })
  },
  {
    id: "pylint",
    languages: ["python"],
    program: "pylint",
    runsCode: true,
    stdin: true,
    args: (path) => ["--output-format=json", "--from-stdin", path],
    read: (stdout) =>
      list(json(stdout)).map((each) =>
        finding("pylint", {
          severity: severityOf(each["type"]),
          rule: optional(each["symbol"]),
          message: text(each["message"]),
          line: each["line"],
          column: number(each["column"], 0) + 1,
          end: each["endLine"]
        })
      )
  },
  {
    id: "gofmt",
    languages: ["go"],
    program: "gofmt",
    runsCode: false,
    stdin: true,
    args: () => ["-l", "-e"],
    read: (stdout, stderr) => [
      ...[...stderr.matchAll(/^<standard input>:(\d+):(\d+): (.*)$/gm)].map(([, line, column, message]) =>
        finding("gofmt", {
          severity: "error",
          rule: "syntax",
          message: message ?? "",
          line: Number(line),
          column: Number(column)
        })
      ),
      ...(stdout.trim() === ""
        ? []
        : [
            finding("gofmt", {
              severity: "info",
              rule: "format",
              message: "the file is not formatted as gofmt formats it",
              line: 1,
              column: 1
            })
          ])
    ]
  },
  {
    id: "golangci-lint",
    languages: ["go"],
    program: "golangci-lint",
    runsCode: true,
    stdin: false,
    args: (path) => ["run", "--output.json.path=stdout", "--show-stats=false", path],
    read: (stdout, _stderr, path) =>
      list(object(json(stdout))["Issues"])
        .filter((each) => sameFile(text(object(each["Pos"])["Filename"]), path))
        .map((each) =>
          finding("golangci-lint", {
            severity: severityOf(each["Severity"] ?? "warning"),
            rule: optional(each["FromLinter"]),
            message: text(each["Text"]),
            line: object(each["Pos"])["Line"],
            column: object(each["Pos"])["Column"]
          })
        )
  },
  {
    id: "clippy",
    languages: ["rust"],
    program: "cargo",
    runsCode: true,
    stdin: false,
    from: "Cargo.toml",
    args: () => ["clippy", "--message-format=json", "--quiet", "--offline"],
    read: (stdout, _stderr, path) =>
      lines(stdout).flatMap((row) => {
        const message = object(row["message"])
        const span = list(message["spans"]).find((each) => each["is_primary"] === true)
        return row["reason"] !== "compiler-message" ||
          span === undefined ||
          !sameFile(text(span["file_name"]), path)
          ? []
          : [
              finding("clippy", {
                severity: severityOf(message["level"]),
                rule: optional(object(message["code"])["code"]),
                message: text(message["message"]),
                line: span["line_start"],
                column: span["column_start"],
                end: span["line_end"]
              })
            ]
      })
  },
  {
    id: "shellcheck",
    languages: ["bash"],
    program: "shellcheck",
    runsCode: false,
    stdin: true,
    args: () => ["--format", "json", "--norc", "-"],
    read: (stdout) =>
      list(json(stdout)).map((each) =>
        finding("shellcheck", {
          severity: severityOf(each["level"]),
          rule: `SC${number(each["code"], 0)}`,
          message: text(each["message"]),
          line: each["line"],
          column: each["column"],
          end: each["endLine"]
        })
      )
  },
  {
    id: "rubocop",
    languages: ["ruby"],
    program: "rubocop",
    runsCode: true,
    stdin: true,
    args: (path) => ["--format", "json", "--stdin", path],
    read: (stdout) =>
      list(object(json(stdout))["files"]).flatMap((file) =>
        list(file["offenses"]).map((each) => {
          const at = object(each["location"])
          return finding("rubocop", {
            severity: severityOf(each["severity"]),
            rule: optional(each["cop_name"]),
            message: text(each["message"]),
            line: at["start_line"],
            column: at["start_column"],
            end: at["last_line"]
          })
        })
      )
  },
  {
    id: "hadolint",
    languages: ["dockerfile"],
    program: "hadolint",
    runsCode: false,
    stdin: true,
    args: () => ["--format", "json", "-"],
    read: (stdout) =>
      list(json(stdout)).map((each) =>
        finding("hadolint", {
          severity: severityOf(each["level"]),
          rule: optional(each["code"]),
          message: text(each["message"]),
          line: each["line"],
          column: each["column"]
        })
      )
  }
]

export const lintedLanguages: ReadonlyArray<string> = [
  ...new Set(linters.flatMap(({ languages }) => languages))
].sort()
