import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "vitest"
import { top } from "../../build/support.ts"

interface Import {
  readonly specifier: string | undefined
  readonly typeOnly: boolean
  readonly lazy: boolean
}

const { importsOf, parseSource } = (await import(
  pathToFileURL(path.join(top, "src/build/sources.mjs")).href
)) as {
  readonly parseSource: (top: string, file: string) => unknown
  readonly importsOf: (source: unknown) => ReadonlyArray<Import>
}

/** What is loaded with a file: our own files by path, packages and built-ins by name. */
const loadedWith = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  found.add(file)
  for (const { lazy, specifier, typeOnly } of importsOf(parseSource(top, file))) {
    if (lazy || typeOnly || specifier === undefined) continue
    if (!specifier.startsWith(".")) found.add(specifier)
    else if (specifier.endsWith(".ts")) {
      const next = path.posix.join(path.posix.dirname(file), specifier)
      if (!found.has(next)) loadedWith(next, found)
    }
  }
  return found
}

describe("what answers the opening of a session", () => {
  it.each(["src/transports/mcp/serve.ts", "src/transports/http/Server.ts"])(
    "is loaded without the registry, the engine and what they are made with: %s",
    (file) => {
      const loaded = [...loadedWith(file)]
      expect(loaded).toContain("src/transports/mcp/Connection.ts")
      expect(loaded.filter((name) => /^effect(\/|$)|^@effect\//.test(name))).toEqual([])
      expect(loaded.filter((name) => /^src\/(registry|engine|facades|services)\//.test(name))).toEqual([])
    }
  )

  it("would be seen to load them", () => {
    expect([...loadedWith("src/pipeline/CallResult.ts")]).toEqual(
      expect.arrayContaining(["effect", "src/registry/Capabilities.ts"])
    )
  })
})
