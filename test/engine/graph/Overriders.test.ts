import { expect, it } from "vitest"
import { makeView } from "../../../src/engine/graph/View.ts"
import { Line, treeOf } from "./Line.ts"

it("what overrides a method comes in the order of paths, whichever file was read first", async () => {
  using line = new Line()
  const first = {
    "go/b.go": "package talk\n\ntype B struct{}\n\nfunc (B) Say() {}\n",
    "go/talk.go": "package talk\n\ntype Talker interface {\n\tSay()\n}\n",
    "ts/base.ts": "export class Base {\n  say() {}\n}\n",
    "ts/b.ts": 'import { Base } from "./base"\nexport class B extends Base {\n  say() {}\n}\n'
  }
  await line.to(treeOf(first))
  const snapshot = await line.to(
    treeOf({
      ...first,
      "go/a.go": "package talk\n\ntype A struct{}\n\nfunc (A) Say() {}\n",
      "ts/a.ts": 'import { Base } from "./base"\nexport class A extends Base {\n  say() {}\n}\n'
    })
  )
  const view = makeView(snapshot, { state: "fresh", stale_files: [], head: undefined, checked_at: "" })
  const overriding = (words: string) => view.overriders(view.resolve(words).found[0]!).map(view.idOf)
  expect(overriding("go/talk.go::Talker.Say")).toEqual(["go/a.go::A.Say", "go/b.go::B.Say"])
  expect(overriding("ts/base.ts::Base.say")).toEqual(["ts/a.ts::A.say", "ts/b.ts::B.say"])
})
