import { expect, it } from "vitest"
import { Watchdog } from "../../src/pipeline/Watchdog.ts"

/** A dog, what it said, and a hand for its clock. */
const watched = () => {
  const said: Array<string> = []
  let now = 5000
  const dog = new Watchdog(
    (text) => said.push(text),
    () => now
  )
  const pass = (ms: number) => {
    now += ms
  }
  return { dog, said, pass }
}

it("names an operation that held the event loop for over a second, once", () => {
  const { dog, pass, said } = watched()
  for (let i = 0; i < 2; i++) {
    const over = dog.during("analyze.clones")
    pass(2300)
    over()
  }
  expect(said).toEqual([
    "the event loop was blocked for 2.2 s during analyze.clones; further times are not told"
  ])
})

it("says nothing of shorter turns, and nothing of the time between calls", () => {
  const { dog, pass, said } = watched()
  const over = dog.during("analyze.clones")
  pass(1050)
  over()
  pass(60_000)
  dog.during("search.text")()
  expect(said).toEqual([])
})

it("names all that ran meanwhile, and each that was not named before", () => {
  const { dog, pass, said } = watched()
  const first = dog.during("analyze.clones")
  const again = dog.during("analyze.clones")
  const other = dog.during("search.text")
  pass(1600)
  again()
  pass(1600)
  first()
  expect(said).toHaveLength(1)
  expect(said[0]).toContain("blocked for 1.5 s during analyze.clones and search.text")
  const new_ = dog.during("read.source")
  pass(1600)
  new_()
  expect(said).toHaveLength(2)
  expect(said[1]).toContain("during search.text and read.source")
  other()
})

it("hears of a late turn while the call that held it still runs", async () => {
  const { dog, pass, said } = watched()
  const over = dog.during("analyze.clones")
  pass(1600)
  await new Promise((resolve) => setTimeout(resolve, 250))
  expect(said).toHaveLength(1)
  over()
  expect(said).toHaveLength(1)
})
