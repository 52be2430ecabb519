/** Our hooks in a host's settings: groups of commands by event, among those of others. */
import { at, type Path } from "./config/Format.ts"
import { occasions } from "./hook/Tools.ts"
import { isOwn, type Program, shellLine, shellWords, startedBy } from "./Program.ts"

/** A command of ours. */
export interface HookEntry {
  readonly event: string
  /** From the place of the hooks to the command's object, and to what goes with it when it goes. */
  readonly path: Path
  readonly whole: Path
  readonly words: ReadonlyArray<string>
  /** Why it does not do what it should; undefined where it does. */
  readonly stale: string | undefined
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Place of `hook` in the words of a command of ours; -1 in others. */
const placeOfHook = (words: ReadonlyArray<string>): number => {
  const place = words.indexOf("hook")
  return place > 0 && /(?:^|[\\/])(?:portico|dist[\\/]main\.js)$/.test(words[place - 1]!) ? place : -1
}

/** Our commands in the hooks of a host. */
export const hookEntries = (hooks: unknown, own: Program): ReadonlyArray<HookEntry> =>
  Object.keys(typeof hooks === "object" && hooks !== null ? hooks : {}).flatMap((event) =>
    listOf(at(hooks, [event])).flatMap((group, number) => {
      const commands = listOf(at(group, ["hooks"]))
      return commands.flatMap((each, index): ReadonlyArray<HookEntry> => {
        const command = at(each, ["command"])
        const words = typeof command === "string" ? shellWords(command) : []
        if (placeOfHook(words) === -1) return []
        const started = startedBy(words)
        const path = [event, number, "hooks", index]
        return [
          {
            event,
            path,
            whole: commands.length === 1 ? path.slice(0, 2) : path,
            words,
            stale:
              typeof started === "string"
                ? started
                : isOwn(started, own)
                  ? undefined
                  : `it starts ${started.script}`
          }
        ]
      })
    })
  )

/** The command of a hook that starts this program. What the user wrote behind `hook` in another one stays. */
export const hookCommand = (words: ReadonlyArray<string>, agent: string, own: Program): string => {
  const place = placeOfHook(words)
  return shellLine([...own, "hook", ...(place === -1 ? ["--agent", agent] : words.slice(place + 1))])
}

/** A group for an event, with our command. */
export const hookGroup = (event: string, command: string): object => {
  const matcher = occasions.find((one) => one.event === event)?.matcher
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command }] }
}

/** Events that none of our commands is told of. */
export const missingEvents = (entries: ReadonlyArray<HookEntry>): ReadonlyArray<string> =>
  occasions.map(({ event }) => event).filter((event) => !entries.some((entry) => entry.event === event))
