/**
 * The lock file's gate: it must name no host, and must list every optional platform package, so that
 * `npm ci` accepts it on any platform. With `--write`, adds the platform packages npm left out because
 * they could not be fetched where the lock was made.
 */
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { inRoot } from "./paths.mjs"

const file = path.resolve(
  process.argv.slice(2).find((argument) => !argument.startsWith("-")) ?? inRoot("package-lock.json")
)
const write = process.argv.includes("--write")
const lock = JSON.parse(readFileSync(file, "utf8"))
const problems = []

for (const [place, entry] of Object.entries(lock.packages)) {
  const { funding: _, ...rest } = entry
  if ("resolved" in rest && rest.link !== true) problems.push(`${place}: records where it was fetched from`)
  else if (JSON.stringify(rest).includes("://")) problems.push(`${place}: holds a URL`)
}

const missing = Object.entries(lock.packages).flatMap(([place, entry]) =>
  place === ""
    ? []
    : Object.entries(entry.optionalDependencies ?? {})
        .filter(
          ([name]) =>
            !(`node_modules/${name}` in lock.packages) && !(`${place}/node_modules/${name}` in lock.packages)
        )
        .map(([name, version]) => ({ name, version, dev: entry.dev === true }))
)

if (write && missing.length > 0) {
  for (const { name, version, dev } of missing) {
    const target = /-(darwin|linux|win32|freebsd|android)-([a-z0-9]+)$/.exec(name)
    if (target === null || !/^\d+\.\d+\.\d+/.test(version)) {
      problems.push(`${name}@${version}: cannot tell its platform, add it by hand`)
      continue
    }
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [target[2]],
      ...(dev ? { dev } : {}),
      optional: true,
      os: [target[1]]
    }
  }
  const { "": top, ...others } = lock.packages
  const sorted = Object.entries(others).sort(([a], [b]) => a.localeCompare(b, "en"))
  lock.packages = { "": top, ...Object.fromEntries(sorted) }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
} else {
  for (const { name, version } of missing) problems.push(`${name}@${version}: left out of the lock`)
}

for (const problem of problems) process.stdout.write(`${problem}\n`)
if (missing.length > 0 && !write)
  process.stdout.write("`node src/build/lock.mjs --write` adds the missing ones\n")
process.exitCode = problems.length > 0 ? 1 : 0
