/** Counts that a command was used, where the user agreed to that. */
import { namesOf } from "../../telemetry/Keys.ts"
import { Telemetry } from "../../telemetry/Telemetry.ts"

/** Counts the use of one of these commands. */
export const counted = (commands: ReadonlyArray<string>, name: string): void => {
  const counting = new Telemetry({ names: namesOf(undefined, { commands }) })
  counting.count("cli_command", name)
  counting.close()
}
