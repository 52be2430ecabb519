import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A pull request as the forge lists it. Times are ISO 8601. */
export interface PullRequest {
  readonly number: number
  readonly title: string
  readonly author: string
  readonly state: "open" | "closed" | "merged"
  readonly draft: boolean
  readonly base: string
  readonly head: string
  readonly updatedAt: string
  readonly labels: ReadonlyArray<string>
  readonly url?: string
}

/** A file a pull request changes. `patch` is absent when the forge left it out. */
export interface PullRequestFile {
  readonly path: string
  readonly previousPath?: string
  readonly status: "added" | "modified" | "removed" | "renamed"
  readonly additions: number
  readonly deletions: number
  readonly patch?: string
}

/** Pull requests on a forge: open world, read only. A timeout says nothing about the forge's state. */
export class ForgeReader extends Context.Tag("portico/ForgeReader")<
  ForgeReader,
  {
    readonly list: (
      repository: string,
      filter: { readonly state: "open" | "closed" | "all"; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<PullRequest>, ServiceFailure>
    readonly get: (
      repository: string,
      number: number
    ) => Effect.Effect<PullRequest & { readonly body: string }, ServiceFailure>
    readonly files: (
      repository: string,
      number: number
    ) => Effect.Effect<ReadonlyArray<PullRequestFile>, ServiceFailure>
  }
>() {}
