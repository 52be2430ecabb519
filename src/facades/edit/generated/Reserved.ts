/** Words that cannot be names, by language. Grammars that mend errors let some of them pass. */

const common =
  "break case class const continue default do else enum false for if import new null return static super switch this throw true try while"
const ecmascript = `${common} await catch debugger delete export extends finally function in instanceof let typeof var void with yield`
const jvm = `${common} abstract catch extends final finally implements interface package private protected public void`
const words: { readonly [language: string]: string } = {
  typescript: ecmascript,
  tsx: ecmascript,
  javascript: ecmascript,
  jsx: ecmascript,
  vue: ecmascript,
  svelte: ecmascript,
  python:
    "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield",
  go: "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var",
  rust: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while",
  java: jvm,
  csharp: `${jvm} namespace using string int bool object`,
  kotlin:
    "as break class continue do else false for fun if in interface is null object package return super this throw true try typealias val var when while",
  scala: `${jvm} def match object sealed trait type val var with yield`,
  swift:
    "as break case class continue default defer do else enum extension false for func guard if import in init is let nil return self static struct super switch throw true try var where while",
  ruby: "alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield",
  php: `${jvm} echo foreach function global namespace trait use var`,
  c: "auto break case char const continue default do double else enum extern float for goto if int long return short signed sizeof static struct switch typedef union unsigned void volatile while",
  cpp: `${common} auto bool catch char class delete double float friend int long namespace operator private protected public short struct template typename union using virtual void`,
  lua: "and break do else elseif end false for function goto if in local nil not or repeat return then true until while"
}

export const isReserved = (word: string, language: string): boolean =>
  (words[language] ?? "").split(" ").includes(word)
