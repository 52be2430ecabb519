/** An object with other words here and there; everything else stays what is worked out when the first is asked. */
export const retold = <A extends object>(told: A, words: Partial<A>): A =>
  Object.create(
    told,
    Object.fromEntries(Object.entries(words).map(([name, value]) => [name, { value, enumerable: true }]))
  ) as A
