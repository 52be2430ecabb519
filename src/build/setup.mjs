/**
 * Installs what the lock file names, unless it is there already. Silent when there is nothing to do.
 *
 * Nothing we depend on needs an install script (native parts come as prebuilt packages), so none is run.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { isProgram, root } from "./paths.mjs"

const minimumNode = [20, 20]

const readLock = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? {}
  } catch (cause) {
    if (cause.code === "ENOENT") return undefined
    throw cause
  }
}

/** True when every package of the lock that this platform needs is installed in the locked version. */
export const isInstalled = (directory) => {
  const wanted = readLock(`${directory}/package-lock.json`)
  if (wanted === undefined) throw new Error(`${directory} has no package-lock.json`)
  // npm writes this file last, so an interrupted install leaves none.
  const present = readLock(`${directory}/node_modules/.package-lock.json`)
  if (present === undefined) return false
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === "") return true
    const found = present[place]
    if (found === undefined) return entry.optional === true
    if (found.version !== entry.version) return false
    // A package that could not be fetched where the lock was made has no integrity there.
    return (
      entry.integrity === undefined || found.integrity === undefined || found.integrity === entry.integrity
    )
  })
}

const install = () => {
  const args = [
    "ci",
    "--include=dev",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--loglevel=error"
  ]
  const npm = process.env.npm_execpath
  const started = Date.now()
  process.stderr.write("Installing dependencies …\n")
  const run = npm?.endsWith(".js")
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, encoding: "utf8" })
    : spawnSync("npm", args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" })
  if (run.status !== 0) {
    process.stderr.write(`${run.stdout ?? ""}${run.stderr ?? ""}${run.error ? `${run.error.message}\n` : ""}`)
    throw new Error("npm ci failed")
  }
  process.stderr.write(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s\n`)
}

/** Makes sure the dependencies are there. Throws when node is too old or the installation fails. */
export const setUp = () => {
  const [major, minor] = process.versions.node.split(".").map(Number)
  if (major < minimumNode[0] || (major === minimumNode[0] && minor < minimumNode[1]))
    throw new Error(`Portico needs Node ${minimumNode.join(".")} or later; this is ${process.versions.node}`)
  if (!isInstalled(root)) install()
}

if (isProgram(import.meta.url)) {
  try {
    setUp()
  } catch (cause) {
    process.stderr.write(`set-up: ${cause.message}\n`)
    process.exitCode = 1
  }
}
