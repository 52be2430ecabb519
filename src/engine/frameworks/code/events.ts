/** Logging calls, metrics, events that are emitted, and strings that say something to the outside. */
import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass } from "../Pass.ts"
import { at } from "../Routers.ts"
import { type Argument, type Chain, type Script, textOf } from "../Script.ts"

const levels: { readonly [name: string]: string } = {
  trace: "trace",
  verbose: "trace",
  finest: "trace",
  finer: "trace",
  v: "trace",
  debug: "debug",
  fine: "debug",
  d: "debug",
  logdebug: "debug",
  info: "info",
  information: "info",
  notice: "info",
  log: "info",
  success: "info",
  print: "info",
  println: "info",
  printf: "info",
  i: "info",
  loginformation: "info",
  infow: "info",
  infof: "info",
  warn: "warn",
  warning: "warn",
  w: "warn",
  logwarning: "warn",
  error: "error",
  err: "error",
  exception: "error",
  severe: "error",
  e: "error",
  logerror: "error",
  fatal: "fatal",
  critical: "fatal",
  panic: "fatal",
  alert: "fatal",
  emergency: "fatal",
  wtf: "fatal",
  logcritical: "fatal",
  dpanic: "fatal"
}
const levelOf = (name: string): string | undefined => {
  const plain = name.replace(/!$/, "").toLowerCase()
  return (
    levels[plain] ??
    levels[plain.replace(/(?:f|w|ln|context|ctx|s|async)$/, "")] ??
    levels[plain.replace(/ln$/, "")]
  )
}
const loggers =
  /^(?:console|log|logger|logging|slog|zap|logrus|LOG|LOGGER|Log|Logger|_logger|_log|sugar|tracing|winston|pino|bunyan|loguru|syslog|Rails|l|\$logger|Timber|NSLog|os_log|logrus|zerolog|glog|klog|fastify|structlog|TAG)$/
const loggerName = /(?:^|_)[lL]og(?:ger)?$|[lL]ogger$|^log$|^LOG(?:GER)?$/
const macros = /^(?:trace|debug|info|warn|error)!$/

/** The first string among arguments. */
const message = (args: ReadonlyArray<Argument>): string | undefined => {
  for (const { value } of args) {
    const text = textOf(value)
    if (text !== undefined) return text
  }
  return undefined
}

const logged = (
  chain: Chain,
  script: Script
): { readonly level: string; readonly value: string; readonly at: number } | undefined => {
  const { parts } = chain
  const last = parts.findIndex(({ args }) => args !== undefined)
  if (last < 0) return undefined
  const part = parts[last]!
  if (last === 0) {
    if (script.dialect === "rust" && macros.test(part.name))
      return { level: levelOf(part.name)!, value: message(part.args!) ?? "", at: part.at }
    if (part.name === "NSLog" || part.name === "os_log")
      return { level: "info", value: message(part.args!) ?? "", at: part.at }
    return undefined
  }
  const base = parts[last - 1]!.name
  if (script.dialect === "rust" && macros.test(part.name) && /^(?:log|tracing)$/.test(base))
    return { level: levelOf(part.name)!, value: message(part.args!) ?? "", at: part.at }
  // zerolog: log.Info().Str("k", v).Msg("said")
  if (part.args!.length === 0 && parts.length > last + 1) {
    const said = parts
      .slice(last + 1)
      .find(({ args, name }) => args !== undefined && /^(?:Msg|Msgf|Send|log)$/.test(name))
    const level = levelOf(part.name)
    return said !== undefined && level !== undefined && loggers.test(base)
      ? { level, value: message(said.args!) ?? "", at: part.at }
      : undefined
  }
  if (!loggers.test(base) && !loggerName.test(base)) return undefined
  const level = levelOf(part.name)
  if (level === undefined || (script.dialect === "go" && base === "l")) return undefined
  return { level, value: message(part.args!) ?? "", at: part.at }
}

const logLanguages = [
  ...ecmascript,
  "python",
  "go",
  "rust",
  "java",
  "kotlin",
  "csharp",
  "ruby",
  "php",
  "swift",
  "scala"
]

/** Calls of logging libraries. */
export const logs: Pass = {
  name: "logging",
  family: "events",
  languages: logLanguages,
  hints: ["log", "Log", "LOG", "console.", "tracing", "info!", "warn!", "error!", "debug!", "zap", "Timber"],
  *read({ script }): Generator<LocalFact> {
    for (const chain of script.chains()) {
      if (chain.decorates === true) continue
      const found = logged(chain, script)
      if (found !== undefined)
        yield {
          kind: "note",
          pass: "logging",
          what: "log",
          name: found.value === "" ? "(computed)" : found.value.slice(0, 200),
          data: { level: found.level, computed: found.value === "" },
          ...at(script, found.at)
        }
    }
  }
}

const metricParts =
  /^(?:increment|inc|incr|decrement|gauge|histogram|timing|count|observe|distribution|counter|record|timer|set)$/i
const metricBases =
  /(?:^|_)(?:statsd|metrics|meter|stats|StatsD|prometheus|registry|meterRegistry|dogstatsd|telemetry)$/i
const trackers =
  /^(?:analytics|posthog|mixpanel|amplitude|segment|gtag|plausible|rudder|rudderanalytics|heap|telemetry|appInsights|tracker)$/i

/** Events of emitters, analytics and metrics. */
export const emitted: Pass = {
  name: "events",
  family: "events",
  languages: logLanguages,
  hints: [
    "emit",
    "dispatchEvent",
    "track",
    "capture",
    "statsd",
    "metrics",
    "meter",
    "prometheus",
    "publishEvent",
    "gtag",
    "fire",
    "Counter(",
    "NewCounter",
    "event(",
    "dispatch("
  ],
  *read({ script }): Generator<LocalFact> {
    for (const chain of script.chains()) {
      if (chain.decorates === true) continue
      for (const [index, part] of chain.parts.entries()) {
        if (part.args === undefined) continue
        const base = chain.parts[index - 1]?.name ?? ""
        const first = part.args[0]?.value
        const name = textOf(first)
        const note = (event_kind: string, named: string): LocalFact => ({
          kind: "note",
          pass: "events",
          what: "event",
          name: named,
          data: { event_kind, level: "" },
          ...at(script, part.at)
        })
        if (/^(?:emit|emitAsync|\$emit|fire|trigger)$/.test(part.name) && name !== undefined && index > 0)
          yield note("event", name)
        else if (part.name === "dispatchEvent" && first?.kind === "chain") {
          const named = textOf(first.chain.parts.at(-1)!.args?.[0]?.value)
          if (named !== undefined) yield note("event", named)
        } else if (
          part.name === "publishEvent" ||
          (part.name === "dispatch" && script.dialect === "php") ||
          (part.name === "event" && index === 0 && script.dialect === "php")
        ) {
          const named = name ?? (first?.kind === "chain" ? first.chain.parts[0]!.name : undefined)
          if (named !== undefined) yield note("event", named)
        } else if (
          /^(?:track|capture|logEvent|trackEvent|captureEvent)$/.test(part.name) &&
          name !== undefined &&
          (trackers.test(base) || index === 0)
        )
          yield note("analytics", name)
        else if (index > 0 && metricParts.test(part.name) && metricBases.test(base) && name !== undefined)
          yield note("metric", name)
        else if (/^(?:New(?:Counter|Gauge|Histogram|Summary)(?:Vec)?)$/.test(part.name)) {
          const options =
            first?.kind === "chain"
              ? first.chain.parts.at(-1)!.entries?.find(({ label }) => label === "Name")
              : undefined
          const named = textOf(options?.value)
          if (named !== undefined) yield note("metric", named)
        } else if (/^(?:Counter|Gauge|Histogram|Summary)$/.test(part.name)) {
          const named =
            name ??
            (first?.kind === "record"
              ? textOf(first.items.find(({ label }) => label === "name")?.value)
              : undefined)
          if (named !== undefined && /^[a-z][\w.:]*$/.test(named)) yield note("metric", named)
        }
      }
    }
  }
}

const contexts: ReadonlyArray<readonly [context: string, pattern: RegExp]> = [
  [
    "error",
    /^(?:Error|TypeError|RangeError|Exception|ValueError|RuntimeError|KeyError|HTTPException|IllegalArgumentException|IllegalStateException|RuntimeException|ArgumentException|InvalidOperationException|New|Errorf|panic|panic!|bail!|anyhow!|raise|fail|fatalError|BadRequestException|NotFoundException|UnauthorizedException|ForbiddenException)$/
  ],
  ["header", /^(?:setHeader|addHeader|SetHeader|header|Header|set_header)$/],
  ["cookie", /^(?:cookie|setCookie|set_cookie|SetCookie|addCookie)$/],
  ["storage", /^(?:setItem|getItem|removeItem)$/],
  ["i18n", /^(?:t|\$t|translate|gettext|_|__|trans|i18n)$/],
  [
    "feature_flag",
    /^(?:isEnabled|isFeatureEnabled|variation|boolVariation|BoolVariation|useFlag|useFeatureFlag|flag|featureEnabled|is_enabled|feature_enabled)$/
  ],
  [
    "permission",
    /^(?:can|authorize|hasPermission|has_perm|hasRole|hasAuthority|PreAuthorize|Authorize|Secured|RolesAllowed)$/
  ]
]

/** Strings that are said to the outside: errors, headers, storage keys, translations, flags, permissions. */
export const strings: Pass = {
  name: "strings",
  family: "events",
  languages: logLanguages,
  hints: [
    "Error",
    "Exception",
    "eader",
    "ookie",
    "Item(",
    "t(",
    "rans",
    "gettext",
    "nabled",
    "ariation",
    "lag",
    "erm",
    "uthor",
    "panic",
    "bail!",
    "anyhow!",
    "rror"
  ],
  *read({ script }): Generator<LocalFact> {
    for (const chain of script.chains()) {
      for (const [index, part] of chain.parts.entries()) {
        if (part.args === undefined) continue
        const text = textOf(part.args[0]?.value) ?? (part.name === "status" ? undefined : undefined)
        if (text === undefined || text === "") continue
        const context = contexts.find(([name, pattern]) => {
          if (!pattern.test(part.name)) return false
          const base = chain.parts[index - 1]?.name ?? ""
          if (part.name === "New") return base === "errors"
          if (part.name === "Errorf") return base === "fmt" || base === "errors" || base === "xerrors"
          if (name === "header" && /^[hH]eader$/.test(part.name)) return index > 0 && part.args!.length === 2
          if (name === "i18n" && part.name === "_") return script.dialect === "python"
          return !(part.name === "flag" && script.dialect === "go")
        })
        if (context !== undefined)
          yield {
            kind: "note",
            pass: "strings",
            what: "string",
            name: text.slice(0, 200),
            data: { context: context[0] },
            ...at(script, part.at)
          }
      }
    }
    if (script.dialect === "ruby" || script.dialect === "python")
      for (let i = 0; i + 2 < script.count; i++)
        if (script.word(i) === "raise" && script.dialect === "ruby") {
          const value = script.expr(i + 1, script.statementEnd(i + 1))
          if (value.kind === "string")
            yield {
              kind: "note",
              pass: "strings",
              what: "string",
              name: value.text.slice(0, 200),
              data: { context: "error" },
              ...at(script, i)
            }
        }
  }
}

export const eventPasses: ReadonlyArray<Pass> = [logs, emitted, strings]
