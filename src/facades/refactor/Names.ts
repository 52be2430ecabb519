/** What a definition may be called, by language. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

const ecmascript = words(
  "break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield await arguments eval"
)
const keywords: { readonly [language: string]: ReadonlySet<string> } = {
  javascript: ecmascript,
  jsx: ecmascript,
  typescript: ecmascript,
  tsx: ecmascript,
  vue: ecmascript,
  svelte: ecmascript,
  python: words(
    "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield"
  ),
  go: words(
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var"
  ),
  rust: words(
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while abstract become box do final gen macro override priv try typeof unsized virtual yield"
  ),
  java: words(
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for goto if implements import instanceof int interface long native new null package private protected public return short static strictfp super switch synchronized this throw throws transient true try void volatile while"
  ),
  kotlin: words(
    "as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof val var when while"
  ),
  c: words(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"
  ),
  cpp: words(
    "alignas alignof and asm auto bool break case catch char class co_await co_return co_yield concept const const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not nullptr operator or private protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor"
  ),
  csharp: words(
    "abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while"
  ),
  php: words(
    "abstract and array as break callable case catch class clone const continue declare default die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach function global goto if implements include instanceof insteadof interface isset list match namespace new or print private protected public readonly require return static switch throw trait try unset use var while xor yield"
  ),
  ruby: words(
    "BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield"
  ),
  swift: words(
    "as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator private protocol public repeat rethrows return self static struct subscript super switch throw throws true try typealias var where while"
  ),
  scala: words(
    "abstract case catch class def do else enum export extends false final finally for given if implicit import lazy match new null object override package private protected return sealed super then throw trait true try type val var while with yield"
  ),
  lua: words(
    "and break do else elseif end false for function goto if in local nil not or repeat return then true until while"
  )
}

const plain = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u
const grammars: { readonly [language: string]: RegExp } = {
  javascript: /^#?[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*$/u,
  go: /^[\p{L}_][\p{L}_\p{Nd}]*$/u,
  ruby: /^(?:@{1,2}|\$)?[\p{ID_Start}_][\p{ID_Continue}]*[?!=]?$/u,
  bash: /^[A-Za-z_][\w-]*$/,
  css: /^-?[\p{L}_-][\p{L}\p{N}_-]*$/u,
  php: /^[A-Za-z_\x80-\u{10ffff}][\w\x80-\u{10ffff}]*$/u
}
const ecma = new Set(["jsx", "typescript", "tsx", "vue", "svelte"])

export const isEcmascript = (language: string): boolean => language === "javascript" || ecma.has(language)

/** Names whose meaning is the language's own, so that what bears them cannot be called otherwise. */
const fixed: { readonly [language: string]: RegExp } = {
  javascript: /^(?:constructor|default)$/,
  python: /^__\w+__$/,
  go: /^(?:main|init|_)$/,
  rust: /^(?:main|_)$/,
  java: /^main$/,
  c: /^main$/,
  cpp: /^main$/
}
const grammarOf = (language: string): RegExp =>
  grammars[language] ?? (ecma.has(language) ? grammars["javascript"]! : plain)

/** Why a language would not have this name; undefined when it would. */
export const nameProblem = (
  language: string,
  name: string
):
  | { readonly reason: "empty_name" | "not_an_identifier" | "keyword"; readonly detail: string }
  | undefined => {
  if (name.trim() === "") return { reason: "empty_name", detail: "the new name is empty" }
  if (!grammarOf(language).test(name))
    return { reason: "not_an_identifier", detail: `${JSON.stringify(name)} is no identifier of ${language}` }
  return keywords[language]?.has(name) === true
    ? { reason: "keyword", detail: `${name} is a keyword of ${language}` }
    : undefined
}

/** Whether a name means something to the language itself, such as a constructor's. */
export const isFixedName = (language: string, name: string): boolean =>
  (fixed[ecma.has(language) ? "javascript" : language] ?? /^$/).test(name)

/** Whether a member of private kind stays one: `#x`, and in Python `__x`, are other things than `x`. */
export const changesKind = (language: string, from: string, to: string): boolean =>
  isEcmascript(language)
    ? from.startsWith("#") !== to.startsWith("#")
    : language === "python"
      ? /^__.*[^_]_?$/.test(from) !== /^__.*[^_]_?$/.test(to)
      : language === "ruby"
        ? /^\W*/.exec(from)![0] !== /^\W*/.exec(to)![0]
        : false

/** Characters of a name in a text, for finding whole words. */
export const wordCharacter = /[\p{ID_Continue}$]/u

/** Whether the text holds the word at an offset, whole. */
export const wordAt = (text: string, at: number, word: string): boolean =>
  text.startsWith(word, at) &&
  !(at > 0 && wordCharacter.test(text[at - 1]!) && wordCharacter.test(word[0]!)) &&
  !(at + word.length < text.length && wordCharacter.test(text[at + word.length]!))

/** Offsets of a whole word in a text. */
export const occurrences = (text: string, word: string): ReadonlyArray<number> => {
  const out: Array<number> = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (wordAt(text, at, word)) out.push(at)
  return out
}
