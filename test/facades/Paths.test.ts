/** Paths in the arguments of all operations. */
import { describe, expect, it } from "vitest"
import { type Field, path, walk } from "../../src/registry/Fields.ts"
import { pairs } from "./support.ts"

/** Fields that hold a path of the repository, by name. */
const named = /^(?:file|file_path|destination|output_path|output_dir|directory|path_prefix|sub_path)$/

/** Fields of these names that are something else: part of a path. */
const others: ReadonlySet<string> = new Set(["change.api_impact source.file"])

const isPath = ({ shape }: Field.Any): boolean =>
  shape.tag === "list"
    ? isPath(shape.item)
    : shape.tag === "leaf" && path.shape.tag === "leaf" && shape.schema === path.shape.schema

describe("every argument that is a path", () => {
  const found = pairs
    .filter(([, { available }]) => available)
    .flatMap(([facade, operation]) =>
      [...walk(operation.input.fields)]
        .filter(([at]) => named.test(at.slice(at.lastIndexOf(".") + 1)))
        .map(([at, field]) => [`${facade.name}.${operation.name} ${at}`, field] as const)
    )
  it("is there at all", () => {
    expect(found.length).toBeGreaterThan(20)
  })
  it.each(found.filter(([name]) => !others.has(name)))("%s is held to be one", (_, field) => {
    expect(isPath(field)).toBe(true)
  })
})
