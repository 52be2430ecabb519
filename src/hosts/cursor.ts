import { join } from "node:path"
import { entryName, type Host } from "./Host.ts"

/** A server is started in no folder in particular, so that its entry names one, and belongs to a project. */
export const cursor: Host = {
  name: "cursor",
  title: "Cursor",
  program: "cursor",
  signs: ({ home, project }) => [join(home, ".cursor"), join(project, ".cursor")],
  servers: ({ project }) => [
    {
      scope: "project",
      file: join(project, ".cursor", "mcp.json"),
      format: "json",
      path: ["mcpServers", entryName]
    }
  ],
  serverArguments: ({ project }) => ["--dir", project],
  instructions: ({ project }) => [join(project, ".cursor", "rules"), join(project, "AGENTS.md")]
}
