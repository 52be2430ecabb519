/**
 * The five effect classes and the authority each one grants. The only place that says which tag belongs where.
 */
import type { Context } from "effect"
import { CodeGraph } from "../services/CodeGraph.ts"
import { CodeTokens } from "../services/CodeTokens.ts"
import { ControlStore } from "../services/ControlStore.ts"
import { ControlView } from "../services/ControlView.ts"
import { CoverageReader } from "../services/CoverageReader.ts"
import { ForgeClient } from "../services/ForgeClient.ts"
import { ForgeReader } from "../services/ForgeReader.ts"
import { FrameworkFacts } from "../services/FrameworkFacts.ts"
import { GitReader } from "../services/GitReader.ts"
import { IndexControl } from "../services/IndexControl.ts"
import { KnowledgeReader } from "../services/KnowledgeReader.ts"
import { KnowledgeWriter } from "../services/KnowledgeWriter.ts"
import { LanguageModel } from "../services/LanguageModel.ts"
import { LanguageReader } from "../services/LanguageReader.ts"
import { LintReader } from "../services/LintReader.ts"
import { LocalWriter } from "../services/LocalWriter.ts"
import { OverlayStore } from "../services/OverlayStore.ts"
import { OverlayView } from "../services/OverlayView.ts"
import { ReadFs } from "../services/ReadFs.ts"
import { PeerView } from "../services/PeerView.ts"
import { ProgramFlow } from "../services/ProgramFlow.ts"
import { RuleMatcher } from "../services/RuleMatcher.ts"
import { SessionStore } from "../services/SessionStore.ts"
import { SessionView } from "../services/SessionView.ts"
import { TextIndex } from "../services/TextIndex.ts"
import { WorkspaceView } from "../services/WorkspaceView.ts"

export const effectClasses = [
  "read",
  "local_write",
  "session_write",
  "control_write",
  "external_write"
] as const
export type EffectClass = (typeof effectClasses)[number]

/** Reads that stay on this machine. What a federated peer may reach. */
export const closedWorldTags = [
  ReadFs,
  CodeGraph,
  CodeTokens,
  TextIndex,
  GitReader,
  LanguageReader,
  LintReader,
  ProgramFlow,
  RuleMatcher,
  FrameworkFacts,
  KnowledgeReader,
  SessionView,
  OverlayView,
  WorkspaceView,
  PeerView,
  ControlView,
  CoverageReader
] as const

/** Reads that talk to the outside. */
export const openWorldReadTags = [ForgeReader, LanguageModel] as const

/** Services every operation may use. */
export const readTags = [...closedWorldTags, ...openWorldReadTags] as const

/** Further services of each class, the witness first. */
export const classTags = {
  read: [],
  local_write: [LocalWriter, KnowledgeWriter],
  session_write: [SessionStore, OverlayStore],
  control_write: [ControlStore, IndexControl],
  external_write: [ForgeClient]
} as const satisfies Record<EffectClass, ReadonlyArray<Context.Tag<any, any>>>

/** The service that stands for a write class. A write operation needs it even when its handler forgets it. */
export const witness = {
  read: undefined,
  local_write: LocalWriter,
  session_write: SessionStore,
  control_write: ControlStore,
  external_write: ForgeClient
} as const satisfies Record<EffectClass, Context.Tag<any, any> | undefined>

export type ClosedWorldServices = Context.Tag.Identifier<(typeof closedWorldTags)[number]>
export type ReadServices = Context.Tag.Identifier<(typeof readTags)[number]>

/** The witness of each class, as a type. */
export interface Witness {
  readonly read: never
  readonly local_write: LocalWriter
  readonly session_write: SessionStore
  readonly control_write: ControlStore
  readonly external_write: ForgeClient
}

/** The services of each class beyond the reads. */
export interface ClassServices {
  readonly read: never
  readonly local_write: LocalWriter | KnowledgeWriter
  readonly session_write: SessionStore | OverlayStore
  readonly control_write: ControlStore | IndexControl
  readonly external_write: ForgeClient
}

/** Everything a handler of class `C` may require. */
export type Allowed<C extends EffectClass> = C extends EffectClass ? ReadServices | ClassServices[C] : never

const openWorldKeys: ReadonlySet<string> = new Set([...openWorldReadTags, ForgeClient].map((tag) => tag.key))

/** Whether the services reach the outside. Independent of the effect class, and derived, never declared. */
export const isOpenWorld = (keys: Iterable<string>): boolean => {
  for (const key of keys) if (openWorldKeys.has(key)) return true
  return false
}

/** The class whose authority a tag carries; undefined for a tag outside the table. */
export const classOfTag = (key: string): EffectClass | undefined => {
  if (readTags.some((tag) => tag.key === key)) return "read"
  return effectClasses.find((effect) => classTags[effect].some((tag) => tag.key === key))
}
