/** What a server says it is busy with: `$/progress`, its log and, where it exists, `experimental/serverStatus`. */
import * as Signal from "./Signal.ts"

/** One thing under way. `percent` 0 to 100 when the server tells. */
export interface Work {
  readonly title: string
  readonly detail?: string
  readonly percent?: number
}

const field = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null
    ? (value as { readonly [key: string]: unknown })[key]
    : undefined

/** The work of one process. */
export class Activity {
  private readonly open = new Map<string | number, Work>()
  private readonly ended = new Set<string | number>()
  private status: boolean | undefined
  private readonly lines: Array<string> = []
  private readonly signal = Signal.make()

  /** Takes the parameters of `$/progress`. Partial results, which have another shape, are passed over. */
  progress(params: unknown): void {
    const token = field(params, "token")
    const value = field(params, "value")
    const kind = field(value, "kind")
    if (typeof token !== "string" && typeof token !== "number") return
    if (kind === "end") {
      this.open.delete(token)
      this.ended.add(token)
    } else if (kind === "begin" || kind === "report") {
      const title = field(value, "title")
      const message = field(value, "message")
      const percentage = field(value, "percentage")
      const before = this.open.get(token)
      if (kind === "report" && before === undefined) return
      const detail = typeof message === "string" ? message : before?.detail
      const percent = typeof percentage === "number" ? percentage : before?.percent
      this.open.set(token, {
        title: typeof title === "string" ? title : (before?.title ?? ""),
        ...(detail === undefined ? {} : { detail }),
        ...(percent === undefined ? {} : { percent })
      })
    } else return
    this.signal.fire()
  }

  /** Takes the parameters of `experimental/serverStatus`. */
  serverStatus(params: unknown): void {
    const quiescent = field(params, "quiescent")
    if (typeof quiescent !== "boolean") return
    this.status = quiescent
    this.signal.fire()
  }

  /** Takes a line the server logged. The latest 200 are kept. */
  logged(line: string): void {
    this.lines.push(line)
    if (this.lines.length > 200) this.lines.shift()
    this.signal.fire()
  }

  /** Whether a line that was logged matches. */
  hasLogged(pattern: RegExp): boolean {
    return this.lines.some((line) => pattern.test(line))
  }

  /** Wakes everyone who waits, to look again. */
  wake(): void {
    this.signal.fire()
  }

  /** Work under way, in the order in which it began. */
  get work(): ReadonlyArray<Work> {
    return [...this.open.values()]
  }

  /** No work under way. */
  get idle(): boolean {
    return this.open.size === 0
  }

  /** Whether work with this token has ended at least once. */
  hasEnded(token: string): boolean {
    return this.ended.has(token)
  }

  /** What the server last said of itself: true at rest, undefined when it never said. */
  get quiescent(): boolean | undefined {
    return this.status
  }

  /** See {@link Signal.Signal}. */
  get settled(): Signal.Signal["settled"] {
    return this.signal.settled
  }
}
