/**
 * Reads Go into the syntax its grammar would give, as far as a {@link import("../../Lower.ts").Language} looks at it: node
 * types, fields and places are the grammar's, while types are leaves and comments left out. What it does not understand is
 * for the grammar to read.
 */
import { Token } from "../../../languages/go/Token.ts"
import type { Stretch } from "../../../languages/treesitter/Grammar.ts"
import type { Node, SyntaxTree } from "../../../languages/treesitter/SyntaxTree.ts"
import { Lexer, unreadable } from "./Lexer.ts"
import { F, K, Rows } from "./Rows.ts"

/** Syntax inside syntax that is read. */
const deepest = 400

/** How tight an operator binds; 0 for a token that is none. */
const binding = new Uint8Array(Token.var + 1)
binding[Token.or] = 1
binding[Token.and] = 2
binding[Token.compare] = 3
binding[Token.sign] = binding[Token.pipe] = 4
binding[Token.star] = binding[Token.binary] = binding[Token.ampersand] = 5

const typeStarts = new Uint8Array(Token.var + 1)
for (const t of [
  Token.name,
  Token.star,
  Token.openParen,
  Token.openBracket,
  Token.map,
  Token.chan,
  Token.arrow,
  Token.func,
  Token.struct,
  Token.interface
])
  typeStarts[t] = 1

export class Reader extends Lexer {
  private readonly rows = new Rows()
  private level = 0
  /** Composite literals of a bare name are possible: not in the header of a statement. */
  private literals = true
  /** The value whose type a `switch` asks for, once that is read; -1 before. */
  private asked = -1
  private asking = false

  /** Undefined for a text it does not understand. The same value is refilled by the next call. */
  read(text: string, parts: ReadonlyArray<Stretch> | undefined): SyntaxTree | undefined {
    this.rows.clear()
    this.level = 0
    this.literals = true
    this.asking = false
    try {
      this.open(text, parts)
      const file = this.rows.add(K.source_file, 0, text.length)
      while (!this.is(Token.end)) {
        if (this.is(Token.semicolon)) this.next()
        else {
          this.rows.put(file, this.topLevel())
          if (!this.is(Token.semicolon) && !this.is(Token.end)) return undefined
        }
      }
      return this.rows.read(file)
    } catch (cause) {
      if (cause === unreadable) return undefined
      throw cause
    }
  }

  // ---- nodes

  /** A node that ends with the last token. */
  private node(kind: number, from: number): Node {
    return this.rows.add(kind, from, this.lastEnd)
  }
  /** A node for the current token, which is gone behind. */
  private leaf(kind: number): Node {
    const n = this.rows.add(kind, this.start, this.end)
    this.next()
    return n
  }
  private named(kind: number): Node {
    if (!this.is(Token.name)) throw unreadable
    return this.leaf(kind)
  }
  private put(n: Node, child: Node, field = 0): void {
    this.rows.put(n, child, field)
  }
  /** Ends a node with the last token. */
  private close(n: Node): Node {
    this.rows.setEnd(n, this.lastEnd)
    return n
  }
  private within<A>(literals: boolean, run: () => A): A {
    const before = this.literals
    this.literals = literals
    const out = run()
    this.literals = before
    return out
  }
  private deeper(): void {
    if (++this.level > deepest) throw unreadable
  }

  // ---- declarations

  private topLevel(): Node {
    const { start } = this
    switch (this.token) {
      case Token.package:
        this.next()
        this.expect(Token.name)
        return this.node(K.package_clause, start)
      case Token.import:
        this.next()
        this.group(() => this.importSpec())
        return this.node(K.import_declaration, start)
      case Token.func:
        return this.functionDeclaration()
      default:
        return this.declaration()
    }
  }

  private importSpec(): void {
    if (this.is(Token.name) || this.is(Token.dot)) this.next()
    this.expect(Token.string)
  }

  /** One of something, or several between parentheses. */
  private group(one: () => void): boolean {
    if (!this.is(Token.openParen)) {
      one()
      return false
    }
    this.next()
    while (!this.is(Token.closeParen)) {
      if (this.is(Token.semicolon)) this.next()
      else {
        one()
        if (!this.is(Token.semicolon) && !this.is(Token.closeParen)) throw unreadable
      }
    }
    this.next()
    return true
  }

  /** At `var`, `const` or `type`. */
  private declaration(): Node {
    const { start, token } = this
    if (token === Token.type) {
      this.next()
      this.group(() => this.typeSpec())
      return this.node(K.type_declaration, start)
    }
    if (token !== Token.var && token !== Token.const) throw unreadable
    const constant = token === Token.const
    this.next()
    const n = this.rows.add(constant ? K.const_declaration : K.var_declaration, start, start)
    const list = this.is(Token.openParen) && !constant ? this.rows.add(K.var_spec_list, this.start, start) : n
    this.group(() => this.put(list, this.valueSpec(constant)))
    if (list !== n) this.put(n, this.close(list))
    return this.close(n)
  }

  private typeSpec(): void {
    this.expect(Token.name)
    if (this.is(Token.openBracket)) {
      // Type parameters, or the length of an array.
      this.next()
      if (this.is(Token.closeBracket)) this.next()
      else if (this.is(Token.name)) {
        this.next()
        if (this.is(Token.closeBracket)) this.next()
        else this.parametersOfType()
      } else this.length()
    } else if (this.is(Token.assign)) this.next()
    if (this.is(Token.assign)) this.next()
    this.type()
  }
  /** The rest of type parameters behind the first name. */
  private parametersOfType(): void {
    for (;;) {
      while (this.is(Token.comma)) {
        this.next()
        this.expect(Token.name)
      }
      this.constraint()
      if (!this.is(Token.comma)) break
      this.next()
      if (this.is(Token.closeBracket)) break
      this.expect(Token.name)
    }
    this.expect(Token.closeBracket)
  }
  private length(): void {
    if (this.is(Token.ellipsis)) this.next()
    else this.within(true, () => this.value())
    this.expect(Token.closeBracket)
  }

  /** `a, b T = x, y`. */
  private valueSpec(constant: boolean): Node {
    const n = this.rows.add(constant ? K.const_spec : K.var_spec, this.start, this.start)
    for (;;) {
      this.put(n, this.named(K.identifier), F.name)
      if (!this.is(Token.comma)) break
      this.next()
    }
    const typed = !this.is(Token.assign) && typeStarts[this.token] === 1
    if (typed) this.put(n, this.type(), F.type)
    if (this.is(Token.assign)) {
      this.next()
      this.put(n, this.expressions(), F.value)
    } else if (constant === typed) throw unreadable
    return this.close(n)
  }

  private functionDeclaration(): Node {
    const { start } = this
    this.next()
    const method = this.is(Token.openParen)
    const n = this.rows.add(method ? K.method_declaration : K.function_declaration, start, start)
    if (method) this.put(n, this.parameterList(), F.receiver)
    this.put(n, this.named(method ? K.field_identifier : K.identifier), F.name)
    if (this.is(Token.openBracket)) {
      this.next()
      this.expect(Token.name)
      this.parametersOfType()
    }
    this.signature(n)
    if (this.is(Token.openBrace)) this.put(n, this.block(), F.body)
    return this.close(n)
  }

  private signature(n: Node): void {
    this.put(n, this.parameterList(), F.parameters)
    if (this.is(Token.openParen)) this.put(n, this.parameterList(), F.result)
    else if (typeStarts[this.token] === 1) this.put(n, this.type(), F.result)
  }

  private parameterList(): Node {
    const { rows } = this
    const list = rows.add(K.parameter_list, this.start, this.start)
    this.expect(Token.openParen)
    /** Names without a type yet, which may be types themselves. */
    let lone: Array<Node> = []
    let named = false
    let unnamed = false
    const typeAlone = (type: Node) => {
      unnamed = true
      const p = rows.add(K.parameter_declaration, rows.start(type), rows.end(type))
      this.put(p, type, F.type)
      this.put(list, p)
    }
    while (!this.is(Token.closeParen)) {
      let name = -1
      let type = -1
      let variadic = false
      if (this.is(Token.name)) {
        const { end, start } = this
        this.next()
        if (this.is(Token.comma) || this.is(Token.closeParen)) lone.push(rows.add(K.identifier, start, end))
        else {
          if (this.is(Token.dot)) type = this.typeFrom(start, end)
          else if (this.is(Token.openBracket)) {
            type = this.arrayOrInstance(start, end)
            if (rows.start(type) !== start) name = rows.add(K.identifier, start, end)
          } else {
            name = rows.add(K.identifier, start, end)
            if (this.is(Token.ellipsis)) {
              variadic = true
              this.next()
            }
            type = this.type()
          }
        }
      } else {
        variadic = this.is(Token.ellipsis)
        if (variadic) this.next()
        type = this.type()
      }
      if (type >= 0) {
        if (name >= 0) {
          if (variadic && lone.length > 0) throw unreadable
          named = true
          lone.push(name)
          const p = rows.add(
            variadic ? K.variadic_parameter_declaration : K.parameter_declaration,
            rows.start(lone[0]!),
            rows.end(type)
          )
          for (const each of lone) this.put(p, each, F.name)
          this.put(p, type, F.type)
          this.put(list, p)
        } else {
          for (const each of lone) typeAlone(rows.add(K.type_identifier, rows.start(each), rows.end(each)))
          if (variadic) {
            unnamed = true
            const p = rows.add(K.variadic_parameter_declaration, rows.start(type), rows.end(type))
            this.put(p, type, F.type)
            this.put(list, p)
          } else typeAlone(type)
        }
        lone = []
      }
      if (this.is(Token.comma)) this.next()
      else if (!this.is(Token.closeParen)) throw unreadable
    }
    for (const each of lone) typeAlone(rows.add(K.type_identifier, rows.start(each), rows.end(each)))
    if (named && unnamed) throw unreadable
    this.next()
    return this.close(list)
  }

  // ---- types

  private type(): Node {
    const { start } = this
    this.deeper()
    const kind = this.typeKind()
    this.level--
    if (kind < 0) return -1 - kind
    return this.node(kind, start)
  }

  /** Goes behind a type. Its kind, or -1 less the node of one that has something in it. */
  private typeKind(): number {
    switch (this.token) {
      case Token.name: {
        const { end, start } = this
        this.next()
        return -1 - this.typeFrom(start, end)
      }
      case Token.star:
        this.next()
        this.type()
        return K.pointer_type
      case Token.openParen:
        this.next()
        this.type()
        this.expect(Token.closeParen)
        return K.parenthesized_type
      case Token.openBracket: {
        this.next()
        const slice = this.is(Token.closeBracket)
        const open = this.is(Token.ellipsis)
        if (slice) this.next()
        else this.length()
        this.type()
        return slice ? K.slice_type : open ? K.implicit_length_array_type : K.array_type
      }
      case Token.map:
        this.next()
        this.expect(Token.openBracket)
        this.type()
        this.expect(Token.closeBracket)
        this.type()
        return K.map_type
      case Token.chan:
        this.next()
        if (this.is(Token.arrow)) this.next()
        this.type()
        return K.channel_type
      case Token.arrow:
        this.next()
        this.expect(Token.chan)
        this.type()
        return K.channel_type
      case Token.func:
        this.next()
        this.signature(this.rows.add(K.function_type, 0, 0))
        return K.function_type
      case Token.struct:
        this.next()
        this.members(() => this.fieldLine())
        return K.struct_type
      case Token.interface:
        this.next()
        this.members(() => this.element())
        return K.interface_type
      default:
        throw unreadable
    }
  }

  /** The type that starts with a name already gone behind. */
  private typeFrom(from: number, to: number): Node {
    let type = this.rows.add(K.type_identifier, from, to)
    if (this.is(Token.dot)) {
      this.next()
      type = this.qualified(from, to)
    }
    return this.is(Token.openBracket) ? this.instance(type) : type
  }
  private qualified(from: number, to: number): Node {
    const { rows } = this
    const name = this.named(K.type_identifier)
    const type = rows.add(K.qualified_type, from, rows.end(name))
    this.put(type, rows.add(K.package_identifier, from, to))
    this.put(type, name, F.name)
    return type
  }
  /** With type arguments, at `[`. */
  private instance(type: Node): Node {
    this.next()
    for (;;) {
      this.constraint()
      if (!this.is(Token.comma)) break
      this.next()
      if (this.is(Token.closeBracket)) break
    }
    this.expect(Token.closeBracket)
    return this.generic(type)
  }
  private generic(type: Node): Node {
    const n = this.node(K.generic_type, this.rows.start(type))
    this.put(n, type, F.type)
    return n
  }
  /** `~A | *B`. */
  private constraint(): void {
    for (;;) {
      if (this.is(Token.tilde)) this.next()
      this.type()
      if (!this.is(Token.pipe)) return
      this.next()
    }
  }

  /** Behind a name, at `[`: the type of something with that name when it starts at the bracket, else one with that name. */
  private arrayOrInstance(from: number, to: number): Node {
    const { start } = this
    this.next()
    if (this.is(Token.closeBracket)) {
      this.next()
      this.type()
      return this.node(K.slice_type, start)
    }
    let count = 0
    let type = false
    this.within(true, () => {
      for (;;) {
        type = this.rows.isType(this.expression())
        count++
        if (!this.is(Token.comma)) break
        this.next()
        if (this.is(Token.closeBracket)) break
      }
    })
    this.expect(Token.closeBracket)
    if (count === 1 && typeStarts[this.token] === 1) {
      if (type) throw unreadable
      this.type()
      return this.node(K.array_type, start)
    }
    return this.generic(this.rows.add(K.type_identifier, from, to))
  }

  /** Lines between braces. */
  private members(one: () => void): void {
    this.expect(Token.openBrace)
    while (!this.is(Token.closeBrace)) {
      one()
      if (this.is(Token.semicolon)) this.next()
      else if (!this.is(Token.closeBrace)) throw unreadable
    }
    this.next()
  }
  private fieldLine(): void {
    if (this.is(Token.name)) {
      const { end, start } = this
      this.next()
      if (this.is(Token.openBracket)) this.arrayOrInstance(start, end)
      else if (this.is(Token.dot)) this.typeFrom(start, end)
      else if (!this.is(Token.semicolon) && !this.is(Token.closeBrace) && !this.is(Token.string)) {
        while (this.is(Token.comma)) {
          this.next()
          this.expect(Token.name)
        }
        this.type()
      }
    } else {
      this.expect(Token.star)
      if (!this.is(Token.name)) throw unreadable
      this.type()
    }
    if (this.is(Token.string)) this.next()
  }
  private element(): void {
    if (this.is(Token.name)) {
      const { end, start } = this
      this.next()
      if (this.is(Token.openParen)) return this.signature(this.rows.add(K.function_type, 0, 0))
      this.typeFrom(start, end)
      if (!this.is(Token.pipe)) return
      this.next()
    }
    this.constraint()
  }

  // ---- statements

  private block(): Node {
    const n = this.rows.add(K.block, this.start, this.start)
    this.expect(Token.openBrace)
    this.within(true, () => this.statements(n))
    this.expect(Token.closeBrace)
    return this.close(n)
  }

  private statements(into: Node): void {
    let list = -1
    for (;;) {
      switch (this.token) {
        case Token.semicolon:
          this.next()
          break
        case Token.closeBrace:
        case Token.case:
        case Token.default:
          if (list >= 0) this.put(into, this.close(list))
          return
        default: {
          if (list < 0) list = this.rows.add(K.statement_list, this.start, this.start)
          this.put(list, this.statement())
          if (
            !this.is(Token.semicolon) &&
            !this.is(Token.closeBrace) &&
            !this.is(Token.case) &&
            !this.is(Token.default)
          )
            throw unreadable
        }
      }
    }
  }

  private statement(): Node {
    this.deeper()
    const n = this.anyStatement()
    this.level--
    return n
  }
  private anyStatement(): Node {
    const { start } = this
    switch (this.token) {
      case Token.var:
      case Token.const:
      case Token.type:
        return this.declaration()
      case Token.go:
      case Token.defer: {
        const kind = this.is(Token.go) ? K.go_statement : K.defer_statement
        this.next()
        const call = this.value()
        const n = this.node(kind, start)
        this.put(n, call)
        return n
      }
      case Token.return: {
        this.next()
        const n = this.rows.add(K.return_statement, start, start)
        if (!this.is(Token.semicolon) && !this.is(Token.closeBrace)) this.put(n, this.expressions())
        return this.close(n)
      }
      case Token.break:
        return this.jump(K.break_statement, false)
      case Token.continue:
        return this.jump(K.continue_statement, false)
      case Token.goto:
        return this.jump(K.goto_statement, true)
      case Token.fallthrough:
        return this.leaf(K.fallthrough_statement)
      case Token.openBrace:
        return this.block()
      case Token.if:
        return this.ifStatement()
      case Token.for:
        return this.forStatement()
      case Token.switch:
        return this.switchStatement()
      case Token.select:
        return this.selectStatement()
      case Token.name:
        if (this.isLabel() && this.nameKind() === K.identifier) {
          const n = this.rows.add(K.labeled_statement, start, start)
          this.put(n, this.leaf(K.label_name), F.label)
          this.next()
          if (!this.is(Token.semicolon) && !this.is(Token.closeBrace)) this.put(n, this.statement())
          return this.close(n)
        }
        return this.simple()
      default:
        return this.simple()
    }
  }

  private jump(kind: number, labelled: boolean): Node {
    const n = this.rows.add(kind, this.start, this.start)
    this.next()
    if (labelled || this.is(Token.name)) this.put(n, this.named(K.label_name))
    return this.close(n)
  }

  /** A statement that may stand in the header of another; with `ranges` the clause of a loop as well. */
  private simple(ranges = false): Node {
    const { start } = this
    if (ranges && this.is(Token.range)) return this.range(start, -1, false)
    const left = this.expressions()
    const { rows } = this
    const one = rows.first(left) === rows.last(left) ? rows.first(left) : -1
    switch (this.token) {
      case Token.define:
      case Token.assign:
      case Token.update: {
        const defines = this.is(Token.define)
        const operator = this.leaf(defines ? K[":="] : K.operator)
        if (ranges && this.is(Token.range)) return this.range(start, left, defines)
        const right = this.expressions()
        const n = this.node(defines ? K.short_var_declaration : K.assignment_statement, start)
        this.put(n, left, F.left)
        this.put(n, operator, defines ? 0 : F.operator)
        this.put(n, right, F.right)
        return n
      }
      case Token.step: {
        const plus = this.text.charCodeAt(this.start) === 43
        this.next()
        const n = this.node(plus ? K.inc_statement : K.dec_statement, start)
        if (one < 0) throw unreadable
        this.put(n, one)
        return n
      }
      case Token.arrow: {
        this.next()
        const value = this.value()
        const n = this.node(K.send_statement, start)
        if (one < 0) throw unreadable
        this.put(n, one, F.channel)
        this.put(n, value, F.value)
        return n
      }
      default: {
        if (one < 0) throw unreadable
        const n = this.node(K.expression_statement, start)
        this.put(n, one)
        return n
      }
    }
  }
  private range(start: number, left: Node, defines: boolean): Node {
    this.next()
    const right = this.value()
    const n = this.node(K.range_clause, start)
    if (left >= 0) {
      this.put(n, left, F.left)
      if (defines) this.put(n, this.rows.add(K[":="], start, start))
    }
    this.put(n, right, F.right)
    return n
  }
  /** The expression that a simple statement is. */
  private bare(statement: Node): Node {
    if (!this.rows.is(statement, K.expression_statement)) throw unreadable
    return this.rows.first(statement)
  }

  private ifStatement(): Node {
    const n = this.rows.add(K.if_statement, this.start, this.start)
    this.next()
    this.within(false, () => {
      let condition = this.simple()
      if (this.is(Token.semicolon)) {
        this.next()
        this.put(n, condition, F.initializer)
        condition = this.simple()
      }
      this.put(n, this.bare(condition), F.condition)
    })
    this.put(n, this.block(), F.consequence)
    if (this.is(Token.else)) {
      this.next()
      this.deeper()
      this.put(n, this.is(Token.if) ? this.ifStatement() : this.block(), F.alternative)
      this.level--
    }
    return this.close(n)
  }

  private forStatement(): Node {
    const n = this.rows.add(K.for_statement, this.start, this.start)
    this.next()
    this.within(false, () => {
      if (this.is(Token.openBrace)) return
      const first = this.is(Token.semicolon) ? -1 : this.simple(true)
      if (!this.is(Token.semicolon)) {
        this.put(n, this.rows.is(first, K.range_clause) ? first : this.bare(first))
        return
      }
      const clause = this.rows.add(K.for_clause, first < 0 ? this.start : this.rows.start(first), this.start)
      this.next()
      if (first >= 0) this.put(clause, first, F.initializer)
      if (!this.is(Token.semicolon)) this.put(clause, this.value(), F.condition)
      this.expect(Token.semicolon)
      if (!this.is(Token.openBrace)) this.put(clause, this.simple(), F.update)
      this.put(n, this.close(clause))
    })
    this.put(n, this.block(), F.body)
    return this.close(n)
  }

  private switchStatement(): Node {
    const { rows, start } = this
    this.next()
    const outer = this.asking
    let initializer = -1
    let guard = -1
    let asked = -1
    this.within(false, () => {
      if (this.is(Token.openBrace)) return
      this.asking = true
      this.asked = -1
      guard = this.simple()
      if (this.is(Token.semicolon)) {
        if (this.asked >= 0) throw unreadable
        this.next()
        initializer = guard
        guard = this.is(Token.openBrace) ? -1 : this.simple()
      }
      asked = this.asked
    })
    this.asking = outer
    const types = asked >= 0
    const n = rows.add(types ? K.type_switch_statement : K.expression_switch_statement, start, start)
    if (initializer >= 0) this.put(n, initializer, F.initializer)
    if (types && rows.is(guard, K.short_var_declaration)) {
      const right = rows.last(guard)
      const left = rows.first(guard)
      if (rows.first(right) !== asked || rows.last(right) !== asked) throw unreadable
      this.put(n, left, F.alias)
      this.put(n, asked, F.value)
    } else if (guard >= 0) {
      const value = this.bare(guard)
      if (types && value !== asked) throw unreadable
      this.put(n, value, F.value)
    }
    this.cases(n, types ? K.type_case : K.expression_case, (one) => {
      if (!types) return this.put(one, this.expressions(), F.value)
      for (;;) {
        this.put(one, this.type(), F.type)
        if (!this.is(Token.comma)) return
        this.next()
      }
    })
    return this.close(n)
  }

  private selectStatement(): Node {
    const n = this.rows.add(K.select_statement, this.start, this.start)
    this.next()
    this.cases(n, K.communication_case, (one) => this.put(one, this.communication(), F.communication))
    return this.close(n)
  }
  private communication(): Node {
    const { rows, start } = this
    const statement = this.simple()
    if (rows.is(statement, K.send_statement)) return statement
    const n = this.node(K.receive_statement, start)
    if (rows.is(statement, K.expression_statement)) this.put(n, rows.first(statement), F.right)
    else {
      const left = rows.first(statement)
      const right = rows.last(statement)
      const defines = rows.is(statement, K.short_var_declaration)
      if (!defines && !rows.is(statement, K.assignment_statement)) throw unreadable
      if (rows.first(right) !== rows.last(right)) throw unreadable
      this.put(n, left, F.left)
      if (defines) this.put(n, rows.add(K[":="], start, start))
      this.put(n, rows.first(right), F.right)
    }
    return n
  }

  private cases(n: Node, kind: number, guard: (one: Node) => void): void {
    this.expect(Token.openBrace)
    while (!this.is(Token.closeBrace)) {
      const fallback = this.is(Token.default)
      const one = this.rows.add(fallback ? K.default_case : kind, this.start, this.start)
      if (fallback) this.next()
      else {
        this.expect(Token.case)
        this.within(true, () => guard(one))
      }
      this.expect(Token.colon)
      this.within(true, () => this.statements(one))
      this.put(n, this.close(one))
    }
    this.next()
  }

  // ---- expressions

  private expressions(): Node {
    const n = this.rows.add(K.expression_list, this.start, this.start)
    for (;;) {
      this.put(n, this.value())
      if (!this.is(Token.comma)) return this.close(n)
      this.next()
    }
  }

  /** An expression that is no type. */
  private value(): Node {
    const n = this.expression()
    if (this.rows.isType(n)) throw unreadable
    return n
  }

  /** An expression, or a type. */
  private expression(least = 1): Node {
    let left = this.unary()
    for (;;) {
      const binds = binding[this.token]!
      if (binds < least || binds === 0) return left
      const operator = this.leaf(K.operator)
      this.deeper()
      const right = this.expression(binds + 1)
      this.level--
      if (this.rows.isType(left) || this.rows.isType(right)) throw unreadable
      const n = this.node(K.binary_expression, this.rows.start(left))
      this.put(n, left, F.left)
      this.put(n, operator, F.operator)
      this.put(n, right, F.right)
      left = n
    }
  }

  private unary(): Node {
    const { start } = this
    switch (this.token) {
      case Token.star:
      case Token.ampersand:
      case Token.sign:
      case Token.not:
      case Token.arrow: {
        const pointer = this.is(Token.star)
        const receives = this.is(Token.arrow)
        const operator = this.leaf(K.operator)
        if (receives && this.is(Token.chan)) {
          this.type()
          return this.postfix(this.node(K.channel_type, start))
        }
        this.deeper()
        const operand = this.unary()
        this.level--
        if (this.rows.isType(operand)) {
          if (!pointer) throw unreadable
          return this.node(K.pointer_type, start)
        }
        const n = this.node(K.unary_expression, start)
        this.put(n, operator, F.operator)
        this.put(n, operand, F.operand)
        return n
      }
      default:
        this.deeper()
        const n = this.postfix(this.primary())
        this.level--
        return n
    }
  }

  private nameKind(): number {
    return this.reads("nil")
      ? K.nil
      : this.reads("true")
        ? K.true
        : this.reads("false")
          ? K.false
          : this.reads("iota")
            ? K.iota
            : K.identifier
  }

  private primary(): Node {
    const { start, text } = this
    switch (this.token) {
      case Token.name:
        return this.leaf(this.nameKind())
      case Token.number:
        return this.leaf(text.charCodeAt(this.end - 1) === 105 ? K.imaginary_literal : K.int_literal)
      case Token.string:
        return this.leaf(text.charCodeAt(start) === 96 ? K.raw_string_literal : K.interpreted_string_literal)
      case Token.rune:
        return this.leaf(K.rune_literal)
      case Token.func: {
        this.next()
        const n = this.rows.add(K.func_literal, start, start)
        this.signature(n)
        if (!this.is(Token.openBrace)) return this.node(K.function_type, start)
        const { asked, asking } = this
        this.asking = false
        this.put(n, this.block(), F.body)
        this.asking = asking
        this.asked = asked
        return this.close(n)
      }
      case Token.openParen: {
        this.next()
        const inner = this.within(true, () => this.expression())
        this.expect(Token.closeParen)
        const n = this.node(
          this.rows.isType(inner) ? K.parenthesized_type : K.parenthesized_expression,
          start
        )
        this.put(n, inner)
        return n
      }
      case Token.openBracket:
      case Token.map:
      case Token.chan:
      case Token.struct:
      case Token.interface:
        return this.type()
      default:
        throw unreadable
    }
  }

  private postfix(operand: Node): Node {
    const { rows } = this
    const from = rows.start(operand)
    let at = operand
    for (;;) {
      switch (this.token) {
        case Token.dot: {
          if (rows.isType(at)) throw unreadable
          this.next()
          let n: Node
          if (this.is(Token.name)) {
            const name = this.leaf(K.field_identifier)
            n = this.node(K.selector_expression, from)
            this.put(n, at, F.operand)
            this.put(n, name, F.field)
          } else {
            this.expect(Token.openParen)
            if (this.is(Token.type)) {
              this.next()
              this.expect(Token.closeParen)
              if (!this.asking || this.asked >= 0) throw unreadable
              return (this.asked = at)
            }
            const type = this.type()
            this.expect(Token.closeParen)
            n = this.node(K.type_assertion_expression, from)
            this.put(n, at, F.operand)
            this.put(n, type, F.type)
          }
          at = n
          break
        }
        case Token.openBracket:
          at = this.index(at)
          break
        case Token.openParen:
          at = this.call(at)
          break
        case Token.openBrace: {
          const type = this.literalType(at)
          if (type < 0) return at
          const body = this.literalValue()
          at = this.node(K.composite_literal, from)
          this.put(at, type, F.type)
          this.put(at, body, F.body)
          break
        }
        default:
          return at
      }
    }
  }

  /** What stands before `{`, as the type of a literal; -1 when it is none. */
  private literalType(n: Node): Node {
    const { rows } = this
    if (rows.isType(n))
      return rows.is(n, K.parenthesized_type) || rows.is(n, K.pointer_type) || rows.is(n, K.function_type)
        ? -1
        : n
    if (!this.literals) return -1
    if (rows.is(n, K.index_expression) || rows.is(n, K.type_instantiation_expression)) {
      const type = this.typeOf(rows.first(n))
      if (type < 0) return -1
      const generic = rows.add(K.generic_type, rows.start(n), rows.end(n))
      this.put(generic, type, F.type)
      return generic
    }
    return this.typeOf(n)
  }
  /** A name, or one of a package, as a type; -1 for anything else. */
  private typeOf(n: Node): Node {
    const { rows } = this
    if (rows.is(n, K.type_identifier) || rows.is(n, K.qualified_type)) return n
    if (rows.is(n, K.identifier)) return rows.add(K.type_identifier, rows.start(n), rows.end(n))
    if (!rows.is(n, K.selector_expression) || !rows.is(rows.first(n), K.identifier)) return -1
    const pack = rows.first(n)
    const name = rows.last(n)
    const type = rows.add(K.qualified_type, rows.start(n), rows.end(n))
    this.put(type, rows.add(K.package_identifier, rows.start(pack), rows.end(pack)))
    this.put(type, rows.add(K.type_identifier, rows.start(name), rows.end(name)), F.name)
    return type
  }

  /** `[…]`: an index, a slice or type arguments. */
  private index(operand: Node): Node {
    const { rows } = this
    const from = rows.start(operand)
    this.next()
    const parts: Array<Node> = []
    let slice = false
    let comma = false
    this.within(true, () => {
      if (!this.is(Token.colon)) parts.push(this.expression())
      while (this.is(Token.comma)) {
        comma = true
        this.next()
        if (this.is(Token.closeBracket)) break
        parts.push(this.expression())
      }
      if (!this.is(Token.colon)) return
      slice = true
      this.next()
      if (this.is(Token.closeBracket)) return
      this.value()
      if (!this.is(Token.colon)) return
      this.next()
      this.value()
    })
    this.expect(Token.closeBracket)
    if (slice) {
      if (comma || (parts.length > 0 && rows.isType(parts[0]!))) throw unreadable
      const n = this.node(K.slice_expression, from)
      this.put(n, operand, F.operand)
      return n
    }
    if (comma || rows.isType(parts[0]!)) {
      const type = this.typeOf(operand)
      if (type < 0) throw unreadable
      const n = this.node(K.type_instantiation_expression, from)
      this.put(n, type, F.type)
      return n
    }
    const n = this.node(K.index_expression, from)
    this.put(n, operand, F.operand)
    this.put(n, parts[0]!, F.index)
    return n
  }

  /** Whether something may be a type by the look of it. */
  private looksLikeType(n: Node): boolean {
    const { rows } = this
    if (rows.isType(n) || rows.is(n, K.identifier) || rows.is(n, K.type_instantiation_expression)) return true
    if (rows.is(n, K.selector_expression)) return rows.is(rows.first(n), K.identifier)
    if (rows.is(n, K.parenthesized_expression)) return this.looksLikeType(rows.first(n))
    if (rows.is(n, K.index_expression))
      return this.typeOf(rows.first(n)) >= 0 && this.looksLikeType(rows.last(n))
    return (
      rows.is(n, K.unary_expression) &&
      this.text.charCodeAt(rows.start(n)) === 42 &&
      this.looksLikeType(rows.last(n))
    )
  }
  /** Whether a call of something with one argument reads like a conversion: of a type, or what has one or more between brackets. */
  private converts(callee: Node): boolean {
    const { rows } = this
    if (rows.isType(callee) || rows.is(callee, K.type_instantiation_expression)) return true
    if (rows.is(callee, K.parenthesized_expression)) return this.converts(rows.first(callee))
    return rows.is(callee, K.index_expression) && this.looksLikeType(callee)
  }

  /** What stands before type arguments; what has none is given back. */
  private instantiated(callee: Node): Node {
    const { rows } = this
    if (rows.is(callee, K.index_expression))
      return this.isSurelyType(rows.last(callee)) ? rows.first(callee) : callee
    if (!rows.is(callee, K.type_instantiation_expression)) return callee
    const type = rows.first(callee)
    if (!rows.is(type, K.qualified_type)) return rows.add(K.identifier, rows.start(type), rows.end(type))
    const n = rows.add(K.selector_expression, rows.start(type), rows.end(type))
    const pack = rows.first(type)
    const name = rows.last(type)
    this.put(n, rows.add(K.identifier, rows.start(pack), rows.end(pack)), F.operand)
    this.put(n, rows.add(K.field_identifier, rows.start(name), rows.end(name)), F.field)
    return n
  }
  /** Whether what stands between brackets is rather a type than an index. */
  private isSurelyType(n: Node): boolean {
    const { rows } = this
    return (
      !rows.is(n, K.identifier) &&
      this.looksLikeType(n) &&
      (!(rows.is(n, K.unary_expression) || rows.is(n, K.parenthesized_expression)) ||
        this.isSurelyType(rows.last(n)))
    )
  }

  private call(callee: Node): Node {
    const { rows } = this
    const from = rows.start(callee)
    const makes =
      rows.is(callee, K.identifier) &&
      rows.end(callee) - from < 5 &&
      /^(?:new|make)$/.test(this.text.slice(from, rows.end(callee)))
    const list = rows.add(K.argument_list, this.start, this.start)
    this.next()
    let count = 0
    let spread = false
    this.within(true, () => {
      while (!this.is(Token.closeParen)) {
        let value = makes && count === 0 ? this.type() : this.expression()
        count++
        if (this.is(Token.ellipsis)) {
          spread = true
          this.next()
          const all = this.node(K.variadic_argument, rows.start(value))
          this.put(all, value)
          value = all
        }
        this.put(list, value)
        if (this.is(Token.comma)) this.next()
        else if (!this.is(Token.closeParen)) throw unreadable
      }
    })
    this.next()
    this.close(list)
    if (count === 1 && !spread && this.converts(callee)) {
      const operand = rows.first(list)
      if (rows.isType(operand)) throw unreadable
      const n = this.node(K.type_conversion_expression, from)
      this.put(n, callee, F.type)
      this.put(n, operand, F.operand)
      return n
    }
    if (rows.isType(callee)) throw unreadable
    const n = this.node(K.call_expression, from)
    this.put(n, this.instantiated(callee), F.function)
    this.put(n, list, F.arguments)
    return n
  }

  private literalValue(): Node {
    const n = this.rows.add(K.literal_value, this.start, this.start)
    this.deeper()
    this.expect(Token.openBrace)
    this.within(true, () => {
      while (!this.is(Token.closeBrace)) {
        const first = this.literalElement()
        if (this.is(Token.colon)) {
          this.next()
          const value = this.literalElement()
          const keyed = this.node(K.keyed_element, this.rows.start(first))
          this.put(keyed, first, F.key)
          this.put(keyed, value, F.value)
          this.put(n, keyed)
        } else this.put(n, first)
        if (this.is(Token.comma)) this.next()
        else if (!this.is(Token.closeBrace)) throw unreadable
      }
    })
    this.next()
    this.level--
    return this.close(n)
  }
  private literalElement(): Node {
    const { start } = this
    const value = this.is(Token.openBrace) ? this.literalValue() : this.value()
    const n = this.node(K.literal_element, start)
    this.put(n, value)
    return n
  }
}
