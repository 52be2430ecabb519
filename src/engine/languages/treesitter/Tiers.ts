/**
 * Whether the engine compiles a grammar's parser a second time, for speed. The tables of a grammar are one function so
 * large that this takes as long as reading three megabytes or more with what is compiled at once, and most trees have
 * less than that in such a language. A process that ends meanwhile waits for it: five seconds for Swift.
 */
import { setFlagsFromString } from "node:v8"

/** Bytes of one language from which on its parser is worth compiling again. */
export const worthTiering = 4 << 20

let plenty: boolean | undefined

/** Says whether this thread is about to read much in the languages that it loads next; unknown until then. */
export const expectPlenty = (much: boolean): void => {
  plenty = much
}

/**
 * How much a function does before it is compiled again, in bytes of code run: usual, and where nobody knows how much there
 * is to read. The large functions of a grammar come by the usual one with a few lines of text, by the other one with some
 * hundred kilobytes.
 */
const usualBudget = 1_800_000
const patientBudget = 2_000_000_000

/**
 * Compiles a parser. Flags belong to the whole process and compiled scripts are cached under them, so they are as the
 * launcher sets them before and after; what a parser is compiled under holds for as long as it lives.
 */
export const compileParser = async <A>(compile: () => Promise<A>): Promise<A> => {
  setFlagsFromString("--no-wasm-tier-up")
  if (plenty === false) {
    setFlagsFromString("--no-wasm-dynamic-tiering")
    return compile()
  }
  const patient = plenty === undefined
  setFlagsFromString("--wasm-dynamic-tiering")
  if (patient) setFlagsFromString(`--wasm-tiering-budget=${patientBudget}`)
  try {
    return await compile()
  } finally {
    setFlagsFromString("--no-wasm-dynamic-tiering")
    if (patient) setFlagsFromString(`--wasm-tiering-budget=${usualBudget}`)
  }
}
