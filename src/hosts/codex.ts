import { join } from "node:path"
import { entryName, type Host, type Where } from "./Host.ts"

const folder = ({ env, home }: Where): string => env["CODEX_HOME"] ?? join(home, ".codex")

/** Of a project's settings, Codex reads those of projects its user trusts. */
export const codex: Host = {
  name: "codex",
  title: "Codex",
  program: "codex",
  signs: (where) => [folder(where), join(where.project, ".codex")],
  servers: (where) => [
    {
      scope: "global",
      file: join(folder(where), "config.toml"),
      format: "toml",
      path: ["mcp_servers", entryName]
    },
    {
      scope: "project",
      file: join(where.project, ".codex", "config.toml"),
      format: "toml",
      path: ["mcp_servers", entryName]
    }
  ],
  serverArguments: () => [],
  hooks: (where) => [
    { scope: "global", file: join(folder(where), "hooks.json"), format: "json", path: ["hooks"] },
    {
      scope: "project",
      file: join(where.project, ".codex", "hooks.json"),
      format: "json",
      path: ["hooks"]
    }
  ],
  instructions: (where) => [join(where.project, "AGENTS.md"), join(folder(where), "AGENTS.md")]
}
