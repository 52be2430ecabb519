/** Facts of one file, before the graph says what their names mean. They depend on the file's path and text alone. */

/** A place in the file: 1-based line, 0-based UTF-16 column. */
export interface At {
  readonly line: number
  readonly column: number
}

/** A router, as a file speaks of it. */
export type Place =
  /** A variable, parameter or value of this file, by a key of its own. */
  | { readonly kind: "local"; readonly key: string }
  /** A name that the graph has to follow. */
  | ({ readonly kind: "name"; readonly name: string } & At)
  /** What a function returns that is called there. */
  | ({ readonly kind: "call"; readonly name: string } & At)
  | { readonly kind: "below"; readonly base: Place; readonly prefix: string }

/** Who answers a route. */
export type Handler =
  /** A name written there. */
  | ({ readonly kind: "name"; readonly name: string } & At)
  /** Code written in place. */
  | ({ readonly kind: "inline" } & At)
  /** A definition of this file. */
  | ({ readonly kind: "definition"; readonly name: string } & At)
  /** A member of a type, wherever it is. */
  | { readonly kind: "member"; readonly type: string; readonly name: string }
  /** The file itself, or one of its exports. */
  | { readonly kind: "file"; readonly name?: string }

export interface LocalRoute extends At {
  readonly kind: "route"
  readonly pass: string
  readonly protocol: string
  readonly method: string
  readonly path: string
  readonly on?: Place | undefined
  readonly handler: Handler
  /** A part of the path is computed. */
  readonly partial?: boolean
  /** Only where this type has the member, itself or by a super type of one of these names. */
  readonly requires?: {
    readonly type: { readonly name: string } & At
    readonly member: string
    readonly bases: ReadonlyArray<string>
  }
}

/** A router below another. */
export interface LocalMount extends At {
  readonly kind: "mount"
  readonly pass: string
  readonly parent: Place | undefined
  readonly prefix: string
  /** A name that holds the prefix, where it is not written out. */
  readonly prefixName?: ({ readonly name: string } & At) | undefined
  readonly child: Place
  /** Takes the place of the child's own prefix. */
  readonly overrides?: boolean
}

/** A router that is made. */
export interface LocalRouter extends At {
  readonly kind: "router"
  readonly pass: string
  readonly place: Place
  readonly prefix: string
  /** An application, which is below nothing. */
  readonly app: boolean
}

/** A call that hands routers to a function, by position. */
export interface LocalFlow extends At {
  readonly kind: "flow"
  readonly pass: string
  readonly name: string
  readonly args: ReadonlyArray<{ readonly index: number; readonly place: Place }>
}

/** A function of this file that returns a router. */
export interface LocalReturn extends At {
  readonly kind: "return"
  readonly pass: string
  readonly name: string
  readonly place: Place
}

/** What a module exports as a whole. */
export interface LocalExport extends At {
  readonly kind: "export"
  readonly pass: string
  readonly place: Place
}

/** Anything else: what it says is up to its family. */
export interface LocalNote extends At {
  readonly kind: "note"
  readonly pass: string
  /** What it is: consumer, model, table, query, topic … */
  readonly what: string
  readonly name: string
  readonly data: { readonly [key: string]: unknown }
  /** Names in the file that the graph has to follow, by role. */
  readonly names?: { readonly [role: string]: Handler }
}

export type LocalFact =
  | LocalRoute
  | LocalMount
  | LocalRouter
  | LocalFlow
  | LocalReturn
  | LocalExport
  | LocalNote
