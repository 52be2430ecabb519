/** The key with which a client has a call made once, however often it asks: beside the arguments, since it is none. */

/** Where the key stands in `_meta` of a `tools/call`. */
export const keyName = "portico/idempotency_key"

const pattern = /^[A-Za-z0-9._:-]{1,200}$/

/** Whether a value can be a key. The same ones name calls over HTTP. */
export const isKey = (value: unknown): value is string => typeof value === "string" && pattern.test(value)

/** What is wrong with the key among the params of a call; undefined when there is none or a good one. */
export const keyFault = (params: unknown): string | undefined => {
  const meta = (params as { readonly _meta?: { readonly [key: string]: unknown } } | undefined)?._meta
  return meta === undefined || !Object.hasOwn(meta, keyName) || isKey(meta[keyName])
    ? undefined
    : `params._meta.${keyName}: is not a text of 1 to 200 letters, digits and the characters . _ : -`
}
