import { describe, expect, it } from "vitest"
import { iso, momentOf } from "../../../src/facades/shared/past/Days.ts"

const now = Date.UTC(2026, 0, 2) / 1000

describe("a moment in words", () => {
  it.each([
    ["90s", "2026-01-01T23:58:30Z"],
    ["30m", "2026-01-01T23:30:00Z"],
    ["24h", "2026-01-01T00:00:00Z"],
    ["1.5d", "2025-12-31T12:00:00Z"],
    ["2w", "2025-12-19T00:00:00Z"],
    ["2025-12-24T10:00:00+01:00", "2025-12-24T09:00:00Z"],
    ["99999999999999999w", "1970-01-01T00:00:00Z"]
  ])("%s", (words, moment) => expect(iso(momentOf(words, now)!)).toBe(moment))

  it.each(["yesterday", "3y", "-1h", "2025-13-01", "+275760-09-13T00:00:00Z", ""])("is not %j", (words) =>
    expect(momentOf(words, now)).toBeUndefined()
  )
})
