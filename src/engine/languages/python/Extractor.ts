/** Reads one Python file into facts. */
import type { FactsBuilder } from "../FactsBuilder.ts"
import { StatementReader } from "./Statements.ts"
import { Token } from "./Token.ts"

class FileReader extends StatementReader {
  read(): void {
    this.open()
    const { facts, words } = this
    const file = facts.source.path.slice(facts.source.path.lastIndexOf("/") + 1)
    this.testFile = /^(test_.*|.*_test|tests?|conftest)\.pyw?$/.test(file)
    this.packageFile = /^__init__\.pyi?$/.test(file)
    this.next()
    while (!this.is(Token.end)) {
      this.statements()
      if (this.is(Token.dedent)) this.next()
    }
    this.declareGlobals()
    const { names } = this.frame
    for (let i = 0; i < this.published.length; i += 2) {
      const name = this.published[i]!
      facts.export(name, name, 0, 0, this.published[i + 1]!, names.get(name) ?? -1)
    }
    if (this.hasTests || this.hasTestCases) {
      facts.setRunner(
        this.usesPytest || this.hasBareTests || !(this.hasTestCases || this.usesUnittest)
          ? words.pytest
          : words.unittest
      )
    }
  }
}

const readers = new WeakMap<FactsBuilder, FileReader>()

export const extract = (facts: FactsBuilder): void => {
  let reader = readers.get(facts)
  if (reader === undefined) readers.set(facts, (reader = new FileReader(facts)))
  reader.read()
}
