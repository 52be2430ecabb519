import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { expect, it } from "vitest"
import { TempFolder } from "../git/TempRepo.ts"
import { opened } from "./support.ts"

it("files of a first index are numbered as they are listed, whichever thread reads them", async () => {
  using temp = new TempFolder()
  const paths = Array.from(
    { length: 60 },
    (_, i) => `f${String(i).padStart(2, "0")}.${["go", "ts", "rs"][i % 3]}`
  )
  for (const path of paths) writeFileSync(temp.at(path), path.endsWith(".go") ? "package a\n" : "\n")
  const files = await opened({ directory: temp.path, threads: 2 }, (w) =>
    Effect.map(w.current, ({ snapshot }) => snapshot.files.map((file) => file?.path))
  )
  expect(files).toEqual(paths)
})
