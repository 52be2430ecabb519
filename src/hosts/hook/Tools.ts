/** Tools of hosts that a hook has something to say about, by what they do. Every other tool is `other`. */

/** Look for a pattern in files. */
export const searchers = ["Grep"] as const
/** Run a command, which may look for a pattern. */
export const shells = ["Bash", "bash", "shell", "exec_command", "local_shell"] as const
/** Change files. */
export const editors = ["Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch"] as const

const known: ReadonlyArray<string> = [...searchers, ...shells, ...editors]
/** What tools are told apart as. */
export const toolNames: ReadonlyArray<string> = [...known, "other"]

/** The events a hook has something to say about, and the tools they are of, as hosts match them. */
export const occasions: ReadonlyArray<{ readonly event: string; readonly matcher?: string }> = [
  { event: "SessionStart" },
  { event: "PreToolUse", matcher: [...searchers, ...shells].join("|") },
  { event: "PostToolUse", matcher: editors.join("|") }
]
