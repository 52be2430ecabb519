/** The words the parser knows, numbered; the reserved ones come first. 0 is no word of these. */
export const kBreak = 1
export const kCase = 2
export const kCatch = 3
export const kClass = 4
export const kConst = 5
export const kContinue = 6
export const kDebugger = 7
export const kDefault = 8
export const kDelete = 9
export const kDo = 10
export const kElse = 11
export const kEnum = 12
export const kExport = 13
export const kExtends = 14
export const kFalse = 15
export const kFinally = 16
export const kFor = 17
export const kFunction = 18
export const kIf = 19
export const kImport = 20
export const kIn = 21
export const kInstanceof = 22
export const kNew = 23
export const kNull = 24
export const kReturn = 25
export const kSuper = 26
export const kSwitch = 27
export const kThis = 28
export const kThrow = 29
export const kTrue = 30
export const kTry = 31
export const kTypeof = 32
export const kVar = 33
export const kVoid = 34
export const kWhile = 35
export const kWith = 36
export const kAbstract = 37
export const kAccessor = 38
export const kAny = 39
export const kAs = 40
export const kAsserts = 41
export const kAssert = 42
export const kAsync = 43
export const kAwait = 44
export const kBigint = 45
export const kBoolean = 46
export const kConstructor = 47
export const kDeclare = 48
export const kFrom = 49
export const kGet = 50
export const kGlobal = 51
export const kImplements = 52
export const kInfer = 53
export const kInterface = 54
export const kIs = 55
export const kKeyof = 56
export const kLet = 57
export const kModule = 58
export const kNamespace = 59
export const kNever = 60
export const kNumber = 61
export const kObject = 62
export const kOf = 63
export const kOut = 64
export const kOverride = 65
export const kPrivate = 66
export const kProtected = 67
export const kPublic = 68
export const kReadonly = 69
export const kRequire = 70
export const kSatisfies = 71
export const kSet = 72
export const kStatic = 73
export const kString = 74
export const kSymbol = 75
export const kType = 76
export const kUndefined = 77
export const kUnique = 78
export const kUnknown = 79
export const kUsing = 80
export const kYield = 81
export const kExports = 82
export const kProcess = 83
export const kEnv = 84
export const kPrototype = 85

/** Words above this one may be used as names. */
export const lastReserved = 36

const words = [
  "break",
  "case",
  "catch",
  "class",
  "const",
  "continue",
  "debugger",
  "default",
  "delete",
  "do",
  "else",
  "enum",
  "export",
  "extends",
  "false",
  "finally",
  "for",
  "function",
  "if",
  "import",
  "in",
  "instanceof",
  "new",
  "null",
  "return",
  "super",
  "switch",
  "this",
  "throw",
  "true",
  "try",
  "typeof",
  "var",
  "void",
  "while",
  "with",
  "abstract",
  "accessor",
  "any",
  "as",
  "asserts",
  "assert",
  "async",
  "await",
  "bigint",
  "boolean",
  "constructor",
  "declare",
  "from",
  "get",
  "global",
  "implements",
  "infer",
  "interface",
  "is",
  "keyof",
  "let",
  "module",
  "namespace",
  "never",
  "number",
  "object",
  "of",
  "out",
  "override",
  "private",
  "protected",
  "public",
  "readonly",
  "require",
  "satisfies",
  "set",
  "static",
  "string",
  "symbol",
  "type",
  "undefined",
  "unique",
  "unknown",
  "using",
  "yield",
  "exports",
  "process",
  "env",
  "prototype"
]

const slots = 512
const hashes = new Int32Array(slots)
const numbers = new Uint8Array(slots)
const spelled = words.map((word) => new TextEncoder().encode(word))
spelled.forEach((bytes, i) => {
  let h = 0
  for (const byte of bytes) h = (Math.imul(h, 31) + byte) | 0
  let slot = (h ^ (h >>> 9)) & (slots - 1)
  while (numbers[slot] !== 0) slot = (slot + 1) & (slots - 1)
  hashes[slot] = h
  numbers[slot] = i + 1
})

/** Number of the word at `bytes[start, end)` whose rolling hash is `h`, 0 when it is none of them. */
export const wordAt = (bytes: Uint8Array, start: number, end: number, h: number): number => {
  let slot = (h ^ (h >>> 9)) & (slots - 1)
  for (;;) {
    const number = numbers[slot]!
    if (number === 0) return 0
    if (hashes[slot] === h) {
      const word = spelled[number - 1]!
      const length = end - start
      if (word.length === length) {
        let i = 0
        while (i < length && word[i] === bytes[start + i]) i++
        if (i === length) return number
      }
    }
    slot = (slot + 1) & (slots - 1)
  }
}
