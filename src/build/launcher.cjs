#!/usr/bin/env node
"use strict"
/**
 * Loads one of the bundle's programs with V8's code cache, so that a start compiles nothing it compiled before: the
 * command, or in a worker thread the reader of files.
 * The cache belongs to one build, one node and one choice of compiler flags, for V8 takes no code made with others; it
 * is written by the first process that finds none, and lies beside the bundle, or in the user's cache directory where
 * that cannot be written. Whatever goes wrong with it, the bundle is loaded the ordinary way.
 */
const fs = require("node:fs")
const path = require("node:path")

const build = "@build@"
const program = "@program@"
/** Scripts with an import() of their own, which V8 cannot restore from a cache. */
const uncached = new Set("@uncached@".split(","))
/** A cache is written once nothing was loaded for so long, and again later: it holds what has run by then. */
const quietMillis = 1500
const laterMillis = 15_000
const keepMillis = 30 * 24 * 3600 * 1000

/**
 * A process that ends once its command is done runs much of its code too briefly to gain from being compiled with the
 * engine's own limits of inlining: in every thread that takes as long as reading ten megabytes, and the code is hardly
 * faster than with these. Threads share the flags of their process.
 */
const brief = !["mcp", "serve"].includes(process.argv[2])
const briefFlags = ["--max-inlined-bytecode-size=150", "--max-inlined-bytecode-size-cumulative=200"]
/** Whoever looks for a fault leaves everything as it was. */
const writes = process.argv[2] !== "doctor"
/**
 * How the nursery grows when it is full, which the engine has to know: what a server makes while it starts mostly stays,
 * so that it grows at once to what the engine limits it to later.
 */
const growth = brief ? 2 : 4
/** Parsers in WebAssembly are compiled once; where much is to be read with one, the engine says so for that one. */
const parserFlags = ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]

const key = `${build}-${process.version}-${process.arch}${brief ? "-brief" : ""}`

const cacheHome = () =>
  process.platform === "win32"
    ? process.env.LOCALAPPDATA
    : process.env.XDG_CACHE_HOME || (process.env.HOME && path.join(process.env.HOME, ".cache"))

const cacheDirectories = () => {
  const home = cacheHome()
  return [path.join(__dirname, ".cache", key), ...(home ? [path.join(home, "portico", "code", key)] : [])]
}

/** A script's path relative to the bundle, with `/`. */
const nameOf = (filename) => path.relative(__dirname, filename).split(path.sep).join("/")

const fileFor = (filename) => `${nameOf(filename).replaceAll("/", "+")}.bin`

const readCached = (filename) => {
  for (const directory of cacheDirectories())
    try {
      return fs.readFileSync(path.join(directory, fileFor(filename)))
    } catch {}
  return undefined
}

/** Removes what other builds left here more than a month ago; a build still in use writes its own again. */
const sweep = (directory) => {
  const parent = path.dirname(directory)
  for (const name of fs.readdirSync(parent)) {
    const other = path.join(parent, name)
    if (name !== key && Date.now() - fs.statSync(other).mtimeMs > keepMillis)
      fs.rmSync(other, { recursive: true, force: true })
  }
}

/**
 * Does something under the flags that V8 has at every start: a cache that was made under others is refused. The engine
 * limits the growth of its heap by one.
 */
const underUsualFlags = (work) => {
  const nursery = globalThis[Symbol.for("portico.nursery")]
  nursery?.lift()
  try {
    return work()
  } finally {
    nursery?.limit()
  }
}

/** Scripts without a cache, and those that have an early one of this process. */
const pending = new Map()
const early = new Map()

const write = (scripts) => {
  if (scripts.length === 0) return
  const { threadId } = require("node:worker_threads")
  for (const directory of cacheDirectories())
    try {
      const fresh = !fs.existsSync(directory)
      fs.mkdirSync(directory, { recursive: true, mode: 0o700 })
      for (const [filename, script] of scripts) {
        const target = path.join(directory, fileFor(filename))
        const partial = `${target}.${process.pid}.${threadId}`
        fs.writeFileSync(
          partial,
          underUsualFlags(() => script.createCachedData()),
          { mode: 0o600 }
        )
        fs.renameSync(partial, target)
      }
      if (fresh) sweep(directory)
      return
    } catch {}
}

const writeEarly = () => {
  const scripts = [...pending]
  pending.clear()
  write(scripts)
  for (const [filename, script] of scripts) early.set(filename, script)
}

const writeAgain = () => {
  const scripts = [...early, ...pending]
  early.clear()
  pending.clear()
  write(scripts)
}

const useCache = () => {
  const Module = require("node:module")
  const vm = require("node:vm")
  const ordinary = Module._extensions[".js"]
  const inBundle = __dirname + path.sep
  const timers = []

  Module._extensions[".js"] = (module, filename) => {
    if (!filename.startsWith(inBundle) || uncached.has(nameOf(filename))) return ordinary(module, filename)
    const cachedData = readCached(filename)
    const code = Module.wrap(fs.readFileSync(filename, "utf8"))
    const script = underUsualFlags(() => new vm.Script(code, { filename, cachedData }))
    if (writes && (cachedData === undefined || script.cachedDataRejected)) {
      pending.set(filename, script)
      for (const timer of timers.splice(0)) clearTimeout(timer)
      timers.push(setTimeout(writeEarly, quietMillis).unref(), setTimeout(writeAgain, laterMillis).unref())
    }
    const run = script.runInThisContext()
    run.call(
      module.exports,
      module.exports,
      Module.createRequire(filename),
      module,
      filename,
      path.dirname(filename)
    )
  }
  process.once("exit", writeAgain)
}

if (program === "app.js") {
  globalThis[Symbol.for("portico.nursery.growth")] = growth
  const flags = [...parserFlags, ...(brief ? briefFlags : []), `--semi-space-growth-factor=${growth}`]
  for (const flag of flags) require("node:v8").setFlagsFromString(flag)
}
if (process.env.PORTICO_NO_CODE_CACHE !== "1") useCache()
require(`./${program}`)
