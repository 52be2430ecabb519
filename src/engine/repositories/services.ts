/**
 * The services of one workspace of several repositories. What one repository answers stays as it is; here it is decided
 * which of them are asked, and their answers are told with the paths of the whole.
 */
import { Context, Effect, Option } from "effect"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { CodeGraph, type GraphView } from "../../services/CodeGraph.ts"
import { CallInfo, type Narrowed } from "../../registry/CallInfo.ts"
import { isWithin } from "../../registry/Place.ts"
import { projectOf } from "../../services/ControlTables.ts"
import type { ControlView } from "../../services/ControlView.ts"
import { type FactReading, FrameworkFacts } from "../../services/FrameworkFacts.ts"
import { GitReader } from "../../services/GitReader.ts"
import { CodeTokens } from "../../services/CodeTokens.ts"
import { IndexControl } from "../../services/IndexControl.ts"
import { LocalWriter, type ChangeItem } from "../../services/LocalWriter.ts"
import { refuse } from "../../services/EditRefused.ts"
import { ProgramFlow } from "../../services/ProgramFlow.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { RuleMatcher } from "../../services/RuleMatcher.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { TextIndex, type TextMatches, type TextQuery } from "../../services/TextIndex.ts"
import { type RepositoryInfo, WorkspaceView } from "../../services/WorkspaceView.ts"
import { flowLater } from "../flow/later.ts"
import * as Compose from "../frameworks/Compose.ts"
import { withFreshness } from "../graph/View.ts"
import type { Opened, WorkspaceServices } from "../workspace/layer.ts"
import type { WorkspaceFailure } from "../workspace/Workspace.ts"
import { type Asked, rulesOver, tokensOver } from "./Analyses.ts"
import { compose, type Part } from "./Composite.ts"
import { type Chosen, chosenBy, everything } from "./Chosen.ts"
import { filtersOf } from "./Filters.ts"
import type { Fleet } from "./Fleet.ts"
import { routed } from "./History.ts"
import { active, type Member, type Membership, membershipOf } from "./Members.ts"
import { type Package, packagesOf } from "./Packages.ts"
import { both, within } from "./Within.ts"

export interface RepositoriesOptions {
  readonly home: Opened
  readonly fleet: Fleet
  readonly control: ControlView["Type"]
  /** Changes whenever control state may have; undefined while there is none. */
  readonly stamp: () => string | undefined
  /** Removes what is stored of the repository at an absolute path. */
  readonly forget: (root: string) => void
}

const nobody: Membership = { workspace: undefined, members: [] }

/** Packages of a view, kept as long as it. */
const packages = new WeakMap<GraphView["symbol"], ReadonlyArray<Package>>()
const packagesAt = (view: GraphView, root: string): ReadonlyArray<Package> => {
  let known = packages.get(view.symbol)
  if (known === undefined) {
    known = packagesOf(view, (path) => {
      try {
        const absolute = join(root, path)
        return statSync(absolute).size > 1 << 20 ? undefined : readFileSync(absolute, "utf8")
      } catch {
        return undefined
      }
    })
    packages.set(view.symbol, known)
  }
  return known
}

const pathsOf = (item: ChangeItem): ReadonlyArray<string> =>
  item.op === "move" ? [item.source, item.destination] : [item.path]

/** What is known of the text of a repository that cannot be opened. */
const unsearched: TextMatches = {
  matches: [],
  files: [],
  total: 0,
  total_files: 0,
  complete: false,
  causes: ["repository_unavailable"],
  searched_files: 0,
  unread_files: 0
}

export const withRepositories = ({
  control,
  fleet,
  forget,
  home,
  stamp
}: RepositoriesOptions): Context.Context<WorkspaceServices> => {
  const root = home.engine.root.real
  const own = <I, S>(tag: Context.Tag<I, S>) => Context.get(home.services, tag as never) as S
  const graph = own(CodeGraph)
  const text = own(TextIndex)
  const files = own(ReadFs)
  const workspace = own(WorkspaceView)
  const index = own(IndexControl)
  const writer = own(LocalWriter)

  // ---- who belongs to it --------------------------------------------------------------------------

  interface State {
    readonly stamp: string | undefined
    readonly membership: Membership
    readonly project: string | undefined
  }
  let read: State = { stamp: undefined, membership: nobody, project: undefined }
  /** Read again only when the control state was written. */
  const state = Effect.suspend((): Effect.Effect<State, ServiceFailure> => {
    const now = stamp()
    if (now === undefined) return Effect.succeed({ stamp: now, membership: nobody, project: undefined })
    if (read.stamp === now) return Effect.succeed(read)
    return Effect.gen(function* () {
      const found = membershipOf(root, yield* control.repositories)
      const project =
        found.workspace === undefined ? undefined : yield* control.activeProject(found.workspace)
      read = { stamp: now, membership: found, project }
      return read
    })
  })
  const membership = Effect.map(state, (now) => now.membership)
  const narrowedBy = (narrowed: Narrowed, around: Membership): Effect.Effect<Chosen, ServiceFailure> =>
    Effect.gen(function* () {
      const chosen = chosenBy(narrowed, {
        name: workspace.name,
        membership: around,
        nested: yield* workspace.repositories,
        scopes: narrowed.scope === undefined ? [] : yield* control.scopes
      })
      if (!("reason" in chosen)) return chosen
      return yield* new ServiceFailure({
        service: "WorkspaceView",
        reason: chosen.reason,
        detail: chosen.detail,
        stateChanged: false,
        field: chosen.field,
        data: { valid_values: chosen.valid }
      })
    })
  /** The part of some repositories that the call is about. */
  const chosenOf = (
    around: Membership,
    usual: ReadonlyArray<Member>
  ): Effect.Effect<Chosen, ServiceFailure> =>
    Effect.flatMap(CallInfo, ({ narrowed }) => {
      if (narrowed === undefined) return Effect.succeed(everything(usual))
      const { paths, ...words } = narrowed
      const chosen =
        Object.keys(words).length === 0 ? Effect.succeed(everything(usual)) : narrowedBy(words, around)
      return paths === undefined
        ? chosen
        : Effect.map(chosen, ({ home: own, members: some }) => ({
            home: own,
            members: some.filter(({ member }) => filtersOf(paths, member, around.members) !== undefined)
          }))
    })
  /** What answers are made from. */
  const chosen = Effect.flatMap(state, (now) => chosenOf(now.membership, active(now.membership, now.project)))

  const unopened = (service: string, member: Member) => (cause: WorkspaceFailure) =>
    new ServiceFailure({
      service,
      reason: cause.reason === "index_failed" ? "no_index" : "repository_unavailable",
      detail: `the tracked repository ${member.name} cannot be opened: ${cause.reason.replaceAll("_", " ")}`,
      stateChanged: false
    })
  /** None of the repositories a call is about can be opened. */
  const lost = (all: ReadonlyArray<Member>) =>
    new ServiceFailure({
      service: "CodeGraph",
      reason: "unavailable",
      detail: `the tracked repositories ${all.map(({ name }) => name).join(", ")} cannot be opened`,
      stateChanged: false
    })
  const opened = (service: string, member: Member) =>
    Effect.mapError(fleet.get(member.root), unopened(service, member))
  const serviceOf =
    <I, S>(tag: Context.Tag<I, S>) =>
    ({ services }: Opened): S =>
      Context.get(services, tag as never) as S
  /** A member that can be looked at now, and its graph; none for one that is gone, be it since it was opened. */
  const present = (member: Member) =>
    Effect.option(
      Effect.flatMap(fleet.get(member.root), (open) =>
        Effect.map(serviceOf(CodeGraph)(open).view, (view) => ({ open, view }))
      )
    )
  /** The member a path leads into, and the path there; undefined for a path of the served repository. */
  const into = (path: string) =>
    Effect.map(membership, ({ members: all }) => {
      for (const member of all) {
        if (path.startsWith(member.prefix)) return { member, path: path.slice(member.prefix.length) }
        if (path === member.prefix.slice(0, -1)) return { member, path: "." }
        if (isWithin(path, member.root)) return { member, path: path.slice(member.root.length + 1) || "." }
      }
      return undefined
    })
  const outOf = (member: Member, path: string): string =>
    path === "." || path === "" ? member.prefix.slice(0, -1) : member.prefix + path

  // ---- the graph ----------------------------------------------------------------------------------

  /** Kept as long as all its repositories are open: what is given up must not be held by what was made of it. */
  let last:
    | {
        readonly views: ReadonlyArray<GraphView>
        readonly roots: ReadonlyArray<string>
        readonly whole: GraphView
      }
    | undefined
  const whole = (parts: ReadonlyArray<Part>, roots: ReadonlyArray<string>): GraphView => {
    const views = parts.map(({ view }) => view)
    if (last?.views.length === views.length && last.views.every((view, i) => view === views[i]))
      return last.whole
    last = { views, roots, whole: compose(parts) }
    return last.whole
  }
  fleet.closed((gone) => {
    if (last?.roots.includes(gone) === true) last = undefined
  })
  const viewOver = ({ home: own, members: others }: Chosen): Effect.Effect<GraphView, ServiceFailure> => {
    if (own !== undefined && others.length === 0) {
      last = undefined
      return own.length === 0 ? graph.view : Effect.map(graph.view, (view) => within(view, own))
    }
    return Effect.gen(function* () {
      const first: ReadonlyArray<Part> =
        own === undefined
          ? []
          : [
              yield* Effect.map(graph.view, (view) => ({
                name: workspace.name,
                prefix: "",
                view: within(view, own),
                packages: packagesAt(view, root)
              }))
            ]
      // One that is gone takes nothing away from the others, and is told.
      const missing: Array<string> = []
      const parts = yield* Effect.forEach(
        others,
        ({ below, member }) =>
          Effect.map(present(member), (found): ReadonlyArray<Part> => {
            if (Option.isSome(found)) {
              const { view: one } = found.value
              return [
                {
                  name: member.name,
                  prefix: member.prefix,
                  view: within(one, below),
                  packages: packagesAt(one, member.root)
                }
              ]
            }
            missing.push(member.prefix)
            return []
          }),
        { concurrency: 2 }
      )
      const all = [...first, ...parts.flat()]
      if (all.length === 0) return yield* lost(others.map(({ member }) => member))
      const composed = whole(
        all,
        others.map(({ member }) => member.root)
      )
      yield* fleet.trim
      if (missing.length === 0) return composed
      const { freshness } = composed
      return withFreshness(composed, {
        ...freshness,
        state: freshness.state === "fresh" ? "stale" : freshness.state,
        stale_files: [...missing.sort(), ...freshness.stale_files].slice(0, 50)
      })
    })
  }
  const view = Effect.flatMap(chosen, viewOver)

  // ---- text ---------------------------------------------------------------------------------------

  const told = (member: Member, found: TextMatches): TextMatches => ({
    ...found,
    matches: found.matches.map((match) => ({ ...match, path: member.prefix + match.path })),
    files: found.files.map((file) => ({ ...file, path: member.prefix + file.path }))
  })
  /** Whether all that is asked is the served repository, as a whole. */
  const isAlone = Effect.map(
    chosen,
    ({ home: below, members: others }) => others.length === 0 && below?.length === 0
  )
  /** The repositories that a list of path filters leads to, and the filters there; none for all of one. */
  const lookedThrough = (filters: ReadonlyArray<string> | undefined) =>
    Effect.gen(function* () {
      const { members: all } = yield* membership
      const { home: own, members: some } = yield* chosen
      const rows: Array<{ readonly member: Member | undefined; readonly paths: ReadonlyArray<string> }> = []
      const put = (member: Member | undefined, below: ReadonlyArray<string>) => {
        const asked = filtersOf(filters, member, all)
        const paths = asked === undefined ? undefined : both(asked, below)
        if (paths !== undefined) rows.push({ member, paths })
      }
      if (own !== undefined) put(undefined, own)
      for (const { below, member } of some) put(member, below)
      return rows
    })
  const search = (query: TextQuery): Effect.Effect<TextMatches, ServiceFailure> =>
    Effect.gen(function* () {
      if (yield* isAlone) return yield* text.search(query)
      const results: Array<TextMatches> = []
      for (const { member, paths } of yield* lookedThrough(query.paths)) {
        const asked = { ...query, paths: paths.length === 0 ? undefined : paths }
        if (member === undefined) {
          results.push(yield* text.search(asked))
          continue
        }
        const open = yield* present(member)
        if (Option.isNone(open)) {
          results.push(unsearched)
          continue
        }
        const globs = asked.globs?.map((glob) =>
          glob.startsWith(member.prefix) ? glob.slice(member.prefix.length) : glob
        )
        const { except } = query
        const found = yield* serviceOf(TextIndex)(open.value.open).search({
          ...asked,
          globs,
          except: except && ((path) => except(member.prefix + path))
        })
        results.push(told(member, found))
      }
      const sum = (of: (one: TextMatches) => number) => results.reduce((n, one) => n + of(one), 0)
      const matches = results.flatMap((one) => one.matches)
      const listed = results.flatMap((one) => one.files)
      const cut = matches.length > query.limit || listed.length > query.limit
      return {
        matches: matches.slice(0, query.limit),
        files: listed.slice(0, query.limit),
        total: sum((one) => one.total),
        total_files: sum((one) => one.total_files),
        complete: !cut && results.every((one) => one.complete),
        causes: [...new Set([...results.flatMap((one) => one.causes), ...(cut ? ["limit"] : [])])],
        searched_files: sum((one) => one.searched_files),
        unread_files: sum((one) => one.unread_files)
      }
    })
  const structural: TextIndex["Type"]["structural"] = (query) =>
    Effect.gen(function* () {
      if (yield* isAlone) return yield* text.structural(query)
      const results: Array<Effect.Effect.Success<ReturnType<TextIndex["Type"]["structural"]>>> = []
      for (const { member, paths } of yield* lookedThrough(query.paths)) {
        const asked = { ...query, paths: paths.length === 0 ? undefined : paths }
        if (member === undefined) {
          results.push(yield* text.structural(asked))
          continue
        }
        const open = yield* present(member)
        if (Option.isNone(open)) {
          results.push({
            matches: [],
            total: 0,
            complete: false,
            files_walked: 0,
            errors: [`the tracked repository ${member.name} cannot be opened`]
          })
          continue
        }
        const found = yield* serviceOf(TextIndex)(open.value.open).structural(asked)
        results.push({
          ...found,
          matches: found.matches.map((match) => ({ ...match, path: member.prefix + match.path }))
        })
      }
      const matches = results.flatMap((one) => one.matches)
      return {
        matches: matches.slice(0, query.limit),
        total: results.reduce((n, one) => n + one.total, 0),
        complete: matches.length <= query.limit && results.every((one) => one.complete),
        files_walked: results.reduce((n, one) => n + one.files_walked, 0),
        errors: results.flatMap((one) => one.errors)
      }
    })

  // ---- files --------------------------------------------------------------------------------------

  const fileIn =
    (method: "readText" | "readDisk"): ReadFs["Type"]["readText"] =>
    (path) =>
      Effect.gen(function* () {
        const lead = yield* into(path)
        if (lead === undefined) return yield* files[method](path)
        const found = yield* serviceOf(ReadFs)(yield* opened("ReadFs", lead.member))[method](lead.path)
        return { ...found, path: outOf(lead.member, found.path) }
      })
  const lines: ReadFs["Type"]["lines"] = (path, from, to) =>
    Effect.flatMap(into(path), (lead) =>
      lead === undefined
        ? files.lines(path, from, to)
        : Effect.map(
            Effect.flatMap(opened("ReadFs", lead.member), (open) =>
              serviceOf(ReadFs)(open).lines(lead.path, from, to)
            ),
            (found) => found && { ...found, path: outOf(lead.member, found.path) }
          )
    ).pipe(Effect.orElseSucceed(() => undefined))
  const relative: ReadFs["Type"]["relative"] = (path) =>
    Effect.gen(function* () {
      const lead = yield* into(path)
      if (lead === undefined) return yield* files.relative(path)
      const inner = yield* serviceOf(ReadFs)(yield* opened("ReadFs", lead.member)).relative(lead.path)
      return outOf(lead.member, inner)
    })

  // ---- analyses of files --------------------------------------------------------------------------

  /** A service of each repository that is asked, with the paths to stay below; undefined for one that cannot be opened. */
  const servicesOf = <I, S>(tag: Context.Tag<I, S>, among = chosen) =>
    Effect.flatMap(among, ({ home: below, members: others }) =>
      Effect.map(
        Effect.forEach(others, (each) =>
          Effect.map(present(each.member), (found) => ({
            ...each,
            service: Option.isSome(found) ? serviceOf(tag)(found.value.open) : undefined
          }))
        ),
        (rest): ReadonlyArray<Asked<S>> => [
          ...(below === undefined ? [] : [{ member: undefined, below, service: own(tag) }]),
          ...rest
        ]
      )
    )
  /** The flow of values over all of them reads the sources of all. */
  const over = flowLater({ open: Effect.succeed(fileIn("readText")), search })
  const flow = Effect.map(chosen, ({ home: below, members: others }) =>
    others.length === 0 && below?.length === 0 ? own(ProgramFlow) : over
  )

  /** Writes go to the repository that is served: the others are here to be read. */
  const onlyHome = (items: ReadonlyArray<ChangeItem>) =>
    Effect.gen(function* () {
      for (let i = 0; i < items.length; i++) {
        for (const path of pathsOf(items[i]!)) {
          const lead = yield* into(path)
          if (lead !== undefined)
            return yield* refuse(
              "path_outside_root",
              `${path} is in the tracked repository ${lead.member.name}, which is read here; a server started in it writes it`,
              { stage: "resolve", changeIndex: i, path, data: { repository: lead.member.name } }
            )
        }
      }
    })

  return Context.make(CodeGraph, {
    ...graph,
    view,
    wide: Effect.flatMap(membership, (around) => Effect.flatMap(chosenOf(around, around.members), viewOver))
  }).pipe(
    (services) => Context.merge(home.services, services),
    Context.add(
      GitReader,
      routed({
        own: own(GitReader),
        into,
        readerOf: (member) => Effect.map(opened("GitReader", member), serviceOf(GitReader))
      })
    ),
    Context.add(TextIndex, { ...text, search, structural }),
    Context.add(RuleMatcher, rulesOver(own(RuleMatcher), servicesOf(RuleMatcher), membership)),
    Context.add(CodeTokens, tokensOver(own(CodeTokens), servicesOf(CodeTokens))),
    Context.add(ProgramFlow, {
      languages: own(ProgramFlow).languages,
      control: (...question) => Effect.flatMap(flow, (asked) => asked.control(...question)),
      paths: (...question) => Effect.flatMap(flow, (asked) => asked.paths(...question)),
      taint: (...question) => Effect.flatMap(flow, (asked) => asked.taint(...question)),
      facts: (...question) => Effect.flatMap(flow, (asked) => asked.facts(...question))
    }),
    Context.add(FrameworkFacts, {
      read: (families, options) =>
        Effect.gen(function* () {
          const around = yield* membership
          const asked = yield* servicesOf(
            FrameworkFacts,
            options?.wide === true ? chosenOf(around, around.members) : chosen
          )
          const missing: Array<string> = []
          const readings: Array<FactReading> = []
          for (const { below, member, service } of asked) {
            if (service === undefined) missing.push(member!.prefix)
            else {
              const reading = Compose.below(yield* service.read(families), below)
              readings.push(member === undefined ? reading : Compose.told(member.prefix, reading))
            }
          }
          yield* fleet.trim
          const [first, ...more] = readings
          if (first === undefined) return yield* lost(asked.flatMap(({ member }) => member ?? []))
          return asked.length === 1 ? first : Compose.merged([first, ...more], missing)
        })
    }),
    Context.add(ReadFs, {
      ...files,
      readText: fileIn("readText"),
      readDisk: fileIn("readDisk"),
      lines,
      relative
    }),
    Context.add(LocalWriter, {
      ...writer,
      plan: (items, options) => Effect.zipRight(onlyHome(items), writer.plan(items, options)),
      commit: (items, options) => Effect.zipRight(onlyHome(items), writer.commit(items, options))
    }),
    Context.add(WorkspaceView, {
      ...workspace,
      projects: Effect.map(state, ({ membership: { members: all, workspace: name }, project }) => {
        const projects = new Map<string, Array<string>>()
        for (const member of all) {
          const own = projectOf(member)
          projects.set(own, [...(projects.get(own) ?? []), member.prefix.slice(0, -1)])
        }
        return {
          workspace: name ?? workspace.name,
          active: active({ members: all, workspace: name }, project) === all ? undefined : project,
          projects: [...projects].map(([one, roots]) => ({ name: one, roots }))
        }
      }),
      repositories: Effect.gen(function* () {
        const here = yield* workspace.repositories
        const { members: all } = yield* membership
        const open = all.length === 0 ? [] : yield* fleet.open
        const others = yield* Effect.forEach(all, (member): Effect.Effect<RepositoryInfo, ServiceFailure> => {
          const row = { name: member.name, root: member.prefix.slice(0, -1), kind: "tracked" }
          if (!open.includes(member.root))
            return Effect.succeed({ ...row, head: undefined, branch: undefined, files: undefined })
          return Effect.gen(function* () {
            const one = yield* opened("WorkspaceView", member)
            const units = yield* serviceOf(WorkspaceView)(one).repositories
            return {
              ...row,
              head: units[0]?.head,
              branch: units[0]?.branch,
              files: units.reduce((n, { files: count }) => n + (count ?? 0), 0)
            }
          })
        })
        return [...here, ...others]
      })
    }),
    Context.add(IndexControl, {
      ...index,
      load: (name) =>
        Effect.gen(function* () {
          const { members: all } = yield* membership
          const member = all.find((one) => one.name === name)
          if (member === undefined)
            return yield* new ServiceFailure({
              service: "IndexControl",
              reason: "not_found",
              detail: `no repository ${name} is tracked in this workspace`,
              stateChanged: false
            })
          const report = yield* serviceOf(IndexControl)(yield* opened("IndexControl", member)).reindex(
            undefined
          )
          yield* fleet.trim
          return report
        }),
      unload: (path) =>
        Effect.gen(function* () {
          const open = (yield* fleet.open).includes(path)
            ? yield* Effect.option(fleet.get(path))
            : Option.none()
          const counts = Option.isSome(open)
            ? yield* Effect.option(serviceOf(CodeGraph)(open.value).view)
            : Option.none()
          yield* fleet.close(path)
          forget(path)
          return Option.match(counts, {
            onNone: () => undefined,
            onSome: ({ counts: { edges, files: listed, symbols } }) => ({
              node_count: symbols + listed,
              edge_count: edges
            })
          })
        }),
      reindex: (paths) =>
        Effect.gen(function* () {
          if (paths === undefined) return yield* index.reindex(undefined)
          const leads = yield* Effect.forEach(paths, into)
          const away = leads.find((lead) => lead !== undefined)
          if (away === undefined) return yield* index.reindex(paths)
          if (leads.some((lead) => lead?.member !== away.member))
            return yield* new ServiceFailure({
              service: "IndexControl",
              reason: "several_repositories",
              detail: "the paths are in several repositories; name those of one at a time",
              stateChanged: false
            })
          const inner = leads.map((lead) => lead!.path)
          const one = serviceOf(IndexControl)(yield* opened("IndexControl", away.member))
          const report = yield* one.reindex(inner.includes(".") ? undefined : inner)
          return {
            ...report,
            updated_files: report.updated_files.map((path) => away.member.prefix + path),
            removed_files: report.removed_files.map((path) => away.member.prefix + path),
            failed_files: report.failed_files.map((file) => ({
              ...file,
              path: away.member.prefix + file.path
            }))
          }
        })
    })
  )
}
