import { expect, it, vi } from "vitest"
import { checkHomes } from "../../../src/engine/workspace/Home.ts"
import { TempFolder } from "../git/TempRepo.ts"

const check = (home: string) => () => {
  vi.stubEnv("PORTICO_HOME", home)
  checkHomes()
}

it("refuses a home that lies below what is no folder, and says which setting names another", () => {
  const folder = new TempFolder()
  try {
    folder.write("file", "")
    for (const [home, other] of [
      ["/dev/null/x", "/dev/null"],
      [folder.at("file"), folder.at("file")],
      [folder.at("file/a/b"), folder.at("file")]
    ] as const)
      expect(check(home)).toThrow(`nothing can be kept in ${home}, since ${other} is no folder; PORTICO_HOME`)
    for (const home of [folder.path, folder.at("new/one")]) expect(check(home)).not.toThrow()
  } finally {
    folder[Symbol.dispose]()
  }
})
