/**
 * Names by which a caller may say which repository a call is about. Such a field is never dropped silently: the answer
 * would be about another repository than the one the caller believes.
 */
const spellings: ReadonlySet<string> = new Set([
  "repo",
  "repopath",
  "repository",
  "repositorypath",
  "reporoot",
  "repositoryroot",
  "repodir",
  "root",
  "cwd",
  "dir",
  "worktree",
  "baserepo",
  "workspace",
  "project"
])

const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[-_\s]/g, "")

/** Whether a field's name selects a repository or workspace, in any letter case and any joining of its words. */
export const isRepositorySelector = (name: string): boolean => spellings.has(folded(name))

/** Whether a published field of this name is the one to suggest for a repository. */
export const namesRepository = (name: string): boolean => folded(name).startsWith("repo")
