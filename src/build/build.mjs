/** Builds dist/ from src/. With `--if-stale`, only when something it was built from has changed since. */
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import path from "node:path"
import { buildKit } from "./kit.mjs"
import { inRoot, isProgram } from "./paths.mjs"

const recordFile = inRoot("dist/build.json")

/** Digest of path, size and time of change of everything that goes into dist/. */
const fingerprint = () => {
  const files = readdirSync(inRoot("src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
  const inputs = [...files, inRoot("package-lock.json"), inRoot("tsconfig.json")].sort()
  const digest = createHash("sha256")
  for (const file of inputs) {
    const { size, mtimeMs } = statSync(file)
    digest.update(`${path.relative(inRoot(), file)}\0${size}\0${mtimeMs}\n`)
  }
  return digest.digest("hex")
}

const recorded = () => {
  try {
    return JSON.parse(readFileSync(recordFile, "utf8")).inputs
  } catch {
    return undefined
  }
}

/** True when dist/ is missing or was built from other sources than those here. */
export const isStale = () => recorded() !== fingerprint()

/** Throws when one entry's chunks need another entry: loading that would run its program as well. */
const refuseEntangled = (scripts) => {
  const byName = new Map(scripts.map((script) => [script.fileName, script]))
  for (const entry of scripts.filter(({ isEntry }) => isEntry)) {
    const reached = new Set()
    const visit = ({ fileName, imports, dynamicImports }) => {
      if (reached.has(fileName)) return
      reached.add(fileName)
      for (const next of [...imports, ...dynamicImports]) if (byName.has(next)) visit(byName.get(next))
    }
    visit(entry)
    const other = scripts.find(
      ({ isEntry, fileName }) => isEntry && fileName !== entry.fileName && reached.has(fileName)
    )
    if (other !== undefined) throw new Error(`dist/${entry.fileName} needs dist/${other.fileName}`)
  }
}

/** Writes dist/ anew and returns the byte size of each of its scripts. */
export const build = async () => {
  const { inputOptions, outputOptions, presentEntries } = await import("./bundle.mjs")
  if (presentEntries().app === undefined) throw new Error("src/main.ts, the command's entry, is not there")
  const inputs = fingerprint()
  const { rolldown } = await import("rolldown")
  const [{ inAscii }, { importsAtRunTime }] = await Promise.all([
    import("./ascii.mjs"),
    import("./sources.mjs")
  ])
  const bundler = await rolldown(inputOptions())
  let output
  try {
    rmSync(inRoot("dist"), { recursive: true, force: true })
    mkdirSync(inRoot("dist"))
    output = (await bundler.write(outputOptions())).output
  } finally {
    await bundler.close()
  }
  const scripts = output
    .filter((part) => part.type === "chunk")
    .map(({ code, dynamicImports, fileName, imports, isEntry }) => ({
      fileName,
      code: inAscii(code),
      imports,
      dynamicImports,
      isEntry
    }))
  for (const { code, fileName } of scripts) writeFileSync(inRoot(`dist/${fileName}`), code)
  refuseEntangled(scripts)
  await buildKit(rolldown, inputOptions())
  const digest = createHash("sha256")
  for (const { fileName, code } of scripts) digest.update(`${fileName}\0${code}\0`)
  const launcher = readFileSync(inRoot("src/build/launcher.cjs"), "utf8")
  const uncached = scripts.filter(({ code }) => importsAtRunTime(code)).map(({ fileName }) => fileName)
  const id = digest.digest("hex").slice(0, 16)
  for (const [file, program] of [
    ["main.js", "app.js"],
    ["worker.js", "reader.js"]
  ])
    if (scripts.some(({ fileName }) => fileName === program))
      writeFileSync(
        inRoot(`dist/${file}`),
        launcher
          .replace("@build@", id)
          .replace("@program@", program)
          .replace("@uncached@", uncached.join(","))
      )
  chmodSync(inRoot("dist/main.js"), 0o755)
  writeFileSync(inRoot("dist/package.json"), `${JSON.stringify({ type: "commonjs" })}\n`)
  writeFileSync(recordFile, `${JSON.stringify({ inputs })}\n`)
  return scripts.map(({ fileName, code }) => ({ fileName, bytes: Buffer.byteLength(code) }))
}

/** Builds when dist/ is stale; returns whether it did. */
export const buildIfStale = async () => {
  if (existsSync(recordFile) && !isStale()) return false
  await build()
  return true
}

if (isProgram(import.meta.url)) {
  try {
    if (process.argv.includes("--if-stale")) await buildIfStale()
    else
      for (const { fileName, bytes } of await build())
        process.stdout.write(`dist/${fileName}  ${bytes} bytes\n`)
  } catch (cause) {
    process.stderr.write(`build: ${cause.message}\n`)
    process.exitCode = 1
  }
}
