/** Packages and embedded types of Go, as their files say them. */

/** Name in the package clause of a file; undefined without one. */
export const packageOf = (text: string): string | undefined => /^package[ \t]+(\w+)/m.exec(text)?.[1]

/** Whether a file tests a package from outside, and so is of a package of its own in the same folder. */
export const isOuterTest = (path: string, text: string): boolean =>
  path.endsWith("_test.go") && packageOf(text)?.endsWith("_test") === true

/** Whether the field at a column of a line is an embedded type. */
export const isEmbedding = (line: string, column: number, name: string): boolean =>
  /(?:^|[{;])\s*\*?(?:\w+\.)?$/.test(line.slice(0, column)) &&
  /^\s*(?:\[.*\]\s*)?(?:$|[`"};]|\/\/|\/\*)/.test(line.slice(column + name.length))
