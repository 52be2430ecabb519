import { join } from "node:path"
import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    readonly programs: string
  }
}

/** Where a program lies that was bundled for this run of the tests, by the name of its source: see programs.mjs. */
export const program = (name: string): string => join(inject("programs"), `${name}.js`)
