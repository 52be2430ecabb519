import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"
import { program } from "../../program.ts"

it("grows again once V8 has made it smaller, and no further than it may", () => {
  const said = execFileSync(process.execPath, ["--semi-space-growth-factor=1", program("nursery-child")], {
    encoding: "utf8"
  })
  const { before, most } = JSON.parse(said) as { readonly before: number; readonly most: number }
  expect(before).toBeLessThan(4 << 20)
  expect(most).toBeGreaterThan(before)
  expect(most).toBeLessThanOrEqual(8 << 20)
})
