import { describe, expect, it } from "vitest"
import { standardHttp } from "../../src/policy/HttpLimits.ts"
import * as Policy from "../../src/policy/Policy.ts"

const megabyte = 1_000_000
const day = 86_400_000

describe("what settings say about the record of calls", () => {
  it("comes to segments of sixteen megabytes or ninety days, which stay, where they say nothing", () => {
    expect(Policy.make({}).ledger).toEqual({
      segmentBytes: 16 * megabyte,
      segmentMs: 90 * day,
      retainMs: undefined,
      retainBytes: undefined
    })
  })
  it("is taken from the user's before the repository's, each number for itself", () => {
    const { ledger } = Policy.make({
      user: { audit: { segment: { days: 7 }, retain: { days: 365 } } },
      repository: { audit: { segment: { days: 1, megabytes: 4 } } }
    })
    expect(ledger).toEqual({
      segmentBytes: 4 * megabyte,
      segmentMs: 7 * day,
      retainMs: 365 * day,
      retainBytes: undefined
    })
  })
  it("lets rows go for the user, and for a repository only where the user trusts it", () => {
    const repository = { audit: { retain: { megabytes: 1 } } }
    const given = Policy.make({ repository })
    expect(given.ledger.retainBytes).toBeUndefined()
    expect(given.leftOut).toEqual([expect.stringContaining("audit.retain of the repository's .effectrc")])
    const trusted = Policy.make({ repository, trusted: true })
    expect(trusted.ledger.retainBytes).toBe(megabyte)
    expect(trusted.leftOut).toEqual([])
    expect(Policy.make({ user: repository }).ledger.retainBytes).toBe(megabyte)
  })
})

describe("limits of an HTTP server", () => {
  it("are the user's, and a repository may only lower them", () => {
    const user = { http: { running: 4, queue: 3 } }
    expect(
      Policy.make({ user, repository: { http: { running: 9, queue: 1, burst: 999, sessions: 5 } } }).http
    ).toEqual({
      running: 4,
      queue: 1,
      burst: standardHttp.burst,
      sessions: 5
    })
    expect(Policy.make({ user, repository: { http: { running: 9 } }, trusted: true }).http).toEqual({
      running: 9,
      queue: 3
    })
    expect(Policy.make({}).http).toEqual({})
  })
})
