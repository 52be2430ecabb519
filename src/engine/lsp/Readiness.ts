/** Waiting until a server's answers are whole. */
import { Effect } from "effect"
import type { Server } from "./Server.ts"
import type { ReadinessRule } from "./ServerRow.ts"

/** Longest wait in milliseconds unless said otherwise: projects that a server indexes first take long, others do not. */
const longest: { readonly [kind in ReadinessRule["kind"]]: number } = {
  waits: 0,
  progress: 60_000,
  status: 60_000,
  log: 30_000,
  idle: 15_000
}

/** One process and what is known of its readiness. */
export class Readiness {
  private settledOnce = false
  private readonly server: Server
  private readonly rule: ReadinessRule

  constructor(server: Server, rule: ReadinessRule) {
    this.server = server
    this.rule = rule
  }

  /**
   * Waits by the rule. True when the server has settled, or is gone and the next request will say so; false when the
   * time ran out first: answers may then be partial.
   */
  wait(maxMillis: number = longest[this.rule.kind]): Effect.Effect<boolean> {
    const { server, rule } = this
    if (rule.kind === "waits") return Effect.succeed(true)
    const { activity } = server
    const gone = (): boolean => server.goneWith() !== undefined
    const wait =
      rule.kind === "log"
        ? activity.settled({
            when: () => gone() || this.settledOnce || activity.hasLogged(rule.line),
            quietMillis: 0,
            maxMillis
          })
        : rule.kind === "status"
          ? activity.settled({
              when: () => gone() || activity.quiescent === true,
              quietMillis: this.settledOnce ? 0 : 250,
              maxMillis
            })
          : activity.settled({
              when: () => gone() || activity.idle,
              // Work begins a moment after the documents that cause it were opened.
              quietMillis: this.settledOnce || this.workDone(rule) ? 0 : 500,
              maxMillis
            })
    return Effect.map(wait, (settled) => {
      if (settled) this.settledOnce = true
      return settled
    })
  }

  private workDone(rule: ReadinessRule): boolean {
    return rule.kind === "progress" && rule.tokens.some((token) => this.server.activity.hasEnded(token))
  }
}
