/**
 * Whether the engine compiles a grammar's parser a second time, for speed. The tables of a grammar are one function so
 * large that this takes as long as reading three megabytes or more with what is compiled at once, and most trees have
 * less than that in such a language.
 */
import { setFlagsFromString } from "node:v8"

/** Bytes of one language from which on its parser is worth compiling again. */
export const worthTiering = 4 << 20

let plenty = true

/** Says whether this thread is about to read much in the languages that it loads next; taken for granted until then. */
export const expectPlenty = (much: boolean): void => {
  plenty = much
}

/**
 * Compiles a parser. Flags belong to the whole process and compiled scripts are cached under them, so they are as the
 * launcher sets them before and after; what a parser is compiled under holds for as long as it lives.
 */
export const compileParser = async <A>(compile: () => Promise<A>): Promise<A> => {
  setFlagsFromString("--no-wasm-tier-up")
  if (!plenty) {
    setFlagsFromString("--no-wasm-dynamic-tiering")
    return compile()
  }
  setFlagsFromString("--wasm-dynamic-tiering")
  try {
    return await compile()
  } finally {
    setFlagsFromString("--no-wasm-dynamic-tiering")
  }
}
