/** Names that mean something to the reader, as a table from interned number to class. */
import type { Interner } from "../Interner.ts"
import { Token } from "./Token.ts"

/** Classes of names that are no keywords. Keywords carry their token. */
export const Word = {
  /** Built-in scalar type. */
  scalar: 100,
  super: 101,
  match: 102,
  case: 103,
  type: 104,
  enumerate: 105,
  /** Registers a route when called with a path. */
  route: 110,
  getenv: 111,
  environ: 112,
  get: 113,
  items: 114,
  /** `Optional`, `Annotated`, `ClassVar` …: stands for its first argument. */
  transparent: 120,
  union: 121,
  literal: 122,
  callable: 123,
  property: 130,
  classMethod: 131,
  staticMethod: 132,
  overload: 133,
  abstract: 134,
  setter: 135,
  override: 136,
  deprecated: 137,
  deleter: 138,
  /** Base class of enumerations. */
  enum: 140,
  testCase: 141,
  typeChecking: 142,
  all: 150,
  slots: 151,
  init: 152,
  new: 153,
  /** Implicit class methods besides `__new__`. */
  implicitClass: 154,
  unittest: 160,
  pytest: 161,
  /** `import_module`, `__import__`. */
  dynamicImport: 162
} as const

const keywords = [
  "and",
  "as",
  "assert",
  "async",
  "await",
  "break",
  "class",
  "continue",
  "def",
  "del",
  "elif",
  "else",
  "except",
  "finally",
  "for",
  "from",
  "global",
  "if",
  "import",
  "in",
  "is",
  "lambda",
  "nonlocal",
  "not",
  "or",
  "pass",
  "raise",
  "return",
  "try",
  "while",
  "with",
  "yield"
] as const

const groups: ReadonlyArray<readonly [number, ReadonlyArray<string>]> = [
  [Word.scalar, ["int", "str", "float", "bool", "bytes", "complex", "object", "bytearray"]],
  [Word.super, ["super"]],
  [Word.match, ["match"]],
  [Word.case, ["case"]],
  [Word.type, ["type"]],
  [Word.enumerate, ["enumerate"]],
  [
    Word.route,
    [
      "route",
      "post",
      "put",
      "delete",
      "patch",
      "head",
      "options",
      "websocket",
      "api_route",
      "add_url_rule",
      "add_route"
    ]
  ],
  [Word.getenv, ["getenv"]],
  [Word.environ, ["environ"]],
  [Word.get, ["get"]],
  [Word.items, ["items"]],
  [
    Word.transparent,
    ["Optional", "Annotated", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "InitVar"]
  ],
  [Word.union, ["Union"]],
  [Word.literal, ["Literal"]],
  [Word.callable, ["Callable"]],
  [Word.property, ["property", "cached_property", "abstractproperty"]],
  [Word.classMethod, ["classmethod"]],
  [Word.staticMethod, ["staticmethod"]],
  [Word.overload, ["overload"]],
  [Word.abstract, ["abstractmethod"]],
  [Word.setter, ["setter"]],
  [Word.deleter, ["deleter"]],
  [Word.override, ["override"]],
  [Word.deprecated, ["deprecated"]],
  [Word.enum, ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum"]],
  [Word.testCase, ["TestCase", "IsolatedAsyncioTestCase"]],
  [Word.typeChecking, ["TYPE_CHECKING"]],
  [Word.all, ["__all__"]],
  [Word.slots, ["__slots__"]],
  [Word.init, ["__init__"]],
  [Word.new, ["__new__"]],
  [Word.implicitClass, ["__init_subclass__", "__class_getitem__"]],
  [Word.unittest, ["unittest"]],
  [Word.pytest, ["pytest"]],
  [Word.dynamicImport, ["import_module", "__import__"]]
]

export interface Words {
  /** Class of a name by its number; names beyond the end have none. */
  readonly classes: Uint8Array
  readonly blank: number
  readonly string: number
  readonly number: number
  readonly boolean: number
  readonly null: number
  readonly list: number
  readonly map: number
  readonly function: number
  readonly pytest: number
  readonly unittest: number
}

const cache = new WeakMap<Interner, Words>()

export const wordsOf = (interner: Interner): Words => {
  const known = cache.get(interner)
  if (known !== undefined) return known
  const entries: Array<readonly [number, number]> = [
    [interner.string("False"), Token.false],
    [interner.string("None"), Token.none],
    [interner.string("True"), Token.true]
  ]
  for (const k of keywords) entries.push([interner.string(k), Token[k]])
  for (const [kind, names] of groups) for (const name of names) entries.push([interner.string(name), kind])
  const classes = new Uint8Array(1 + entries.reduce((max, [id]) => Math.max(max, id), 0))
  for (const [id, kind] of entries) classes[id] = kind
  const words: Words = {
    classes,
    blank: interner.string("_"),
    string: interner.string("string"),
    number: interner.string("number"),
    boolean: interner.string("boolean"),
    null: interner.string("null"),
    list: interner.string("list"),
    map: interner.string("map"),
    function: interner.string("function"),
    pytest: interner.string("pytest"),
    unittest: interner.string("unittest")
  }
  cache.set(interner, words)
  return words
}
