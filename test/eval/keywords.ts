/** What one gets without an index: look for the subject's words and take the files that say most of them. */
import { rgPath } from "@vscode/ripgrep"
import { spawnSync } from "node:child_process"

const stop = new Set(
  (
    "the and for from with when not are was that this into use using add added adds fix fixed fixes fixing update updated updates remove removed removes support make makes " +
    "allow should can could does all also only its has have but don via over than then more some new set get you our change changed changes improve instead"
  ).split(" ")
)

/** Words of a subject of three letters and more, stop words left out. */
export const keywordsOf = (subject: string): ReadonlyArray<string> => [
  ...new Set((subject.toLowerCase().match(/[a-z0-9_]{3,}/g) ?? []).filter((w) => !stop.has(w)))
]

/** Files by how many of the words they hold, then by how many lines do. */
export const keywordFiles = (
  directory: string,
  subject: string,
  keep: (path: string) => boolean
): ReadonlyArray<string> => {
  const found = new Map<string, { words: number; hits: number }>()
  for (const word of keywordsOf(subject)) {
    const { stdout } = spawnSync(rgPath, ["-i", "-F", "-c", "--no-messages", "--", word, "."], {
      cwd: directory,
      encoding: "utf8",
      maxBuffer: 1 << 28
    })
    for (const line of stdout.split("\n")) {
      const at = line.lastIndexOf(":")
      if (at < 0) continue
      const path = line.slice(0, at).replace(/^\.\//, "")
      if (!keep(path)) continue
      const row = found.get(path) ?? { words: 0, hits: 0 }
      row.words++
      row.hits += Number(line.slice(at + 1))
      found.set(path, row)
    }
  }
  return [...found]
    .sort((a, b) => b[1].words - a[1].words || b[1].hits - a[1].hits || (a[0] < b[0] ? -1 : 1))
    .map(([path]) => path)
}
