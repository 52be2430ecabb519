/**
 * Which tools a session sees. There is one surface, all tools of the registry and nothing else; what is decided here is
 * whether somebody asked for another one, and who.
 */

/** The surface's name and its other spellings. */
export const surfaceName = "facade-v1"
export const aliases = ["compact", "facade", "agent-v2"] as const

/** Where a selection came from, the strongest first. */
export const sources = ["forwarded", "operator", "profile", "client", "default"] as const
export type Source = (typeof sources)[number]

/** What each source says; absent or blank is no opinion. */
export interface Wishes {
  /** `--tools`, or the environment's PORTICO_TOOLS. */
  readonly forwarded?: string | undefined
  /** Pinned by the operator in a configuration file. */
  readonly operator?: string | undefined
  /** Preset of the active instruction profile. */
  readonly profile?: string | undefined
  /** Name the client gave. Any name selects {@link surfaceName}; none leaves it to the server's default. */
  readonly client?: string | undefined
}

export type Selection =
  | { readonly ok: true; readonly surface: typeof surfaceName; readonly source: Source }
  | { readonly ok: false; readonly source: Source; readonly asked: string; readonly message: string }

const said = (wish: string | undefined): string | undefined => {
  const word = wish?.trim()
  return word === undefined || word === "" ? undefined : word
}

/** How a source is called in a message. */
const place: Record<Source, string> = {
  forwarded: "--tools or PORTICO_TOOLS",
  operator: "the configuration",
  profile: "the instruction profile",
  client: "the client",
  default: "the server"
}

/**
 * Resolves the wishes, the strongest source first. Presets of single tools do not exist in this server, and asking for
 * one is refused rather than answered with another surface. Without any wish the server's default is the same surface.
 */
export const select = (wishes: Wishes): Selection => {
  for (const source of ["forwarded", "operator", "profile"] as const) {
    const asked = said(wishes[source])
    if (asked === undefined) continue
    const name = asked.toLowerCase()
    if (name === surfaceName || aliases.some((alias) => alias === name))
      return { ok: true, surface: surfaceName, source }
    return {
      ok: false,
      source,
      asked,
      message: `${place[source]} selects ${JSON.stringify(asked)}, which this server does not have; valid: ${[
        surfaceName,
        ...aliases
      ].join(", ")}`
    }
  }
  return { ok: true, surface: surfaceName, source: said(wishes.client) === undefined ? "default" : "client" }
}
