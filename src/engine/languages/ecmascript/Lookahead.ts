/**
 * Decisions that need more than one token: is this parenthesis the parameter list of an arrow function, is this
 * `<` a list of type arguments, does this type go on. They walk over bytes and change nothing. All of them together
 * may visit a file only a few times over; past that budget they answer "no".
 */
import { Lexer, namePart, startsName } from "./Lexer.ts"
import {
  kAbstract,
  kAsserts,
  kAsync,
  kAwait,
  kClass,
  kConst,
  kDelete,
  kEnum,
  kExtends,
  kFunction,
  kImport,
  kInfer,
  kIs,
  kKeyof,
  kNew,
  kReadonly,
  kReturn,
  kSuper,
  kThis,
  kTypeof,
  kUnique,
  kVar,
  kVoid,
  kYield,
  kCase,
  kDo,
  kElse,
  kIn,
  kInstanceof,
  kOf,
  kThrow,
  kNull,
  kTrue,
  kFalse,
  lastReserved
} from "./Words.ts"

const deepest = 160

export class Lookahead extends Lexer {
  /** The file may hold type annotations. */
  types = false
  /** `<` where an expression starts opens a JSX element. */
  jsx = false
  /** Inside the middle part of a conditional expression, outside any bracket. */
  conditional = false

  private budget = 0
  /** As the budget, for getting over what could not be read; past it, the rest of the file is given up. */
  private recovery = 0
  private scanDepth = 0
  private arrowAt = -1
  private arrowAnswer = false

  protected override start(...args: Parameters<Lexer["start"]>): void {
    super.start(...args)
    this.budget = this.n * 6 + (1 << 16)
    this.recovery = this.n * 8 + (1 << 16)
    this.scanDepth = 0
    this.arrowAt = this.aloneAt = -1
    this.literalsTo = 0
    this.conditional = false
  }

  /** Whether a function or arrow function starts at `q` (white space skipped). */
  functionAt(q: number): boolean {
    const { b } = this
    q = this.after(q)
    const c = b[q]!
    if (c === 40) return this.arrowParameters(q)
    if (c === 60) return this.genericArrow(q)
    if (!startsName(c)) return false
    const word = this.wordNumber(q)
    if (word === kFunction) return this.functionAlone(q)
    const end = this.wordEnd(q)
    let r = this.after(end)
    if (b[r] === 61 && b[r + 1] === 62) return word === 0 || word > lastReserved
    if (word !== kAsync || this.crossed) return false
    const d = b[r]!
    if (d === 40) return this.arrowParameters(r)
    if (d === 60) return this.genericArrow(r)
    if (!startsName(d)) return false
    if (this.wordNumber(r) === kFunction) return this.functionAlone(r)
    r = this.after(this.wordEnd(r))
    return b[r] === 61 && b[r + 1] === 62
  }

  /** Whether the function expression at `q` is not called, indexed or taken a member of on the spot. */
  private functionAlone(q: number): boolean {
    if (this.aloneAt === q) return this.aloneAnswer
    this.aloneAt = q
    this.aloneAnswer = true
    const { b } = this
    let r = this.after(this.wordEnd(q))
    if (b[r] === 42) r = this.after(r + 1)
    if (startsName(b[r]!)) r = this.after(this.wordEnd(r))
    if (b[r] === 60) {
      r = this.angleEnd(r)
      if (r < 0) return true
      r = this.after(r)
    }
    if (b[r] !== 40) return true
    r = this.balancedEnd(r)
    if (r < 0) return true
    r = this.after(r)
    if (b[r] === 58) {
      r = this.typeEnd(r + 1)
      if (r < 0) return true
      r = this.after(r)
    }
    if (b[r] !== 123) return true
    r = this.balancedEnd(r)
    if (r < 0) return true
    const c = b[this.after(r)]
    return (this.aloneAnswer = !(c === 40 || c === 46 || c === 91 || c === 96))
  }
  private aloneAt = -1
  private aloneAnswer = true

  /** Whether `<` at `q` opens the type parameters of an arrow function. */
  genericArrow(q: number): boolean {
    if (!this.types) return false
    const { b } = this
    if (this.jsx) {
      let r = this.after(q + 1)
      if (!startsName(b[r]!)) return false
      if (this.wordNumber(r) === kConst) r = this.after(this.wordEnd(r))
      r = this.after(this.wordEnd(r))
      if (b[r] !== 44 && this.wordNumber(r) !== kExtends) return false
    }
    const end = this.angleEnd(q)
    if (end < 0) return false
    const r = this.after(end)
    return b[r] === 40 && this.arrowParameters(r)
  }

  /** Whether the parenthesis at `q` is the parameter list of an arrow function. */
  arrowParameters(q: number): boolean {
    if (this.arrowAt === q) return this.arrowAnswer
    const answer = this.scanArrow(q)
    this.arrowAt = q
    this.arrowAnswer = answer
    return answer
  }

  private scanArrow(open: number): boolean {
    const { b } = this
    let q = this.after(open + 1)
    for (;;) {
      if (b[q] === 41) return this.arrowAfter(q + 1)
      if (b[q] === 46 && b[q + 1] === 46 && b[q + 2] === 46) q = this.after(q + 3)
      if (b[q] === 64) return false
      q = this.bindingEnd(q)
      if (q < 0) return false
      q = this.after(q)
      let c = b[q]!
      if (c === 63) {
        // optional parameter: `?` then `:`, `,` or `)`
        const r = this.after(q + 1)
        return this.types && (b[r] === 58 || b[r] === 44 || b[r] === 41)
      }
      if (c === 58) return this.types
      if (c === 61 && b[q + 1] !== 61 && b[q + 1] !== 62) {
        q = this.expressionEnd(q + 1)
        if (q < 0) return false
        c = b[q]!
      }
      if (c === 44) q = this.after(q + 1)
      else if (c !== 41) return false
    }
  }

  /** Whether what follows a closed parenthesis makes it an arrow function's. */
  private arrowAfter(q: number): boolean {
    const { b } = this
    q = this.after(q)
    if (b[q] === 61) return b[q + 1] === 62
    if (b[q] !== 58 || !this.types) return false
    const end = this.typeEnd(q + 1)
    if (end < 0) return false
    q = this.after(end)
    if (b[q] !== 61 || b[q + 1] !== 62) return false
    if (!this.conditional) return true
    q = this.after(q + 2)
    q = b[q] === 123 ? this.balancedEnd(q) : this.expressionEnd(q)
    return q >= 0 && b[this.after(q)] === 58
  }

  /** End of a binding name or pattern at `q`, -1 when it is none. */
  private bindingEnd(q: number): number {
    const { b } = this
    const c = b[q]!
    if (startsName(c)) {
      const word = this.wordNumber(q)
      if (word !== 0 && word <= lastReserved && word !== kThis) return -1
      const end = this.wordEnd(q)
      if (!this.types || word === 0) return end
      // A modifier in front of a parameter cannot occur in an arrow function; a second name means it is none.
      return end
    }
    if (c !== 123 && c !== 91) return -1
    if (this.scanDepth > deepest) return -1
    this.scanDepth++
    const end = c === 123 ? this.objectPatternEnd(q) : this.arrayPatternEnd(q)
    this.scanDepth--
    return end
  }
  private objectPatternEnd(q: number): number {
    const { b } = this
    q = this.after(q + 1)
    for (;;) {
      if ((this.budget -= 4) < 0) return -1
      let c = b[q]!
      if (c === 125) return q + 1
      if (c === 46 && b[q + 1] === 46 && b[q + 2] === 46) {
        q = this.after(q + 3)
        if (!startsName(b[q]!)) return -1
        q = this.after(this.wordEnd(q))
      } else {
        let plain = false
        if (c === 91) {
          q = this.balancedEnd(q)
          if (q < 0) return -1
        } else if (c === 34 || c === 39) q = this.stringEnd(q)
        else if (namePart[c] === 1) {
          plain = startsName(c)
          q = this.wordEnd(q)
        } else return -1
        q = this.after(q)
        if (b[q] === 58) {
          q = this.bindingEnd(this.after(q + 1))
          if (q < 0) return -1
          q = this.after(q)
        } else if (!plain) return -1
      }
      if (b[q] === 61 && b[q + 1] !== 61 && b[q + 1] !== 62) {
        q = this.expressionEnd(q + 1)
        if (q < 0) return -1
      }
      c = b[q]!
      if (c === 44) q = this.after(q + 1)
      else if (c !== 125) return -1
    }
  }
  private arrayPatternEnd(q: number): number {
    const { b } = this
    q = this.after(q + 1)
    for (;;) {
      if ((this.budget -= 4) < 0) return -1
      let c = b[q]!
      if (c === 93) return q + 1
      if (c === 44) {
        q = this.after(q + 1)
        continue
      }
      if (c === 46 && b[q + 1] === 46 && b[q + 2] === 46) q = this.after(q + 3)
      q = this.bindingEnd(q)
      if (q < 0) return -1
      q = this.after(q)
      if (b[q] === 61 && b[q + 1] !== 61 && b[q + 1] !== 62) {
        q = this.expressionEnd(q + 1)
        if (q < 0) return -1
      }
      c = b[q]!
      if (c === 44) q = this.after(q + 1)
      else if (c !== 93) return -1
    }
  }

  /** Offset of the `,`, `;`, `:` or closing bracket that ends the expression at `q`. */
  private expressionEnd(q: number): number {
    return this.walk(q, false)
  }
  /** Offset behind the bracket that closes the one at `q`, -1 when there is none. */
  balancedEnd(q: number): number {
    const end = this.walk(q + 1, true)
    return end < 0 || end >= this.n ? -1 : end + 1
  }
  /** As {@link balancedEnd}, for the outermost literals of a file: -1 inside one that was asked for already. */
  protected literalEnd(q: number): number {
    if (q < this.literalsTo) return -1
    const { budget } = this
    this.budget = this.n
    const end = this.balancedEnd(q)
    this.budget = budget
    this.literalsTo = end < 0 ? this.n : end
    return end
  }
  private literalsTo = 0
  /** Offset of the closing bracket that is not opened at or behind `q`, or the end of the file. */
  protected closerFrom(q: number): number {
    if (this.recovery < 0) return this.n
    const { budget } = this
    this.budget = this.n
    const end = this.walk(q, true)
    this.budget = budget
    this.recovery -= end - q
    return end < 0 ? this.n : end
  }

  /**
   * Walks over balanced text to the first closing bracket it did not open; unless `brackets`, also to the first
   * `,`, `;` or unpaired `:` outside of brackets.
   */
  private walk(q: number, brackets: boolean): number {
    const { b, n } = this
    const from = q
    let depth = 0
    let questions = 0
    /** Last significant byte before `q`; decides between division and regular expression. */
    let last = 40
    while (q < n) {
      if (q - from > this.budget) {
        this.budget -= q - from
        return -1
      }
      const c = b[q]!
      if (c <= 32) {
        q++
        continue
      }
      if (namePart[c] === 1) {
        const end = this.wordEnd(q)
        last = last !== 46 && this.beforeRegex(this.wordNumber(q)) ? 40 : 97
        q = end
        continue
      }
      switch (c) {
        case 40:
        case 91:
        case 123:
          depth++
          break
        case 41:
        case 93:
        case 125:
          if (depth === 0) {
            this.budget -= q - from
            return q
          }
          depth--
          break
        case 44:
        case 59:
          if (depth === 0 && !brackets) {
            this.budget -= q - from
            return q
          }
          break
        case 63:
          if (b[q + 1] === 63) q++
          else if (!(b[q + 1] === 46 && !(b[q + 2]! >= 48 && b[q + 2]! <= 57)) && depth === 0) questions++
          break
        case 58:
          if (depth === 0 && !brackets && questions-- === 0) {
            this.budget -= q - from
            return q
          }
          break
        case 34:
        case 39:
          q = this.stringEnd(q)
          last = 97
          continue
        case 96:
          q = this.templateEnd(q)
          last = 97
          continue
        case 47:
          if (b[q + 1] === 47) {
            q = this.lineEnd(q)
            continue
          }
          if (b[q + 1] === 42) {
            q = this.blockEnd(q)
            continue
          }
          if (last !== 97 && last !== 41 && last !== 93 && last !== 125) {
            q = this.regexEnd(q)
            last = 97
            continue
          }
          break
        case 60:
          if (
            this.jsx &&
            last !== 97 &&
            last !== 41 &&
            last !== 93 &&
            (startsName(b[q + 1]!) || b[q + 1] === 62)
          ) {
            const end = this.elementEnd(q)
            if (end > q) {
              q = end
              last = 41
              continue
            }
          }
          break
      }
      last = c
      q++
    }
    this.budget -= q - from
    return n
  }
  private beforeRegex(word: number): boolean {
    switch (word) {
      case kReturn:
      case kTypeof:
      case kCase:
      case kDo:
      case kElse:
      case kIn:
      case kInstanceof:
      case kOf:
      case kThrow:
      case kNew:
      case kDelete:
      case kVoid:
      case kYield:
      case kAwait:
        return true
      default:
        return false
    }
  }

  /** Offset behind the template literal at `q`. */
  private templateEnd(q: number): number {
    const { b, n } = this
    q++
    while (q < n) {
      const c = b[q]!
      if (c === 96) return q + 1
      if (c === 92) q += 2
      else if (c === 36 && b[q + 1] === 123) {
        if (this.scanDepth > deepest) return n
        this.scanDepth++
        const end = this.walk(q + 2, true)
        this.scanDepth--
        if (end < 0) return n
        q = end + 1
      } else q++
    }
    return n
  }

  /** Offset behind the regular expression at `q`, flags included; one that does not end on its line is a slash. */
  regexEnd(q: number): number {
    const { b, n } = this
    let set = false
    for (let i = q + 1; i < n; i++) {
      const c = b[i]!
      if (c === 10) break
      if (c === 92) i++
      else if (c === 91) set = true
      else if (c === 93) set = false
      else if (c === 47 && !set) return this.wordEnd(i + 1)
    }
    return q + 1
  }

  /** Offset behind the JSX element at `q`, -1 when there is none. */
  private elementEnd(q: number): number {
    if (this.scanDepth > deepest) return -1
    this.scanDepth++
    const end = this.scanElement(q)
    this.scanDepth--
    return end
  }
  private scanElement(q: number): number {
    const { b, n } = this
    let open = 0
    while (q < n) {
      if ((this.budget -= 8) < 0) return -1
      if (b[q] === 123) {
        q = this.balancedEnd(q)
        if (q < 0) return -1
        continue
      }
      if (b[q] !== 60) {
        q++
        continue
      }
      const closing = b[q + 1] === 47
      q = this.after(q + (closing ? 2 : 1))
      if (
        b[q] === 44 ||
        (this.types && open === 0 && this.wordNumber(this.after(this.wordEnd(q))) === kExtends)
      )
        return -1
      let empty = false
      for (;;) {
        const c = b[q]!
        if (c === 62) break
        if (q >= n) return -1
        if (c === 47 && b[q + 1] === 62) {
          empty = true
          q++
          break
        }
        if (c === 123) {
          q = this.balancedEnd(q)
          if (q < 0) return -1
        } else if (c === 34 || c === 39) {
          q = b.indexOf(c, q + 1) + 1
          if (q <= 0) return -1
        } else if (c === 60) {
          const end = this.typeArgumentsEnd(q)
          if (end < 0) return -1
          q = end
        } else if (c === 47 || c <= 32) {
          const end = this.after(q)
          q = end === q ? q + 1 : end
        } else if (c === 44 && open === 0) return -1
        else q++
      }
      q++
      if (closing) open--
      else if (!empty) open++
      if (open <= 0) return q
    }
    return -1
  }

  /** Offset behind the `>` that closes the type parameters at `q`. */
  angleEnd(q: number): number {
    const { b, n } = this
    let depth = 0
    for (let i = q; i < n; ) {
      if ((this.budget -= 1) < 0) return -1
      const c = b[i]!
      switch (c) {
        case 60:
          depth++
          i++
          break
        case 62:
          if (b[i - 1] !== 61 && --depth === 0) return i + 1
          i++
          break
        case 40:
        case 91:
        case 123: {
          const end = this.balancedEnd(i)
          if (end < 0) return -1
          i = end
          break
        }
        case 41:
        case 93:
        case 125:
        case 59:
          return -1
        case 34:
        case 39:
          i = this.stringEnd(i)
          break
        case 96:
          i = this.templateEnd(i)
          break
        case 47: {
          const end = this.after(i)
          if (end === i) return -1
          i = end
          break
        }
        default:
          i++
      }
    }
    return -1
  }

  /** Offset behind the type arguments at `q`, -1 when `<` is an operator. */
  typeArgumentsEnd(q: number): number {
    const { b } = this
    q = this.after(q + 1)
    for (;;) {
      if (b[q] === 62) return q + 1
      q = this.typeEnd(q)
      if (q < 0) return -1
      q = this.after(q)
      if (b[q] === 44) q = this.after(q + 1)
      else if (b[q] !== 62) return -1
    }
  }
  /** Whether `<` at `q` opens type arguments of the expression before it. */
  typeArgumentsIn(q: number, heritage: boolean): boolean {
    if (!this.types) return false
    const end = this.typeArgumentsEnd(q)
    if (end < 0) return false
    const { b } = this
    const r = this.after(end)
    switch (b[r]) {
      case 40:
      case 96:
        return true
      case 60:
      case 62:
      case 43:
      case 45:
        return false
      case 41:
      case 93:
      case 125:
      case 58:
      case 59:
      case 44:
      case 46:
      case 63:
      case 124:
      case 38:
      case 94:
        return true
      case 61:
        return b[r + 1] !== 62
      case 33:
        return b[r + 1] === 61
      case 123:
        return heritage || this.crossed
      case 0:
        return true
      default:
        return heritage || this.crossed
    }
  }

  /** Offset behind the type at `q`, -1 when there is no type. */
  typeEnd(q: number): number {
    if (this.scanDepth > deepest || (this.budget -= 8) < 0) return -1
    this.scanDepth++
    const end = this.scanType(q)
    this.scanDepth--
    return end
  }
  private scanType(q: number): number {
    const { b } = this
    q = this.after(q)
    if ((b[q] === 124 || b[q] === 38) && b[q + 1] !== b[q]) q = this.after(q + 1)
    for (;;) {
      q = this.operandEnd(q)
      if (q < 0) return -1
      const r = this.after(q)
      const c = b[r]!
      if ((c === 124 || c === 38) && b[r + 1] !== c && b[r + 1] !== 61) {
        q = this.after(r + 1)
        continue
      }
      if (c === 101 && !this.crossed && this.wordNumber(r) === kExtends) {
        let s = this.typeEnd(r + 7)
        if (s < 0) return -1
        s = this.after(s)
        if (b[s] !== 63) return q
        s = this.typeEnd(s + 1)
        if (s < 0) return -1
        s = this.after(s)
        return b[s] === 58 ? this.typeEnd(s + 1) : -1
      }
      if (c === 105 && !this.crossed && this.wordNumber(r) === kIs) return this.typeEnd(r + 2)
      return q
    }
  }
  private operandEnd(q: number): number {
    const { b } = this
    if ((this.budget -= 4) < 0 || this.scanDepth > deepest) return -1
    const c = b[q]!
    let end = -1
    if (c === 40) {
      end = this.balancedEnd(q)
      if (end < 0) return -1
      const r = this.after(end)
      if (b[r] === 61 && b[r + 1] === 62 && this.functionTypeAt(q)) return this.typeEnd(r + 2)
    } else if (c === 60) {
      end = this.angleEnd(q)
      if (end < 0) return -1
      const r = this.after(end)
      return b[r] === 40 ? this.operandEnd(r) : -1
    } else if (c === 123 || c === 91) {
      end = this.balancedEnd(q)
    } else if (c === 34 || c === 39) end = this.stringEnd(q)
    else if (c === 96) end = this.templateEnd(q)
    else if (c === 45 || (c >= 48 && c <= 57)) {
      end = this.wordEnd(q + 1)
      if (b[end] === 46) end = this.wordEnd(end + 1)
    } else if (startsName(c)) {
      const word = this.wordNumber(q)
      end = this.wordEnd(q)
      switch (word) {
        case kKeyof:
        case kUnique:
        case kReadonly:
        case kInfer:
        case kAsserts:
        case kTypeof:
        case kNew:
        case kAbstract: {
          const r = this.after(end)
          const d = b[r]!
          if (
            startsName(d) ||
            d === 123 ||
            d === 91 ||
            d === 40 ||
            (d === 60 && word === kNew) ||
            d === 34 ||
            d === 39
          ) {
            if (!(word === kAsserts && this.wordNumber(r) === kIs)) {
              this.scanDepth++
              const e = this.operandEnd(r)
              this.scanDepth--
              return e
            }
          }
          if (word === kTypeof || word === kNew) return -1
          break
        }
        case kImport: {
          const r = this.after(end)
          if (b[r] !== 40) return -1
          end = this.balancedEnd(r)
          break
        }
        case kThis:
        case kVoid:
        case kNull:
        case kTrue:
        case kFalse:
          break
        case kFunction:
        case kClass:
        case kReturn:
        case kAwait:
        case kDelete:
        case kSuper:
        case kVar:
        case kConst:
        case kEnum:
          return -1
        default:
          if (word !== 0 && word <= lastReserved) return -1
      }
      for (;;) {
        const r = this.after(end)
        if (b[r] === 46 && startsName(b[this.after(r + 1)]!)) end = this.wordEnd(this.after(r + 1))
        else if (b[r] === 60 && !this.crossed) {
          const e = this.nestedArguments(r)
          if (e < 0) break
          end = e
          break
        } else break
      }
    }
    while (end >= 0 && b[this.after(end)] === 91 && !this.crossed) end = this.balancedEnd(this.after(end))
    return end
  }
  private nestedArguments(q: number): number {
    this.scanDepth++
    const end = this.typeArgumentsEnd(q)
    this.scanDepth--
    return end
  }

  /** Whether the parenthesis at `q` opens the parameters of a function type rather than a parenthesised type. */
  functionTypeAt(q: number): boolean {
    const { b } = this
    q = this.after(q + 1)
    const c = b[q]!
    if (c === 41 || (c === 46 && b[q + 1] === 46 && b[q + 2] === 46)) return true
    let end: number
    if (startsName(c)) end = this.wordEnd(q)
    else if (c === 123 || c === 91) end = this.balancedEnd(q)
    else return false
    if (end < 0) return false
    end = this.after(end)
    const d = b[end]!
    if (d === 58 || d === 44 || d === 61) return true
    if (d === 63) {
      const e = b[this.after(end + 1)]
      return e === 58 || e === 44 || e === 41
    }
    if (d !== 41) return false
    end = this.after(end + 1)
    return b[end] === 61 && b[end + 1] === 62
  }
}
