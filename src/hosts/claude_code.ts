import { join } from "node:path"
import { entryName, type Host, type Where } from "./Host.ts"

const folder = ({ env, home }: Where): string => env["CLAUDE_CONFIG_DIR"] ?? join(home, ".claude")
const state = ({ env, home }: Where): string => join(env["CLAUDE_CONFIG_DIR"] ?? home, ".claude.json")

export const claudeCode: Host = {
  name: "claude-code",
  title: "Claude Code",
  program: "claude",
  signs: (where) => [folder(where), state(where), join(where.project, ".claude")],
  servers: (where) => [
    {
      scope: "project",
      file: join(where.project, ".mcp.json"),
      format: "json",
      path: ["mcpServers", entryName]
    },
    { scope: "global", file: state(where), format: "json", path: ["mcpServers", entryName] },
    {
      scope: "local",
      file: state(where),
      format: "json",
      path: ["projects", where.project, "mcpServers", entryName]
    }
  ],
  serverArguments: () => [],
  hooks: (where) => [
    {
      scope: "project",
      file: join(where.project, ".claude", "settings.json"),
      format: "json",
      path: ["hooks"]
    },
    { scope: "global", file: join(folder(where), "settings.json"), format: "json", path: ["hooks"] },
    {
      scope: "local",
      file: join(where.project, ".claude", "settings.local.json"),
      format: "json",
      path: ["hooks"]
    }
  ],
  instructions: (where) => [join(where.project, "CLAUDE.md"), join(folder(where), "CLAUDE.md")]
}
