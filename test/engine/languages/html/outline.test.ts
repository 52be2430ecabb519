import { assert, describe, it } from "vitest"
import { html } from "../../../../src/engine/languages/html/index.ts"
import { outlineOf } from "../outline/support.ts"

describe("HTML", () => {
  it("lists elements with an id and custom elements, outside comments and scripts", async () => {
    const text =
      '<!doctype html>\n<!-- <p id="no"> -->\n<p class="a id=x" id="main">\n<input id=name>\n<my-card id=\'c\'></my-card>\n<my-card>\n' +
      '<script>const s = "<p id=\'no\'>"</script>\n<a data-id="no" title="a > b" id="last">'
    assert.deepStrictEqual(await outlineOf(html, text), [
      "element main 3-3",
      "element name 4-4",
      "element c 5-5",
      "element my-card 5-5",
      "element last 8-8"
    ])
  })
})
