/** Files that commits change together, by cosine: how many commits touched both, over the root of how many touched each. */
import type { HistoryCommit } from "../../../services/GitReader.ts"

/** Commits that are looked at. */
export const mostCommits = 5000

/** Commits of more files say nothing of two of them: they format, rename or import. */
export const mostFiles = 50

export interface CoChanged {
  readonly path: string
  readonly score: number
  /** Commits that touched it and the target. */
  readonly count: number
  /** Commits that touched it. */
  readonly commits: number
}

export interface CoChanges {
  readonly rows: ReadonlyArray<CoChanged>
  /** Commits that touched the target. */
  readonly commits: number
  readonly looked: number
  /** Commits left out because of their many files. */
  readonly large: number
}

/** Each commit's files by the names they have now. Commits come newest first, so a rename is known before the old name. */
export const byPresentName = function* (
  commits: ReadonlyArray<HistoryCommit>
): Generator<readonly [HistoryCommit, ReadonlyArray<string>]> {
  const now = new Map<string, string>()
  for (const commit of commits) {
    const names = commit.files.map(({ path }) => now.get(path) ?? path)
    yield [commit, names]
    const renamed = commit.files.flatMap(({ path, previous_path }) =>
      previous_path === undefined ? [] : [[previous_path, now.get(path) ?? path] as const]
    )
    // Whatever bears the name now was not there before this commit.
    for (const { path, previous_path } of commit.files) if (previous_path !== undefined) now.delete(path)
    for (const [old, present] of renamed) now.set(old, present)
  }
}

/** What changes with one file. `own` narrows the target's commits to some of its file's. */
export const coChanging = (
  commits: ReadonlyArray<HistoryCommit>,
  path: string,
  own?: ReadonlySet<string>
): CoChanges => {
  const counts = new Map<string, number>()
  const together = new Map<string, number>()
  let mine = 0
  let looked = 0
  let large = 0
  for (const [{ files, id }, names] of byPresentName(commits)) {
    if (files.length > mostFiles) {
      large++
      continue
    }
    looked++
    const distinct = new Set(names)
    const target = distinct.has(path) && (own === undefined || own.has(id))
    if (target) mine++
    for (const name of distinct) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (target && name !== path) together.set(name, (together.get(name) ?? 0) + 1)
    }
  }
  return {
    rows: [...together]
      .map(([name, count]) => ({
        path: name,
        count,
        commits: counts.get(name)!,
        score: count / Math.sqrt(mine * counts.get(name)!)
      }))
      .sort((a, b) => b.score - a.score || b.count - a.count || (a.path < b.path ? -1 : 1)),
    commits: mine,
    looked,
    large
  }
}
