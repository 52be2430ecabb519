/** What prose says of code: links, paths, names and commands, each with its line. */

export interface Said {
  readonly line: number
  readonly text: string
}

export interface Prose {
  /** Targets of links, as written. */
  readonly links: ReadonlyArray<Said>
  /** Inline code. */
  readonly spans: ReadonlyArray<Said>
  /** Lines of fenced code that is a shell's, or says no language. */
  readonly commands: ReadonlyArray<Said>
  readonly title: string | undefined
}

/** Reads Markdown. Fenced code is taken for examples, apart from commands. */
export const proseOf = (text: string): Prose => {
  const links: Array<Said> = []
  const spans: Array<Said> = []
  const commands: Array<Said> = []
  let title: string | undefined
  let fence: { readonly mark: string; readonly shell: boolean } | undefined
  text.split(/\r\n|\n|\r/).forEach((whole, i) => {
    const line = i + 1
    const edge = /^\s*(`{3,}|~{3,})\s*([\w-]*)/.exec(whole)
    if (edge !== null) {
      if (fence === undefined)
        fence = {
          mark: edge[1]!,
          shell: ["", "sh", "bash", "shell", "console", "zsh", "text"].includes(edge[2]!.toLowerCase())
        }
      else if (edge[1]!.startsWith(fence.mark)) fence = undefined
      return
    }
    if (fence !== undefined) {
      if (fence.shell) commands.push({ line, text: whole.trim().replace(/^[$>%]\s+/, "") })
      return
    }
    title ??= /^#\s+(.+?)\s*#*$/.exec(whole)?.[1]
    for (const [, ticks, inner] of whole.matchAll(/(`+)(.+?)\1(?!`)/g))
      if (ticks!.length <= 2) spans.push({ line, text: inner!.trim() })
    // What stands in inline code is no link.
    const bare = whole.replace(/(`+)(.+?)\1(?!`)/g, (all) => " ".repeat(all.length))
    for (const [, target] of bare.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g))
      links.push({ line, text: target! })
    const reference = /^\s{0,3}\[[^\]^]+\]:\s*<?([^\s>]+)>?/.exec(bare)
    if (reference !== null) links.push({ line, text: reference[1]! })
  })
  return { links, spans, commands, title }
}

/** A path among inline code: with a slash or a suffix, and without what makes it a pattern, an address or a call. */
export const pathIn = (span: string): string | undefined => {
  const text = span.replace(/[:#]L?\d+(?:[-:]L?\d+)*$/, "").replace(/^\.\//, "")
  if (!text.includes("/") || /[\s*{}<>$|()"'=,;!?\\]|^[~@/-]|:\/\/|^\w+:|\.\.\.|…|^\.\.?$/.test(text))
    return undefined
  return text
}

/** Lines a span or link names: `file.ts:12` or `file.ts#L12`. */
export const lineIn = (text: string): number | undefined => {
  const found = /(?:#L|:)(\d+)(?:[-:]L?\d+)*$/.exec(text)
  return found === null ? undefined : Number(found[1])
}

/** A name of code among inline code, when it looks like nothing else; the last part of one with dots. */
export const nameIn = (span: string): string | undefined => {
  const bare = span.replace(/\(.*\)$/s, "")
  if (!/^[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*$/.test(bare)) return undefined
  const called = bare !== span
  const parts = bare.split(/\.|::|#|->/)
  const last = parts.at(-1)!
  // `index.ts` is a file, and `e.g` is nothing.
  if (
    parts.length === 2 &&
    /^(?:[cm]?[jt]sx?|json|jsonc|md|mdx|ya?ml|toml|py|go|rs|java|rb|sh|css|html|lock|txt|env|sql|xml|ini|cfg|d)$/.test(
      last
    )
  )
    return undefined
  const humps = /[a-z\d][A-Z]/.test(last) || /^[A-Z][a-z\d]+[A-Z]/.test(last)
  const snake = /^[A-Za-z][A-Za-z\d]*_\w*[A-Za-z\d]$/.test(last)
  return (called || humps || snake || (parts.length > 1 && last.length > 3)) && last.length > 2
    ? last
    : undefined
}
