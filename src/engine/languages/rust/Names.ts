/**
 * The words the Rust reader treats specially, interned once per interner so that the lexer classifies an
 * identifier by its number.
 */
import type { Interner } from "../Interner.ts"

/** Token codes below 33 and from 128 up; single punctuation is its own ASCII code. */
export const T = {
  eof: 0,
  identifier: 1,
  lifetime: 2,
  number: 3,
  string: 4,
  char: 5,
  path: 6,
  arrow: 7,
  fatArrow: 8,
  dots: 9,
  equal: 10,
  notEqual: 11,
  lessEqual: 12,
  opAssign: 13,
  as: 128,
  async: 129,
  await: 130,
  break: 131,
  const: 132,
  continue: 133,
  crate: 134,
  dyn: 135,
  else: 136,
  enum: 137,
  extern: 138,
  false: 139,
  fn: 140,
  for: 141,
  if: 142,
  impl: 143,
  in: 144,
  let: 145,
  loop: 146,
  match: 147,
  mod: 148,
  move: 149,
  mut: 150,
  pub: 151,
  ref: 152,
  return: 153,
  self: 154,
  Self: 155,
  static: 156,
  struct: 157,
  super: 158,
  trait: 159,
  true: 160,
  type: 161,
  unsafe: 162,
  use: 163,
  where: 164,
  while: 165,
  yield: 166,
  macro: 167,
  underscore: 168
} as const

const keywords = [
  "as",
  "async",
  "await",
  "break",
  "const",
  "continue",
  "crate",
  "dyn",
  "else",
  "enum",
  "extern",
  "false",
  "fn",
  "for",
  "if",
  "impl",
  "in",
  "let",
  "loop",
  "match",
  "mod",
  "move",
  "mut",
  "pub",
  "ref",
  "return",
  "self",
  "Self",
  "static",
  "struct",
  "super",
  "trait",
  "true",
  "type",
  "unsafe",
  "use",
  "where",
  "while",
  "yield",
  "macro",
  "_"
]

/** Bits of a word that is not a keyword. */
export const Word = {
  primitive: 1,
  /** A method that hands on its receiver, as far as types go: `clone`, `iter` … */
  identity: 2,
  /** A method that takes the value out of its wrapper: `unwrap`, `expect` … */
  unwrap: 4,
  /** A router method whose first argument is a path. */
  route: 8,
  /** A macro whose arguments hold a format string. */
  format: 16,
  /** An attribute of the language itself: not a reference. */
  attribute: 32,
  /** An attribute that makes the function a test. */
  test: 64,
  /** A macro of the shape `(value, pattern if guard)`. */
  matches: 128,
  /** An attribute whose macro takes paths out of strings. */
  spelled: 256,
  /** What such a string stands behind: a path to a function or constant, or to a type or module. */
  spellsValue: 512,
  spellsType: 1024
} as const

const words: ReadonlyArray<readonly [bit: number, text: string]> = [
  [Word.primitive, "i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char str"],
  [
    Word.identity,
    "clone as_ref as_mut to_owned as_deref as_deref_mut by_ref iter iter_mut into_iter lock cloned copied"
  ],
  [
    Word.unwrap,
    "unwrap expect unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked borrow borrow_mut"
  ],
  [Word.route, "get post put delete patch head options route resource scope nest service_path handle"],
  [
    Word.format,
    "print println eprint eprintln format write writeln panic assert assert_eq assert_ne debug_assert debug_assert_eq " +
      "debug_assert_ne unreachable todo unimplemented format_args trace debug info warn error log event span anyhow bail ensure"
  ],
  [
    Word.attribute,
    "allow warn deny forbid expect inline cold must_use cfg cfg_attr derive doc deprecated repr non_exhaustive macro_export " +
      "macro_use path test ignore should_panic bench no_mangle export_name link link_name link_section no_std no_core no_main " +
      "feature recursion_limit type_length_limit track_caller target_feature automatically_derived proc_macro " +
      "proc_macro_derive proc_macro_attribute global_allocator panic_handler used crate_name crate_type stable unstable " +
      "rustc_const_stable rustc_const_unstable default diagnostic unsafe rustfmt clippy lang fundamental"
  ],
  [Word.test, "test rstest test_case quickcheck wasm_bindgen_test bench"],
  [Word.matches, "matches assert_matches debug_assert_matches"],
  [Word.spelled, "serde schemars validate cfg_attr"],
  [
    Word.spellsValue,
    "default serialize_with deserialize_with skip_serializing_if getter schema_with custom function"
  ],
  [Word.spellsType, "with remote from into try_from"]
]

export class Names {
  /** Keyword token by name number; 0 for others and beyond the end. */
  readonly keyword: Uint8Array
  /** {@link Word} bits by name number. */
  readonly word: Uint16Array
  readonly crate: number
  readonly self: number
  readonly super: number
  readonly none: number
  readonly Some: number
  readonly Ok: number
  readonly Err: number
  readonly union: number
  readonly auto: number
  readonly default: number
  readonly safe: number
  readonly raw: number
  readonly test: number
  readonly not: number
  readonly cfg: number
  readonly path: number
  readonly derive: number
  readonly deprecated: number
  readonly macroExport: number
  readonly macroRules: number
  readonly env: number
  readonly optionEnv: number
  readonly var: number
  readonly varOs: number
  readonly vec: number
  readonly format: number
  readonly spawn: number
  readonly new: number
  /** Owning pointers that are called like the function they hold. */
  private readonly pointers: ReadonlyArray<number>
  readonly enumerate: number
  readonly zip: number
  readonly cargoTest: number
  readonly array: number
  readonly string: number
  readonly number: number
  readonly boolean: number
  readonly list: number

  constructor(interner: Interner) {
    const name = (text: string) => interner.string(text)
    const ids = keywords.map(name)
    const groups = words.map(([bit, text]) => [bit, text.split(" ").map(name)] as const)
    const size = Math.max(...ids, ...groups.flatMap(([, g]) => g)) + 1
    this.keyword = new Uint8Array(size)
    this.word = new Uint16Array(size)
    ids.forEach((id, i) => {
      this.keyword[id] = T.as + i
    })
    for (const [bit, group] of groups) for (const id of group) this.word[id]! |= bit
    this.crate = name("crate")
    this.self = name("self")
    this.super = name("super")
    this.none = name("_")
    this.Some = name("Some")
    this.Ok = name("Ok")
    this.Err = name("Err")
    this.union = name("union")
    this.auto = name("auto")
    this.default = name("default")
    this.safe = name("safe")
    this.raw = name("raw")
    this.test = name("test")
    this.not = name("not")
    this.cfg = name("cfg")
    this.path = name("path")
    this.derive = name("derive")
    this.deprecated = name("deprecated")
    this.macroExport = name("macro_export")
    this.macroRules = name("macro_rules")
    this.env = name("env")
    this.optionEnv = name("option_env")
    this.var = name("var")
    this.varOs = name("var_os")
    this.vec = name("vec")
    this.format = name("format")
    this.spawn = name("spawn")
    this.new = name("new")
    this.pointers = [name("Box"), name("Rc"), name("Arc")]
    this.enumerate = name("enumerate")
    this.zip = name("zip")
    this.cargoTest = name("cargo test")
    this.array = name("array")
    this.string = name("string")
    this.number = name("number")
    this.boolean = name("boolean")
    this.list = name("list")
  }

  isPointer(name: number): boolean {
    return this.pointers.includes(name)
  }
  /** The keyword's token; 0 for other names. */
  keywordOf(name: number): number {
    return name < this.keyword.length ? this.keyword[name]! : 0
  }
  wordOf(name: number): number {
    return name < this.word.length ? this.word[name]! : 0
  }
}

const known = new WeakMap<Interner, Names>()

export const namesOf = (interner: Interner): Names => {
  const found = known.get(interner)
  if (found !== undefined) return found
  const made = new Names(interner)
  known.set(interner, made)
  return made
}
