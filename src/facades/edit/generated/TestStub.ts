/** Tests that are named and not written yet, in the way of a runner. */

export interface Stub {
  /** What a file of its own needs above the stubs. */
  readonly header: ReadonlyArray<string>
  readonly lines: ReadonlyArray<string>
}

const text = (value: string): string => JSON.stringify(value)
const pending = "not written yet"

const snake = (title: string): string =>
  title
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toLowerCase()

/** Stubs for test titles; undefined for a runner that has no way to say it. `packageLine` is the first of a Go file. */
export const stubsOf = (
  runner: string | undefined,
  titles: ReadonlyArray<string>,
  packageLine: string | undefined
): Stub | undefined => {
  switch (runner) {
    case "vitest":
      return {
        header: ['import { it } from "vitest"', ""],
        lines: titles.map((title) => `it.todo(${text(title)})`)
      }
    case "jest":
      return { header: [], lines: titles.map((title) => `it.todo(${text(title)})`) }
    case "bun test":
      return {
        header: ['import { it } from "bun:test"', ""],
        lines: titles.map((title) => `it.todo(${text(title)})`)
      }
    case "node:test":
      return {
        header: ['import { test } from "node:test"', ""],
        lines: titles.map((title) => `test.todo(${text(title)})`)
      }
    case "mocha":
      return { header: [], lines: titles.map((title) => `it(${text(title)})`) }
    case "pytest":
      return {
        header: ["import pytest", "", ""],
        lines: titles.flatMap((title, at) => [
          ...(at === 0 ? [] : ["", ""]),
          `@pytest.mark.skip(reason=${text(pending)})`,
          `def ${title.startsWith("test") ? title : `test_${snake(title)}`}():`,
          "    pass"
        ])
      }
    case "go test":
      return packageLine === undefined
        ? undefined
        : {
            header: [packageLine, "", 'import "testing"', ""],
            lines: titles.flatMap((title, at) => [
              ...(at === 0 ? [] : [""]),
              `func ${title}(t *testing.T) {`,
              `\tt.Skip(${text(pending)})`,
              "}"
            ])
          }
    default:
      return undefined
  }
}
