/** Guidance every client gets once, at initialization, as data that lies ready: giving it loads no part of the registry. */
import text from "./instructions.json" with { type: "json" }

/** Made from the registry by `npx tsx src/build/roster.ts`. Under 550 characters. */
export const instructions: string = text

/** The guidance on single tools, whichever of them a session lists. Under 550 characters. */
export const directInstructions =
  "Portico answers questions about this code base from an index that follows the work tree. Before a signature changes call verify_change; after a change detect_changes, then get_test_targets and check_guards. Give ids from earlier answers back unchanged. An answer says what it left out and how to get the rest. tools_search finds a tool by words, with its arguments; tool_profile tells which tools this session has."
