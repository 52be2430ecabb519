/** Components of user interfaces and which of them render which. */
import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass } from "../Pass.ts"
import { at } from "../Routers.ts"
import { T } from "../Lexer.ts"
import { argOf, textOf } from "../Script.ts"

const component = (
  framework: string,
  name: string,
  where: { readonly line: number; readonly column: number },
  data: { readonly [key: string]: unknown } = {}
): LocalFact => ({
  kind: "note",
  pass: framework,
  what: "component",
  name,
  data: { framework, ...data },
  names: { component: { kind: "definition", name, ...where } },
  ...where
})
/** `child` in a component of this file, by the name of the tag; `owner` where the graph cannot tell. */
const render = (
  framework: string,
  owner: string | undefined,
  tag: string,
  where: { readonly line: number; readonly column: number }
): LocalFact => ({
  kind: "note",
  pass: framework,
  what: "render",
  name: tag,
  data: { framework, ...(owner === undefined ? {} : { owner }) },
  names: { child: { kind: "name", name: tag.split(".").at(-1)!, ...where } },
  ...where
})

/** React and what else is written in JSX: a function or class with a capital that holds tags. */
export const jsx: Pass = {
  name: "react",
  family: "components",
  languages: ["tsx", "jsx", "javascript", "typescript"],
  hints: ["<"],
  *read({ language, script, text }): Generator<LocalFact> {
    if (language === "typescript" && !/createElement|React\b/.test(text)) return
    const framework = /["']solid-js/.test(text) ? "solid" : /["']preact/.test(text) ? "preact" : "react"
    const tags: Array<{ readonly name: string; readonly at: number }> = []
    for (let i = 0; i + 1 < script.count; i++) {
      if (
        script.word(i) === "<" &&
        script.kind(i + 1) === T.word &&
        script.tokens.start[i + 1] === script.tokens.end[i]
      ) {
        const before = script.word(i - 1)
        // Type arguments follow a name or a closing bracket at once; tags do not.
        if (
          script.kind(i - 1) === T.word &&
          !/^(?:return|default|case|else|yield)$/.test(before) &&
          script.tokens.start[i] === script.tokens.end[i - 1]
        )
          continue
        let k = i + 1
        let name = script.word(k)
        while (script.word(k + 1) === "." && script.kind(k + 2) === T.word) {
          k += 2
          name += `.${script.word(k)}`
        }
        const next = script.word(k + 1)
        // A generic arrow function or a comparison is no tag.
        if (
          next === "," ||
          next === "extends" ||
          (next === ">" && script.word(k + 2) === "(" && language === "typescript")
        )
          continue
        tags.push({ name, at: k })
      } else if (
        script.word(i) === "createElement" &&
        script.word(i + 1) === "(" &&
        script.kind(i + 2) === T.word
      )
        tags.push({ name: script.word(i + 2), at: i + 2 })
      else if (script.word(i) === "<" && script.word(i + 1) === ">") tags.push({ name: "", at: i })
    }
    if (tags.length === 0) return
    const owners = new Map<string, number>()
    const mine = (token: number): string | undefined => {
      // The outermost capitalised function or class around a tag renders it.
      let best: { readonly name: string; readonly from: number; readonly at: number } | undefined
      for (const fn of script.functions())
        if (
          /^[A-Z]/.test(fn.name) &&
          fn.from <= token &&
          token < fn.to &&
          (best === undefined || fn.from > best.from)
        )
          best = fn
      for (const each of script.classes())
        if (
          /(?:Component|PureComponent)\b/.test(each.header) &&
          each.from <= token &&
          token < each.to &&
          (best === undefined || each.from > best.from)
        )
          best = each
      if (best === undefined)
        // const Name = memo(() => <div/>), forwardRef(…), observer(…)
        for (const { chain, index } of script.enclosing(token)) {
          if (
            !/^(?:memo|forwardRef|observer|lazy|connect|styled|withRouter|inject)$/.test(
              chain.parts[index]!.name
            )
          )
            continue
          let k = chain.at - 1
          if (script.word(k) !== "=") continue
          k--
          if (script.kind(k) === T.word && /^[A-Z]/.test(script.word(k)))
            best = { name: script.word(k), from: k, at: k }
        }
      if (best === undefined) return undefined
      owners.set(best.name, best.at)
      return best.name
    }
    const renders: Array<LocalFact> = []
    const seen = new Set<string>()
    for (const { at: token, name } of tags) {
      const owner = mine(token)
      if (!/^[A-Z]|\./.test(name) || /^React\.(?:Fragment|StrictMode|Suspense)$/.test(name)) continue
      const key = `${owner}:${name}`
      if (seen.has(key)) continue
      seen.add(key)
      renders.push(render(framework, owner, name, at(script, token)))
    }
    for (const [name, token] of [...owners].sort((a, b) => a[1] - b[1]))
      yield component(framework, name, at(script, token))
    yield* renders
  }
}

const pascal = (tag: string): string =>
  tag.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
const nameOfFile = (path: string): string => {
  const base = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "")
  return base === "index" ? pascal(path.split("/").at(-2) ?? base) : base
}

const vueOwn =
  /^(?:Transition|TransitionGroup|KeepAlive|Teleport|Suspense|RouterLink|RouterView|NuxtLink|NuxtPage|NuxtLayout|ClientOnly|Component|Slot|Template)$/

/** Tags of a template with the place of their names. */
function* tagsOf(
  from: number,
  template: string
): Generator<{ readonly tag: string; readonly offset: number }> {
  for (const found of template.matchAll(/<([A-Za-z][\w.-]*)/g))
    yield { tag: found[1]!, offset: from + found.index + 1 }
}

/** A component that is a whole file. */
const ofFile = (framework: string, name: string) =>
  ({
    kind: "note",
    pass: framework,
    what: "component",
    name,
    data: { framework },
    names: { component: { kind: "file" } },
    line: 1,
    column: 0
  }) as const
/** A component that another one's markup has as a tag. */
const rendered = (framework: string, owner: string, name: string) =>
  ({ kind: "note", pass: framework, what: "render", name, data: { framework, owner, by: "tag" } }) as const

export const vue: Pass = {
  name: "vue",
  family: "components",
  languages: ["vue"],
  *read(source): Generator<LocalFact> {
    const name = nameOfFile(source.path)
    yield ofFile("vue", name)
    const template = /<template\b[^>]*>([\s\S]*)<\/template>/.exec(source.text)
    if (template === null) return
    const from = template.index + template[0].indexOf(">") + 1
    const seen = new Set<string>()
    for (const { offset, tag } of tagsOf(from, template[1]!)) {
      const child = pascal(tag)
      if ((!/^[A-Z]/.test(tag) && !tag.includes("-")) || vueOwn.test(child) || seen.has(child)) continue
      seen.add(child)
      yield { ...rendered("vue", name, child), ...source.at(offset) }
    }
  }
}

export const svelte: Pass = {
  name: "svelte",
  family: "components",
  languages: ["svelte"],
  *read(source): Generator<LocalFact> {
    const name = nameOfFile(source.path)
    yield ofFile("svelte", name)
    const markup = source.text.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, (all) =>
      all.replace(/[^\n]/g, " ")
    )
    const seen = new Set<string>()
    for (const { offset, tag } of tagsOf(0, markup)) {
      if (!/^[A-Z]/.test(tag) || seen.has(tag)) continue
      seen.add(tag)
      yield { ...rendered("svelte", name, tag), ...source.at(offset) }
    }
  }
}

/** Components of Angular by their selectors; templates in files of their own are read as files. */
export const angular: Pass = {
  name: "angular",
  family: "components",
  languages: ["typescript"],
  hints: ["@Component"],
  *read(source): Generator<LocalFact> {
    const { script } = source
    for (const { args, name, on } of script.decorations()) {
      if (name !== "Component" || on.kind !== "class") continue
      const options = args[0]?.value
      if (options?.kind !== "record") continue
      const selector = textOf(argOf(options.items, "selector"))
      const url = textOf(argOf(options.items, "templateUrl"))
      yield component("angular", on.name, at(script, on.at), {
        selector: selector ?? "",
        template_url: url ?? ""
      })
      const template = argOf(options.items, "template")
      if (template?.kind !== "string") continue
      const seen = new Set<string>()
      for (const found of template.text.matchAll(/<([a-z][\w]*-[\w-]+)/g)) {
        if (seen.has(found[1]!)) continue
        seen.add(found[1]!)
        yield {
          kind: "note",
          pass: "angular",
          what: "render",
          name: found[1]!,
          data: { framework: "angular", owner: on.name, by: "selector" },
          ...at(script, template.at)
        }
      }
    }
  }
}

export const angularTemplates: Pass = {
  name: "angular",
  family: "components",
  languages: ["html"],
  files: (path) => path.endsWith(".component.html") || path.endsWith(".html"),
  hints: ["<app-", "*ng", "[(ng", "(click)", "@if", "-"],
  *read(source): Generator<LocalFact> {
    if (!/\.component\.html$|\*ng(?:If|For)|\[\(ngModel\)\]|\(click\)=/.test(source.path + source.text))
      return
    const seen = new Set<string>()
    for (const found of source.text.matchAll(/<([a-z][\w]*-[\w-]+)/g)) {
      if (seen.has(found[1]!)) continue
      seen.add(found[1]!)
      const line = source.text.slice(0, found.index).split("\n").length
      yield {
        kind: "note",
        pass: "angular",
        what: "render",
        name: found[1]!,
        data: {
          framework: "angular",
          template: source.path.slice(source.path.lastIndexOf("/") + 1),
          by: "selector"
        },
        line,
        column: 0
      }
    }
  }
}

/** Custom elements, by their tag. */
export const elements: Pass = {
  name: "web components",
  family: "components",
  languages: ecmascript,
  hints: ["customElements.define", "@customElement"],
  *read({ script }): Generator<LocalFact> {
    for (const { args, name, on } of script.decorations())
      if (name === "customElement" && on.kind === "class")
        yield component("lit", on.name, at(script, on.at), { selector: textOf(args[0]?.value) ?? "" })
    for (const { parts } of script.chains()) {
      const part = parts.at(-1)!
      const type = part.args?.[1]?.value
      const tag = textOf(part.args?.[0]?.value)
      if (
        part.name === "define" &&
        parts[0]!.name === "customElements" &&
        tag !== undefined &&
        type?.kind === "chain"
      )
        yield {
          kind: "note",
          pass: "web components",
          what: "component",
          name: type.chain.parts[0]!.name,
          data: { framework: "web components", selector: tag },
          names: { component: { kind: "name", name: type.chain.parts[0]!.name, ...at(script, type.at) } },
          ...at(script, part.at)
        }
    }
  }
}

export const componentPasses: ReadonlyArray<Pass> = [jsx, vue, svelte, angular, angularTemplates, elements]
