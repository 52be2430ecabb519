/** Counts for machines whose user agreed to that. */
import { namesOf, type SentKey } from "../../telemetry/Keys.ts"
import { Telemetry } from "../../telemetry/Telemetry.ts"

/** Counts the use of one of these commands. */
export const counted = (commands: ReadonlyArray<string>, name: string): void =>
  countedAs("cli_command", [name], commands)

/** Counts each of some words under a key. */
export const countedAs = (
  key: SentKey,
  words: ReadonlyArray<string>,
  commands: ReadonlyArray<string> = []
): void => {
  const counting = new Telemetry({ names: namesOf(undefined, { commands }) })
  for (const word of words) counting.count(key, word)
  counting.close()
}
