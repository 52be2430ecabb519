/** What packages provide and depend on, and what specifications of interfaces promise. */
import { parse } from "jsonc-parser"
import type { LocalFact } from "../Local.ts"
import type { Pass, Source } from "../Pass.ts"
import { documentsOf } from "./kubernetes.ts"

const lineOfWord = (text: string, word: string, from = 0): number => {
  const found = text.indexOf(word, from)
  return found < 0 ? 1 : text.slice(0, found).split("\n").length
}
const provides = (
  source: Source,
  ecosystem: string,
  name: string,
  version: string,
  word = name
): LocalFact => ({
  kind: "note",
  pass: "manifests",
  what: "package",
  name,
  data: { ecosystem, version },
  line: lineOfWord(source.text, word),
  column: 0
})
const depends = (
  source: Source,
  ecosystem: string,
  name: string,
  version: string,
  scope: string,
  line?: number
): LocalFact => ({
  kind: "note",
  pass: "manifests",
  what: "dependency",
  name,
  data: { ecosystem, version, scope },
  line: line ?? lineOfWord(source.text, `"${name}"`),
  column: 0
})

export const packages: Pass = {
  name: "manifests",
  family: "manifests",
  languages: ["json", "toml", "ini", "ruby", "python"],
  files: (path) =>
    /(?:^|\/)(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|requirements(?:[-.\w]*)\.txt|composer\.json|Gemfile|pom\.xml|pubspec\.yaml)$/.test(
      path
    ),
  *read(source): Generator<LocalFact> {
    const { path, text } = source
    const file = path.slice(path.lastIndexOf("/") + 1)
    if (file === "package.json" || file === "composer.json") {
      const value = parse(text) as { readonly [key: string]: unknown } | undefined
      if (typeof value !== "object" || value === null) return
      const ecosystem = file === "package.json" ? "npm" : "composer"
      if (typeof value["name"] === "string")
        yield provides(source, ecosystem, value["name"], String(value["version"] ?? ""), `"${value["name"]}"`)
      for (const [key, scope] of [
        ["dependencies", "runtime"],
        ["devDependencies", "dev"],
        ["peerDependencies", "peer"],
        ["optionalDependencies", "optional"],
        ["require", "runtime"],
        ["require-dev", "dev"]
      ] as const)
        for (const [name, version] of Object.entries(
          (value[key] as { readonly [name: string]: unknown } | undefined) ?? {}
        ))
          if (typeof version === "string")
            yield depends(
              source,
              ecosystem,
              name,
              version,
              scope,
              lineOfWord(text, `"${name}"`, Math.max(0, text.indexOf(`"${key}"`)))
            )
    } else if (file === "go.mod") {
      const module = /^module\s+(\S+)/m.exec(text)?.[1]
      if (module !== undefined) yield provides(source, "go", module, "")
      for (const [i, line] of text.split("\n").entries()) {
        const found =
          /^\s*(?:require\s+)?([\w.-]+\.[\w-]+\/\S+|[\w.-]+\.\w+\/\S+)\s+(v\S+)(\s*\/\/\s*indirect)?/.exec(
            line
          )
        if (found !== null && !/=>/.test(line))
          yield depends(
            source,
            "go",
            found[1]!,
            found[2]!,
            found[3] === undefined ? "runtime" : "indirect",
            i + 1
          )
      }
    } else if (file === "Cargo.toml" || file === "pyproject.toml") {
      let section = ""
      let listing = ""
      for (const [i, line] of text.split("\n").entries()) {
        const head = /^\s*\[+([^\]]+)\]+/.exec(line)
        if (head !== null && listing === "") {
          section = head[1]!.trim()
          continue
        }
        const entry = /^\s*["']?([\w.-]+)["']?\s*=\s*(.*)$/.exec(line)
        if (file === "Cargo.toml") {
          if (section === "package" && entry?.[1] === "name")
            yield provides(
              source,
              "cargo",
              entry[2]!.replace(/["']/g, "").trim(),
              /^\s*version\s*=\s*"([^"]+)"/m.exec(text)?.[1] ?? "",
              line
            )
          const scope =
            /^(?:target\..*\.)?(?:workspace\.)?(dependencies|dev-dependencies|build-dependencies)$/.exec(
              section
            )?.[1]
          if (scope !== undefined && entry !== null)
            yield depends(
              source,
              "cargo",
              entry[1]!.replace(/\.workspace$/, ""),
              /"([^"]*\d[^"]*)"/.exec(entry[2]!)?.[1] ?? "",
              scope === "dependencies" ? "runtime" : scope.replace("-dependencies", ""),
              i + 1
            )
        } else {
          if (/^(?:project|tool\.poetry)$/.test(section) && entry?.[1] === "name")
            yield provides(source, "pypi", entry[2]!.replace(/["']/g, "").trim(), "", line)
          if (
            /^tool\.poetry(?:\.group\.\w+)?\.(?:dev-)?dependencies$/.test(section) &&
            entry !== null &&
            entry[1] !== "python"
          )
            yield depends(
              source,
              "pypi",
              entry[1]!,
              entry[2]!.replace(/["']/g, "").trim(),
              /dev|group/.test(section) ? "dev" : "runtime",
              i + 1
            )
          if (section === "project" && /^\s*dependencies\s*=\s*\[/.test(line)) listing = "runtime"
          if (listing !== "") {
            for (const found of line.matchAll(/["']([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*([^"';]*)[^"']*["']/g))
              yield depends(source, "pypi", found[1]!, found[2]!.trim(), listing, i + 1)
            if (/\]\s*(?:#.*)?$/.test(line)) listing = ""
          }
        }
      }
    } else if (file.startsWith("requirements")) {
      for (const [i, line] of text.split("\n").entries()) {
        const found = /^\s*([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=<>~!]=?|===)[^#;]*)?/.exec(line)
        if (found !== null && !/^\s*[-#]/.test(line))
          yield depends(
            source,
            "pypi",
            found[1]!,
            (found[2] ?? "").trim(),
            /dev|test/.test(file) ? "dev" : "runtime",
            i + 1
          )
      }
    } else if (file === "Gemfile") {
      for (const [i, line] of text.split("\n").entries()) {
        const found = /^\s*gem\s+["']([\w-]+)["'](?:\s*,\s*["']([^"']+)["'])?/.exec(line)
        if (found !== null) yield depends(source, "rubygems", found[1]!, found[2] ?? "", "runtime", i + 1)
      }
    } else if (file === "pom.xml") {
      const own = text.replace(
        /<(dependencies|build|parent|dependencyManagement|profiles)>[\s\S]*?<\/\1>/g,
        ""
      )
      const group = /<groupId>([^<]+)</.exec(own)?.[1] ?? /<parent>[\s\S]*?<groupId>([^<]+)</.exec(text)?.[1]
      const artifact = /<artifactId>([^<]+)</.exec(own)?.[1]
      if (artifact !== undefined)
        yield provides(
          source,
          "maven",
          `${group ?? ""}:${artifact}`,
          /<version>([^<]+)</.exec(own)?.[1] ?? "",
          `<artifactId>${artifact}<`
        )
      for (const found of text.matchAll(/<dependency>\s*([\s\S]*?)<\/dependency>/g)) {
        const g = /<groupId>([^<]+)</.exec(found[1]!)?.[1]
        const a = /<artifactId>([^<]+)</.exec(found[1]!)?.[1]
        if (g !== undefined && a !== undefined)
          yield depends(
            source,
            "maven",
            `${g}:${a}`,
            /<version>([^<]+)</.exec(found[1]!)?.[1] ?? "",
            /<scope>([^<]+)</.exec(found[1]!)?.[1] ?? "runtime",
            text.slice(0, found.index).split("\n").length
          )
      }
    }
  }
}

const verbs = new Set(["get", "post", "put", "patch", "delete", "head", "options", "trace"])

/** OpenAPI and Swagger, in JSON or YAML. */
export const openapi: Pass = {
  name: "openapi",
  family: "manifests",
  languages: ["yaml", "json"],
  hints: ["openapi", "swagger"],
  *read(source): Generator<LocalFact> {
    const { language, text } = source
    if (!/["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]/.test(text)) return
    const values: ReadonlyArray<{ readonly [key: string]: unknown }> =
      language === "json"
        ? [parse(text) as { readonly [key: string]: unknown }]
        : documentsOf(source).map(({ value }) => value)
    for (const value of values) {
      if (
        typeof value !== "object" ||
        value === null ||
        (value["openapi"] === undefined && value["swagger"] === undefined)
      )
        continue
      const servers = Array.isArray(value["servers"])
        ? (value["servers"] as ReadonlyArray<{ readonly url?: unknown }>)
        : []
      const server =
        typeof servers[0]?.url === "string"
          ? servers[0].url.replace(/^[a-z]+:\/\/[^/]+/i, "").replace(/\/$/, "")
          : typeof value["basePath"] === "string"
            ? value["basePath"].replace(/\/$/, "")
            : ""
      const paths = value["paths"] as
        | { readonly [path: string]: { readonly [verb: string]: unknown } }
        | undefined
      for (const [path, item] of Object.entries(paths ?? {}))
        for (const [verb, operation] of Object.entries(item ?? {})) {
          if (!verbs.has(verb)) continue
          const start = Math.max(0, text.indexOf(path))
          const id = (operation as { readonly operationId?: unknown } | null)?.operationId
          yield {
            kind: "note",
            pass: "openapi",
            what: "openapi",
            name: path,
            data: {
              method: verb.toUpperCase(),
              operation_id: typeof id === "string" ? id : "",
              server,
              parameters: parametersOf(item, operation)
            },
            line: text.slice(0, text.indexOf(verb, start) < 0 ? start : text.indexOf(verb, start)).split("\n")
              .length,
            column: 0
          }
        }
    }
  }
}

const parametersOf = (
  item: { readonly [key: string]: unknown },
  operation: unknown
): ReadonlyArray<string> => {
  const own = [
    item["parameters"],
    (operation as { readonly parameters?: unknown } | null)?.parameters
  ].flatMap((each) =>
    Array.isArray(each)
      ? (each as ReadonlyArray<{
          readonly name?: unknown
          readonly in?: unknown
          readonly required?: unknown
        }>)
      : []
  )
  return own.flatMap(({ in: place, name, required }) =>
    typeof name === "string" ? [`${String(place)}:${name}${required === true ? "!" : ""}`] : []
  )
}

export const manifestPasses: ReadonlyArray<Pass> = [packages, openapi]
