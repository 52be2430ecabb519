/** Names that mean something to the shell, as a table from interned number to class. */
import type { Interner } from "../Interner.ts"

/** Classes of words in the place of a command; up to {@link Word.coproc} they are reserved. */
export const Word = {
  if: 1,
  consequence: 2,
  elif: 3,
  else: 4,
  fi: 5,
  for: 6,
  select: 7,
  while: 8,
  until: 9,
  do: 10,
  done: 11,
  case: 12,
  in: 13,
  esac: 14,
  function: 15,
  time: 16,
  coproc: 17,
  /** Built into the shell: no call of anything that could be defined elsewhere. */
  builtin: 20,
  /** Built in, and its arguments are only printed. */
  printer: 21,
  /** `local`, `declare` and the like. */
  declaration: 22,
  unset: 23,
  source: 24,
  alias: 25,
  trap: 26,
  read: 27,
  /** Commands of Bats. */
  load: 30,
  run: 31
} as const

/** The words of each class. */
const groups: ReadonlyArray<readonly [number, string]> = [
  [Word.if, "if"],
  [Word.consequence, "then"],
  [Word.elif, "elif"],
  [Word.else, "else"],
  [Word.fi, "fi"],
  [Word.for, "for"],
  [Word.select, "select"],
  [Word.while, "while"],
  [Word.until, "until"],
  [Word.do, "do"],
  [Word.done, "done"],
  [Word.case, "case"],
  [Word.in, "in"],
  [Word.esac, "esac"],
  [Word.function, "function"],
  [Word.time, "time"],
  [Word.coproc, "coproc"],
  [
    Word.builtin,
    "bg break builtin cd command continue eval exec exit false fg getopts hash jobs kill let popd pushd pwd return set shift shopt test times true type ulimit umask unalias wait"
  ],
  [Word.printer, "echo printf"],
  [Word.declaration, "declare export local readonly typeset"],
  [Word.unset, "unset unsetenv"],
  [Word.source, "source"],
  [Word.alias, "alias"],
  [Word.trap, "trap"],
  [Word.read, "read"],
  [Word.load, "load"],
  [Word.run, "run"]
]

export interface Words {
  /** Class by interned number, 0 or absent for any other name. */
  readonly classes: Uint8Array
  readonly export: number
  readonly readonly: number
  readonly bats: number
}

const cache = new WeakMap<Interner, Words>()

export const wordsOf = (interner: Interner): Words => {
  const known = cache.get(interner)
  if (known !== undefined) return known
  const entries = groups.flatMap(([kind, names]) =>
    names.split(" ").map((name) => [interner.string(name), kind] as const)
  )
  const classes = new Uint8Array(1 + entries.reduce((max, [id]) => Math.max(max, id), 0))
  for (const [id, kind] of entries) classes[id] = kind
  const words: Words = {
    classes,
    export: interner.string("export"),
    readonly: interner.string("readonly"),
    bats: interner.string("bats")
  }
  cache.set(interner, words)
  return words
}
