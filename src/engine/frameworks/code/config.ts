/** Environment variables and configuration keys, and where they are read. */
import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass, type Source } from "../Pass.ts"

interface Reading {
  readonly languages: ReadonlyArray<string>
  readonly hints: ReadonlyArray<string>
  readonly what: "env" | "config"
  /** Where the key comes from: the environment, a library. */
  readonly source: string
  /** The first group that matched is the key. */
  readonly pattern: RegExp
}

const readings: ReadonlyArray<Reading> = [
  {
    languages: ecmascript,
    hints: ["process.env", "import.meta.env", "Deno.env", "Bun.env"],
    what: "env",
    source: "environment",
    pattern:
      /\b(?:process|import\.meta|Bun)\.env(?:\.([A-Za-z_]\w*)|\[\s*["'`](\w+)["'`]\s*\])|\bDeno\.env\.get\(\s*["'](\w+)["']/g
  },
  {
    languages: ecmascript,
    hints: ["process.env"],
    what: "env",
    source: "environment",
    pattern: /\b(?:const|let|var)\s*\{([^}]*)\}\s*=\s*process\.env\b/g
  },
  {
    languages: ["python"],
    hints: ["environ", "getenv"],
    what: "env",
    source: "environment",
    pattern:
      /\b(?:os\.)?environ(?:\.get\(|\.pop\(|\.setdefault\(|\[)\s*["'](\w+)["']|\b(?:os\.)?getenv\(\s*["'](\w+)["']/g
  },
  {
    languages: ["python"],
    hints: ["config(", "env(", "env."],
    what: "env",
    source: "environment",
    pattern:
      /\bdecouple[\s\S]*?\bconfig\(\s*["'](\w+)["']|\benv(?:\.(?:str|bool|int|float|list|dict|url|db|path|json))?\(\s*["']([A-Z][A-Z0-9_]+)["']/g
  },
  {
    languages: ["go"],
    hints: ["os.Getenv", "os.LookupEnv", "Getenv"],
    what: "env",
    source: "environment",
    pattern: /\bos\.(?:Getenv|LookupEnv)\(\s*["`]([^"`]+)["`]/g
  },
  {
    languages: ["go"],
    hints: ['env:"', 'envconfig:"'],
    what: "env",
    source: "environment",
    pattern: /`[^`\n]*?\b(?:env|envconfig):"([A-Za-z_]\w*)[^"]*"/g
  },
  {
    languages: ["rust"],
    hints: ["env::var", "env!", "option_env!", "env ="],
    what: "env",
    source: "environment",
    pattern: /\benv::var(?:_os)?\(\s*"(\w+)"|\b(?:option_)?env!\(\s*"(\w+)"|\benv\s*=\s*"([A-Z]\w*)"/g
  },
  {
    languages: ["java", "kotlin", "scala"],
    hints: ["getenv", "sys.env"],
    what: "env",
    source: "environment",
    pattern: /\bSystem\.getenv\(\s*"([^"]+)"|\bsys\.env(?:\.get(?:OrElse)?)?\(\s*"([^"]+)"/g
  },
  {
    languages: ["java", "kotlin"],
    hints: ["@Value", "getProperty", "@ConfigProperty", "@ConditionalOnProperty"],
    what: "config",
    source: "spring",
    pattern:
      /@Value\(\s*"\\?\$\{([\w.[\]-]+)|\b(?:env|environment|System)\.(?:getProperty|getRequiredProperty)\(\s*"([^"]+)"|@ConfigProperty\([^)]*\bname\s*=\s*"([^"]+)"|@ConditionalOnProperty\([^)]*?\b(?:name|value)\s*=\s*"([^"]+)"/g
  },
  {
    languages: ["java", "kotlin"],
    hints: ["@ConfigurationProperties"],
    what: "config",
    source: "spring",
    pattern: /@ConfigurationProperties\(\s*(?:prefix\s*=\s*)?"([^"]+)"/g
  },
  {
    languages: ["csharp"],
    hints: ["GetEnvironmentVariable"],
    what: "env",
    source: "environment",
    pattern: /\bGetEnvironmentVariable\(\s*"([^"]+)"/g
  },
  {
    languages: ["csharp"],
    hints: ["onfiguration[", "onfig[", "GetSection", "GetConnectionString", "GetValue"],
    what: "config",
    source: "asp.net",
    pattern:
      /\b_?[cC]onfig(?:uration)?\s*\[\s*"([^"]+)"\s*\]|\.Get(?:Required)?Section\(\s*"([^"]+)"|\.GetConnectionString\(\s*"([^"]+)"|\.GetValue<[^>]+>\(\s*"([^"]+)"/g
  },
  {
    languages: ["ruby"],
    hints: ["ENV"],
    what: "env",
    source: "environment",
    pattern: /\bENV(?:\.fetch\(\s*|\.\w+\(\s*|\[\s*)["'](\w+)["']/g
  },
  {
    languages: ["ruby"],
    hints: ["Rails.application.config", "credentials", "Settings."],
    what: "config",
    source: "rails",
    pattern:
      /\bRails\.(?:application\.(?:config\.(?:x\.)?|credentials\.)|configuration\.)([a-z_]\w*(?:\.[a-z_]\w*)*)|\bSettings\.([a-z_]\w*(?:\.[a-z_]\w*)*)/g
  },
  {
    languages: ["php"],
    hints: ["getenv", "env(", "$_ENV", "$_SERVER"],
    what: "env",
    source: "environment",
    pattern: /\bgetenv\(\s*["'](\w+)["']|(?<![\w>:])env\(\s*["'](\w+)["']|\$_ENV\[\s*["'](\w+)["']/g
  },
  {
    languages: ["php"],
    hints: ["config(", "Config::get", "getParameter"],
    what: "config",
    source: "laravel",
    pattern:
      /(?<![\w>:])config\(\s*["']([\w.-]+)["']|\bConfig::(?:get|has)\(\s*["']([\w.-]+)["']|->getParameter\(\s*["']([\w.-]+)["']/g
  },
  {
    languages: ["swift"],
    hints: ["environment["],
    what: "env",
    source: "environment",
    pattern: /\bprocessInfo\.environment\[\s*"(\w+)"/g
  },
  {
    languages: ["c", "cpp", "lua"],
    hints: ["getenv"],
    what: "env",
    source: "environment",
    pattern: /\bgetenv\(\s*["'](\w+)["']/g
  },
  {
    languages: ["bash"],
    hints: ["${"],
    what: "env",
    source: "environment",
    pattern: /\$\{([A-Z][A-Z0-9_]+)(?::?[-?+=][^}]*)?\}/g
  },
  {
    languages: ["go"],
    hints: ["viper."],
    what: "config",
    source: "viper",
    pattern: /\bviper\.(?:Get\w*|IsSet|SetDefault|BindEnv|UnmarshalKey)\(\s*"([^"]+)"/g
  },
  {
    languages: ecmascript,
    hints: ["config.get", "config.has", "configService.get", "ConfigService"],
    what: "config",
    source: "config",
    pattern:
      /\b(?:config|nconf|conf|configService|this\.config(?:Service)?)\.(?:get|has|getOrThrow)(?:<[^>]*>)?\(\s*["'`]([\w.:-]+)["'`]/g
  },
  {
    languages: ["python"],
    hints: ["settings."],
    what: "config",
    source: "django",
    pattern: /(?<![\w.])settings\.([A-Z][A-Z0-9_]+)\b/g
  },
  {
    languages: ["python"],
    hints: [".config["],
    what: "config",
    source: "flask",
    pattern: /\bapp\.config(?:\[\s*|\.get\(\s*)["'](\w+)["']/g
  },
  {
    languages: ["rust"],
    hints: [".get_string(", ".get_int("],
    what: "config",
    source: "config",
    pattern: /\bconfig\w*\.get(?:_string|_int|_bool|_float|::<[^>]+>)?\(\s*"([^"]+)"/g
  }
]

function* read(source: Source, { pattern, source: from, what }: Reading): Generator<LocalFact> {
  for (const found of source.matches(pattern)) {
    const key = found.slice(1).find((group) => group !== undefined)
    if (key === undefined) continue
    // Several at once: const { A, B: b = 1 } = process.env
    const names =
      pattern.source.includes("process\\.env\\b") && found[0].includes("{")
        ? key.split(",").map((each) =>
            each
              .trim()
              .replace(/[:=].*$/s, "")
              .trim()
          )
        : [key]
    for (const name of names)
      if (name !== "" && !name.startsWith("..."))
        yield {
          kind: "note",
          pass: from,
          what,
          name,
          data: {
            source: from,
            write: /^\s*=(?!=)/.test(
              source.code.slice(found.index + found[0].length, found.index + found[0].length + 4)
            )
          },
          ...source.at(found.index)
        }
  }
}

/** Files that set variables. */
const settings: Pass = {
  name: "environment files",
  family: "config",
  languages: ["ini", "bash", "dockerfile"],
  files: (path) =>
    /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|[\w.-]+\.env|\.envrc|Dockerfile[\w.-]*|Containerfile)$/.test(path),
  *read({ path, text }): Generator<LocalFact> {
    const docker = /(?:Dockerfile|Containerfile)/.test(path)
    for (const [i, line] of text.split("\n").entries()) {
      const found = docker
        ? /^\s*ENV\s+(\w+)[\s=]/.exec(line)
        : /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)
      if (found !== null)
        yield {
          kind: "note",
          pass: "environment files",
          what: "env_set",
          name: found[1]!,
          data: {},
          line: i + 1,
          column: 0
        }
    }
  }
}

const readingPasses: ReadonlyArray<Pass> = readings.map((reading) => ({
  name: reading.what === "env" ? `${reading.languages[0]} environment` : reading.source,
  family: "config",
  languages: reading.languages,
  hints: reading.hints,
  read: (source) => read(source, reading)
}))

export const configPasses: ReadonlyArray<Pass> = [...readingPasses, settings]
