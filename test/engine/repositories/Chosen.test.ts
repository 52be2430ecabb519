/** What a call is narrowed to: never more than the workspace, and with every further word never more than before. */
import { describe, expect, it } from "vitest"
import * as fc from "effect/FastCheck"
import { type Chosen, chosenBy } from "../../../src/engine/repositories/Chosen.ts"
import { membershipOf } from "../../../src/engine/repositories/Members.ts"
import type { Narrowed } from "../../../src/registry/CallInfo.ts"
import { type SavedScope, type TrackedRepository, workspaceOf } from "../../../src/services/ControlTables.ts"

const word = fc.constantFrom("a", "b", "c", "d", "e", "f")
const repository: fc.Arbitrary<TrackedRepository> = fc.record(
  { name: word, root: fc.nat({ max: 9 }).map((n) => `/nowhere/${n}`), project: word, workspace: word },
  { requiredKeys: ["name", "root"] }
)
const tracked = fc
  .uniqueArray(repository, { selector: ({ root }) => root, minLength: 1, maxLength: 10 })
  // Names are the server's key of a repository.
  .map((all) => all.filter((one, at) => all.findIndex(({ name }) => name === one.name) === at))
const path = fc.constantFrom("src", "src/lib", "lib", "docs")
const scopes: fc.Arbitrary<ReadonlyArray<SavedScope>> = fc.uniqueArray(
  fc.record({ name: word, repos: fc.array(word, { minLength: 1 }), paths: fc.array(path, { maxLength: 2 }) }),
  { selector: ({ name }) => name }
)
const narrowed: fc.Arbitrary<Narrowed> = fc.record(
  {
    repo: fc.oneof(word, fc.constantFrom("*", ".", "/nowhere/3")),
    project: word,
    workspace: word,
    scope: word
  },
  { requiredKeys: [] }
)

/** Files of a small world that a choice leaves: those of each repository, by root and path. */
const files = ["src/lib/a.ts", "src/b.ts", "lib/c.ts", "docs/d.md", "e.ts"]
const seen = (root: string, { home, members }: Chosen): ReadonlySet<string> => {
  const out = new Set<string>()
  const add = (at: string, below: ReadonlyArray<string>) => {
    for (const file of files)
      if (below.length === 0 || below.some((prefix) => file.startsWith(`${prefix}/`)))
        out.add(`${at} ${file}`)
  }
  if (home !== undefined) add(root, home)
  for (const { below, member } of members) add(member.root, below)
  return out
}

describe("what a call is narrowed to", () => {
  it("holds nothing of another workspace, and takes away with every word", () => {
    fc.assert(
      fc.property(tracked, scopes, narrowed, (all, saved, words) => {
        for (const served of all) {
          const around = {
            name: "folder",
            membership: membershipOf(served.root, all),
            nested: [{ name: "folder", root: "." }],
            scopes: saved
          }
          const chosen = chosenBy(words, around)
          if ("reason" in chosen) {
            // Refused words are named, and nothing of another workspace is offered for a repository or project.
            expect(chosen.detail).not.toBe("")
            if (chosen.field === "options.repo" || chosen.field === "options.project")
              for (const name of chosen.valid) {
                const other = all.find((one) => one.name === name && chosen.field === "options.repo")
                if (other !== undefined) expect(workspaceOf(other)).toBe(workspaceOf(served))
              }
            continue
          }
          const own = new Set(
            all.filter((one) => workspaceOf(one) === workspaceOf(served)).map(({ root }) => root)
          )
          const left = seen(served.root, chosen)
          expect(left.size).toBeGreaterThan(0)
          for (const row of left) expect(own).toContain(row.split(" ")[0])
          for (const name of Object.keys(words) as ReadonlyArray<keyof Narrowed>) {
            const { [name]: _, ...fewer } = words
            const wider = chosenBy(fewer, around)
            if ("reason" in wider) throw new Error(`fewer words are refused: ${wider.detail}`)
            const more = seen(served.root, wider)
            for (const row of left) expect(more).toContain(row)
          }
          // A repository is itself and nothing else.
          if (words.repo !== undefined && words.repo !== "*")
            expect(new Set([...left].map((row) => row.split(" ")[0])).size).toBe(1)
        }
      }),
      { numRuns: 300 }
    )
  })
})
