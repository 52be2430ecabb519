/** JSX: elements, attributes, children. */
import { Space } from "../FactsBuilder.ts"
import { Op, Role } from "../Vocabulary.ts"
import { namePart, tEof, tName, tSpread } from "./Lexer.ts"
import { deepest, vMember, vName, vUnknown } from "./Reader.ts"
import { kThis } from "./Words.ts"
import { FunctionReader } from "./Functions.ts"

export abstract class JsxReader extends FunctionReader {
  /** An element at `<`; gives the offset behind it. The token that follows is not read. */
  protected element(): number {
    if (this.depth > deepest) {
      this.builder.addParseError()
      return this.closerFrom(this.te)
    }
    this.depth++
    const { conditional } = this
    this.conditional = false
    const end = this.elementRest()
    this.conditional = conditional
    this.depth--
    return end
  }
  protected elementRest(): number {
    const { b, n } = this
    this.next()
    if (!this.at(62)) {
      this.forget()
      this.tagName(Role.call)
      // A component takes its attributes as the members of one argument: made when a function or literal asks for it.
      const { va: tagA, vb: tagB, vk: tagKind } = this
      let props = -1
      if (this.at(60) && this.types) this.typeArguments(false)
      for (;;) {
        const at = this.ts
        if (this.at(62)) break
        if (this.at(tEof)) return n
        if (this.at(47)) {
          if (b[this.te] === 62) return this.te + 1
          this.next()
        } else if (this.at(123)) {
          this.next()
          this.eat(tSpread)
          if (!this.at(125)) this.assign(false)
          this.jump(this.substitutionEnd())
        } else if (this.at(tName)) {
          const key = b[this.te] === 45 || b[this.te] === 58 ? 0 : this.name
          this.attributeName()
          if (this.at(61)) {
            const q = this.after(this.te)
            const c = b[q]!
            if (c === 34 || c === 39) {
              const end = b.indexOf(c, q + 1)
              if (end < 0 || end >= n) return n
              this.markText(q + 1, end)
              this.jump(end + 1)
            } else {
              this.jump(q)
              if (this.at(123)) {
                this.next()
                if (
                  tagKind !== vUnknown &&
                  key !== 0 &&
                  (this.at(123) || this.at(91) || this.functionAt(this.ts))
                ) {
                  if (props < 0) {
                    this.vk = tagKind
                    this.va = tagA
                    this.vb = tagB
                    this.vw = 0
                    props = this.builder.expression(Op.argument, this.value(), 0)
                  }
                  this.expected = this.builder.expression(Op.member, props, key)
                }
                if (!this.at(125)) this.assign(false)
                this.jump(this.substitutionEnd())
              } else if (this.at(60)) this.jump(this.element())
            }
          }
        }
        if (this.ts === at) {
          this.builder.addParseError()
          this.next()
        }
      }
    }
    // Children: text up to `<` or `{`.
    let q = this.te
    for (;;) {
      if (q >= n) return n
      const c = b[q]!
      if (c === 123) {
        this.jump(q + 1)
        this.eat(tSpread)
        if (!this.at(125)) this.expression(false)
        q = this.substitutionEnd()
      } else if (c === 60) {
        this.jump(q)
        if (b[this.after(this.te)] === 47) {
          this.next()
          this.next()
          if (!this.at(62)) this.tagName(Role.read)
          return this.at(62) ? this.te : this.at(tEof) ? n : this.te
        }
        q = this.element()
      } else q++
    }
  }
  protected attributeName(): void {
    const { b } = this
    let q = this.te
    while (namePart[b[q]!] === 1 || b[q] === 45 || b[q] === 58) q++
    this.jump(q)
  }
  protected tagName(role: number): void {
    const { b, builder } = this
    if (!this.at(tName)) return
    const first = b[this.ts]!
    const c = b[this.te]!
    if (c === 45 || c === 58) return this.attributeName()
    if (this.says(kThis)) {
      this.setExpression(this.thisValueExpression())
      this.next()
    } else if (this.following === 46 || !(first >= 97 && first <= 122)) {
      const { name, ts } = this
      const ref = builder.reference(name, ts, Role.read, Space.value)
      this.vk = vName
      this.va = name
      this.vb = ts
      this.vw = 0
      this.next()
      if (!this.at(46)) return builder.setRole(ref, role)
    } else return this.next()
    while (this.at(46)) {
      this.next()
      if (!this.at(tName)) return
      const at = this.ts
      const { name } = this
      const of = this.receiver()
      const ref = builder.memberReference(of, name, at, Role.read)
      this.vk = vMember
      this.va = of
      this.vb = name
      this.vw = 0
      this.next()
      if (!this.at(46)) builder.setRole(ref, role)
    }
  }
}
