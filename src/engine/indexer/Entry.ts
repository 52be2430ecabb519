/** Where the code of the worker threads is: beside this module as source, or in the bundle this module is part of. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"

/** What a worker thread runs: the address of a script, or with `eval` the script itself. */
export type WorkerEntry =
  | { readonly eval: false; readonly script: URL }
  | { readonly eval: true; readonly script: string }

/** The entry for a file: TypeScript is run through tsx, which must be installed then. */
export const workerEntry = (url: URL): WorkerEntry => {
  if (!url.pathname.endsWith(".ts")) return { eval: false, script: url }
  // A loader named by --import does not reach the entry of a worker thread; one registered inside the thread does.
  const api = pathToFileURL(
    createRequire(import.meta.url)
      .resolve("tsx/esm/api")
      .replace(/\.cjs$/, ".mjs")
  )
  const script = `import(${JSON.stringify(api.href)}).then(({ register }) => { register(); return import(${JSON.stringify(url.href)}) })`
  return { eval: true, script }
}

/** The entry that comes with this build. */
export const ownEntry = (): WorkerEntry => {
  if (import.meta.url.endsWith(".ts")) return workerEntry(new URL("./worker.ts", import.meta.url))
  const beside = new URL("./worker.js", import.meta.url)
  return workerEntry(existsSync(fileURLToPath(beside)) ? beside : new URL("../worker.js", import.meta.url))
}
