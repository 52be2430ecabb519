/** Which language a file is written in, by its name, its first line, and for C headers by what they hold. */
import type { Language } from "../languages/Language.ts"

/** The program named by a `#!` line, without directory; undefined when there is no such line. */
export const interpreterOf = (bytes: Uint8Array): string | undefined => {
  if (bytes[0] !== 35 || bytes[1] !== 33) return undefined
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 256)).toString("latin1")
  const words = head
    .slice(2)
    .split(/[\r\n]/, 1)[0]!
    .trim()
    .split(/\s+/)
  const program = baseOf(words[0]!)
  if (program !== "env") return program === "" ? undefined : program
  const named = words.slice(1).find((word) => !word.startsWith("-") && !word.includes("="))
  return named === undefined ? undefined : baseOf(named)
}

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

const probe = 64 * 1024
const cxxLine =
  /^\s*(?:(?:class|struct)\s+[\w:]+(?:\s+final)?\s*:(?!:)|class\s+\w+[\w\s]*[{;]?\s*$|(?:inline\s+)?namespace\b(?!\s*[=,;)])|template\s*<|using\s+[\w:]|(?:public|private|protected)\s*:|virtual\s|constexpr\s|friend\s|extern\s+"C\+\+")|\b\w+::~?\w|\boperator\s*[-+*/=<>!&|^%[(]|=\s*(?:default|delete)\s*;|\bstatic_cast\s*</

/**
 * Whether a header holds C++ rather than C. Comments, strings and what only a C++ compiler sees of a header meant for
 * both (`#ifdef __cplusplus`) do not count.
 */
export const looksLikeCxx = (bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, probe)).toString("latin1")
  const code = head.replace(/\/\*[^]*?(?:\*\/|$)/g, " ")
  // Depth of conditionals inside a part for C++ compilers only; 0 outside of one.
  let guarded = 0
  for (const raw of code.split("\n")) {
    const directive = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)/.exec(raw)
    if (directive !== null) {
      const word = directive[1]!
      if (guarded > 0) {
        if (word.startsWith("if")) guarded++
        else if (word === "endif") guarded--
        else if (guarded === 1) guarded = 0
      } else if (
        (word === "ifdef" || word === "if") &&
        /\b__cplusplus\b/.test(directive[2]!) &&
        !directive[2]!.includes("!")
      ) {
        guarded = 1
      }
      continue
    }
    if (guarded > 0 || raw.trimStart().startsWith("#")) continue
    const comment = raw.indexOf("//")
    const line = (comment < 0 ? raw : raw.slice(0, comment)).replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
      text === '"C++"' ? text : '""'
    )
    if (cxxLine.test(line)) return true
  }
  return false
}

/** The languages of a build, in a fixed order; a language's place is its number. Where two claim a name, the first has it. */
export class LanguageTable {
  private readonly names = new Map<string, number>()
  private readonly extensions = new Map<string, number>()
  private readonly interpreters = new Map<string, number>()
  private readonly c: number
  private readonly cxx: number

  constructor(readonly languages: ReadonlyArray<Language>) {
    const add = (map: Map<string, number>, key: string, value: number) => {
      if (!map.has(key)) map.set(key, value)
    }
    languages.forEach((language, number) => {
      for (const name of language.filenames ?? []) add(this.names, name, number)
      for (const extension of language.extensions) add(this.extensions, extension, number)
      for (const program of language.interpreters ?? []) add(this.interpreters, program, number)
    })
    // Letter case only matters where someone claims it.
    languages.forEach((language, number) => {
      for (const name of language.filenames ?? []) add(this.names, name.toLowerCase(), number)
      for (const extension of language.extensions) add(this.extensions, extension.toLowerCase(), number)
    })
    this.c = languages.findIndex(({ id }) => id === "c")
    this.cxx = languages.findIndex(({ id }) => id === "cpp")
  }

  /** Number of the language by path alone, -1 for none: whole file name first, then the longest extension. */
  byPath(path: string): number {
    const name = baseOf(path)
    const lower = name.toLowerCase()
    const whole = this.names.get(name) ?? this.names.get(lower)
    if (whole !== undefined) return whole
    // A leading dot hides a file; it begins no extension.
    for (let dot = name.indexOf(".", 1); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      const found = this.extensions.get(name.slice(dot)) ?? this.extensions.get(lower.slice(dot))
      if (found !== undefined) return found
    }
    return -1
  }

  /** Number of the language by path and content, -1 for none. */
  of(path: string, bytes: Uint8Array): number {
    const number = this.byPath(path)
    if (number < 0) {
      if (bytes[0] !== 35 || baseOf(path).indexOf(".", 1) >= 0) return -1
      return this.byInterpreter(interpreterOf(bytes))
    }
    if ((number === this.c || number === this.cxx) && this.c >= 0 && this.cxx >= 0 && /\.h$/i.test(path)) {
      return looksLikeCxx(bytes) ? this.cxx : this.c
    }
    return number
  }

  private byInterpreter(program: string | undefined): number {
    if (program === undefined) return -1
    return this.interpreters.get(program) ?? this.interpreters.get(program.replace(/[-\d.]+$/, "")) ?? -1
  }
}

const testDirectory =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|testdata|test[-_]?fixtures|e2e|testing|androidTest|[\w.-]+\.tests?)\//i
const testName =
  /(?:[._-](?:test|tests|spec|e2e|cy)\.[\w.]+|^test_[^/]*\.py|^conftest\.py|_tests?\.\w+|_spec\.rb|(?:[a-z0-9](?:Tests?|Spec|IT)|^Test[A-Z]\w*)\.(?:java|kt|kts|scala|groovy|cs|fs|vb|php|swift|dart|m|mm))$/

/** Whether a path says that the file holds tests or belongs to them. */
export const isTestPath = (path: string): boolean => testDirectory.test(path) || testName.test(baseOf(path))
