import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { fromService } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { type BlamedLine, GitReader } from "../../../services/GitReader.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { TextIndex } from "../../../services/TextIndex.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import { daysBetween, nowSeconds } from "../../shared/past/Days.ts"
import { repositories, repositoryOf } from "../../shared/past/Repositories.ts"
import { graph } from "../../shared/symbols.ts"
import { kind } from "../facade.ts"

const providers = ["launchdarkly", "growthbook", "unleash", "internal"] as const
type Provider = (typeof providers)[number]

/** Calls that ask for a flag by its key. `from` is what a file has to mention for a call that others have too. */
const calls: ReadonlyArray<{ readonly provider: Provider; readonly names: RegExp; readonly from?: RegExp }> =
  [
    {
      provider: "launchdarkly",
      names: /^(?:(?:bool|string|int|float64|double|number|json)_?)?variation(?:_?detail)?$/i,
      from: /launchdarkly|ldclient|ld-?client/i
    },
    {
      provider: "growthbook",
      names:
        /^(?:isOn|isOff|is_on|is_off|getFeatureValue|get_feature_value|evalFeature|eval_feature|useFeatureIsOn|useFeatureValue)$/,
      from: /growthbook/i
    },
    {
      provider: "unleash",
      names: /^(?:isEnabled|is_enabled|IsEnabled|useFlag|useVariant|getVariant|get_variant|GetVariant)$/,
      from: /unleash/i
    },
    {
      provider: "internal",
      names:
        /^(?:(?:is|has|get|use|check)_?(?:feature|flag|feature_?flag|feature_?toggle)s?(?:_?(?:enabled|active|on|value))?|(?:feature|flag)_?(?:flag_?)?(?:is_?)?(?:enabled|active|on))$/i
    }
  ]

const pattern = String.raw`\b(?:(?i:(?:bool|string|int|float64|double|number|json)?_?variation(?:_?detail)?)|isOn|isOff|is_on|is_off|getFeatureValue|get_feature_value|evalFeature|eval_feature|useFeatureIsOn|useFeatureValue|isEnabled|is_enabled|IsEnabled|useFlag|useVariant|getVariant|get_variant|GetVariant|(?i:(?:is|has|get|use|check)_?(?:feature|flag)\w*|(?:feature|flag)_?(?:flag_?)?(?:is_?)?(?:enabled|active|on)))\s*\(\s*["'\x60][\w.:/-]+["'\x60]`
const call = /\b(\w+)\s*\(\s*["'`]([\w.:/-]+)["'`]/g

/** Files whose lines are blamed at most. */
const mostFiles = 200
const mostMatches = 5000

export const staleFlags = kind("stale_flags", {
  summary: "Feature flags whose callers are all old.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      older_than: F.withDefault(F.described(F.count, "days"), 365),
      provider: F.optional(F.choice(...providers))
    })
  }),
  needs: [CodeGraph, GitReader, ReadFs, TextIndex, WorkspaceView],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const fs = yield* ReadFs
      const found = yield* Effect.mapError(
        (yield* TextIndex).search({ pattern, regexp: true, limit: mostMatches, mode: "matches" }),
        (cause) => fromService(cause)
      )
      const texts = new Map<string, { readonly text: string; readonly overlaid: boolean }>()
      const flags = new Map<
        string,
        {
          readonly name: string
          readonly provider: Provider
          readonly sites: Array<{ readonly path: string; readonly line: number }>
        }
      >()
      for (const { line, path, text } of found.matches) {
        const file = view.file(path)
        if (file?.language === undefined || file.skipped !== undefined) continue
        let known = texts.get(path)
        if (known === undefined) {
          const read = yield* Effect.option(fs.readText(path))
          known =
            read._tag === "Some"
              ? { text: read.value.text, overlaid: read.value.overlay === true }
              : { text: "", overlaid: false }
          texts.set(path, known)
        }
        for (const [, callee, name] of text.matchAll(call)) {
          const rule = calls.find(
            ({ from, names }) => names.test(callee!) && (from === undefined || from.test(known.text))
          )
          if (rule === undefined) continue
          if (options.provider !== undefined && rule.provider !== options.provider) continue
          const id = `${rule.provider}:${name}`
          let flag = flags.get(id)
          if (flag === undefined) flags.set(id, (flag = { name: name!, provider: rule.provider, sites: [] }))
          flag.sites.push({ path, line })
        }
      }
      const { known } = yield* repositories
      const git = yield* GitReader
      const lines = new Map<string, ReadonlyArray<BlamedLine | undefined> | undefined>()
      const paths = [
        ...new Set([...flags.values()].flatMap(({ sites }) => sites.map(({ path }) => path)))
      ].sort()
      for (const path of paths.slice(0, mostFiles)) {
        const home = repositoryOf(path, known)
        if (home === undefined || texts.get(path)?.overlaid === true) continue
        lines.set(
          path,
          yield* Effect.orElseSucceed(git.blame(path, { repository: home.repository }), () => undefined)
        )
      }
      const now = yield* nowSeconds
      let unscored = 0
      let young = 0
      const rows = [...flags].flatMap(([id, { name, provider, sites }]) => {
        const times = sites.map(({ line, path }) => {
          const blamed = lines.get(path)
          if (blamed === undefined) return undefined
          const one = blamed[line - 1]
          // Nobody has committed it yet, so it is of now.
          return one === undefined ? now : Date.parse(one.at) / 1000
        })
        if (times.includes(undefined)) {
          unscored++
          return []
        }
        const newest = Math.max(...(times as ReadonlyArray<number>))
        const age = daysBetween(newest, now)
        if (age <= options.older_than) {
          young++
          return []
        }
        const callers = [
          ...new Set(
            sites.map(({ line, path }) => {
              const ref = view.at(path, line)
              return ref === undefined ? path : view.idOf(ref)
            })
          )
        ]
        const [first] = sites
        return [
          {
            id,
            name,
            provider,
            file_path: first!.path,
            line: first!.line,
            callers: callers.length,
            caller_ids: callers.slice(0, 10),
            sites: sites.length,
            newest_call_timestamp: new Date(newest * 1000).toISOString(),
            age_days: age
          }
        ]
      })
      rows.sort((a, b) => b.age_days - a.age_days || (a.id < b.id ? -1 : 1))
      return page("flags", {
        flags: rows,
        total: rows.length,
        flags_found: flags.size,
        ...(young === 0 ? {} : { younger_flags: young }),
        unscored,
        older_than_day: options.older_than,
        providers_looked_for: options.provider === undefined ? providers : [options.provider],
        flag_is: "a call that asks for a key written out as text; keys in variables are not seen",
        complete: found.complete && unscored === 0 && paths.length <= mostFiles,
        ...(found.complete ? {} : { incomplete_because: found.causes })
      })
    })
})
