import { Data } from "effect"

/**
 * Why a git command gave no answer.
 *
 * - `not_installed`: there is no `git` to run.
 * - `not_found`: the directory to run in does not exist.
 * - `not_a_repository`: no repository holds the directory (or its `.git` is not one).
 * - `unsafe_ownership`: git refuses the repository because another user owns it (`safe.directory`).
 * - `invalid_revision`: the revision text was refused before git saw it (empty, leading `-`, control characters).
 * - `unknown_revision`: git knows no such object, or no such path in that revision.
 * - `output_too_large`: the answer grew past the byte limit and was cut off.
 * - `timeout`: the command was ended after its time limit.
 * - `unexpected_output`: git's answer does not have the documented shape.
 * - `failed`: any other non-zero exit; `stderr` says more.
 */
export type GitErrorReason =
  | "not_installed"
  | "not_found"
  | "not_a_repository"
  | "unsafe_ownership"
  | "invalid_revision"
  | "unknown_revision"
  | "output_too_large"
  | "timeout"
  | "unexpected_output"
  | "failed"

/** A git command that gave no usable answer. `stderr` holds at most 2000 characters; `exitCode` is null when git never ended by itself. */
export class GitError extends Data.TaggedError("GitError")<{
  readonly reason: GitErrorReason
  readonly command: string
  readonly cwd: string
  readonly exitCode: number | null
  readonly stderr: string
}> {
  override get message(): string {
    const tail = this.stderr === "" ? "" : `: ${this.stderr}`
    return `git ${this.command} (${this.reason})${tail}`
  }
}

/** Names the reason from what git printed. Texts are git's untranslated ones (the child runs with LC_ALL=C). */
export const classifyStderr = (stderr: string): GitErrorReason => {
  if (/dubious ownership|safe\.directory/.test(stderr)) return "unsafe_ownership"
  if (/not a git repository|invalid gitfile format|cannot use bare repository/i.test(stderr))
    return "not_a_repository"
  if (
    /unknown revision|bad revision|not a valid object name|invalid object name|ambiguous argument|bad object|needed a single revision|does not exist in|exists on disk, but not in|not a tree object|invalid upstream/i.test(
      stderr
    )
  ) {
    return "unknown_revision"
  }
  return "failed"
}

/** Whether git failed because objects are missing: the clone left some out, or is damaged. */
export const lacksObjects = ({ stderr }: GitError): boolean =>
  /unable to read [0-9a-f]{40}|missing blob|bad object [0-9a-f]{40}|could not fetch|promisor remote/.test(
    stderr
  )
