import { assert, describe, it } from "vitest"
import { dockerfile } from "../../../../src/engine/languages/dockerfile/index.ts"
import { outlineOf } from "../outline/support.ts"

describe("Dockerfile", () => {
  it("lists stages with their arguments and variables", async () => {
    const text =
      'ARG BASE=node:20\nFROM --platform=linux/amd64 ${BASE} AS build\nENV A=1 B="x y" \\\n    C=3\n# ENV no=1\nRUN echo ENV=1\n' +
      "FROM alpine\nENV PATH /bin:/usr/bin\narg user\n"
    assert.deepStrictEqual(await outlineOf(dockerfile, text, "Dockerfile"), [
      "key BASE 1-1",
      "stage build 2-6",
      "key build.A 3-3",
      "key build.B 3-3",
      "key build.C 4-4",
      "stage alpine 7-9",
      "key alpine.PATH 8-8",
      "key alpine.user 9-9"
    ])
  })
})
