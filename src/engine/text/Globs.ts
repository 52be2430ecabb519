/**
 * Globs over repository-relative paths with `/`:
 * `*` and `?` within a segment, `**` across segments when it is a whole
 * segment, `[a-z]` and `[!a-z]`, `{a,b}` (may nest), `\` escapes. A glob
 * without `/` matches the last segment at any depth; a leading `/` anchors
 * at the root. A trailing `/` or `/**` matches what lies inside.
 */
export interface GlobOptions {
  /** Default false. */
  readonly ignoreCase?: boolean
}

/** A malformed glob; `position` is a 0-based UTF-16 offset into it. */
export class InvalidGlob extends Error {
  readonly _tag = "InvalidGlob"
  readonly code = "invalid_glob"
  readonly glob: string
  readonly position: number
  readonly reason: string
  constructor(fields: { readonly glob: string; readonly position: number; readonly reason: string }) {
    super(`invalid glob at ${fields.position}: ${fields.reason}`)
    this.glob = fields.glob
    this.position = fields.position
    this.reason = fields.reason
  }
}

export type PathMatcher = (path: string) => boolean

type Token =
  | { readonly kind: "char"; readonly text: string }
  | { readonly kind: "one" }
  | { readonly kind: "run" }
  | {
      readonly kind: "class"
      readonly negated: boolean
      readonly ranges: ReadonlyArray<readonly [string, string]>
    }
  /** Any number of whole segments, each with the `/` after it; may be none. */
  | { readonly kind: "directories" }
  /** Everything that is left; at least one character. */
  | { readonly kind: "rest" }

const maxAlternatives = 1024

/** UTF-16 units a glob may have. No path is as long as that. */
export const maxGlobLength = 4096

/** Tokens of every way to choose among the alternatives. */
const tokenise = (glob: string, source: string): Array<ReadonlyArray<Token>> => {
  const fail = (reason: string, position: number): never => {
    throw new InvalidGlob({ glob, position: position + glob.length - source.length, reason })
  }
  let at = 0
  const sequence = (depth: number): Array<ReadonlyArray<Token>> => {
    let results: Array<ReadonlyArray<Token>> = [[]]
    const append = (options: ReadonlyArray<ReadonlyArray<Token>>): void => {
      if (results.length * options.length > maxAlternatives)
        fail(`more than ${maxAlternatives} alternatives`, at)
      results = results.flatMap((result) => options.map((option) => [...result, ...option]))
    }
    while (at < source.length) {
      const next = source[at]!
      if (depth > 0 && (next === "," || next === "}")) return results
      if (next === "\\") {
        if (at + 1 >= source.length) fail("a lone `\\` at the end", at)
        const text = String.fromCodePoint(source.codePointAt(at + 1)!)
        append([[{ kind: "char", text }]])
        at += 1 + text.length
      } else if (next === "?") {
        append([[{ kind: "one" }]])
        at++
      } else if (next === "*") {
        let end = at
        while (source[end] === "*") end++
        const opens =
          at === 0 ||
          source[at - 1] === "/" ||
          (depth > 0 && (source[at - 1] === "{" || source[at - 1] === ","))
        const closes =
          end === source.length ||
          source[end] === "/" ||
          (depth > 0 && (source[end] === "}" || source[end] === ","))
        if (end - at === 2 && opens && closes) {
          if (source[end] === "/") {
            append([[{ kind: "directories" }]])
            end++
          } else append([[{ kind: "rest" }]])
        } else append([[{ kind: "run" }]])
        at = end
      } else if (next === "[") append([[bracket()]])
      else if (next === "{") {
        const start = at++
        const options: Array<ReadonlyArray<Token>> = []
        for (;;) {
          options.push(...sequence(depth + 1))
          if (at >= source.length) fail("unclosed `{`", start)
          if (source[at++] === "}") break
        }
        append(options)
      } else if (next === "}") fail("`}` without `{`", at)
      else {
        const text = String.fromCodePoint(source.codePointAt(at)!)
        append([[{ kind: "char", text }]])
        at += text.length
      }
    }
    return results
  }
  const bracket = (): Token => {
    const start = at++
    const negated = source[at] === "!" || source[at] === "^"
    if (negated) at++
    const ranges: Array<readonly [string, string]> = []
    const character = (): string => {
      if (at >= source.length) fail("unclosed `[`", start)
      const text = String.fromCodePoint(source.codePointAt(at)!)
      at += text.length
      return text
    }
    for (let first = true; ; first = false) {
      if (at >= source.length) fail("unclosed `[`", start)
      if (source[at] === "]" && !first) break
      const low = character()
      if (source[at] === "-" && at + 1 < source.length && source[at + 1] !== "]") {
        at++
        const high = character()
        if (low.codePointAt(0)! > high.codePointAt(0)!) fail("the range is out of order", start)
        ranges.push([low, high])
      } else ranges.push([low, low])
    }
    at++
    return { kind: "class", negated, ranges }
  }
  return sequence(0)
}

const inClass = (token: Token & { readonly kind: "class" }, text: string): boolean => {
  const point = text.codePointAt(0)!
  return (
    token.ranges.some(([low, high]) => low.codePointAt(0)! <= point && point <= high.codePointAt(0)!) !==
    token.negated
  )
}

/** Linear in `path.length * tokens.length`: positions reached are kept as a set. */
const matches = (
  tokens: ReadonlyArray<Token>,
  characters: ReadonlyArray<string>,
  ignoreCase: boolean
): boolean => {
  const length = characters.length
  let reached = new Uint8Array(length + 1)
  reached[0] = 1
  for (const token of tokens) {
    const next = new Uint8Array(length + 1)
    let some = false
    let open = false
    for (let at = 0; at <= length; at++) {
      const here = reached[at] === 1
      switch (token.kind) {
        case "run":
          if (here) open = true
          if (open) next[at] = 1
          if (at < length && characters[at] === "/") open = false
          break
        case "directories":
          // Reached itself, and after every `/` beyond.
          if (here) next[at] = 1
          if (open && at > 0 && characters[at - 1] === "/") next[at] = 1
          if (here) open = true
          break
        case "rest":
          if (here && at < length) next[length] = 1
          break
        default: {
          if (!here || at >= length) break
          const text = characters[at]!
          const fits =
            token.kind === "char"
              ? token.text === text
              : token.kind === "one"
                ? text !== "/"
                : text !== "/" &&
                  (ignoreCase && !token.negated
                    ? inClass(token, text) || inClass(token, text.toUpperCase())
                    : ignoreCase
                      ? inClass(token, text) && inClass(token, text.toUpperCase())
                      : inClass(token, text))
          if (fits) next[at + 1] = 1
        }
      }
    }
    for (let at = 0; at <= length && !some; at++) some = next[at] === 1
    if (!some) return false
    reached = next
  }
  return reached[length] === 1
}

const fold = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> =>
  tokens.map((token) => (token.kind === "char" ? { kind: "char", text: token.text.toLowerCase() } : token))

/** Compiles one glob. Throws {@link InvalidGlob}. */
export const compileGlob = (glob: string, options: GlobOptions = {}): PathMatcher => {
  if (glob === "") throw new InvalidGlob({ glob, position: 0, reason: "empty" })
  if (glob.length > maxGlobLength) {
    throw new InvalidGlob({
      glob,
      position: maxGlobLength,
      reason: `longer than ${maxGlobLength} characters`
    })
  }
  const ignoreCase = options.ignoreCase ?? false
  let source = glob
  const anchored = source.startsWith("/")
  if (anchored) source = source.slice(1)
  const bare = !anchored && !source.slice(0, -1).includes("/")
  const inside = source.endsWith("/")
  if (inside) source += "**"
  const alternatives = tokenise(inside ? `${glob}**` : glob, source).map((tokens) =>
    ignoreCase ? fold(tokens) : tokens
  )
  const prepared: ReadonlyArray<ReadonlyArray<Token>> =
    bare && inside
      ? alternatives.map((tokens) => [{ kind: "directories" } as const, ...tokens])
      : alternatives
  const fast = ignoreCase ? undefined : simple(source, bare)
  if (fast !== undefined) return fast
  return (path) => {
    const subject = bare && !inside ? path.slice(path.lastIndexOf("/") + 1) : path
    const characters = Array.from(ignoreCase ? subject.toLowerCase() : subject)
    return prepared.some((tokens) => matches(tokens, characters, ignoreCase))
  }
}

/** The common shapes `*.ext`, `name` and `dir/**` without the general machine. */
const simple = (source: string, bare: boolean): PathMatcher | undefined => {
  const special = /[*?[\]{}\\]/
  if (source.startsWith("*") && bare && !special.test(source.slice(1)) && !source.includes("/")) {
    const suffix = source.slice(1)
    return (path) => path.endsWith(suffix)
  }
  if (!bare && source.endsWith("/**") && !special.test(source.slice(0, -3))) {
    const prefix = source.slice(0, -2)
    return (path) => path.length > prefix.length && path.startsWith(prefix)
  }
  return undefined
}

/**
 * One matcher for a list of globs as ripgrep reads it: the last glob that
 * matches decides, `!` in front excludes, an excluded directory takes all it
 * holds with it, and without any positive glob everything that is not excluded
 * matches. Throws {@link InvalidGlob}.
 */
export const compileGlobs = (globs: ReadonlyArray<string>, options: GlobOptions = {}): PathMatcher => {
  const rules = globs.map((glob) => {
    const excluded = glob.startsWith("!")
    return { excluded, matches: compileGlob(excluded ? glob.slice(1) : glob, options) }
  })
  const whitelist = rules.some((rule) => !rule.excluded)
  const excludes = rules.some((rule) => rule.excluded)
  const deciding = (path: string) => rules.findLast((rule) => rule.matches(path))
  return (path) => {
    if (excludes) {
      for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
        if (deciding(path.slice(0, at))?.excluded === true) return false
      }
    }
    const rule = deciding(path)
    return rule === undefined ? !whitelist : !rule.excluded
  }
}
