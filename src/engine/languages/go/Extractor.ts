/** Reads one Go file into facts. */
import type { FactsBuilder } from "../FactsBuilder.ts"
import { ImportFlag } from "../Vocabulary.ts"
import { StatementReader } from "./Statements.ts"
import { Token } from "./Token.ts"

const decoder = new TextDecoder()

/** The package name to expect behind an import path, by the customs of the ecosystem. */
export const packageNameOf = (path: string): string => {
  const segments = path.split("/")
  let last = segments.pop() ?? ""
  if (/^v[0-9]+$/.test(last) && segments.length > 0) last = segments.pop()!
  last = last.replace(/\.v[0-9]+$/, "")
  const bare = last.replace(/^go[-.]/, "").replace(/[-.]go$/, "")
  return bare === "" ? last : bare
}

class FileReader extends StatementReader {
  read(): void {
    this.open()
    const { facts } = this
    this.tests = facts.source.path.endsWith("_test.go")
    this.next()
    while (!this.is(Token.end)) {
      const before = this.start
      switch (this.token) {
        case Token.semicolon:
          this.next()
          continue
        case Token.package:
          this.next()
          if (this.is(Token.name)) {
            facts.setPackage(this.id)
            this.next()
          } else facts.addParseError()
          break
        case Token.import:
          this.imports()
          break
        case Token.func:
          this.functionDeclaration()
          break
        case Token.var:
        case Token.const:
        case Token.type:
          this.declaration()
          break
        default:
          facts.addParseError()
          this.skip()
          continue
      }
      if (!this.is(Token.semicolon) && !this.is(Token.end)) {
        facts.addParseError()
        if (this.start === before) this.skip()
        else this.recover()
      }
    }
  }
  /** Skips to the next declaration at file level. */
  private recover(): void {
    while (!this.is(Token.end)) {
      const t = this.token
      if (t === Token.func || t === Token.type || t === Token.var || t === Token.const || t === Token.import)
        return
      this.skip()
    }
  }

  private imports(): void {
    this.next()
    if (!this.is(Token.openParen)) return this.importLine()
    this.next()
    while (!this.is(Token.closeParen) && !this.is(Token.end)) {
      const before = this.start
      if (!this.is(Token.semicolon)) this.importLine()
      if (this.is(Token.semicolon)) this.next()
      else {
        if (!this.is(Token.closeParen)) this.facts.addParseError()
        if (this.start === before) this.skip()
      }
    }
    this.expect(Token.closeParen)
  }
  private importLine(): void {
    const { facts, words } = this
    let local = 0
    let at = -1
    let wildcard = false
    if (this.is(Token.name)) {
      local = this.id
      at = this.start
      this.next()
    } else if (this.is(Token.dot)) {
      wildcard = true
      this.next()
    }
    if (!this.is(Token.string)) {
      facts.addParseError()
      return
    }
    if (at < 0) at = this.start
    const from = this.start + 1
    const to = Math.max(from, this.end - 1)
    const module = facts.name(from, to)
    if (wildcard) facts.import(module, 0, 0, ImportFlag.wildcard, at)
    else if (local === words.blank) facts.import(module, 0, 0, ImportFlag.sideEffect, at)
    else {
      if (local === 0) local = facts.nameOf(packageNameOf(decoder.decode(this.b.subarray(from, to))))
      facts.bindImport(local, facts.import(module, 0, local, ImportFlag.namespace, at))
    }
    this.next()
  }
}

const readers = new WeakMap<FactsBuilder, FileReader>()

export const extract = (facts: FactsBuilder): void => {
  let reader = readers.get(facts)
  if (reader === undefined) readers.set(facts, (reader = new FileReader(facts)))
  reader.read()
}
