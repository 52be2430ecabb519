/** Commands that run tests, for a shell at the root of the workspace. */
import { Effect } from "effect"
import type { GraphView } from "../../services/CodeGraph.ts"
import { below, foldersUp, inside, type Manifests } from "./Manifests.ts"
import type { TestTarget } from "./TestMap.ts"

/** One command, and the files of tests it runs. */
export interface RunCommand {
  readonly runner: string
  readonly command: string
  readonly files: ReadonlyArray<string>
}

/** Commands for what a runner was found for, and the files none was found for. */
export interface Runs {
  readonly commands: ReadonlyArray<RunCommand>
  readonly without: ReadonlyArray<string>
  /** The runner of each file that has one. */
  readonly runners: ReadonlyMap<string, string>
}

/** Tests named one by one in a command; with more, their files run whole. */
const mostNamed = 25
/** Bytes of one command before its files are split over several. */
const longest = 4000

/** A word for a POSIX shell. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

const inFolder = (dir: string, command: string): string =>
  dir === "" ? command : `(cd ${quoted(dir)} && ${command})`
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
const record = (value: unknown): { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null ? (value as { readonly [key: string]: unknown }) : {}
const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** How a group of files is run: the same for all files with the same key. */
interface Plan {
  readonly runner: string
  readonly key: string
  /** The command for some of the files, without those it cannot name. */
  readonly command: (targets: ReadonlyArray<TestTarget>) => string
  /** The command takes one file only. */
  readonly single?: boolean
}

const scriptRunners: ReadonlyArray<readonly [pattern: RegExp, runner: string]> = [
  [/\bvitest\b/, "vitest"],
  [/\breact-scripts(?:-ts)? test\b/, "react-scripts"],
  [/\bjest\b/, "jest"],
  [/\bmocha\b/, "mocha"],
  [/\bava\b/, "ava"],
  [/\bplaywright test\b/, "playwright"],
  [/\bcypress run\b/, "cypress"],
  [/\bbun test\b/, "bun test"],
  [/\bdeno test\b/, "deno test"],
  [/\b(?:node|tsx)\b[^|&;]*\s--test\b/, "node:test"],
  [/\btap\b/, "tap"],
  [/\btape\b/, "tape"],
  [/\bjasmine\b/, "jasmine"]
]

/** What a package says its tests are run with. */
const packageRunner = (manifest: { readonly [key: string]: unknown }): string | undefined => {
  const scripts = record(manifest["scripts"])
  const names = Object.keys(scripts)
    .filter((name) => /^(?:test|unit|ci)/.test(name) || name.includes("test"))
    .sort((a, b) => a.length - b.length)
  for (const name of names)
    for (const [pattern, runner] of scriptRunners) if (pattern.test(textOf(scripts[name]))) return runner
  const known = { ...record(manifest["dependencies"]), ...record(manifest["devDependencies"]) }
  for (const name of ["vitest", "jest", "mocha", "ava", "@playwright/test", "tap", "tape", "jasmine"])
    if (Object.hasOwn(known, name)) return name === "@playwright/test" ? "playwright" : name
  return Object.hasOwn(manifest, "jest") ? "jest" : undefined
}

const configNames: { readonly [runner: string]: ReadonlyArray<string> } = {
  vitest: ["vitest.config", "vite.config", "vitest.workspace"],
  jest: ["jest.config"],
  mocha: [".mocharc"],
  ava: ["ava.config"],
  playwright: ["playwright.config"]
}
const configEndings = [".ts", ".mts", ".js", ".mjs", ".cjs", ".json", ".yml", ".yaml", ".jsonc", ".cts", ""]

/** Flags a script gives the program before its files that decide whether it can read them at all. */
const loaderFlags = (script: string, program: RegExp): ReadonlyArray<string> => {
  const words = script.split(/\s+/)
  const at = words.findIndex((word) => program.test(word))
  if (at < 0) return []
  const out: Array<string> = []
  for (let i = at + 1; i < words.length; i++) {
    const word = words[i]!
    if (/^(?:&&|\|\||;|\|)$/.test(word)) break
    if (/^--(?:import|require|loader|experimental-loader|extension|conditions|env-file|ui)=/.test(word))
      out.push(word)
    else if (/^--experimental-[\w-]+$/.test(word) || word === "--no-warnings") out.push(word)
    else if (
      /^(?:-r|-C|--import|--require|--loader|--experimental-loader|--extension|--conditions|--ui)$/.test(
        word
      ) &&
      words[i + 1] !== undefined
    )
      out.push(word, words[++i]!)
  }
  return out
}

const ecmascript = (
  manifests: Manifests,
  path: string,
  imported: string | undefined
): Effect.Effect<Plan | undefined> =>
  Effect.gen(function* () {
    if (imported === undefined && manifests.nearest(path, "deno.json", "deno.jsonc") !== undefined) {
      const dir = manifests.nearest(path, "deno.json", "deno.jsonc")!
      const node = manifests.nearest(path, "package.json")
      if (node === undefined || node.length < dir.length)
        return {
          runner: "deno test",
          key: `deno ${dir}`,
          command: (targets) =>
            inFolder(
              dir,
              `deno test -A ${targets.map(({ path: file }) => quoted(below(dir, file))).join(" ")}`
            )
        } satisfies Plan
    }
    const folders = foldersUp(path).filter((dir) => manifests.has(inside(dir, "package.json")))
    let runner = imported
    let from: string | undefined
    const packages = yield* Effect.forEach(folders, (dir) =>
      Effect.map(manifests.json(inside(dir, "package.json")), (manifest) => ({
        dir,
        manifest: manifest ?? {}
      }))
    )
    for (const { dir, manifest } of packages) {
      const own = packageRunner(manifest)
      if (runner === undefined && own !== undefined) runner = own
      if (runner !== undefined && (own === runner || (own === "react-scripts" && runner === "jest"))) {
        if (own === "react-scripts") runner = own
        from ??= dir
      }
    }
    if (runner === undefined) return undefined
    const named = runner
    const configured = folders.find((dir) =>
      (configNames[named] ?? []).some((name) =>
        configEndings.some((ending) => manifests.has(inside(dir, name + ending)))
      )
    )
    // A package's own set-up comes first; without one, where the runner is declared.
    const candidates = [configured, from]
      .filter((dir) => dir !== undefined)
      .sort((a, b) => b.length - a.length)
    const dir = candidates[0] ?? folders[0] ?? ""
    const manifest = packages.find((each) => each.dir === dir)?.manifest ?? {}
    const scripts = Object.values(record(manifest["scripts"])).map(textOf)
    const files = (targets: ReadonlyArray<TestTarget>) =>
      targets.map(({ path: file }) => quoted(below(dir, file))).join(" ")
    const command = (words: string) => (targets: ReadonlyArray<TestTarget>) =>
      inFolder(dir, `${words} ${files(targets)}`)
    const exec = manifests.has(".pnp.cjs") ? "yarn" : "npx"
    const plan = (words: string): Plan => ({ runner: named, key: `${named} ${dir}`, command: command(words) })
    switch (named) {
      case "vitest":
        return plan(`${exec} vitest run`)
      case "jest":
        return plan(
          scripts.some((script) => script.includes("experimental-vm-modules"))
            ? `NODE_OPTIONS=--experimental-vm-modules ${exec} jest --runTestsByPath`
            : `${exec} jest --runTestsByPath`
        )
      case "react-scripts":
        return plan("CI=true npx react-scripts test --watchAll=false --runTestsByPath")
      case "mocha": {
        const script = scripts.find((each) => /\bmocha\b/.test(each)) ?? ""
        return plan([exec, "mocha", ...loaderFlags(script, /\bmocha$/)].join(" "))
      }
      case "node:test": {
        const script = scripts.find((each) => /\s--test\b/.test(each)) ?? ""
        const tsx = /(?:^|[&|;]\s*|\b(?:npx|exec|dlx)\s+)tsx\s[^|&;]*--test\b/.test(script)
        const flags = loaderFlags(script, /(?:^|\/)(?:node|tsx)$/)
        const typed = /\.[cm]?tsx?$/.test(path)
        const loads = flags.some((flag) => /tsx|ts-node|esbuild|swc|strip-types|transform-types/.test(flag))
        const known = { ...record(manifest["dependencies"]), ...record(manifest["devDependencies"]) }
        return plan(
          tsx
            ? [exec, "tsx", ...flags, "--test"].join(" ")
            : typed && !loads && Object.hasOwn(known, "tsx")
              ? "node --import tsx --test"
              : ["node", ...flags, "--test"].join(" ")
        )
      }
      case "bun test":
        return plan("bun test")
      case "deno test":
        return plan("deno test -A")
      case "playwright":
        return plan(`${exec} playwright test`)
      case "cypress":
        return {
          ...plan(""),
          command: (targets) =>
            inFolder(
              dir,
              `${exec} cypress run --spec ${quoted(targets.map(({ path: file }) => below(dir, file)).join(","))}`
            )
        }
      default:
        return plan(`${exec} ${named}`)
    }
  })

const python = (
  view: GraphView,
  manifests: Manifests,
  path: string,
  known: string | undefined
): Effect.Effect<Plan> =>
  Effect.gen(function* () {
    const dir =
      manifests.nearest(path, "pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", "setup.py") ?? ""
    const modules = new Set(view.imports(path).map(({ module }) => module.split(".")[0]))
    const configs = yield* Effect.forEach(
      ["pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", "requirements-dev.txt", "requirements.txt"],
      (name) => manifests.text(inside(dir, name))
    )
    const pytest =
      known === "pytest" ||
      modules.has("pytest") ||
      configs.some((text) => text !== undefined && /\bpytest\b/.test(text)) ||
      manifests.nearest(path, "conftest.py", "pytest.ini") !== undefined
    const django = foldersUp(path).find((each) => manifests.has(inside(each, "manage.py")))
    if (!pytest && django !== undefined && (modules.has("django") || modules.has("rest_framework")))
      return {
        runner: "django",
        key: `django ${django}`,
        command: (targets) =>
          inFolder(
            django,
            `python manage.py test ${targets
              .map(({ path: file }) => quoted(below(django, file).replace(/\.py$/, "").replaceAll("/", ".")))
              .join(" ")}`
          )
      }
    if (!pytest && (known === "unittest" || modules.has("unittest")))
      return {
        runner: "unittest",
        key: `unittest ${dir}`,
        command: (targets) =>
          inFolder(
            dir,
            `python -m unittest ${targets.map(({ path: file }) => quoted(below(dir, file))).join(" ")}`
          )
      }
    return {
      runner: "pytest",
      key: `pytest ${dir}`,
      command: (targets) =>
        inFolder(
          dir,
          `python -m pytest ${targets
            .flatMap(({ functions, path: file }) =>
              functions.length === 0 || functions.length > mostNamed
                ? [quoted(below(dir, file))]
                : functions.map(({ name }) => quoted(`${below(dir, file)}::${name.replaceAll(".", "::")}`))
            )
            .join(" ")}`
        )
    }
  })

const go = (manifests: Manifests, path: string): Plan => {
  const dir = manifests.nearest(path, "go.mod") ?? ""
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ""
  const own = below(dir, inside(folder, "x"))
  const rel = own.includes("/") ? `./${own.slice(0, own.lastIndexOf("/"))}` : "."
  return {
    runner: "go test",
    key: `go ${folder}`,
    command: (targets) => {
      const names = new Set(targets.flatMap(({ functions }) => functions.map(({ name }) => name)))
      // Methods of suites and whole files have no name to run them by.
      const whole =
        names.size === 0 ||
        names.size > mostNamed ||
        targets.some(({ functions }) => functions.length === 0) ||
        [...names].some((name) => !/^(?:Test|Example|Fuzz|Benchmark)/.test(name)) ||
        targets.some(({ functions }) => functions.some(({ suite }) => suite === true))
      const benchmarks = [...names].filter((name) => name.startsWith("Benchmark"))
      const others = [...names].filter((name) => !name.startsWith("Benchmark"))
      const run = whole
        ? ""
        : ` -run ${quoted(`^(${(others.length === 0 ? ["$^"] : others).join("|")})$`)}${
            benchmarks.length === 0 ? "" : ` -bench ${quoted(`^(${benchmarks.join("|")})$`)} -benchtime 1x`
          }`
      return inFolder(dir, `go test ${quoted(rel)}${run}`)
    }
  }
}

/** `[[test]]` entries of a Cargo manifest: name and path. */
const cargoTests = (
  manifest: string
): ReadonlyArray<{ readonly name: string; readonly path: string | undefined }> =>
  manifest
    .split(/^\s*\[\[test\]\]\s*$/m)
    .slice(1)
    .flatMap((part) => {
      const section = part.split(/^\s*\[/m)[0]!
      const name = /^\s*name\s*=\s*"([^"]+)"/m.exec(section)?.[1]
      return name === undefined ? [] : [{ name, path: /^\s*path\s*=\s*"([^"]+)"/m.exec(section)?.[1] }]
    })

const rust = (manifests: Manifests, path: string): Effect.Effect<Plan> =>
  Effect.gen(function* () {
    let dir = ""
    let manifest = ""
    for (const folder of foldersUp(path)) {
      if (!manifests.has(inside(folder, "Cargo.toml"))) continue
      const text = (yield* manifests.text(inside(folder, "Cargo.toml"))) ?? ""
      if (!/^\s*\[package\]/m.test(text)) continue
      dir = folder
      manifest = text
      break
    }
    const at = below(dir, path)
    const crate = /^\s*\[package\][^[]*?^\s*name\s*=\s*"([^"]+)"/ms.exec(manifest)?.[1]
    const rooted = manifests.has("Cargo.toml")
    const select = rooted && dir !== "" && crate !== undefined ? ` -p ${quoted(crate)}` : ""
    const cd = rooted ? "" : dir
    const declared = cargoTests(manifest)
    const own =
      declared.find((test) => test.path === at) ??
      declared.find(
        (test) =>
          test.path !== undefined &&
          test.path.includes("/") &&
          at.startsWith(`${test.path.slice(0, test.path.lastIndexOf("/"))}/`)
      )
    const integration = own?.name ?? /^tests\/([^/]+)\.rs$/.exec(at)?.[1] ?? /^tests\/([^/]+)\//.exec(at)?.[1]
    const bin = /^src\/bin\/([^/]+?)(?:\.rs|\/)/.exec(at)?.[1]
    const what =
      integration !== undefined
        ? ` --test ${quoted(integration)}`
        : bin !== undefined
          ? ` --bin ${quoted(bin)}`
          : ""
    // Where a file's items are known by the path of its modules.
    const modules =
      integration !== undefined
        ? own?.path === at || /^tests\/[^/]+\.rs$/.test(at) || at.endsWith("/main.rs")
          ? []
          : [at.slice(at.lastIndexOf("/") + 1).replace(/\.rs$/, "")]
        : at
            .replace(/^src\/(?:bin\/[^/]+\/)?/, "")
            .replace(/(?:^|\/)(?:lib|main|mod)\.rs$/, "")
            .replace(/\.rs$/, "")
            .split("/")
            .filter((part) => part !== "")
    return {
      runner: "cargo test",
      key: `cargo ${dir} ${what} ${modules.join("::")}`,
      command: (targets) => {
        const names = targets.flatMap(({ functions }) => functions.map(({ name }) => name))
        const whole =
          names.length === 0 ||
          names.length > mostNamed ||
          targets.some(({ functions }) => functions.length === 0)
        const filters = whole
          ? modules.length === 0
            ? []
            : [modules.join("::")]
          : [...new Set(names)].map((name) => [...modules, ...name.split(".")].join("::"))
        return inFolder(
          cd,
          `cargo test${select}${what}${filters.length === 0 ? "" : ` -- ${filters.map(quoted).join(" ")}`}`
        )
      }
    }
  })

const className = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "")

const jvm = (manifests: Manifests, path: string): Plan | undefined => {
  const maven = manifests.nearest(path, "pom.xml")
  const gradle = manifests.nearest(path, "build.gradle", "build.gradle.kts")
  const sbt = manifests.nearest(path, "build.sbt")
  /** Test classes, each with its methods when they are few. */
  const classes = (targets: ReadonlyArray<TestTarget>) => {
    const out = new Map<string, Set<string>>()
    for (const { functions, path: file } of targets) {
      if (functions.length === 0) out.set(className(file), new Set())
      for (const { name } of functions) {
        const parts = name.split(".")
        const method = parts.pop()!
        const owner = parts.length === 0 ? className(file) : parts.join("$")
        const methods = out.get(owner) ?? new Set()
        methods.add(method)
        out.set(owner, methods)
      }
    }
    return out
  }
  if (maven !== undefined && maven.length >= (gradle ?? "").length) {
    const top =
      foldersUp(path)
        .filter((dir) => manifests.has(inside(dir, "pom.xml")))
        .at(-1) ?? maven
    const wrapper = manifests.has(inside(top, "mvnw")) ? "./mvnw" : "mvn"
    return {
      runner: "maven",
      key: `maven ${maven}`,
      command: (targets) => {
        const tests = [...classes(targets)].map(([name, methods]) =>
          methods.size === 0 ||
          methods.size > mostNamed ||
          [...methods].some((method) => !/^\w+$/.test(method))
            ? name
            : `${name}#${[...methods].join("+")}`
        )
        const module = maven === top ? "" : ` -pl ${quoted(below(top, maven))} -am`
        return inFolder(
          top,
          `${wrapper} test${module} ${quoted(`-Dtest=${tests.join(",")}`)} -Dsurefire.failIfNoSpecifiedTests=false`
        )
      }
    }
  }
  if (gradle !== undefined) {
    const top =
      foldersUp(path).find((dir) =>
        ["settings.gradle", "settings.gradle.kts"].some((name) => manifests.has(inside(dir, name)))
      ) ?? gradle
    const wrapper = manifests.has(inside(top, "gradlew")) ? "./gradlew" : "gradle"
    const task = gradle === top ? "test" : `:${below(top, gradle).replaceAll("/", ":")}:test`
    return {
      runner: "gradle",
      key: `gradle ${gradle}`,
      command: (targets) =>
        inFolder(
          top,
          `${wrapper} ${task} ${[...classes(targets)]
            .flatMap(([name, methods]) =>
              methods.size === 0 ||
              methods.size > mostNamed ||
              [...methods].some((method) => !/^\w+$/.test(method))
                ? [`--tests ${quoted(name)}`]
                : [...methods].map((method) => `--tests ${quoted(`${name}.${method}`)}`)
            )
            .join(" ")}`
        )
    }
  }
  if (sbt !== undefined)
    return {
      runner: "sbt",
      key: `sbt ${sbt}`,
      command: (targets) =>
        inFolder(
          sbt,
          `sbt ${quoted(`testOnly ${[...classes(targets).keys()].map((name) => `*${name}`).join(" ")}`)}`
        )
    }
  return undefined
}

const ruby = (manifests: Manifests, path: string): Plan => {
  const dir = manifests.nearest(path, "Gemfile") ?? ""
  const exec = manifests.has(inside(dir, "Gemfile")) ? "bundle exec " : ""
  const files = (targets: ReadonlyArray<TestTarget>) =>
    targets.map(({ path: file }) => quoted(below(dir, file))).join(" ")
  if (path.endsWith("_spec.rb"))
    return {
      runner: "rspec",
      key: `rspec ${dir}`,
      command: (targets) => inFolder(dir, `${exec}rspec ${files(targets)}`)
    }
  if (manifests.has(inside(dir, "bin/rails")))
    return {
      runner: "rails test",
      key: `rails ${dir}`,
      command: (targets) => inFolder(dir, `bin/rails test ${files(targets)}`)
    }
  return {
    runner: "minitest",
    key: `minitest ${dir}`,
    single: true,
    command: (targets) => inFolder(dir, `${exec}ruby -Ilib -Itest ${files(targets)}`)
  }
}

const php = (manifests: Manifests, path: string): Effect.Effect<Plan> =>
  Effect.gen(function* () {
    const dir = manifests.nearest(path, "composer.json") ?? ""
    const manifest = (yield* manifests.json(inside(dir, "composer.json"))) ?? {}
    const pest = Object.hasOwn(record(manifest["require-dev"]), "pestphp/pest")
    return {
      runner: pest ? "pest" : "phpunit",
      key: `php ${dir}`,
      single: true,
      command: ([target]) => {
        const { functions, path: file } = target!
        const names = functions.map(({ name }) => name.slice(name.lastIndexOf(".") + 1))
        const filter =
          names.length === 0 || names.length > mostNamed
            ? ""
            : ` --filter ${quoted(`/(${names.map(escaped).join("|")})( |$)/`)}`
        return inFolder(
          dir,
          `vendor/bin/${pest ? "pest" : "phpunit"}${pest ? "" : filter} ${quoted(below(dir, file))}`
        )
      }
    }
  })

const dotnet = (manifests: Manifests, path: string): Plan | undefined => {
  const project = manifests.nearestEnding(path, ".csproj", ".fsproj", ".vbproj")
  return project === undefined
    ? undefined
    : {
        runner: "dotnet test",
        key: `dotnet ${project}`,
        command: (targets) => {
          const names = new Set(
            targets.flatMap(({ functions, path: file }) =>
              functions.length === 0 || functions.length > mostNamed
                ? [className(file)]
                : functions.map(({ name }) => name.split(".").slice(-2).join("."))
            )
          )
          return `dotnet test ${quoted(project)} --filter ${quoted(
            [...names].map((name) => `FullyQualifiedName~${name}`).join("|")
          )}`
        }
      }
}

const swift = (manifests: Manifests, path: string): Plan | undefined => {
  const dir = manifests.nearest(path, "Package.swift")
  return dir === undefined
    ? undefined
    : {
        runner: "swift test",
        key: `swift ${dir}`,
        command: (targets) =>
          inFolder(
            dir,
            `swift test ${targets
              .flatMap(({ functions, path: file }) =>
                functions.length === 0 || functions.length > mostNamed
                  ? [className(file)]
                  : functions.map(({ name }) => name.split(".").slice(-2).join("/"))
              )
              .map((name) => `--filter ${quoted(name)}`)
              .join(" ")}`
          )
      }
}

const simple = (runner: string, words: string, dir: string): Plan => ({
  runner,
  key: `${runner} ${dir}`,
  command: (targets) =>
    inFolder(dir, `${words} ${targets.map(({ path }) => quoted(below(dir, path))).join(" ")}`)
})

const planOf = (view: GraphView, manifests: Manifests, path: string): Effect.Effect<Plan | undefined> => {
  const language = view.file(path)?.language
  switch (language) {
    case "typescript":
    case "tsx":
    case "javascript":
    case "jsx":
    case "vue":
    case "svelte":
      return ecmascript(manifests, path, view.runner(path))
    case "python":
      return python(view, manifests, path, view.runner(path))
    case "go":
      return Effect.succeed(go(manifests, path))
    case "rust":
      return rust(manifests, path)
    case "java":
    case "kotlin":
    case "scala":
    case "groovy":
      return Effect.succeed(jvm(manifests, path))
    case "ruby":
      return Effect.succeed(ruby(manifests, path))
    case "php":
      return php(manifests, path)
    case "csharp":
      return Effect.succeed(dotnet(manifests, path))
    case "swift":
      return Effect.succeed(swift(manifests, path))
    case "lua":
      return Effect.succeed(simple("busted", "busted", ""))
    case "bash":
      return Effect.succeed(path.endsWith(".bats") ? simple("bats", "bats", "") : undefined)
    default: {
      const mix = /\.exs?$/.test(path) ? manifests.nearest(path, "mix.exs") : undefined
      return Effect.succeed(mix === undefined ? undefined : simple("mix test", "mix test", mix))
    }
  }
}

/** Commands for the targets, as few as there may be. */
export const runsOf = (
  view: GraphView,
  manifests: Manifests,
  targets: ReadonlyArray<TestTarget>
): Effect.Effect<Runs> =>
  Effect.gen(function* () {
    const groups = new Map<string, { readonly plan: Plan; readonly targets: Array<TestTarget> }>()
    const without: Array<string> = []
    const runners = new Map<string, string>()
    for (const target of targets) {
      const plan = yield* planOf(view, manifests, target.path)
      if (plan === undefined) {
        without.push(target.path)
        continue
      }
      runners.set(target.path, plan.runner)
      const group = groups.get(plan.key)
      if (group === undefined) groups.set(plan.key, { plan, targets: [target] })
      else group.targets.push(target)
    }
    const commands: Array<RunCommand> = []
    for (const { plan, targets: own } of groups.values()) {
      let part: Array<TestTarget> = []
      const flush = () => {
        if (part.length > 0)
          commands.push({
            runner: plan.runner,
            command: plan.command(part),
            files: part.map(({ path }) => path)
          })
        part = []
      }
      for (const target of own) {
        if (part.length > 0 && (plan.single === true || plan.command([...part, target]).length > longest))
          flush()
        part.push(target)
      }
      flush()
    }
    return { commands, without, runners }
  })
