/** Options of a command: what it takes, read from a command line, and everything else refused in one way. */
import { parseArgs } from "node:util"
import { UsageError } from "./Arguments.ts"

/** An option: a flag, or the word for its value in messages. */
export type Option =
  | { readonly type: "flag" }
  | { readonly type: "value"; readonly word: string; readonly multiple?: boolean }

export const flag = { type: "flag" } as const
export const value = (word: string) => ({ type: "value", word }) as const
export const values = (word: string) => ({ type: "value", word, multiple: true }) as const

type Of<O extends Option> = O extends { readonly type: "flag" }
  ? boolean
  : O extends { readonly multiple: true }
    ? ReadonlyArray<string>
    : string | undefined

export interface Read<O extends { readonly [name: string]: Option }> {
  readonly positionals: ReadonlyArray<string>
  readonly values: { readonly [K in keyof O]: Of<O[K]> }
  /** True when the usage was asked for; nothing else is checked then. */
  readonly help: boolean
}

/**
 * Reads the arguments of `portico COMMAND`. `--help` and `-h` belong to every command. Throws {@link UsageError} for an
 * option the command does not have, a value that is missing or not expected, and an argument beyond the `most` first.
 */
export const read = <const O extends { readonly [name: string]: Option }>(
  command: string,
  args: ReadonlyArray<string>,
  options: O,
  most: number
): Read<O> => {
  const known = new Map<string, Option>([...Object.entries<Option>(options), ["help", flag]])
  const { positionals, tokens } = parseArgs({
    args: [...args],
    allowPositionals: true,
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      [...known].map(([name, { type }]) => [
        name,
        {
          type: type === "flag" ? ("boolean" as const) : ("string" as const),
          ...(name === "help" ? { short: "h" } : {})
        }
      ])
    )
  })
  const given = tokens.filter((token) => token.kind === "option")
  const found: { [name: string]: unknown } = {}
  for (const [name, option] of Object.entries<Option>(options))
    found[name] = option.type === "flag" ? false : option.multiple === true ? [] : undefined
  if (given.some(({ name }) => name === "help")) {
    return { positionals, values: found as Read<O>["values"], help: true }
  }
  for (const { inlineValue, name, rawName, value: said } of given) {
    const option = known.get(name)
    if (option === undefined) {
      const valid = [...known].map(([each, of]) => `--${each}${of.type === "flag" ? "" : ` ${of.word}`}`)
      throw new UsageError(`there is no option ${rawName}; there are ${valid.join(", ")}`)
    }
    if (option.type === "flag") {
      if (said !== undefined) throw new UsageError(`${rawName} takes no value, and ${said} was given`)
      found[name] = true
      continue
    }
    if (said === undefined || (inlineValue !== true && said.length > 1 && said.startsWith("-"))) {
      const mind = said === undefined ? "" : `; where it begins with a dash, write ${rawName}=${said}`
      throw new UsageError(`${rawName} needs its ${option.word} behind it${mind}`)
    }
    if (option.multiple === true) (found[name] as Array<string>).push(said)
    else found[name] = said
  }
  if (positionals.length > most) {
    throw new UsageError(
      most === 0
        ? `only options are expected, and ${positionals[0]} was given`
        : `${positionals[most]} is not expected after portico ${[command, ...positionals.slice(0, most)].join(" ")}`
    )
  }
  return { positionals, values: found as Read<O>["values"], help: false }
}
