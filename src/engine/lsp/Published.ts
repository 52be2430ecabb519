/** Diagnostics that a server sent on its own account, the latest of each document. */
import { Either, Schema } from "effect"
import { type Diagnostic, PublishedDiagnostics } from "./Protocol.ts"
import * as Signal from "./Signal.ts"

/** `order` grows with each message of any document; `version` is the document's when the server told. */
export interface Publication {
  readonly order: number
  readonly version: number | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

const decode = Schema.decodeUnknownEither(PublishedDiagnostics)

/** What one process published. */
export class Published {
  private readonly latest = new Map<string, Publication>()
  private readonly signal = Signal.make()
  private last = 0
  private readonly key: (uri: string) => string

  /** `key` gives documents one name however a server spells their URI. */
  constructor(key: (uri: string) => string) {
    this.key = key
  }

  /** Takes the parameters of `textDocument/publishDiagnostics`. False when they make no sense. */
  take(params: unknown): boolean {
    const decoded = decode(params)
    if (Either.isLeft(decoded)) return false
    const { uri, version, diagnostics } = decoded.right
    this.latest.set(this.key(uri), { order: ++this.last, version: version ?? undefined, diagnostics })
    this.signal.fire()
    return true
  }

  /** Order of the latest message of any document. */
  get order(): number {
    return this.last
  }

  get(key: string): Publication | undefined {
    return this.latest.get(key)
  }

  /** Forgets a document that was closed. */
  forget(key: string): void {
    this.latest.delete(key)
  }

  /** Wakes everyone who waits, to look again. */
  wake(): void {
    this.signal.fire()
  }

  /** See {@link Signal.Signal}. */
  get settled(): Signal.Signal["settled"] {
    return this.signal.settled
  }
}
