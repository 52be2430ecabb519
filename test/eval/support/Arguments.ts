/** Words and numbered options of an evaluation's command line. */
export interface Arguments {
  readonly words: ReadonlyArray<string>
  /** Fall short and exit with 1. */
  readonly strict: boolean
  /** The number behind `--name`. */
  readonly number: (name: "show" | "symbols" | "patterns", otherwise: number) => number
}

const numbered = ["--show", "--symbols", "--patterns"]

export const argumentsOf = (args: ReadonlyArray<string>): Arguments => ({
  words: args.filter((word, i) => !word.startsWith("--") && !numbered.includes(args[i - 1] ?? "")),
  strict: args.includes("--strict"),
  number: (name, otherwise) => {
    const at = args.indexOf(`--${name}`)
    const value = at < 0 ? Number.NaN : Number(args[at + 1])
    return Number.isInteger(value) && value >= 0 ? value : otherwise
  }
})

/** The exit code: 1 only when it is strict and not good. */
export const exitCode = (args: Arguments, good: boolean): number => (args.strict && !good ? 1 : 0)
