import type { UnknownRecord } from "./Json.ts"

/** What an answer may say about itself beyond its value. */
export interface AnswerShape {
  /** Key of the list that `output.limit` and `output.cursor` page over. */
  readonly list?: string
  /**
   * Set when the list already starts at this row because the handler applied `call.offset` and `call.limit`. Without
   * it the list is whole and is paged for the handler.
   */
  readonly from?: number
  /** Rows there are in all, when the list holds a part. */
  readonly total?: number
  /** Word for the state the list was read from; a cursor over another state is refused as stale. */
  readonly snapshot?: string
  /** Canonical tool, when several stand behind the operation. */
  readonly tool?: string
}

/** A value with directions for its projection. A handler without any returns the plain value. */
export class Answer<out A extends object> {
  readonly value: A
  readonly shape: AnswerShape
  constructor(value: A, shape: AnswerShape) {
    this.value = value
    this.shape = shape
  }
}

/** An answer whose list under `list` is paged. */
export const page = <A extends object>(
  list: keyof A & string,
  value: A,
  shape: Omit<AnswerShape, "list"> = {}
): Answer<A> => new Answer(value, { ...shape, list })

/** An answer with any directions. */
export const answer = <A extends object>(value: A, shape: AnswerShape = {}): Answer<A> =>
  new Answer(value, shape)

/** The plain value or the answer a handler returned, as an answer. */
export const from = (result: object): Answer<UnknownRecord> =>
  result instanceof Answer
    ? (result as Answer<any>)
    : new Answer(
        Array.isArray(result) ? { items: result } : (result as UnknownRecord),
        Array.isArray(result) ? { list: "items" } : {}
      )
