import { describe, expect, it } from "vitest"
import { bucket, bytes, calls, files, latency, type Scale, tools } from "../../src/telemetry/Buckets.ts"

describe("a scale", () => {
  it.each([
    ["files", files],
    ["latency", latency],
    ["tools", tools],
    ["bytes", bytes],
    ["calls", calls]
  ] as ReadonlyArray<readonly [string, Scale]>)(
    "%s has one range more than bounds, and each bound begins a range",
    (_, scale) => {
      expect(scale.names).toHaveLength(scale.bounds.length + 1)
      expect(new Set(scale.names).size).toBe(scale.names.length)
      expect([...scale.bounds].sort((a, b) => a - b)).toEqual(scale.bounds)
      scale.bounds.forEach((bound, at) => {
        expect(bucket(scale, bound - 0.001)).toBe(scale.names[at])
        expect(bucket(scale, bound)).toBe(scale.names[at + 1])
      })
      expect(bucket(scale, Number.MAX_SAFE_INTEGER)).toBe(scale.names.at(-1))
      expect(bucket(scale, Number.NaN)).toBe(scale.names.at(-1))
    }
  )

  it("has the ranges of files and of time that are published", () => {
    expect([0, 99, 100, 999, 1_000, 9_999, 10_000, 1e9].map((value) => bucket(files, value))).toEqual([
      "<100",
      "<100",
      "100-1k",
      "100-1k",
      "1k-10k",
      "1k-10k",
      "10k+",
      "10k+"
    ])
    expect(
      [0, 0.99, 1, 9.9, 10, 99, 100, 999, 1_000, 9_999, 10_000].map((ms) => bucket(latency, ms))
    ).toEqual([
      "<1ms",
      "<1ms",
      "1-10ms",
      "1-10ms",
      "10-100ms",
      "10-100ms",
      "100ms-1s",
      "100ms-1s",
      "1-10s",
      "1-10s",
      "10s+"
    ])
  })
})
