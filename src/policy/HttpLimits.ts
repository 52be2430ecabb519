/** Limits of an HTTP server when no setting says otherwise. Loads nothing, so that a server can listen before it has settings. */
export const standardHttp = {
  /** Requests that are worked on at a time. */
  running: 2,
  /** Requests that may wait in a burst. */
  burst: 64,
  /** Requests that may wait while the queue does not get empty. */
  queue: 6,
  /** Sessions of the protocol at a time. */
  sessions: 512
} as const
