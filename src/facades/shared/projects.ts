/** Names of projects that nobody has. */
import { failure, type OperationFailure } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import { nearest } from "../../registry/Names.ts"
import type { Projects } from "../../services/WorkspaceView.ts"

/** A project that is not one of the workspace's. `name` is what was looked for of what was `written`. */
export const projectUnknown = (
  { projects, workspace }: Projects,
  name: string,
  written: string = name
): OperationFailure => {
  const known = [workspace, ...projects.map((project) => project.name)]
  const suggested = nearest(name, known)
  return failure("project_unknown", `no project ${JSON.stringify(written)} in this workspace`, {
    field: "arguments.project",
    failure_stage: "resolve",
    data: {
      available_projects: known,
      ...(suggested === undefined ? {} : { suggested_project: suggested })
    },
    recovery: draft("fallback_recovery", "workspace", { operation: "active_project" })
  })
}
