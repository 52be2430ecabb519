/** What the doctor finds. */

/** How bad it is: nothing is wrong, something could be done, it could not be found out, it does not work. */
export const verdicts = ["ok", "note", "unknown", "broken"] as const

export interface Finding {
  /** What was looked at. */
  readonly about: string
  /** What it is, in one word. */
  readonly status: string
  readonly verdict: (typeof verdicts)[number]
  readonly means: string
  /** The command that mends it. */
  readonly mend?: string
}

const finding =
  (verdict: Finding["verdict"]) =>
  (about: string, status: string, means: string, mend?: string): Finding => ({
    about,
    status,
    verdict,
    means,
    ...(mend === undefined ? {} : { mend })
  })

export const ok = finding("ok")
export const note = finding("note")
export const broken = finding("broken")
export const unknown = (about: string, means: string, mend?: string): Finding =>
  finding("unknown")(about, "unknown", means, mend)
