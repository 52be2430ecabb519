import { at } from "../Routers.ts"
import type { Handler, LocalFact, Place } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { argOf, type Argument, textOf, textsOf } from "../Script.ts"
import { handlerOf } from "./verbs.ts"

/** A regular expression of a URL as a template, its groups as parameters. */
export const templateOfRegex = (regex: string): string => {
  let out = ""
  let i = 0
  const text = regex.replace(/^\^/, "").replace(/\\?[$Z]$/, "")
  let unnamed = 0
  while (i < text.length) {
    if (text[i] === "(") {
      let depth = 0
      let end = i
      for (; end < text.length; end++) {
        if (text[end] === "\\") end++
        else if (text[end] === "(") depth++
        else if (text[end] === ")" && --depth === 0) break
      }
      const group = text.slice(i, end + 1)
      const name = /^\(\?P<(\w+)>/.exec(group)?.[1]
      if (name !== undefined) out += `{${name}}`
      else if (!group.startsWith("(?:")) out += `{${++unnamed}}`
      i = end + 1
      if (text[i] === "?" || text[i] === "*" || text[i] === "+") i++
    } else if (text[i] === "\\") {
      out += text[i + 1] ?? ""
      i += 2
    } else if (text[i] === "?") {
      i++
    } else out += text[i++]
  }
  return out
}

/** What the standard view sets of Django REST framework answer. */
const viewSet: ReadonlyArray<readonly [string, string, string]> = [
  ["GET", "", "list"],
  ["POST", "", "create"],
  ["GET", "{pk}/", "retrieve"],
  ["PUT", "{pk}/", "update"],
  ["PATCH", "{pk}/", "partial_update"],
  ["DELETE", "{pk}/", "destroy"]
]

/** Mixins that bring an action. */
const mixins: { readonly [action: string]: string } = {
  list: "ListModelMixin",
  create: "CreateModelMixin",
  retrieve: "RetrieveModelMixin",
  update: "UpdateModelMixin",
  partial_update: "UpdateModelMixin",
  destroy: "DestroyModelMixin"
}
const readOnly = new Set(["list", "retrieve"])

/** Lists of URLs, and routers of the REST framework. */
export const django: Pass = {
  name: "django",
  family: "routes",
  languages: ["python"],
  hints: [
    "@action",
    "_route(",
    "urlpatterns",
    "DefaultRouter",
    "SimpleRouter",
    "django.urls",
    "django.conf.urls"
  ],
  *read({ script }): Generator<LocalFact> {
    const patterns: Place = { kind: "local", key: "urlpatterns" }
    const listOf = (token: number): Place => {
      // A list with a name of its own is included by that name.
      for (const [name, bindings] of script.bindings())
        for (const binding of bindings)
          if (
            binding.value !== undefined &&
            binding.value.kind === "list" &&
            binding.value.at < token &&
            (script.tokens.match[binding.value.at] ?? -1) > token &&
            name !== "urlpatterns"
          )
            return { kind: "local", key: `list:${name}` }
      return patterns
    }
    const include = (args: ReadonlyArray<Argument>): Place | undefined => {
      const value = args[0]?.value
      const inner = value?.kind === "list" ? value.items[0]?.value : value
      if (inner?.kind === "string")
        return { kind: "name", name: `module:${inner.text}`, ...at(script, inner.at) }
      if (inner?.kind !== "chain") return undefined
      const { parts } = inner.chain
      const last = parts[parts.length - 1]!
      if (last.name === "urls" && parts.length === 2)
        return { kind: "local", key: `router:${parts[0]!.name}` }
      if (
        parts.length === 1 &&
        last.args === undefined &&
        script.binding(last.name, last.at)?.value?.kind === "list"
      )
        return { kind: "local", key: `list:${last.name}` }
      return { kind: "name", name: last.name, ...at(script, last.at) }
    }
    for (const chain of script.chains()) {
      const part = chain.parts[chain.parts.length - 1]!
      if (part.args === undefined) continue
      if (chain.parts.length === 1 && /^(?:path|re_path|url)$/.test(part.name)) {
        const route = argOf(part.args, ["route", "regex"], 0)
        if (route?.kind !== "string") continue
        const template =
          part.name === "path" ? route.text.replace(/<(?:\w+:)?(\w+)>/g, "{$1}") : templateOfRegex(route.text)
        const view = argOf(part.args, "view", 1)
        const includes =
          view?.kind === "chain" && view.chain.parts[view.chain.parts.length - 1]!.name === "include"
            ? view.chain.parts[view.chain.parts.length - 1]!
            : undefined
        const on = listOf(chain.at)
        if (includes?.args !== undefined) {
          const child = include(includes.args)
          if (child !== undefined)
            yield {
              kind: "mount",
              pass: "django",
              parent: on,
              prefix: `/${template}`,
              child,
              ...at(script, chain.at)
            }
          continue
        }
        const last = view?.kind === "chain" ? view.chain.parts[view.chain.parts.length - 1] : undefined
        if (view?.kind === "chain" && last?.name === "urls") {
          if (view.chain.parts.some(({ name }) => name === "site"))
            yield {
              kind: "route",
              pass: "django",
              protocol: "http",
              method: "ANY",
              path: `/${template}`,
              on,
              handler: { kind: "name", name: "admin.site.urls", ...at(script, last.at) },
              ...at(script, chain.at)
            }
          else
            yield {
              kind: "mount",
              pass: "django",
              parent: on,
              prefix: `/${template}`,
              child: { kind: "local", key: `router:${view.chain.parts[0]!.name}` },
              ...at(script, chain.at)
            }
          continue
        }
        // ViewSet.as_view({"get": "list"}) names its methods.
        const actions = last?.name === "as_view" ? last.args?.[0]?.value : undefined
        const handler: Handler = handlerOf(script, view) ?? { kind: "inline", ...at(script, chain.at) }
        const methods =
          actions?.kind === "record"
            ? actions.items.flatMap(({ label }) => (label === undefined ? [] : [label.toUpperCase()]))
            : ["ANY"]
        for (const method of methods)
          yield {
            kind: "route",
            pass: "django",
            protocol: "http",
            method,
            path: `/${template}`,
            on,
            handler,
            ...at(script, chain.at)
          }
      } else if (part.name === "register" && chain.parts.length === 2 && part.args.length >= 2) {
        const prefix = textOf(argOf(part.args, "prefix", 0))
        const view = argOf(part.args, "viewset", 1)
        if (prefix === undefined || view?.kind !== "chain") continue
        const name = view.chain.parts[view.chain.parts.length - 1]!
        for (const [method, below, action] of viewSet)
          yield {
            kind: "route",
            pass: "django",
            protocol: "http",
            method,
            path: `/${prefix === "" ? "" : `${templateOfRegex(prefix)}/`}${below}`,
            on: { kind: "local", key: `router:${chain.parts[0]!.name}` },
            handler: { kind: "member", type: name.name, name: action },
            requires: {
              type: { name: name.name, ...at(script, name.at) },
              member: action,
              bases: [
                mixins[action]!,
                ...(readOnly.has(action) ? ["ReadOnlyModelViewSet"] : []),
                "(viewsets.ModelViewSet",
                "(ModelViewSet",
                ", ModelViewSet",
                ", viewsets.ModelViewSet"
              ]
            },
            ...at(script, chain.at)
          }
        yield {
          kind: "mount",
          pass: "django",
          parent: { kind: "local", key: `router:${chain.parts[0]!.name}` },
          prefix: `/${prefix === "" ? "" : `${templateOfRegex(prefix)}/`}`,
          child: { kind: "name", name: name.name, ...at(script, name.at) },
          ...at(script, chain.at)
        }
      }
    }
    // Further actions of view sets lie below where their class is registered.
    for (const { args, name, on } of script.decorations()) {
      const around = script.classAround(on.at)
      if (
        (name !== "action" && name !== "detail_route" && name !== "list_route") ||
        on.kind !== "function" ||
        around === undefined
      )
        continue
      const many = argOf(args, "detail")
      const detail =
        name === "detail_route" || (many?.kind === "chain" && many.chain.parts[0]!.name === "True")
      const methods = textsOf(argOf(args, "methods")).map((method) => method.toUpperCase())
      const below = textOf(argOf(args, "url_path")) ?? on.name
      for (const method of methods.length === 0 ? ["GET"] : methods)
        yield {
          kind: "route",
          pass: "django",
          protocol: "http",
          method,
          path: `/${detail ? "{pk}/" : ""}${templateOfRegex(below)}/`,
          on: { kind: "local", key: `${around.name}:${script.line(around.at)}` },
          handler: { kind: "definition", name: on.name, ...at(script, on.at) },
          requires: { type: { name: around.name, ...at(script, around.at) }, member: on.name, bases: [] },
          ...at(script, on.at)
        }
    }
    // urlpatterns = router.urls, and += router.urls
    for (let i = 0; i + 4 < script.count; i++)
      if (
        script.word(i) === "urlpatterns" &&
        /^[+]?=$/.test(script.word(i + 1)) &&
        script.word(i + 3) === "." &&
        script.word(i + 4) === "urls"
      )
        yield {
          kind: "mount",
          pass: "django",
          parent: patterns,
          prefix: "/",
          child: { kind: "local", key: `router:${script.word(i + 2)}` },
          ...at(script, i)
        }
  }
}
