/** Routes that are files: the path of a file is the path it answers. */
import type { Handler, LocalFact } from "../Local.ts"
import { ecmascript, type Pass, type Source } from "../Pass.ts"

const verbs = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

/** Verbs that a module exports, with their lines; `fallback` and `ALL` answer any. */
const exportedVerbs = ({
  script
}: Source): ReadonlyArray<{
  readonly method: string
  readonly handler: Handler
  readonly line: number
  readonly column: number
}> => {
  const found: Array<{
    readonly method: string
    readonly handler: Handler
    readonly line: number
    readonly column: number
  }> = []
  for (let i = 0; i + 2 < script.count; i++) {
    if (script.word(i) !== "export") continue
    let k = i + 1
    if (script.word(k) === "async") k++
    if (!/^(?:function|const|let|var)$/.test(script.word(k))) {
      if (script.word(k) !== "{") continue
      for (let n = k + 1; n < (script.tokens.match[k] ?? -1); n++)
        if (verbs.includes(script.word(n)) && script.word(n + 1) !== "as") {
          const at = { line: script.line(n), column: script.column(n) }
          found.push({
            method: script.word(n),
            handler: { kind: "name", name: script.word(n), ...at },
            ...at
          })
        }
      continue
    }
    const names: Array<number> = []
    if (script.word(k + 1) === "{")
      for (let n = k + 2; n < (script.tokens.match[k + 1] ?? -1); n++) names.push(n)
    else names.push(k + 1)
    for (const n of names) {
      const name = script.word(n)
      if (!verbs.includes(name) && name !== "fallback" && name !== "ALL") continue
      const at = { line: script.line(n), column: script.column(n) }
      found.push({
        method: verbs.includes(name) ? name : "ANY",
        handler: { kind: "definition", name, ...at },
        ...at
      })
    }
  }
  return found
}

const whole: Handler = { kind: "file" }
const first = { line: 1, column: 0 }
const page = (pass: string, path: string, method = "GET", protocol = "http"): LocalFact => ({
  kind: "route",
  pass,
  protocol,
  method,
  path: path === "" ? "/" : path,
  handler: whole,
  ...first
})

/** `[id]`, `[...rest]`, `[[opt]]` and `(group)` as templates. */
const segmentsOf = (segments: ReadonlyArray<string>): string =>
  segments
    .filter((segment) => segment !== "" && !/^\(.*\)$/.test(segment) && !/^@\w+$/.test(segment))
    .map((segment) =>
      segment.replace(/\[\[?\.\.\.(\w+)\]\]?/g, "*$1").replace(/\[\[?([\w-]+)(?:=\w+)?\]\]?/g, ":$1")
    )
    .map((segment) => `/${segment}`)
    .join("")

const nextFile = /(?:^|\/)(?:src\/)?(app|pages)\/((?:.*\/)?)([^/]+)\.(tsx|ts|jsx|js)$/

export const next: Pass = {
  name: "next",
  family: "routes",
  languages: ecmascript,
  files: (path) => {
    const found = nextFile.exec(path)
    return found !== null && (found[1] === "app" ? /^(?:route|page)$/.test(found[3]!) : true)
  },
  hints: ["next", "export"],
  *read(source): Generator<LocalFact> {
    const found = nextFile.exec(source.path)
    if (found === null) return
    const [, kind, folder, name] = found as unknown as [string, string, string, string]
    const segments = folder.split("/")
    if (kind === "app") {
      if (name === "page" && /\bexport\s+default\b|\bas\s+default\b/.test(source.text))
        yield page("next", segmentsOf(segments))
      if (name === "route")
        for (const { column, handler, line, method } of exportedVerbs(source))
          yield {
            kind: "route",
            pass: "next",
            protocol: "http",
            method,
            path: segmentsOf(segments) === "" ? "/" : segmentsOf(segments),
            handler,
            line,
            column
          }
      return
    }
    if (
      name.startsWith("_") ||
      !/\bexport\s+default\b|\bas\s+default\b|module\.exports/.test(source.text) ||
      /\.(?:test|spec|stories|d)$/.test(name)
    )
      return
    // Angular, Ionic and others have folders of that name too; what is next to them tells.
    if (segments[0] === "api")
      yield page("next", segmentsOf([...segments, name === "index" ? "" : name]), "ANY")
    else if (
      /\.(?:tsx|jsx|js)$/.test(source.path) &&
      /["']next(?:\/[\w-]+)?["']|getServerSideProps|getStaticProps|<\w/.test(source.text)
    )
      yield page("next", segmentsOf([...segments, name === "index" ? "" : name]))
  }
}

const svelteFile = /(?:^|\/)src\/routes\/((?:.*\/)?)\+(server|page|page\.server)\.(svelte|ts|js)$/
export const sveltekit: Pass = {
  name: "sveltekit",
  family: "routes",
  languages: ["svelte", "typescript", "javascript"],
  files: (path) => svelteFile.test(path),
  *read(source): Generator<LocalFact> {
    const found = svelteFile.exec(source.path)
    if (found === null) return
    const path = segmentsOf(found[1]!.split("/"))
    if (found[2] === "server") {
      for (const { column, handler, line, method } of exportedVerbs(source))
        yield {
          kind: "route",
          pass: "sveltekit",
          protocol: "http",
          method,
          path: path === "" ? "/" : path,
          handler,
          line,
          column
        }
    } else if (found[3] === "svelte") yield page("sveltekit", path)
    else if (found[2] === "page.server" && /\bexport\s+(?:const|let|var)\s+actions\b/.test(source.text)) {
      const line = source.line(source.text.search(/\bexport\s+(?:const|let|var)\s+actions\b/))
      yield {
        kind: "route",
        pass: "sveltekit",
        protocol: "http",
        method: "POST",
        path: path === "" ? "/" : path,
        handler: { kind: "file", name: "actions" },
        line,
        column: 0
      }
    }
  }
}

const remixFile = /(?:^|\/)app\/routes\/(.+)\.(tsx|ts|jsx|js)$/
export const remix: Pass = {
  name: "remix",
  family: "routes",
  languages: ecmascript,
  files: (path) => remixFile.test(path),
  *read(source): Generator<LocalFact> {
    const found = remixFile.exec(source.path)
    if (found === null) return
    const { text } = source
    const loader =
      /\bexport\s+(?:async\s+)?(?:function|const|let)\s+loader\b|\bexport\s*\{[^}]*\bloader\b/.test(text)
    const action =
      /\bexport\s+(?:async\s+)?(?:function|const|let)\s+action\b|\bexport\s*\{[^}]*\baction\b/.test(text)
    const view = /\bexport\s+default\b/.test(text)
    if (!loader && !action && !view) return
    if (!/["'](?:@remix-run\/|react-router|@react-router\/|remix["'])|\.\/\+types\//.test(text)) {
      // A component alone may as well be another framework's.
      if (!loader && !action) return
    }
    const path = found[1]!
      .replace(/\/(?:route|index)$/, "")
      .split(/[./](?![^[]*\])/)
      .filter((segment) => segment !== "_index" && segment !== "index" && !segment.startsWith("_"))
      .map((segment) =>
        segment
          .replace(/_$/, "")
          .replace(/^\((.*)\)$/, "$1?")
          .replace(/^\$$/, "*")
          .replace(/^\$(.+)/, ":$1")
          .replace(/\[(.+?)\]/g, "$1")
      )
      .map((segment) => `/${segment}`)
      .join("")
    const lineOf = (word: string): number =>
      source.line(Math.max(0, text.search(new RegExp(`\\bexport\\b[^\\n]*\\b${word}\\b`))))
    const rooted = path === "" ? "/" : path
    if (loader || view)
      yield {
        kind: "route",
        pass: "remix",
        protocol: "http",
        method: "GET",
        path: rooted,
        handler: { kind: "file", name: loader ? "loader" : "default" },
        line: loader ? lineOf("loader") : lineOf("default"),
        column: 0
      }
    if (action)
      yield {
        kind: "route",
        pass: "remix",
        protocol: "http",
        method: "POST",
        path: rooted,
        handler: { kind: "file", name: "action" },
        line: lineOf("action"),
        column: 0
      }
  }
}

const nuxtFile = /(?:^|\/)server\/(api|routes)\/(.+)\.(ts|js|mjs)$/
export const nuxt: Pass = {
  name: "nuxt",
  family: "routes",
  languages: ["typescript", "javascript"],
  files: (path) => nuxtFile.test(path),
  *read({ path: file, text }): Generator<LocalFact> {
    const found = nuxtFile.exec(file)
    if (found === null || !/\b(?:defineEventHandler|eventHandler|defineCachedEventHandler)\b/.test(text))
      return
    const named = /^(.*?)(?:\.(get|post|put|patch|delete|head|options))?$/.exec(found[2]!)!
    const path = segmentsOf([
      ...(found[1] === "api" ? ["api"] : []),
      ...named[1]!.replace(/(?:^|\/)index$/, "").split("/")
    ])
    yield page("nuxt", path, named[2]?.toUpperCase() ?? "ANY")
  }
}

const astroFile = /(?:^|\/)src\/pages\/(.+)\.(ts|js)$/
export const astro: Pass = {
  name: "astro",
  family: "routes",
  languages: ["typescript", "javascript"],
  files: (path) => astroFile.test(path),
  *read(source): Generator<LocalFact> {
    const found = astroFile.exec(source.path)
    if (found === null || !/["']astro["']|\bAPIRoute\b/.test(source.text)) return
    const path = segmentsOf(found[1]!.replace(/(?:^|\/)index$/, "").split("/"))
    for (const { column, handler, line, method } of exportedVerbs(source))
      yield {
        kind: "route",
        pass: "astro",
        protocol: "http",
        method,
        path: path === "" ? "/" : path,
        handler,
        line,
        column
      }
  }
}
