/**
 * Words in names and prose: `HTTPServerError2` is http, server, error, 2. The same rules hold for what is indexed and
 * for what is asked.
 */
const encoder = new TextEncoder()
const decoder = new TextDecoder()

const Class = { other: 0, lower: 1, upper: 2, digit: 3, high: 4 } as const
const classes = new Uint8Array(256)
for (let b = 0; b < 256; b++) {
  classes[b] =
    b >= 0x80
      ? Class.high
      : b >= 97 && b <= 122
        ? Class.lower
        : b >= 65 && b <= 90
          ? Class.upper
          : b >= 48 && b <= 57
            ? Class.digit
            : Class.other
}

/** Longest word that is kept whole, in bytes; what is longer is cut. */
export const longestWord = 40

/**
 * Calls `emit` for each word of `source[start, end)`: lower-cased bytes are in `word[0, length)`, which is reused. Only
 * ASCII letters are folded here; {@link words} folds the rest before it asks.
 */
export const eachWord = (
  source: Uint8Array,
  start: number,
  end: number,
  word: Uint8Array,
  emit: (length: number) => void
): void => {
  let length = 0
  let previous: number = Class.other
  for (let i = start; i < end; i++) {
    const b = source[i]!
    const kind = classes[b]!
    if (kind === Class.other) {
      if (length > 0) emit(length)
      length = 0
    } else {
      const digit = kind === Class.digit
      const breaks =
        length > 0 &&
        (digit !== (previous === Class.digit) ||
          (kind === Class.upper && previous !== Class.upper) ||
          // The last capital of a run begins the next word: HTTPServer. A plural of capitals does not: URLs, IDs.
          (kind === Class.upper &&
            previous === Class.upper &&
            i + 1 < end &&
            classes[source[i + 1]!] === Class.lower &&
            !pluralAt(source, i + 1, end)))
      if (breaks) {
        emit(length)
        length = 0
      }
      if (length < longestWord) word[length++] = kind === Class.upper ? b + 32 : b
    }
    previous = kind
  }
  if (length > 0) emit(length)
}

const pluralAt = (source: Uint8Array, at: number, end: number): boolean =>
  source[at] === 115 &&
  (at + 1 === end || (classes[source[at + 1]!]! !== Class.lower && classes[source[at + 1]!]! !== Class.digit))

/** The words of a text, lower-cased, in order; nothing is dropped and nothing is stemmed. */
export const words = (text: string): ReadonlyArray<string> => {
  const bytes = encoder.encode(foldHigh(text))
  const out: Array<string> = []
  const word = new Uint8Array(longestWord)
  eachWord(bytes, 0, bytes.length, word, (length) => out.push(decoder.decode(word.subarray(0, length))))
  return out
}

/** Letters beyond ASCII in lower case, the others as they are: their case tells words apart. */
export const foldHigh = (text: string): string =>
  text.replace(/[\u0080-\uffff]+/g, (run) => run.toLowerCase())

const S = 115,
  E = 101,
  D = 100,
  I = 105,
  N = 110,
  G = 103,
  Y = 121,
  U = 117
const vowel = (b: number): boolean => b === 97 || b === E || b === I || b === 111 || b === U || b === Y
const hasVowel = (word: Uint8Array, end: number): boolean => {
  for (let i = 0; i < end; i++) if (vowel(word[i]!)) return true
  return false
}

/**
 * Length of the stem of `word[0, length)`, which it may rewrite. Light: plurals, -ing, -ed, -er of long words, a silent
 * final e. Enough for `parses`, `parsed`, `parsing` and `parse` to meet, and too little for unrelated words to.
 */
export const stem = (word: Uint8Array, length: number): number => {
  let n = length
  if (n <= 3) return n
  if (word[n - 1] === S && word[n - 2] !== S && word[n - 2] !== U && word[n - 2] !== I) {
    if (n > 4 && word[n - 2] === E && word[n - 3] === I) {
      word[n - 3] = Y
      n -= 2
    } else if (
      n > 4 &&
      word[n - 2] === E &&
      (word[n - 3] === S || word[n - 3] === 120 || word[n - 3] === 122 || word[n - 3] === 104)
    )
      n -= 2
    else n -= 1
  }
  if (n > 5 && word[n - 1] === G && word[n - 2] === N && word[n - 3] === I && hasVowel(word, n - 3))
    n = undouble(word, n - 3)
  else if (n > 4 && word[n - 1] === D && word[n - 2] === E && word[n - 3] !== E && hasVowel(word, n - 2))
    n = undouble(word, n - 2)
  if (n > 4 && word[n - 1] === E) n -= 1
  else if (n > 3 && word[n - 1] === Y) word[n - 1] = I
  return n
}
const undouble = (word: Uint8Array, n: number): number =>
  n > 3 &&
  word[n - 1] === word[n - 2] &&
  !vowel(word[n - 1]!) &&
  word[n - 1] !== S &&
  word[n - 1] !== 108 &&
  word[n - 1] !== 122
    ? n - 1
    : n

/** The stem of one word as {@link words} gives it. */
export const stemOf = (word: string): string => {
  const bytes = encoder.encode(word)
  return decoder.decode(bytes.subarray(0, stem(bytes, bytes.length)))
}

/** Words that say nothing about code. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been but by can could did do does doing done for from get gets had has have how i if in into is it its just like may me " +
    "my no not of on or our out over should so some such than that the their them then there these they this those to too up use used using was we were what " +
    "when where which while who why will with would you your"
  ).split(" ")
)
