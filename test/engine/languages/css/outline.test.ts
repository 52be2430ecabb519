import { assert, describe, it } from "vitest"
import { css } from "../../../../src/engine/languages/css/index.ts"
import { outlineOf } from "../outline/support.ts"

describe("style sheets", () => {
  it("lists selectors, custom properties and keyframes", async () => {
    const text =
      ":root { --main: #fff; color: red }\na:hover,\n.b > c { background: url(data:a;b{}) }\n/* .no {} */\n" +
      '@media (min-width: 1px) { .d::after { content: "}" } }\n@keyframes spin { from { x: 1 } to { x: 2 } }\n'
    assert.deepStrictEqual(await outlineOf(css, text, "a.css"), [
      "selector :root 1-1",
      "property :root.--main 1-1",
      "selector a:hover, .b > c 2-3",
      "selector .d::after 5-5",
      "object spin 6-6",
      "selector spin.from 6-6",
      "selector spin.to 6-6"
    ])
  })
  it("lists variables, mixins and functions of SCSS and Less, and nested rules", async () => {
    const text =
      "$size: 1px; // $no: 1;\n@mixin box($a: 1) { .in { &:hover { x: y } } }\n@function twice($n) { @return $n * 2; }\n.a-#{$i} { @include box; }\n"
    assert.deepStrictEqual(await outlineOf(css, text, "a.scss"), [
      "variable $size 1-1",
      "macro box 2-2",
      "selector box..in 2-2",
      "selector box..in.&:hover 2-2",
      "function twice 3-3",
      "selector .a-#{$i} 4-4"
    ])
    assert.deepStrictEqual(await outlineOf(css, "@c: red;\n.mix(@a) { color: @a }\n", "a.less"), [
      "variable @c 1-1",
      "macro .mix 2-2"
    ])
  })
})
