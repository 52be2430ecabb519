/** Names and places that a runtime, a framework or a tool uses without a word in the code. */
import type { Package } from "./Manifests.ts"

const family: { readonly [language: string]: "ecmascript" | "python" | "go" | "rust" | "jvm" | "other" } = {
  typescript: "ecmascript",
  tsx: "ecmascript",
  javascript: "ecmascript",
  jsx: "ecmascript",
  python: "python",
  go: "go",
  rust: "rust",
  java: "jvm",
  kotlin: "jvm",
  scala: "jvm",
  csharp: "other",
  c: "other",
  cpp: "other",
  php: "other",
  ruby: "other",
  swift: "other",
  lua: "other",
  bash: "other"
}
export const familyOf = (language: string) => family[language]
/** Languages whose uses are followed well enough to say that there are none. */
export const judgedLanguages: ReadonlyArray<string> = Object.keys(family).sort()

/** Members that the language itself or its library calls. */
const called: { readonly [family: string]: ReadonlySet<string> } = {
  ecmascript: new Set([
    "constructor",
    "toString",
    "toJSON",
    "toLocaleString",
    "valueOf",
    "then",
    "catch",
    "finally",
    "next",
    "return",
    "throw",
    "inspect",
    "handleEvent",
    "connectedCallback",
    "disconnectedCallback",
    "attributeChangedCallback",
    "adoptedCallback",
    "observedAttributes",
    "prototype"
  ]),
  python: new Set(["setUp", "tearDown", "setUpClass", "tearDownClass", "setup_method", "teardown_method"]),
  jvm: new Set([
    "main",
    "toString",
    "equals",
    "hashCode",
    "compareTo",
    "finalize",
    "clone",
    "close",
    "run",
    "call",
    "get",
    "readObject",
    "writeObject",
    "readResolve",
    "writeReplace",
    "readObjectNoData",
    "readExternal",
    "writeExternal",
    "valueOf",
    "values",
    "invoke",
    "apply",
    "unapply",
    "copy"
  ]),
  rust: new Set(["drop", "main"]),
  go: new Set([]),
  other: new Set([
    "main",
    "Main",
    "Dispose",
    "ToString",
    "Equals",
    "GetHashCode",
    "initialize",
    "method_missing",
    "respond_to_missing?",
    "inherited",
    "included",
    "extended",
    "prepended",
    "to_s",
    "to_str",
    "inspect",
    "each",
    "call"
  ])
}

/** Whether a name is one that a language calls by itself. `member` of a type, or at the top of a file. */
export const isCalledByLanguage = (language: string, name: string, member: boolean): boolean => {
  const of = family[language]
  if (of === undefined) return false
  if (name === "" || name === "_" || name.startsWith("[")) return true
  if (/^__.*__$/.test(name)) return true
  if (of === "go") return name === "main" || name === "init"
  if (of === "python" && !member)
    return (
      /^pytest_|^(?:setup|teardown)_(?:module|function)$/.test(name) ||
      name === "main" ||
      /^visit_|^depart_/.test(name)
    )
  if (of === "python")
    return (
      called["python"]!.has(name) ||
      /^(?:visit|depart|do|test|handle|on|get|validate|clean|resolve)_/.test(name)
    )
  if (language === "php" && name.startsWith("__")) return true
  if (language === "lua" && name.startsWith("__")) return true
  if (of === "rust" && !member) return name === "main"
  return called[of]!.has(name)
}

const frameworkPlaces: ReadonlyArray<readonly [RegExp, RegExp]> = [
  [
    /^next$/,
    /(?:^|\/)(?:pages|app)\/|(?:^|\/)(?:middleware|instrumentation|proxy)(?:-client)?\.[cm]?[jt]sx?$/
  ],
  [
    /^(?:nuxt|nuxt3|nitropack|nitro|h3)$/,
    /(?:^|\/)(?:pages|layouts|middleware|plugins|composables|utils|components|server|routes|api|stores|app)\//
  ],
  [
    /^(?:@sveltejs\/kit|astro)$/,
    /(?:^|\/)(?:routes|pages|content|params|lib\/server)\/|(?:^|\/)(?:hooks|service-worker)(?:\.\w+)?\.[cm]?[jt]s$|(?:^|\/)\+/
  ],
  [
    /^(?:@remix-run\/.*|react-router|@react-router\/.*|@tanstack\/(?:react-)?(?:start|router).*|expo-router|@solidjs\/start|gatsby|vinxi)$/,
    /(?:^|\/)(?:routes|app|pages|api)\/|(?:^|\/)(?:entry|gatsby)[-.]/
  ],
  [/^(?:ember-source|ember-cli)$/, /(?:^|\/)app\//],
  [/^@angular\/core$/, /\.(?:component|directive|pipe|guard|resolver|module)\.ts$/],
  [
    /^(?:@nestjs\/common|typeorm|mikro-orm|sequelize|knex|umzug)$/,
    /(?:^|\/)(?:migrations?|seeds?|seeders|subscribers)\//
  ],
  [
    /^(?:@strapi\/strapi|@adonisjs\/core|@redwoodjs\/core|@medusajs\/.*)$/,
    /(?:^|\/)(?:api|src|app|start|config|database)\//
  ]
]

/** Files whose exports tools look for by name. */
const toolFiles =
  /(?:^|\/)(?:[^/]*\.config(?:\.\w+)?|\.[^/]*rc|gulpfile|[Gg]runtfile|karma\.conf|wdio\.conf|webpack\.\w+|[^/]*\.setup|setupTests|global-?[sS]etup|vitest\.\w+)\.[cm]?[jt]sx?$|\.stories\.[cm]?[jt]sx?$|(?:^|\/)(?:\.storybook|\.github|migrations)\//
const pythonFiles =
  /(?:^|\/)(?:settings|urls|admin|apps|models|signals|wsgi|asgi|manage|conftest|setup|noxfile|tasks|fabfile|conf|celery|routers?|serializers|views|forms|handlers|alembic\/.*)\.py$|(?:^|\/)(?:migrations|management\/commands|settings|templatetags|versions|docs)\//
const rubyFiles = /(?:^|\/)(?:app|config|db|lib\/tasks|spec)\//
const phpFiles =
  /(?:^|\/)(?:app|database|config|routes|src\/(?:Controller|Entity|Command|EventListener|Migrations))\//

/** Why what a file offers may be looked up by a tool or framework through its place; undefined when nothing says so. */
export const conventionOf = (
  path: string,
  language: string,
  owner: Package | undefined
): string | undefined => {
  switch (family[language]) {
    case "ecmascript": {
      if (toolFiles.test(path)) return "a tool reads this file by its name"
      const within = owner === undefined || owner.dir === "" ? path : path.slice(owner.dir.length + 1)
      for (const [name, place] of frameworkPlaces)
        if (place.test(within))
          for (const use of owner?.uses ?? []) if (name.test(use)) return `${use} finds it by its place`
      return undefined
    }
    case "python":
      return pythonFiles.test(path) ? "a framework or tool reads this file by its name" : undefined
    case "other":
      return (language === "ruby" && rubyFiles.test(path)) || (language === "php" && phpFiles.test(path))
        ? "a framework finds it by its place"
        : undefined
    default:
      return undefined
  }
}

/** Data of tests and code of others that only lies here. */
export const isSetAside = (path: string): boolean =>
  /(?:^|\/)(?:fixtures?|__fixtures__|__mocks__|__snapshots__|testdata|test-data|test_data|testing-fixtures|vendor|third_party|node_modules|bower_components|external|\.yarn)\//.test(
    path
  )
