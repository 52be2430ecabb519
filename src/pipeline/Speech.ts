/** How a call is answered in the names its session uses: those of the facades, or those of single tools and flat arguments. */
import { speak } from "../registry/Direct.ts"
import type { FollowUpData, OperationFailure } from "../registry/Failure.ts"
import * as Flat from "../registry/Flat.ts"
import type { Operation } from "../registry/Operation.ts"
import type { Surface } from "../surface/Surface.ts"

export interface Speech {
  /** A follow-up as it can be sent in the session; undefined when it cannot. */
  readonly followUp: (draft: FollowUpData) => FollowUpData | undefined
  readonly failure: (given: OperationFailure) => OperationFailure
  /** Values by published place, by the names the caller has for these. */
  readonly places: <A>(values: { readonly [place: string]: A }) => { readonly [name: string]: A }
}

/** The names of the registry itself. */
export const plain: Speech = {
  followUp: (draft) => draft,
  failure: (given) => given,
  places: (values) => values
}

/** The names of a surface; `direct` is the operation of a call by its canonical tool's name. */
export const of = (surface: Surface | undefined, direct: Operation.Any | undefined): Speech => {
  if (surface === undefined && direct === undefined) return plain
  const followUp = surface?.translate ?? plain.followUp
  if (direct === undefined) return { ...plain, followUp }
  return {
    followUp,
    failure: (given) => speak(direct, given),
    places: (values) => {
      const { word } = Flat.speak(direct)
      return Object.fromEntries(Object.entries(values).map(([place, value]) => [word(place), value]))
    }
  }
}
