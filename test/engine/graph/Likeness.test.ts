import { describe, expect, it } from "vitest"
import { Likeness } from "../../../src/engine/graph/Likeness.ts"
import type { Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { lookedUp } from "../../../src/engine/graph/Update.ts"
import { fingerprintDifference, snapshotFingerprint } from "./fingerprint.ts"
import { fresh, Line, treeOf } from "./Line.ts"

const around: { readonly [path: string]: string } = {
  "go.mod": "module m\n",
  "base.go":
    "package m\n\ntype Base struct{ Left *Base }\n\nfunc (b *Base) Next() *Base { return b.Left }\nfunc Make() *Base { return nil }\n",
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`n${i}.go`, `package m\n\nvar only${i} = ${i}\n`])
  )
}
const file = `package m

type Outer struct {
	Base
}

func first() {
	a := Make()
	a.Next().Next()
}

func second() *Base {
	c := Make().Next()
	return c.Left
}

func third() {
	second().Next()
	first()
}
`

/** Goes from the file to another text of it. */
const step = async (after: string) => {
  using line = new Line()
  await line.to(treeOf({ ...around, "a.go": file }))
  const before = line.snapshot
  const tree = treeOf({ ...around, "a.go": after })
  const now = await line.to(tree)
  const id = now.byPath.get("a.go")!
  const views = [before, now].map(({ files }: Snapshot) => files[id]!.view!)
  return {
    difference: fingerprintDifference(snapshotFingerprint(now), snapshotFingerprint(await fresh(tree))),
    looked: lookedUp(now),
    isSame: now.resolved[id] === before.resolved[id],
    common: Likeness.of(views[0]!, views[1]!)?.common()
  }
}

const alone = { files: 1, all: false }

describe("a file of which others see the same", () => {
  it("means what it meant when no name in it was touched", async () => {
    const answer = await step(file.replace("a := Make()", "// A word.\n\ta := Make()"))
    expect(answer).toEqual({
      difference: [],
      looked: alone,
      isSame: true,
      common: { head: expect.any(Number), tail: 0 }
    })
  })

  it("tells its super types where they are by now", async () => {
    const answer = await step(file.replace("package m\n", "package m\n\n// More.\n"))
    expect(answer).toMatchObject({ difference: [], looked: alone, isSame: false })
  })

  it("is looked up where its names are others, and there alone", async () => {
    const answer = await step(file.replace("c := Make()", "third()\n\tMake().Next()\n\tc := Make()"))
    expect(answer).toMatchObject({ difference: [], looked: alone, isSame: false })
    const { head, tail } = answer.common!
    expect(head).toBeGreaterThan(3)
    expect(tail).toBeGreaterThan(3)
  })

  it("is looked up where a name stands for something else, however it is used", async () => {
    const answer = await step(file.replace("a := Make()", "a := second().Left"))
    expect(answer).toMatchObject({ difference: [], looked: alone, isSame: false })
  })

  it("is no longer that when a result, a field or the order of definitions is another", async () => {
    for (const after of [
      file.replace("second() *Base", "second() *Outer"),
      file.replace("\tBase\n", "\tBase\n\tmore int\n"),
      file.replace("func first() {", "func fourth() {}\n\nfunc first() {")
    ])
      expect(await step(after)).toMatchObject({ difference: [], common: undefined })
  })

  it("is looked up as a whole where it has values that lead over many others", async () => {
    const chain = `Make()${".Next()".repeat(60)}`
    const answer = await step(file.replace("c := Make().Next()", `c := ${chain}`))
    expect(answer).toMatchObject({ difference: [], looked: alone, isSame: false, common: undefined })
  })

  it("is no longer that when a function returns nothing any more that others used", async () => {
    using line = new Line()
    const tree = {
      ...around,
      "a.py": "class A:\n    def go(self): ...\ndef alpha() -> A:\n    return A()\n",
      "b.py": "from a import alpha\ndef beta():\n    return alpha()\n",
      "c.py": "from b import beta\nbeta().go()\n"
    }
    await line.to(treeOf(tree))
    const after = treeOf({ ...tree, "b.py": "from a import alpha\ndef beta():\n    alpha()\n" })
    const now = await line.to(after)
    expect(fingerprintDifference(snapshotFingerprint(now), snapshotFingerprint(await fresh(after)))).toEqual(
      []
    )
  })
})
