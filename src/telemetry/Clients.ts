/** Families of clients. A name a client gives itself is free text, so only names in this table are ever told apart. */

/** Names a client may give itself, in lower case, by family. */
const names: { readonly [family: string]: ReadonlyArray<string> } = {
  aider: ["aider"],
  antigravity: ["antigravity"],
  "claude-code": ["claude-code", "claude code"],
  "claude-desktop": ["claude-ai", "claude-desktop"],
  cline: ["cline"],
  codex: ["codex", "codex-cli", "codex-mcp-client"],
  continue: ["continue", "continue-client"],
  "copilot-cli": ["copilot-cli", "github-copilot-cli"],
  cursor: ["cursor", "cursor-vscode", "cursor-agent"],
  gemini: ["gemini", "gemini-cli", "gemini-cli-mcp-client"],
  hermes: ["hermes"],
  kilocode: ["kilocode", "kilo-code"],
  kimi: ["kimi", "kimi-cli"],
  kiro: ["kiro"],
  "oh-my-pi": ["oh-my-pi", "omp", "omp-coding-agent"],
  openclaw: ["openclaw"],
  opencode: ["opencode"],
  pi: ["pi"],
  portico: ["portico-cli"],
  vscode: ["vscode", "visual studio code", "visual-studio-code"],
  windsurf: ["windsurf"],
  zed: ["zed"]
}

const other = "other"

/** The family of every name that is in no other. */
export const families: ReadonlyArray<string> = [...Object.keys(names), other]

const familyOfName: ReadonlyMap<string, string> = new Map(
  Object.entries(names).flatMap(([family, all]) => all.map((name) => [name, family] as const))
)

/** The family of a client: its name exactly, or its name with something behind a space, `/` or `@`. */
export const familyOf = (client: string | undefined): string => {
  if (client === undefined || client.length > 100) return other
  const name = client.trim().toLowerCase()
  const exact = familyOfName.get(name)
  if (exact !== undefined) return exact
  for (let at = 0; at < name.length; at++) {
    if (!" /@".includes(name[at]!)) continue
    const found = familyOfName.get(name.slice(0, at))
    if (found !== undefined) return found
  }
  return other
}
