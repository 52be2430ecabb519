/** Python: pytest with contexts of its coverage plugin, which tell for each line the tests that ran it. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Functions, type Measure } from "./Coverage.ts"

interface Report {
  readonly files: {
    readonly [path: string]: { readonly contexts?: { readonly [line: string]: ReadonlyArray<string> } }
  }
}

/** A test without its parameters and the phase it was in. */
const testOf = (context: string): string => context.replace(/\|\w+$/, "").replace(/\[.*$/s, "")

export const measurePython: Measure = (tree) => {
  const python = process.env["PORTICO_PYTHON"] ?? "python3"
  const data = resolve(tree.root, "..", "coverage")
  const env = {
    ...process.env,
    COVERAGE_FILE: data,
    PYTHONPATH: [join(tree.root, "src"), tree.root].filter(existsSync).join(":")
  }
  spawnSync(
    python,
    ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--cov=.", "--cov-context=test", "--cov-report="],
    {
      cwd: tree.root,
      env,
      stdio: "ignore"
    }
  )
  execFileSync(python, ["-m", "coverage", "json", "--show-contexts", "-q", "-o", `${data}.json`], {
    cwd: tree.root,
    env,
    stdio: ["ignore", "ignore", "inherit"]
  })
  const report = JSON.parse(readFileSync(`${data}.json`, "utf8")) as Report
  const functions = new Functions(tree.view)
  const covers = new Map<string, Set<string>>()
  const atLoad = new Set<string>()
  for (const [path, { contexts }] of Object.entries(report.files)) {
    const linesOf = new Map<string, Set<number>>()
    for (const [line, some] of Object.entries(contexts ?? {}))
      for (const context of some) {
        const test = testOf(context)
        const known = linesOf.get(test)
        if (known === undefined) linesOf.set(test, new Set([Number(line)]))
        else known.add(Number(line))
      }
    for (const [test, lines] of linesOf) {
      const ids = functions.around(path, (line) => lines.has(line))
      if (test === "") for (const id of ids) atLoad.add(id)
      else {
        const known = covers.get(test) ?? new Set()
        for (const id of ids) known.add(id)
        covers.set(test, known)
      }
    }
  }
  return {
    tests: [...covers].map(([key, ids]) => ({ key, path: key.slice(0, key.indexOf("::")), covers: ids })),
    atLoad,
    keyOf: ({ file, name }) => `${file}::${name.replaceAll(".", "::")}`
  }
}
