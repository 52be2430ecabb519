/** What a task text names: places, identifiers, quoted messages, and the words that are left. */

/** A place in a file, as a stack trace or a person writes it. The path may be absolute or foreign. */
export interface Frame {
  readonly path: string
  /** 1-based. */
  readonly line: number
}

export interface Question {
  readonly frames: ReadonlyArray<Frame>
  /** File or folder names and paths. */
  readonly paths: ReadonlyArray<string>
  /** Names written as code: in back quotes, in camelCase or snake_case, called, qualified. Most telling first. */
  readonly identifiers: ReadonlyArray<string>
  /** Texts that a program may print: quoted, or behind `Error:`. */
  readonly messages: ReadonlyArray<string>
  /** Lower-case words that are left, in order, distinct; the scope of a commit-like subject first. */
  readonly words: ReadonlyArray<string>
  /** The task is about tests. */
  readonly tests: boolean
}

/** Words that tell nothing about where: those of every language and those of every task. */
const idle: ReadonlySet<string> = new Set(
  (
    "a about after again all also an and any are as at back be because been before being better but by can cannot could current currently did do does doing done " +
    "due during each else etc even ever every few first for from get gets getting give given goes going good got had has have having he help her here him his how i if " +
    "in instead into is isn it its itself just keep kind know last let like ll longer look lot made make makes making many may maybe me might more most much must my need " +
    "needs never new next no none nor not note now of off ok on once one only onto or other our out over own per please possible properly put quite re really right same see " +
    "seem should show since so some something still such sure take takes than that the their them then there these they thing things this those through to too try trying " +
    "two under unless until up upon us use used user uses using ve very via want was way we well were what when where whether which while who whole whose why will with " +
    "within without would yet you your " +
    "add added adding adds allow allowed allows avoid break broken bug bugs build bump change changed changes changing chore ci cleanup code correct correctly create docs " +
    "ensure expected feat feature fix fixed fixes fixing follow following handle handles implement implemented improve improved improvement improvements introduce issue " +
    "issues link minor misc move nit perf problem refactor remove removed removes rename replace revert simplify small some style support supports tweak typo unused update " +
    "updated updates work working works wrong"
  ).split(" ")
)

/** Words for one thing. Each word stands for the others of its row at less weight. */
const equivalents: ReadonlyArray<ReadonlyArray<string>> = [
  ["delete", "remove", "drop"],
  ["create", "make", "new", "build"],
  ["fetch", "get", "load", "retrieve"],
  ["auth", "authentication", "authenticate", "authorization", "login"],
  ["config", "configuration", "settings", "options", "conf"],
  ["error", "err", "exception", "failure"],
  ["directory", "dir", "folder"],
  ["database", "db"],
  ["request", "req"],
  ["response", "res", "resp"],
  ["parameter", "param", "params", "argument", "arg", "args"],
  ["message", "msg"],
  ["initialize", "init", "setup"],
  ["execute", "exec", "run"],
  ["parse", "parser", "decode"],
  ["serialize", "encode", "marshal", "stringify"],
  ["deserialize", "unmarshal"],
  ["certificate", "cert", "certs"],
  ["context", "ctx"],
  ["environment", "env"],
  ["temporary", "temp", "tmp"],
  ["length", "len", "size"],
  ["middleware", "handler"],
  ["websocket", "ws"],
  ["document", "doc"],
  ["reference", "ref"],
  ["identifier", "id"],
  ["expression", "expr"],
  ["command", "cmd"],
  ["string", "str"],
  ["permission", "access"],
  ["benchmark", "bench"],
  ["synchronous", "sync"],
  ["asynchronous", "async"],
  ["whitespace", "space", "indent"],
  ["colour", "color"],
  ["completion", "complete"]
]
const partners = new Map<string, ReadonlyArray<string>>()
for (const row of equivalents)
  for (const word of row)
    partners.set(
      word,
      row.filter((w) => w !== word)
    )

/** Other words for the same thing. */
export const equivalentsOf = (word: string): ReadonlyArray<string> => partners.get(word) ?? []

const extension =
  "(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kt|scala|cs|php|rb|swift|lua|c|h|cc|cpp|cxx|hpp|hh|sh|bash|sql|vue|svelte|proto|md|json|ya?ml|toml|html|css|scss)"
const pythonFrame = /File "([^"]+)", line (\d+)/g
const colonFrame = new RegExp(`([\\w@.+~/\\\\-]+\\.${extension}):(\\d+)(?::\\d+)?\\b`, "g")
const pathWord = new RegExp(`(?:[\\w@.+-]+/)+[\\w@.+\\[\\]-]+|[\\w-]+(?:\\.[\\w-]+)*\\.${extension}\\b`, "g")
const codeSpan = /`+([^`\n]+)`+/g
const quotedText = /"([^"\n]{3,200})"|“([^”\n]{3,200})”|'([^'\n]{6,200})'/g
const errorLine =
  /(?:^|\n)\s*(?:Uncaught\s+)?(?:[\w.]*(?:Error|Exception|panic|panicked at|FATAL|fatal|error))(?:\s*\[[^\]]*\])?:\s*([^\n]{4,200})/g
const inFrame =
  /(?:^|\n)\s*at\s+(?:async\s+)?(?:new\s+)?([\w$.<>]+)\s*\(|, in ([\w<>]+)|(?:^|\n)\s*([\w./*()-]+)\(0x/g
const codeWord = /[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?:\(\))?/g

/** Whether a bare word is written the way code is. */
const looksLikeCode = (word: string): boolean =>
  /[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z\d]|^_\w|::|->|\(\)$/.test(word) ||
  (/^[A-Za-z_$][\w$]*\.[A-Za-z_$][\w$]*/.test(word) && !/^(?:e\.g|i\.e|etc)\b/i.test(word)) ||
  /^[A-Z]{2,}[a-z]\w*[A-Z]?\w*$/.test(word)

const clean = (name: string): string => name.replace(/\(\)$/, "").replace(/^(?:async|new)\s+/, "")

/** Lower-case parts of an identifier. */
export const partsOf = (name: string): ReadonlyArray<string> =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z\d]+/)
    .filter((p) => p !== "")
    .map((p) => p.toLowerCase())

/** Reads a task text. Never fails: what is not understood is words. */
export const questionOf = (task: string): Question => {
  const frames: Array<Frame> = []
  const paths: Array<string> = []
  const identifiers: Array<string> = []
  const messages: Array<string> = []
  const put = (list: Array<string>, value: string) => {
    const text = value.trim()
    if (text !== "" && !list.includes(text)) list.push(text)
  }
  let rest = task.slice(0, 20_000)
  for (const [, path, line] of rest.matchAll(pythonFrame)) frames.push({ path: path!, line: Number(line) })
  for (const [, path, line] of rest.matchAll(colonFrame))
    frames.push({ path: path!.replaceAll("\\", "/"), line: Number(line) })
  for (const [, js, python, go] of rest.matchAll(inFrame)) {
    const name = clean((js ?? python ?? go ?? "").replace(/^.*\//, "").replace(/[()*]/g, ""))
    if (name !== "" && !/^<|^Object$|^Module\./.test(name)) put(identifiers, name)
  }
  for (const [, message] of rest.matchAll(errorLine)) put(messages, message!)
  // Lines of a trace have said what they have to say.
  if (frames.length > 1)
    rest = rest
      .split("\n")
      .filter((l) => !/^\s*(?:at\s|File ")/.test(l))
      .join("\n")
  rest = rest.replace(codeSpan, (_, code: string) => {
    const text = code.trim()
    if (new RegExp(`^(?:[\\w@.+-]+/)+|\\.${extension}$`).test(text) && !/\s/.test(text)) put(paths, text)
    else if (/^[\w$.:#>-]+(?:\(\))?$/.test(text)) put(identifiers, clean(text))
    else {
      if (/\s/.test(text)) put(messages, text)
      for (const [word] of text.matchAll(codeWord)) if (looksLikeCode(word)) put(identifiers, clean(word))
    }
    return ` ${text} `
  })
  for (const [, a, b, c] of rest.matchAll(quotedText)) {
    const text = (a ?? b ?? c)!
    if (/^[A-Za-z_$][\w$.]*$/.test(text)) put(identifiers, text)
    else put(messages, text)
  }
  rest = rest
    .replace(pythonFrame, " ")
    .replace(colonFrame, " ")
    .replace(/https?:\/\/\S+/g, " ")
  for (const [path] of rest.matchAll(pathWord))
    if (!/^\w\/\w$|^\d+\/\d+$/.test(path)) put(paths, path.replace(/[.,]$/, ""))
  for (const [word] of rest.replace(pathWord, " ").matchAll(codeWord))
    if (looksLikeCode(word)) put(identifiers, clean(word))

  const scope = /^\s*(?:[a-z]+!?)\(([^)]+)\)!?:/.exec(task) ?? /^\s*([\w./-]+(?:,\s*[\w./-]+)*):\s/.exec(task)
  const all: Array<string> = []
  const take = (text: string) => {
    for (const word of partsOf(text))
      if ((word.length > 1 || /\d/.test(word)) && !/^\d+$/.test(word) && !all.includes(word)) all.push(word)
  }
  if (scope !== null) take(scope[1]!)
  take(rest)
  const telling = all.filter((w) => !idle.has(w))
  return {
    frames: frames.slice(0, 30),
    paths: paths.slice(0, 20),
    identifiers: identifiers.slice(0, 24),
    messages: messages.slice(0, 6),
    words: (telling.length > 0 ? telling : all).slice(0, 24),
    tests: /\b(?:unit |integration |failing |flaky |regression )?tests?\b|\bspecs?\b|\bbenchmarks?\b/i.test(
      task
    )
  }
}

/** The part of an inflected word that its relatives share, long enough to look for as it stands. */
export const rootOf = (word: string): string => {
  let w = word
  if (w.length > 4 && /[^su]s$/.test(w)) w = w.endsWith("ies") ? w.slice(0, -3) : w.slice(0, -1)
  if (w.length > 6 && w.endsWith("ing")) w = w.slice(0, -3)
  else if (w.length > 5 && w.endsWith("ed")) w = w.slice(0, -2)
  else if (w.length > 7 && /(?:tion|ment)$/.test(w)) w = w.slice(0, -3)
  if (w.length > 4 && /([b-df-hj-np-rtv-z])\1$/.test(w) && !/(?:ll|ss|zz)$/.test(w)) w = w.slice(0, -1)
  if (w.length > 4 && /[ey]$/.test(w)) w = w.slice(0, -1)
  return w
}
