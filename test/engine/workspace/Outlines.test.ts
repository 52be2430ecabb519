import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { outlineOf } from "../../../src/engine/workspace/Outlines.ts"
import { blobOid } from "../../../src/engine/git/Git.ts"
import { TempFolder } from "../git/TempRepo.ts"
import { opened } from "./support.ts"

const side = (text: string) => ({ bytes: Buffer.from(text), sha: blobOid(Buffer.from(text)) })

const good = `package a

// One does nothing.
func one() {
	func() {}()
}

type (
	T struct{ n int }
)

func (t T) two() int { return t.n }
`
const files = {
  "good.go": good,
  "bad.go": good.replace("return t.n", "return t."),
  "good.ts": "export function one() {}\n\nexport function two() {}\n"
}

describe("the outline of a file", () => {
  it("is where its definitions begin, if the index read those bytes and found them right", async () => {
    using temp = new TempFolder()
    for (const [path, text] of Object.entries(files)) writeFileSync(join(temp.path, path), text)
    await opened({ directory: temp.path }, (w) =>
      Effect.map(w.current, () => {
        const outline = (path: string, text: string) => outlineOf(w.known, path)(side(text))
        expect(outline("good.go", good)).toEqual({ isSound: true, places: [4, 0, 12, 0] })
        expect(outline("good.go", good.replace("one", "two"))).toBe(undefined)
        expect(outline("good.go", `${good}\n`)).toBe(undefined)
        expect(outline("bad.go", files["bad.go"])).toBe(undefined)
        // Its parser reads past what a compiler would not.
        expect(outline("good.ts", files["good.ts"])).toEqual({ isSound: false, places: [1, 0, 3, 0] })
        expect(outline("none.go", good)).toBe(undefined)
      })
    )
    expect(outlineOf(() => undefined, "good.go")(side(good))).toBe(undefined)
  })
})
