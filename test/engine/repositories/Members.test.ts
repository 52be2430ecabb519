/** Who belongs to a workspace: nobody of another one, whatever is tracked and chosen. */
import { describe, expect, it } from "vitest"
import * as fc from "effect/FastCheck"
import { active, membershipOf } from "../../../src/engine/repositories/Members.ts"
import type { TrackedRepository } from "../../../src/services/ControlTables.ts"

const word = fc.constantFrom("a", "b", "c", "d", "e", "f")
const repository: fc.Arbitrary<TrackedRepository> = fc.record(
  { name: word, root: fc.nat({ max: 9 }).map((n) => `/nowhere/${n}`), project: word, workspace: word },
  { requiredKeys: ["name", "root"] }
)
const tracked = fc.uniqueArray(repository, { selector: ({ root }) => root, maxLength: 10 })

describe("membership", () => {
  it("holds nobody of another workspace, and everybody of its own", () => {
    fc.assert(
      fc.property(tracked, fc.option(word, { nil: undefined }), (all, project) => {
        for (const one of all) {
          const found = membershipOf(one.root, all)
          const of = (each: TrackedRepository) => each.workspace ?? each.name
          const fellows = all.filter((each) => of(each) === of(one) && each !== one)
          expect(found.members.map(({ root }) => root)).toEqual(fellows.map(({ root }) => root))
          // Narrowing takes away and never adds.
          const narrowed = active(found, project)
          for (const member of narrowed) expect(found.members).toContain(member)
        }
      }),
      { numRuns: 300 }
    )
  })

  it("is empty for a repository nobody tracks", () => {
    fc.assert(
      fc.property(tracked, (all) => {
        expect(membershipOf("/nowhere/else", all)).toEqual({ workspace: undefined, members: [] })
      })
    )
  })
})
