import { assert, describe, it } from "vitest"
import { vue } from "../../../../src/engine/languages/vue/index.ts"
import { outlineOf } from "../outline/support.ts"

describe("Vue components", () => {
  it("lists the component and what its scripts declare", async () => {
    const text =
      '<template><b @click="go">{{ x }}</b></template>\n<script setup lang="ts">\nimport x from \'y\'\nconst count = ref(0)\n' +
      "const total = computed(() => {\n  const inner = 1\n  return inner\n})\nasync function go(a: number) {\n  let hidden = 1\n}\n</script>\n<style>.a {}</style>\n"
    assert.deepStrictEqual(await outlineOf(vue, text, "src/MyCard.vue"), [
      "class MyCard 1-14",
      "constant MyCard.count 4-4",
      "constant MyCard.total 5-8",
      "function MyCard.go 9-11"
    ])
  })
})
