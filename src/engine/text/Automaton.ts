import * as Class from "./CharacterClass.ts"
import type { CharacterClass } from "./CharacterClass.ts"
import type { Deadline } from "./Deadline.ts"
import type { Look, Pattern } from "./Pattern.ts"

/**
 * Linear-time matching: the pattern becomes a Thompson NFA whose states are
 * determinised lazily, one DFA forward to find where the leftmost-first match
 * ends and one backward from there to find where it begins.
 *
 * The DFA reads characters, not bytes, reduced to the few classes the pattern
 * can tell apart; ASCII takes one table look-up. A byte that is not part of
 * well-formed UTF-8 is a character of its own that no class holds. Assertions
 * look one character ahead, so a match is noticed one character late.
 */

const opClass = 0
const opSplit = 1
const opLook = 2
const opMatch = 3

/** What is known of a character next to a position. */
const edge = 1
const feed = 2
const carriage = 4
const wordChar = 8
const asciiWordChar = 16
const malformed = 32

const maxInstructions = 60_000
/** Bytes one DFA may hold, about, before it is thrown away and begun anew. */
const maxBytes = 8 << 20

/** Bytes between looks at the clock. */
const pollEvery = 0x40000

const flagMatch = 1 << 30
const flagDead = 1 << 29
const offsetMask = flagDead - 1
const unknown = -1

/** Thrown when a pattern compiles to more instructions than allowed. */
export class PatternTooLarge extends Error {
  readonly _tag = "PatternTooLarge"
}

interface Program {
  readonly ops: Uint8Array
  /** Class index, look index or first target. */
  readonly left: Int32Array
  /** Second target. */
  readonly right: Int32Array
  readonly start: number
  readonly looks: ReadonlyArray<{ readonly look: Look; readonly ascii: boolean }>
}

/** The characters the pattern can tell apart. */
interface Alphabet {
  readonly classes: number
  readonly invalid: number
  readonly end: number
  /** Class of each ASCII byte; a byte above gets the column after the last class, which is never filled in. */
  readonly bytes: Uint16Array
  /** Ascending first code points of segments and their classes. */
  readonly starts: Int32Array
  readonly ids: Uint16Array
  /** For each class, what is known of its characters. */
  readonly traits: Uint8Array
  /** `accepts[set * classes + class]` */
  readonly accepts: Uint8Array
  readonly sets: ReadonlyMap<string, number>
}

const keyOf = (set: CharacterClass): string => set.join(",")

const makeAlphabet = (pattern: Pattern): Alphabet => {
  const sets = new Map<string, number>()
  const list: Array<CharacterClass> = []
  const add = (set: CharacterClass): void => {
    const key = keyOf(set)
    if (!sets.has(key)) {
      sets.set(key, list.length)
      list.push(set)
    }
  }
  let looks = false
  let words = false
  let asciiWords = false
  const visit = (node: Pattern): void => {
    switch (node.kind) {
      case "class":
        add(node.set)
        return
      case "look":
        looks = true
        if (node.look.startsWith("word") || node.look === "notWord") {
          if (node.ascii) asciiWords = true
          else words = true
        }
        return
      case "concat":
      case "alternate":
        node.parts.forEach(visit)
        return
      case "repeat":
        visit(node.body)
        return
      case "empty":
        return
    }
  }
  visit(pattern)
  const patternSets = list.length
  const trait: Array<readonly [CharacterClass, number]> = []
  if (looks) trait.push([[10, 10], feed], [[13, 13], carriage])
  if (words) trait.push([Class.word(), wordChar])
  if (asciiWords) trait.push([Class.asciiWord, asciiWordChar])
  const all = [...list, ...trait.map(([set]) => set)]

  const events: Array<readonly [at: number, set: number]> = []
  all.forEach((set, index) => {
    for (let i = 0; i < set.length; i += 2) events.push([set[i]!, index], [set[i + 1]! + 1, index])
  })
  events.sort((left, right) => left[0] - right[0])
  const members = new Uint8Array(all.length)
  const classOf = new Map<string, number>()
  const signatures: Array<Uint8Array> = []
  const starts: Array<number> = []
  const ids: Array<number> = []
  const segment = (at: number): void => {
    if (at > Class.lastCodePoint) return
    const key = String.fromCharCode(...members)
    let id = classOf.get(key)
    if (id === undefined) {
      id = signatures.length
      classOf.set(key, id)
      signatures.push(members.slice())
    }
    starts.push(at)
    ids.push(id)
  }
  if (events.length === 0 || events[0]![0] > 0) segment(0)
  for (let i = 0; i < events.length; ) {
    const at = events[i]![0]
    // Ends and beginnings at one point toggle before the segment is read.
    for (; i < events.length && events[i]![0] === at; i++) members[events[i]![1]]! ^= 1
    segment(at)
  }
  const invalid = signatures.length
  const end = invalid + 1
  const classes = end + 1
  const traits = new Uint8Array(classes)
  const accepts = new Uint8Array(Math.max(1, patternSets) * classes)
  signatures.forEach((signature, id) => {
    for (let set = 0; set < patternSets; set++) accepts[set * classes + id] = signature[set]!
    trait.forEach(([, bit], index) => {
      if (signature[patternSets + index] === 1) traits[id]! |= bit
    })
  })
  traits[end] = edge
  traits[invalid] = malformed
  const bytes = new Uint16Array(256).fill(classes)
  let index = 0
  for (let byte = 0; byte < 128; byte++) {
    while (index + 1 < starts.length && starts[index + 1]! <= byte) index++
    bytes[byte] = ids[index]!
  }
  return {
    classes,
    invalid,
    end,
    bytes,
    traits,
    accepts,
    sets,
    starts: Int32Array.from(starts),
    ids: Uint16Array.from(ids)
  }
}

/** Least number of characters a pattern consumes is zero. */
const mayBeEmpty = (node: Pattern): boolean => {
  switch (node.kind) {
    case "empty":
    case "look":
      return true
    case "class":
      return false
    case "concat":
      return node.parts.every(mayBeEmpty)
    case "alternate":
      return node.parts.some(mayBeEmpty)
    case "repeat":
      return node.min === 0 || mayBeEmpty(node.body)
  }
}

const compile = (pattern: Pattern, alphabet: Alphabet, backward: boolean): Program => {
  const ops: Array<number> = []
  const left: Array<number> = []
  const right: Array<number> = []
  const looks: Array<{ readonly look: Look; readonly ascii: boolean }> = []
  const emit = (op: number, a: number, b: number): number => {
    if (ops.length >= maxInstructions) throw new PatternTooLarge()
    ops.push(op)
    left.push(a)
    right.push(b)
    return ops.length - 1
  }
  // Built from the end: each construct is told where it continues.
  const build = (node: Pattern, next: number): number => {
    switch (node.kind) {
      case "empty":
        return next
      case "class":
        return emit(opClass, alphabet.sets.get(keyOf(node.set))!, next)
      case "look":
        looks.push({ look: node.look, ascii: node.ascii })
        return emit(opLook, looks.length - 1, next)
      case "concat": {
        let at = next
        const parts = backward ? node.parts : [...node.parts].reverse()
        for (const part of parts) at = build(part, at)
        return at
      }
      case "alternate": {
        let at = build(node.parts[node.parts.length - 1]!, next)
        for (let i = node.parts.length - 2; i >= 0; i--) at = emit(opSplit, build(node.parts[i]!, next), at)
        return at
      }
      case "repeat": {
        const { body, min, max, greedy } = node
        const split = (take: number, skip: number): number =>
          greedy ? emit(opSplit, take, skip) : emit(opSplit, skip, take)
        let at = next
        let copies = min
        if (max === Infinity) {
          // An empty body must not loop before it may leave: x* is (x+)?.
          const hollow = mayBeEmpty(body)
          const loop = emit(opSplit, -1, -1)
          const entry = build(body, loop)
          if (greedy) {
            left[loop] = entry
            right[loop] = next
          } else {
            left[loop] = next
            right[loop] = entry
          }
          if (min === 0) return hollow ? split(entry, next) : loop
          at = entry
          copies = min - 1
        } else {
          for (let i = min; i < max; i++) at = split(build(body, at), next)
        }
        for (let i = 0; i < copies; i++) {
          const entry = build(body, at)
          // A body without instructions repeats to nothing, however often.
          if (entry === at) break
          at = entry
        }
        return at
      }
    }
  }
  const match = emit(opMatch, 0, 0)
  const start = build(pattern, match)
  return {
    ops: Uint8Array.from(ops),
    left: Int32Array.from(left),
    right: Int32Array.from(right),
    start,
    looks
  }
}

const holdsAt = (look: Look, ascii: boolean, before: number, after: number): boolean => {
  const word = ascii ? asciiWordChar : wordChar
  const wordBefore = (before & word) !== 0
  const wordAfter = (after & word) !== 0
  switch (look) {
    case "startText":
      return (before & edge) !== 0
    case "endText":
      return (after & edge) !== 0
    case "startLine":
      return (before & (edge | feed)) !== 0
    case "endLine":
      return (after & (edge | feed)) !== 0
    case "startCrlf":
      return (before & (edge | feed)) !== 0 || ((before & carriage) !== 0 && (after & feed) === 0)
    case "endCrlf":
      return (after & (edge | carriage)) !== 0 || ((after & feed) !== 0 && (before & carriage) === 0)
    case "word":
      return wordBefore !== wordAfter
    // Next to what is not a character nothing is known to be no word, as in Rust's crate.
    case "notWord":
      return wordBefore === wordAfter && (ascii || ((before | after) & malformed) === 0)
    case "wordStart":
      return !wordBefore && wordAfter
    case "wordEnd":
      return wordBefore && !wordAfter
    case "wordStartHalf":
      return !wordBefore && (ascii || (before & malformed) === 0)
    case "wordEndHalf":
      return !wordAfter && (ascii || (after & malformed) === 0)
  }
}

/** A lazily determinised automaton that runs in one direction. */
class Dfa {
  readonly stride: number
  transitions: Int32Array
  private readonly program: Program
  private readonly alphabet: Alphabet
  private readonly backward: boolean
  private readonly usesLooks: boolean
  private readonly lists: Array<Int32Array> = []
  private readonly befores: Array<number> = []
  private readonly known = new Map<string, number>()
  private readonly starts = new Map<number, number>()
  private readonly stack: Int32Array
  private readonly marks: Uint32Array
  private readonly nextMarks: Uint32Array
  private readonly next: Int32Array
  private mark = 0
  private built = 0
  private held = 0
  deadline: Deadline | undefined

  constructor(program: Program, alphabet: Alphabet, backward: boolean) {
    this.program = program
    this.alphabet = alphabet
    this.backward = backward
    this.usesLooks = program.looks.length > 0
    this.stride = alphabet.classes + 1
    this.transitions = new Int32Array(this.stride * 64)
    const size = program.ops.length
    this.stack = new Int32Array(size * 2 + 8)
    this.marks = new Uint32Array(size)
    this.nextMarks = new Uint32Array(size)
    this.next = new Int32Array(size)
  }

  /** The state in which a run begins, next to a character of class `beside`. */
  startState(beside: number): number {
    const before = this.usesLooks ? this.alphabet.traits[beside]! : 0
    const found = this.starts.get(before)
    if (found !== undefined) return found
    const state = this.intern(
      this.backward ? Int32Array.of(this.program.start) : Int32Array.of(this.program.start, -1),
      before
    )
    this.starts.set(before, state)
    return state
  }

  /** A list of program counters, most wanted first; -1 last means a match may still begin here. */
  private intern(list: Int32Array, before: number): number {
    const key = `${before}:${list.join()}`
    const found = this.known.get(key)
    if (found !== undefined) return found
    const state = this.lists.length * this.stride
    // The list, its key and the row of transitions.
    const cost = list.length * 10 + this.stride * 4 + 128
    if (this.held + cost > maxBytes && this.lists.length > 8) {
      this.held = 0
      this.lists.length = 0
      this.befores.length = 0
      this.known.clear()
      this.starts.clear()
      return this.intern(list, before)
    }
    if (state + this.stride > this.transitions.length) {
      const grown = new Int32Array(Math.max(this.transitions.length * 2, state + this.stride))
      grown.set(this.transitions)
      this.transitions = grown
    }
    this.held += cost
    this.transitions.fill(unknown, state, state + this.stride)
    this.lists.push(list)
    this.befores.push(before)
    this.known.set(key, state)
    return state
  }

  /** Computes the transition of a state on a class: offset of the next state and flags. */
  step(state: number, cls: number): number {
    if ((++this.built & 63) === 0) this.deadline?.poll()
    const { ops, left, right, looks } = this.program
    const { accepts, classes, traits, end } = this.alphabet
    const index = state / this.stride
    const list = this.lists[index]!
    const before = this.befores[index]!
    const after = traits[cls]!
    const { stack, marks, nextMarks, next } = this
    const mark = ++this.mark
    let count = 0
    let matched = false
    let goesOn = false
    scan: for (let i = 0; i < list.length; i++) {
      if (list[i] === -1) {
        goesOn = true
        continue
      }
      let top = 0
      stack[top++] = list[i]!
      while (top > 0) {
        const at = stack[--top]!
        if (marks[at] === mark) continue
        marks[at] = mark
        switch (ops[at]) {
          case opClass: {
            const to = right[at]!
            if (accepts[left[at]! * classes + cls] === 1 && nextMarks[to] !== mark) {
              nextMarks[to] = mark
              next[count++] = to
            }
            break
          }
          case opSplit:
            stack[top++] = right[at]!
            stack[top++] = left[at]!
            break
          case opLook: {
            const { look, ascii } = looks[left[at]!]!
            if (this.backward ? holdsAt(look, ascii, after, before) : holdsAt(look, ascii, before, after))
              stack[top++] = right[at]!
            break
          }
          default:
            matched = true
            // Forward, whatever is wanted less than a match falls away. Backward the longest run counts.
            if (!this.backward) break scan
        }
      }
    }
    let result = matched ? flagMatch : 0
    if (cls === end || (count === 0 && !goesOn)) result |= flagDead
    else {
      const begin = goesOn && nextMarks[this.program.start] !== mark
      const target = new Int32Array(count + (begin ? 1 : 0) + (goesOn ? 1 : 0))
      target.set(next.subarray(0, count))
      if (begin) target[count] = this.program.start
      if (goesOn) target[target.length - 1] = -1
      const generation = this.lists.length
      result |= this.intern(target, this.usesLooks ? after : 0)
      // After a restart of the table the old state has no row to remember this in.
      if (this.lists.length < generation) return result
    }
    this.transitions[state + cls] = result
    return result
  }
}

/** Finds matches of one pattern. Holds scratch state: one search at a time. */
export class Automaton {
  private readonly alphabet: Alphabet
  private readonly forward: Dfa
  private readonly reverse: Dfa
  /** Bytes of the character {@link classAt} or {@link classBefore} read last. */
  private width = 0
  /** Bytes run over since the deadline was polled. */
  private spent = 0

  /** Throws {@link PatternTooLarge}. */
  constructor(pattern: Pattern) {
    this.alphabet = makeAlphabet(pattern)
    this.forward = new Dfa(compile(pattern, this.alphabet, false), this.alphabet, false)
    this.reverse = new Dfa(compile(pattern, this.alphabet, true), this.alphabet, true)
  }

  /** The deadline that long runs poll. */
  set deadline(deadline: Deadline | undefined) {
    this.forward.deadline = deadline
    this.reverse.deadline = deadline
  }

  private classOf(point: number): number {
    const { starts, ids } = this.alphabet
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (starts[middle]! <= point) low = middle
      else high = middle - 1
    }
    return ids[low]!
  }

  private classAt(bytes: Uint8Array, at: number): number {
    if (at >= bytes.length) {
      this.width = 0
      return this.alphabet.end
    }
    const first = bytes[at]!
    this.width = 1
    if (first < 0x80) return this.alphabet.bytes[first]!
    const width = characterWidth(bytes, at)
    if (width === 0) return this.alphabet.invalid
    this.width = width
    const second = bytes[at + 1]! & 0x3f
    if (width === 2) return this.classOf(((first & 0x1f) << 6) | second)
    const third = bytes[at + 2]! & 0x3f
    if (width === 3) return this.classOf(((first & 0x0f) << 12) | (second << 6) | third)
    return this.classOf(((first & 0x07) << 18) | (second << 12) | (third << 6) | (bytes[at + 3]! & 0x3f))
  }

  private classBefore(bytes: Uint8Array, at: number): number {
    if (at <= 0) {
      this.width = 0
      return this.alphabet.end
    }
    const last = bytes[at - 1]!
    if (last >= 0x80) {
      const begin = characterBegin(bytes, at - 1)
      if (begin + characterWidth(bytes, begin) === at) {
        const cls = this.classAt(bytes, begin)
        this.width = at - begin
        return cls
      }
      this.width = 1
      return this.alphabet.invalid
    }
    this.width = 1
    return this.alphabet.bytes[last]!
  }

  /**
   * Where the leftmost-first match within `[from, limit]` ends, or -1. What
   * lies around the window still counts for assertions.
   */
  findEnd(bytes: Uint8Array, from: number, limit: number): number {
    if (this.spent > pollEvery) {
      this.spent = 0
      this.forward.deadline?.poll()
    }
    const dfa = this.forward
    const table = this.alphabet.bytes
    let state = dfa.startState(this.classBefore(bytes, from))
    let transitions = dfa.transitions
    let end = -1
    let at = from
    let pause = at
    for (;;) {
      if (at >= pause) {
        if (at > from) dfa.deadline?.poll()
        pause = at + pollEvery
      }
      const stop = Math.min(limit, pause)
      let to = 0
      while (at < stop) {
        to = transitions[state + table[bytes[at]!]!]!
        if (to >>> 29 !== 0) break
        state = to
        at++
      }
      if (at >= limit) {
        const cls = this.classAt(bytes, at)
        to = transitions[state + cls]!
        if (to < 0) to = dfa.step(state, cls)
        this.spent += at - from
        return (to & flagMatch) !== 0 ? at : end
      }
      if (at >= pause) continue
      const cls = this.classAt(bytes, at)
      to = transitions[state + cls]!
      if (to < 0) {
        to = dfa.step(state, cls)
        transitions = dfa.transitions
      }
      if ((to & flagMatch) !== 0) end = at
      if ((to & flagDead) !== 0) {
        this.spent += at - from
        return end
      }
      state = to & offsetMask
      at += this.width
    }
  }

  /** Where the match that ends at `end` begins, not before `from`. */
  findStart(bytes: Uint8Array, from: number, end: number): number {
    const dfa = this.reverse
    let state = dfa.startState(this.classAt(bytes, end))
    let begin = end
    let at = end
    let pause = at - pollEvery
    for (;;) {
      if (at < pause) {
        dfa.deadline?.poll()
        pause = at - pollEvery
      }
      const cls = this.classBefore(bytes, at)
      let to = dfa.transitions[state + cls]!
      if (to < 0) to = dfa.step(state, cls)
      if ((to & flagMatch) !== 0) begin = at
      if ((to & flagDead) !== 0 || at <= from) return begin
      state = to & offsetMask
      at -= this.width
    }
  }
}

/** Bytes of the well-formed UTF-8 character at `at`; 0 when there is none. */
export const characterWidth = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at]!
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const second = at + 1 < bytes.length ? bytes[at + 1]! : 0
  if ((second & 0xc0) !== 0x80) return 0
  if (first < 0xe0) return 2
  if (at + 2 >= bytes.length || (bytes[at + 2]! & 0xc0) !== 0x80) return 0
  if (first < 0xf0) {
    if (first === 0xe0 && second < 0xa0) return 0
    if (first === 0xed && second > 0x9f) return 0
    return 3
  }
  if (at + 3 >= bytes.length || (bytes[at + 3]! & 0xc0) !== 0x80) return 0
  if (first === 0xf0 && second < 0x90) return 0
  if (first === 0xf4 && second > 0x8f) return 0
  return 4
}

/** Where the character that holds the byte at `at` begins; at most three bytes back. */
export const characterBegin = (bytes: Uint8Array, at: number): number => {
  let begin = at
  while (begin > 0 && at - begin < 3 && (bytes[begin]! & 0xc0) === 0x80) begin--
  return begin
}
