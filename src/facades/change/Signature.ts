/** Parameter lists and argument lists as text, read far enough to tell who fits whom. */

/** How a family of languages writes parameters and arguments. */
export type Style =
  | "ecmascript"
  | "python"
  | "go"
  | "rust"
  | "java"
  | "kotlin"
  | "scala"
  | "csharp"
  | "php"
  | "swift"
  | "ruby"
  | "c"
  | "lua"

const styles: { readonly [language: string]: Style } = {
  typescript: "ecmascript",
  tsx: "ecmascript",
  javascript: "ecmascript",
  jsx: "ecmascript",
  vue: "ecmascript",
  svelte: "ecmascript",
  python: "python",
  go: "go",
  rust: "rust",
  java: "java",
  kotlin: "kotlin",
  scala: "scala",
  csharp: "csharp",
  php: "php",
  swift: "swift",
  ruby: "ruby",
  c: "c",
  cpp: "c",
  lua: "lua"
}
export const styleOf = (language: string): Style | undefined => styles[language]

export interface Parameter {
  /** What callers name it by; "" when they cannot tell. */
  readonly name: string
  /** As written; "" when it has none. */
  readonly type: string
  readonly optional: boolean
  /** Takes what is left by position. */
  readonly rest: boolean
  /** Takes what is left by name. */
  readonly namedRest: boolean
  readonly namedOnly: boolean
  readonly positionalOnly: boolean
}

export interface Signature {
  readonly name: string
  readonly parameters: ReadonlyArray<Parameter>
  /** As written; "" when it states none. */
  readonly returns: string
  readonly async: boolean
}

const openers: { readonly [char: string]: string } = { "(": ")", "[": "]", "{": "}" }
const closers = new Set([")", "]", "}"])

/** Index behind the bracket that closes the one at `from`; -1 when none does. Strings and nested brackets are passed. */
export const closing = (text: string, from: number): number => {
  const stack: Array<string> = []
  for (let i = from; i < text.length; i++) {
    const char = text[i]!
    if (char === '"' || char === "`" || (char === "'" && !lifetime(text, i))) {
      const end = stringEnd(text, i)
      if (end < 0) return -1
      i = end
      continue
    }
    if (char === "/" && text[i + 1] === "/" && text[i - 1] !== ":") {
      const line = text.indexOf("\n", i)
      if (line < 0) return -1
      i = line
      continue
    }
    if (char === "/" && text[i + 1] === "*") {
      const end = text.indexOf("*/", i + 2)
      if (end < 0) return -1
      i = end + 1
      continue
    }
    if (openers[char] !== undefined) stack.push(openers[char]!)
    else if (closers.has(char)) {
      if (stack.pop() !== char) return -1
      if (stack.length === 0) return i + 1
    }
  }
  return -1
}

/** Whether a quote begins a lifetime of Rust rather than a character. */
const lifetime = (text: string, at: number): boolean =>
  /^'[a-z_]\w*(?!')/i.test(text.slice(at, at + 40)) && text[at + 2] !== "'"

const stringEnd = (text: string, from: number): number => {
  const quote = text[from]!
  const triple = quote !== "`" && text.startsWith(quote.repeat(3), from)
  const end = triple ? quote.repeat(3) : quote
  for (let i = from + end.length; i < text.length; i++) {
    if (text[i] === "\\") i++
    else if (text.startsWith(end, i)) return i + end.length - 1
  }
  return -1
}

/** Whether `<` at a place opens type arguments rather than compares. */
const opensAngle = (text: string, at: number): boolean =>
  /[\w>?]/.test(text[at - 1] ?? "") && !/[\s=\d]/.test(text[at + 1] ?? " ")

/** Parts of a list between its brackets, split at commas outside of further brackets. Undefined when brackets do not match. */
export const split = (text: string, angles: boolean): ReadonlyArray<string> | undefined => {
  const out: Array<string> = []
  let from = 0
  let angle = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (openers[char] !== undefined) {
      const end = closing(text, i)
      if (end < 0) return undefined
      i = end - 1
    } else if (closers.has(char)) return undefined
    else if (char === '"' || char === "`" || (char === "'" && !lifetime(text, i))) {
      const end = stringEnd(text, i)
      if (end < 0) return undefined
      i = end
    } else if (char === "/" && text[i + 1] === "*") {
      const end = text.indexOf("*/", i + 2)
      if (end < 0) return undefined
      i = end + 1
    } else if (angles && char === "<" && opensAngle(text, i)) angle++
    else if (angles && char === ">" && angle > 0 && text[i - 1] !== "=" && text[i - 1] !== "-") angle--
    else if (char === "," && angle === 0) {
      out.push(text.slice(from, i))
      from = i + 1
    }
  }
  out.push(text.slice(from))
  const parts = out.map((part) =>
    part
      .replace(/\/\*[^]*?\*\//g, " ")
      .replace(/^\s*\/\/[^\n]*$/gm, "")
      .trim()
  )
  // A comma may end the list.
  if (parts[parts.length - 1] === "") parts.pop()
  return parts
}

/** Where an operator lies outside of brackets and strings; -1 when it does not. */
const outside = (text: string, wanted: (text: string, at: number) => boolean): number => {
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (wanted(text, i)) return i
    if (openers[char] !== undefined) {
      const end = closing(text, i)
      if (end < 0) return -1
      i = end - 1
    } else if (char === '"' || char === "`") {
      const end = stringEnd(text, i)
      if (end < 0) return -1
      i = end
    }
  }
  return -1
}
const assigned = (text: string): number =>
  outside(
    text,
    (all, i) => all[i] === "=" && all[i + 1] !== ">" && all[i + 1] !== "=" && !/[=!<>]/.test(all[i - 1] ?? "")
  )
const colon = (text: string): number =>
  outside(text, (all, i) => all[i] === ":" && all[i + 1] !== ":" && all[i - 1] !== ":")

const plain: Omit<Parameter, "name" | "type"> = {
  optional: false,
  rest: false,
  namedRest: false,
  namedOnly: false,
  positionalOnly: false
}
const squeeze = (text: string): string => text.replace(/\s+/g, " ").trim()

/** One parameter; undefined for one that callers do not pass. */
const parameterOf = (
  style: Style,
  written: string,
  place: number,
  member: boolean
): Parameter | undefined => {
  const whole = squeeze(
    written.replace(/^(?:@[\w.]+(?:\([^)]*\))?\s*|\[\[?[\w\s,().="]*\]\]?\s+(?=\w)|#\[[^\]]*\]\s*)+/, "")
  )
  const equals = assigned(whole)
  const head = equals < 0 ? whole : whole.slice(0, equals).trim()
  const optional = equals >= 0
  const at = colon(head)
  const left = (at < 0 ? head : head.slice(0, at)).trim()
  const right = at < 0 ? "" : head.slice(at + 1).trim()
  const last = (text: string) => /([A-Za-z_$][\w$]*)\s*(?:\[\s*\w*\s*\])*$/.exec(text)?.[1] ?? ""
  switch (style) {
    case "ecmascript": {
      const bare = left.replace(/^(?:(?:public|private|protected|readonly|override)\s+)+/, "")
      if (bare === "this" && at >= 0) return undefined
      const rest = bare.startsWith("...")
      const name = bare.replace(/^\.\.\./, "").replace(/\?$/, "")
      return { ...plain, name, type: right, optional: optional || rest || bare.endsWith("?"), rest }
    }
    case "python": {
      const name = left.replace(/^\*+/, "")
      if (place === 0 && member && (name === "self" || name === "cls") && at < 0) return undefined
      if (whole.startsWith("**")) return { ...plain, name, type: right, optional: true, namedRest: true }
      if (whole.startsWith("*")) return { ...plain, name, type: right, optional: true, rest: true }
      return { ...plain, name, type: right, optional }
    }
    case "rust": {
      if (/^(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self$/.test(left)) return undefined
      return { ...plain, name: left.replace(/^mut\s+/, ""), type: right }
    }
    case "kotlin":
    case "scala": {
      const words = left.split(" ")
      const name = words[words.length - 1]!
      const rest = words.includes("vararg") || (style === "scala" && right.endsWith("*"))
      return { ...plain, name, type: right, optional: optional || rest, rest }
    }
    case "swift": {
      const [label] = left.split(" ")
      const rest = right.endsWith("...")
      // Only a label is part of a call; `_` takes it away.
      return { ...plain, name: label === "_" ? "" : label!, type: right, optional: optional || rest, rest }
    }
    case "php": {
      const name = /\$(\w+)/.exec(head)?.[1] ?? ""
      const rest = head.includes("...")
      return {
        ...plain,
        name,
        type: head
          .replace(/(?:\.\.\.|&)?\s*&?\$\w+.*$/, "")
          .replace(/^(?:(?:public|private|protected|readonly)\s+)+/, "")
          .trim(),
        optional: optional || rest,
        rest
      }
    }
    case "ruby": {
      if (whole.startsWith("&")) return undefined
      if (whole.startsWith("**"))
        return { ...plain, name: whole.slice(2), type: "", optional: true, namedRest: true }
      if (whole.startsWith("*"))
        return { ...plain, name: whole.slice(1), type: "", optional: true, rest: true }
      const key = /^(\w+):\s*(.*)$/.exec(whole)
      if (key !== null) return { ...plain, name: key[1]!, type: "", optional: key[2] !== "", namedOnly: true }
      return { ...plain, name: head, type: "", optional }
    }
    case "lua":
      return { ...plain, name: whole, type: "", optional: true, rest: whole === "..." }
    case "java":
    case "csharp": {
      const bare = head.replace(/^(?:(?:final|in|out|ref|scoped|readonly)\s+)+/, "")
      if (style === "csharp" && place === 0 && bare.startsWith("this ")) return undefined
      const rest = /\.\.\./.test(bare) || /^params\s/.test(bare)
      const name = last(bare)
      return {
        ...plain,
        name,
        type: squeeze(bare.slice(0, bare.lastIndexOf(name))),
        optional: optional || rest,
        rest
      }
    }
    case "c": {
      if (whole === "...") return { ...plain, name: "", type: "...", optional: true, rest: true }
      const name = / |\*|&/.test(head) ? last(head) : ""
      return {
        ...plain,
        name,
        type: squeeze(name === "" ? head : head.slice(0, head.lastIndexOf(name))),
        optional,
        rest: /\.\.\./.test(head)
      }
    }
    case "go":
      return { ...plain, name: "", type: whole, rest: /\.\.\./.test(whole), optional: /\.\.\./.test(whole) }
  }
}

/** Go writes one type behind several names: `a, b int`. */
const goParameters = (parts: ReadonlyArray<string>): ReadonlyArray<Parameter> => {
  const named = parts.some(
    (part) => /^[A-Za-z_]\w*\s+\S/.test(part) && !/^(?:chan|func|map|struct|interface)\b/.test(part)
  )
  const out: Array<Parameter> = []
  let type = ""
  for (const part of [...parts].reverse()) {
    const whole = squeeze(part)
    const match = named ? /^([A-Za-z_]\w*)(?:\s+(.+))?$/s.exec(whole) : null
    if (match?.[2] !== undefined) type = match[2]
    const own = match === null ? whole : type
    const rest = own.startsWith("...")
    out.unshift({ ...plain, name: match?.[1] ?? "", type: own, rest, optional: rest })
  }
  return out
}

/** Index behind type parameters that begin at `from`, and behind white space; `from` itself when there are none. */
const behindGenerics = (text: string, from: number): number => {
  let at = from
  while (/\s/.test(text[at] ?? "")) at++
  if (text[at] === "[") at = closing(text, at)
  else if (text[at] === "<") {
    let depth = 0
    for (; at < text.length; at++) {
      if (text[at] === "<") depth++
      else if (text[at] === ">" && text[at - 1] !== "-" && text[at - 1] !== "=" && --depth === 0) break
    }
    at++
  }
  if (at < 0) return from
  while (/[\s?!]/.test(text[at] ?? "")) at++
  return at
}

/** Where the parameter list opens: behind the name, type parameters passed. */
const listAt = (text: string, name: string): number => {
  for (let from = 0; from >= 0 && name !== ""; ) {
    const at = text.indexOf(name, from)
    if (at < 0) break
    const before = text[at - 1] ?? " "
    const after = text.slice(at + name.length)
    if (!/[\w$]/.test(before) && !/^[\w$]/.test(after)) {
      const direct = behindGenerics(after, 0)
      if (after[direct] === "(") return at + name.length + direct
      const open = after.indexOf("(")
      if (
        open >= 0 &&
        /^\s*(?::[^=]*)?=\s*(?:async\s*)?(?:function\b[^(]*)?(?:<[^()]*>\s*)?$/.test(after.slice(0, open))
      )
        return at + name.length + open
    }
    from = at + 1
  }
  return -1
}

/** Reads the header of a function called `name`, or of one without a name. Undefined when no parameter list is found. */
export const readSignature = (
  written: string,
  name: string,
  style: Style,
  member: boolean
): Signature | undefined => {
  const text = written.trim()
  let open = listAt(text, name)
  let found = name
  if (open < 0) {
    // A header may have another name, or none.
    const other =
      /(?:^|[\s*&])(?:function\*?|def|func|fn|fun|sub|proc)\s*(?:\([^)]*\)\s*)?([\w$.]+[?!=]?)\s*(?:<[^(]*>|\[[^(]*\])?\s*\(/.exec(
        text
      ) ?? /(?:^|[\s*&.:])([A-Za-z_$][\w$]*)\s*(?:<[^()]*>)?\s*\(/.exec(text)
    if (other !== null && !/^(?:async|function|return|new|fn|func|def|fun)$/.test(other[1]!)) {
      found = other[1]!.split(".").pop()!
      open = other.index + other[0].length - 1
    } else {
      open = text.indexOf("(")
      found = ""
    }
  }
  const async = /^(?:\w+\s+)*async\b/.test(text) || /=\s*async\b/.test(text) || /\bsuspend\s+fun\b/.test(text)
  if (open < 0) {
    const arrow = style === "ecmascript" ? /(?:=|^)\s*(?:async\s+)?([A-Za-z_$][\w$]*)\s*=>/.exec(text) : null
    if (arrow !== null)
      return { name: found, parameters: [{ ...plain, name: arrow[1]!, type: "" }], returns: "", async }
    if (style === "ruby") {
      const bare = /^def\s+(?:self\.)?([\w?!=]+)\s*(.*)$/.exec(text)
      if (bare === null) return undefined
      const parts = split(bare[2]!, false)
      return parts === undefined
        ? undefined
        : {
            name: bare[1]!,
            parameters: parts.flatMap((part, i) => parameterOf(style, part, i, member) ?? []),
            returns: "",
            async
          }
    }
    return undefined
  }
  const end = closing(text, open)
  if (end < 0) return undefined
  const parts = split(text.slice(open + 1, end - 1), style !== "python" && style !== "ruby")
  if (parts === undefined) return undefined
  const shown = style === "c" && parts.length === 1 && parts[0] === "void" ? [] : parts
  let parameters: Array<Parameter> = []
  if (style === "go") parameters = [...goParameters(shown)]
  else {
    let namedOnly = false
    for (const [place, part] of shown.entries()) {
      if (style === "python" && part === "*") {
        namedOnly = true
        continue
      }
      if (style === "python" && part === "/") {
        parameters = parameters.map((each) => ({ ...each, positionalOnly: true }))
        continue
      }
      const own = parameterOf(style, part, place, member)
      if (own === undefined) continue
      parameters.push(namedOnly && !own.namedRest ? { ...own, namedOnly: true } : own)
      if (style === "python" && own.rest) namedOnly = true
    }
  }
  const after = text
    .slice(end)
    .replace(/(?:\{|=>|=)\s*$/, "")
    .trim()
  const returns =
    style === "java" || style === "csharp" || style === "c"
      ? squeeze(
          text
            .slice(0, open)
            .replace(/[A-Za-z_~][\w:~]*\s*(?:<[^()]*>)?\s*$/, "")
            .replace(
              /\b(?:public|private|protected|internal|static|final|abstract|virtual|override|sealed|async|inline|extern|default|synchronized|constexpr|explicit|friend|native|unsafe|partial)\b\s*/g,
              ""
            )
            .replace(/@[\w.]+(?:\([^)]*\))?\s*/g, "")
        )
      : squeeze(after.replace(/^(?:->|:)\s*/, "").replace(/\s*(?:where\b.*|:|=>)$/s, ""))
  return { name: found, parameters, returns, async }
}

/** One argument of a call. */
export interface Argument {
  readonly name: string | undefined
  /** Stands for any number of arguments, by position or by name. */
  readonly spread: boolean
}

/** Reads the arguments of a call whose text begins at the called name. Undefined when there is no list to read. */
export const readArguments = (text: string, style: Style): ReadonlyArray<Argument> | undefined => {
  const callee = /^[\w$]+[?!]?/.exec(text)?.[0] ?? ""
  let open = callee.length
  const rest = text.slice(open)
  const between = /^(?:\?\.|!)?\s*(?:::)?\s*(?:<[^()]*>|\[[^()\]]*\])?\s*(?:\?\.)?/.exec(rest)?.[0] ?? ""
  open += between.length
  if (text[open] !== "(") return undefined
  const end = closing(text, open)
  if (end < 0) return undefined
  const parts = split(
    text.slice(open + 1, end - 1),
    style === "ecmascript" || style === "java" || style === "kotlin" || style === "csharp"
  )
  if (parts === undefined) return undefined
  const out = parts.map((part): Argument => {
    const spread =
      style === "ecmascript" || style === "php"
        ? part.startsWith("...")
        : style === "python" || style === "ruby" || style === "kotlin"
          ? /^\*{1,2}[\w("'[{]/.test(part)
          : style === "go" || style === "c"
            ? part.endsWith("...")
            : style === "scala"
              ? /:\s*_\*$|\*$/.test(part)
              : style === "lua"
                ? part === "..."
                : false
    const named =
      style === "python" || style === "kotlin" || style === "scala"
        ? /^([A-Za-z_]\w*)\s*=(?!=)/.exec(part)?.[1]
        : style === "csharp" || style === "swift" || style === "php"
          ? /^([A-Za-z_]\w*)\s*:(?!:)/.exec(part)?.[1]
          : style === "ruby"
            ? /^([A-Za-z_]\w*):(?!:)/.exec(part)?.[1]
            : undefined
    return { name: named, spread }
  })
  // A block or closure behind the list is one more argument.
  if ((style === "kotlin" || style === "swift") && /^[ \t]*\{/.test(text.slice(end)))
    out.push({ name: undefined, spread: false })
  return out
}

/** Whether a call fits. */
export type Fit =
  | { readonly verdict: "ok" }
  | { readonly verdict: "breaks" | "unknown"; readonly kind: string; readonly reason: string }

const called = (parameter: Parameter, place: number): string =>
  parameter.name === "" ? `argument ${place + 1}` : `\`${parameter.name}\``

/** Holds the arguments of a call to the parameters it would meet. */
export const fits = (
  parameters: ReadonlyArray<Parameter>,
  args: ReadonlyArray<Argument>,
  style: Style
): Fit => {
  const byName = style === "swift" ? [] : args.filter(({ name }) => name !== undefined)
  const positional = args.filter(({ name, spread }) => !spread && (name === undefined || style === "swift"))
  const spread = args.some((argument) => argument.spread)
  const places = parameters.filter(({ namedOnly, namedRest, rest }) => !namedOnly && !namedRest && !rest)
  const rest = parameters.some((parameter) => parameter.rest)
  const namedRest = parameters.some((parameter) => parameter.namedRest)
  if (positional.length > places.length && !rest && style !== "lua")
    return {
      verdict: "breaks",
      kind: "too_many_arguments",
      reason: `passes ${positional.length} arguments by position, ${places.length} are taken`
    }
  for (const { name } of byName) {
    const place = places.findIndex((parameter) => parameter.name === name && !parameter.positionalOnly)
    const known = place >= 0 || parameters.some((parameter) => parameter.namedOnly && parameter.name === name)
    // Ruby gathers names no parameter has into a hash for the last position.
    if (!known && !namedRest)
      return {
        verdict:
          style === "ruby" && places.length > 0 && !parameters.some(({ namedOnly }) => namedOnly)
            ? "unknown"
            : "breaks",
        kind: "unknown_name",
        reason: `names \`${name}\`, which is no parameter`
      }
    if (place >= 0 && place < positional.length)
      return { verdict: "breaks", kind: "passed_twice", reason: `passes \`${name}\` by position and by name` }
  }
  const named = new Set(byName.map(({ name }) => name))
  const missing = [
    ...places.filter(
      (parameter, place) => place >= positional.length && !parameter.optional && !named.has(parameter.name)
    ),
    ...parameters.filter(({ name, namedOnly, optional }) => namedOnly && !optional && !named.has(name))
  ]
  if (missing.length > 0 && style !== "lua") {
    const names = missing.map((parameter) => called(parameter, parameters.indexOf(parameter))).join(", ")
    return spread
      ? {
          verdict: "unknown",
          kind: "spread",
          reason: `spreads arguments, which may or may not give ${names}`
        }
      : { verdict: "breaks", kind: "missing_arguments", reason: `does not pass ${names}` }
  }
  if (style === "swift") {
    let place = 0
    for (const { name } of positional) {
      while (place < places.length && places[place]!.optional && places[place]!.name !== (name ?? "")) place++
      const parameter = places[place++]
      if (parameter === undefined) break
      if (parameter.name !== (name ?? "") && place < positional.length)
        return {
          verdict: "breaks",
          kind: "label",
          reason: `labels an argument ${name ?? "not at all"} where ${called(parameter, place - 1)} is taken`
        }
    }
  }
  if (spread)
    return { verdict: "unknown", kind: "spread", reason: "spreads arguments, whose number is not known" }
  return { verdict: "ok" }
}

/** Arguments by position that would mean something else: places where the old parameter has moved to. */
export const reordered = (
  before: ReadonlyArray<Parameter>,
  after: ReadonlyArray<Parameter>,
  positional: number
): string | undefined => {
  for (let place = 0; place < Math.min(positional, before.length); place++) {
    const { name } = before[place]!
    if (name === "" || after[place]?.name === name) continue
    const now = after.findIndex((parameter) => parameter.name === name)
    if (now >= 0 && !after[now]!.rest)
      return `argument ${place + 1} is \`${name}\`, which would be taken ${now < place ? "earlier" : "later"}`
  }
  return undefined
}

/** Types of parameters a call passes that would be others, as `name: old -> new`. */
export const retyped = (
  before: ReadonlyArray<Parameter>,
  after: ReadonlyArray<Parameter>,
  positional: number
): ReadonlyArray<string> =>
  after.flatMap((parameter, place) => {
    const was =
      before.find(({ name }) => name !== "" && name === parameter.name) ??
      (parameter.name === "" ? before[place] : undefined)
    return place < positional && was !== undefined && was.type !== parameter.type
      ? [
          `${parameter.name === "" ? `argument ${place + 1}` : parameter.name}: ${was.type || "untyped"} -> ${parameter.type || "untyped"}`
        ]
      : []
  })
