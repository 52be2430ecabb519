/**
 * The text form answers have when a call does not say. Which tools a client sees has nothing to do with it, but for one
 * thing: on the compact surface nobody is answered in a form they did not ask for.
 */
import { type Choice, isCompact } from "./Selection.ts"

/** Clients known to read the line form. */
export const lineReaders = [
  "claude-code",
  "cursor",
  "vscode",
  "zed",
  "aider",
  "kilocode",
  "opencode",
  "openclaw",
  "codex",
  "omp-coding-agent",
  "pi"
] as const

/** Whether a client is one of those, by its exact name or by the name before a blank, `/` or `@`. */
export const readsLines = (client: string | undefined): boolean => {
  const name = client?.trim().toLowerCase()
  return name !== undefined && lineReaders.some((known) => name === known || /^[ /@]/.test(cut(name, known)))
}

const cut = (name: string, known: string): string => (name.startsWith(known) ? name.slice(known.length) : "")

/** The form of a session's answers. */
export const wireOf = (choice: Choice, client: string | undefined): "json" | "gcx" =>
  !isCompact(choice) && readsLines(client) ? "gcx" : "json"
