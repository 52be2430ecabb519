import { assert, describe, it } from "vitest"
import { svelte } from "../../../../src/engine/languages/svelte/index.ts"
import { outlineOf } from "../outline/support.ts"
import { factsOf } from "../support.ts"

describe("Svelte components", () => {
  it("lists the component and what its script declares", async () => {
    const text =
      "<script>\n  export let name;\n  let open = false\n  function toggle() { open = !open }\n</script>\n<h1>{name}</h1>\n"
    assert.deepStrictEqual(await outlineOf(svelte, text, "src/Toggle.svelte"), [
      "class Toggle 1-7",
      "variable Toggle.name 2-2",
      "variable Toggle.open 3-3",
      "function Toggle.toggle 4-4"
    ])
    assert.deepStrictEqual(
      (await factsOf(svelte, text, "Toggle.svelte")).definitions.map((d) => d.flags.join()),
      ["exported,defaultExport", "exported", "", ""]
    )
  })
})
