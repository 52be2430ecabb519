import { assert, describe, it } from "@effect/vitest"
import { Form, Forms } from "../../../src/engine/flow/Forms.ts"
import { lowered } from "./support.ts"

const text = (name: string) => `package ${name}\n`

describe("what was lowered", () => {
  it("stays while there is room, what was asked for last the longest", () => {
    const each = new Form(text("a")).bytes
    const forms = new Forms(each * 3)
    for (const name of ["a", "b", "c"]) forms.keep(name, new Form(text(name)))
    assert.strictEqual(forms.get("a")?.text, text("a"))
    forms.keep("d", new Form(text("d")))
    assert.deepStrictEqual(
      ["a", "b", "c", "d"].map((name) => forms.get(name)?.text),
      [text("a"), undefined, text("c"), text("d")]
    )
  })

  it("takes more room with each part, the newest whatever it takes", async () => {
    const file = await lowered("go", "package a\n\nfunc f(a int) int { return a + 1 }\n")
    const form = new Form(file.text)
    const before = form.bytes
    const forms = new Forms(before + 1)
    forms.keep("other", new Form(""))
    forms.keep("a", form)
    form.put(3, file)
    assert.isAbove(form.bytes, before)
    forms.keep("a", form)
    assert.isUndefined(forms.get("other"))
    assert.strictEqual(forms.get("a")?.part(3), file)
    assert.isUndefined(forms.get("a")?.part(4))
    forms.keep("b", new Form(""))
    assert.isUndefined(forms.get("a"))
  })
})
