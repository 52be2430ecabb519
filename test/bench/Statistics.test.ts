import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { median, percentile, random, sample } from "./Statistics.ts"

describe("percentile", () => {
  it("is a member by nearest rank, whatever the order", () => {
    const values = [9, 1, 8, 2, 7, 3, 6, 4, 5, 10]
    expect(percentile(values, 0.5)).toBe(5)
    expect(percentile(values, 0.95)).toBe(10)
    expect(percentile(values, 0.9)).toBe(9)
    expect(percentile(values, 0)).toBe(1)
    expect(percentile(values, 1)).toBe(10)
    expect(percentile([100, 2], 0.5)).toBe(2)
    expect(percentile([], 0.5)).toBeUndefined()
  })
  it("has at least its share of the values at or below it, and any smaller member has less", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.integer(), { minLength: 1 }),
        FastCheck.double({ min: 0.01, max: 1, noNaN: true }),
        (values, share) => {
          const value = percentile(values, share)!
          const below = (limit: number) => values.filter((each) => each <= limit).length
          expect(values).toContain(value)
          expect(below(value)).toBeGreaterThanOrEqual(share * values.length)
          for (const smaller of values.filter((each) => each < value))
            expect(below(smaller)).toBeLessThan(share * values.length)
        }
      )
    )
  })
})

describe("median", () => {
  it("is the middle, or halfway between the two in the middle", () => {
    expect(median([10, 9, 1])).toBe(9)
    expect(median([4, 100, 2, 1])).toBe(3)
    expect(median([7])).toBe(7)
    expect(median([])).toBeUndefined()
  })
})

describe("sample", () => {
  it("takes different members, the same for the same seed", () => {
    const values = Array.from({ length: 50 }, (_, i) => i)
    const taken = sample(values, 20, random(7))
    expect(new Set(taken).size).toBe(20)
    expect(sample(values, 20, random(7))).toEqual(taken)
    expect(sample(values, 20, random(8))).not.toEqual(taken)
    expect([...sample(values, 80, random(1))].sort((a, b) => a - b)).toEqual(values)
    expect(values).toHaveLength(50)
  })
})
