/** Which paths git's index lists. */
import { eachEntry } from "../git/IndexFile.ts"

/** Those of some paths, relative to the work tree, that an index file lists. Undefined when its form is not known here. */
export const listedIn = (index: Buffer, paths: Iterable<string>): ReadonlySet<string> | undefined => {
  const wanted = new Map<number, Array<{ readonly path: string; readonly bytes: Buffer }>>()
  for (const path of paths) {
    const bytes = Buffer.from(path, "utf8")
    const same = wanted.get(bytes.length)
    if (same === undefined) wanted.set(bytes.length, [{ path, bytes }])
    else same.push({ path, bytes })
  }
  const found = new Set<string>()
  const whole = eachEntry(index, (_, name, from, to) => {
    for (const one of wanted.get(to - from) ?? [])
      if (one.bytes.equals(name.subarray(from, to))) found.add(one.path)
  })
  return whole ? found : undefined
}
