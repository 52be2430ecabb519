/** Small languages for these tests: words are definitions, and some words do harm. */
import { BroadcastChannel } from "node:worker_threads"
import type { FactsBuilder } from "../../../src/engine/languages/FactsBuilder.ts"
import type { Language } from "../../../src/engine/languages/Language.ts"
import { kindNumber, Role } from "../../../src/engine/languages/Vocabulary.ts"

const word = /[A-Za-z_\u0080-\uffff]+/g

const words = (builder: FactsBuilder): void => {
  const { source } = builder
  const text = source.text ?? Buffer.from(source.bytes).toString("latin1")
  for (const { 0: name, index } of text.matchAll(word)) {
    const end = index + name.length
    switch (name) {
      case "THROW": {
        // Leaves everything open.
        builder.openScope()
        builder.openDefinition(kindNumber.function, builder.name(index, end), index, index)
        throw new TypeError("no such word")
      }
      case "UNBALANCED": {
        builder.openScope()
        return
      }
      case "HANG": {
        // Heard by whoever wants to know when it has come to this.
        new BroadcastChannel("words").postMessage("hanging")
        for (;;);
      }
      case "WAIT":
        // Like a thread that gets no processor time.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)
        break
      case "EXIT":
        process.exit(7)
      case "DEEP": {
        const down = (n: number): number => down(n + 1) + 1
        down(0)
        break
      }
      case "MEMORY": {
        const held: Array<unknown> = []
        for (;;) held.push(Array.from({ length: 1000 }, (_, i) => ({ i })))
      }
      case "PRINT":
        process.stdout.write("printed by a parser\n")
        break
      case "SCRIBBLE":
        source.bytes.fill(0)
        break
    }
    if (name === name.toUpperCase()) {
      builder.reference(builder.name(index, end), index, Role.read)
      continue
    }
    const definition = builder.define(kindNumber.function, builder.name(index, end), index, index, end)
    builder.setSignature(definition, index, end)
  }
}

const base = { depth: "outline", family: "none", hoisting: true } as const

export const wordBytes: Language = {
  ...base,
  id: "word_bytes",
  label: "Words",
  extensions: [".wb", ".tests.wb"],
  interpreters: ["words"],
  reads: "bytes",
  load: async () => words
}
export const wordText: Language = {
  ...base,
  id: "word_text",
  label: "Words",
  extensions: [".wt"],
  filenames: ["Wordfile"],
  reads: "text",
  load: async () => words
}
export const missing: Language = {
  ...base,
  id: "missing",
  label: "Missing",
  extensions: [".missing"],
  reads: "text",
  load: async () => {
    throw new Error("grammar not installed")
  }
}

/** Languages of the test worker, in order. */
export const languages: ReadonlyArray<Language> = [wordBytes, wordText, missing]
