/**
 * Masks what should not leave the machine by accident: secrets of known shapes, and what points to a person or a place in
 * a network. It makes nothing anonymous.
 */

interface Rule {
  readonly label: string
  readonly pattern: RegExp
  /** Whether a match really is one. */
  readonly holds?: (match: string) => boolean
  /** Makes the replacement where it is more than the label. */
  readonly keep?: (groups: ReadonlyArray<string>) => string
}

const octets = (address: string): ReadonlyArray<number> => address.split(".").map(Number)

/** An address of some machine: no version number, and none that means this machine or an example. */
const isPlace = (address: string): boolean => {
  const [a = 0, b = 0, c = 0] = octets(address)
  if (octets(address).some((octet) => octet > 255) || a === 0 || a === 127) return false
  return !(
    (a === 192 && b === 0 && c === 2) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0)
  )
}

const rules: ReadonlyArray<Rule> = [
  {
    label: "private key",
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g
  },
  { label: "key", pattern: /\bsk-[A-Za-z0-9_-]{16,}/g },
  { label: "key", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g },
  { label: "key", pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { label: "key", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { label: "key", pattern: /\bBearer\s+[A-Za-z0-9._~+/-]{8,}=*/gi },
  {
    label: "secret",
    pattern:
      /((?:api[_-]?key|access[_-]?key|secret|token|password|passwd|authorization)["']?\s*[:=]\s*)(["'`])(?!\2)([^\n]{4,400}?)\2/gi,
    keep: ([before = "", quote = ""]) => `${before}${quote}[secret]${quote}`
  },
  {
    label: "e-mail",
    pattern: /\b[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,24}\b/g
  },
  { label: "host", pattern: /\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,4}\.ts\.net\b/gi },
  { label: "hardware address", pattern: /\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi },
  { label: "address", pattern: /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]|-[a-z])/g, holds: isPlace },
  {
    label: "address",
    pattern:
      /(?<![\w:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){2,6}:(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*)?)(?![\w:])/gi,
    holds: (address) => /\d/.test(address)
  },
  {
    label: "home",
    pattern: /(?:(?<![\w.])\/(?:home|Users)\/|\b[A-Za-z]:\\Users\\)[^/\\\s"'`<>|:]+/g
  },
  {
    label: "place",
    // Two numbers are a place when they are very exact, or said to be one.
    pattern: /(?<![\w.])-?\d{1,2}\.\d{6,}\s*,\s*-?\d{1,3}\.\d{6,}(?![\w.])/g
  },
  {
    label: "place",
    pattern:
      /(\b(?:lat|latitude|lat\/lon|coordinates?|gps|geo|location)\b["']?\s*(?:[:=]|is|at)?\s*[[(]?\s*)(-?\d{1,3}\.\d{3,}(?:\s*,\s*(?:["']?\w+["']?\s*[:=]\s*)?-?\d{1,3}\.\d{3,})?)/gi,
    keep: ([before = ""]) => `${before}[place]`
  },
  {
    label: "phone",
    pattern:
      /(?<![\w.+-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?|\d{2,4}[ .-])\d{3,4}[ .-]\d{3,4}(?![\w.-])/g,
    // A date, or a row of short numbers, is none.
    holds: (number) => number.replace(/\D/g, "").length >= 10 && !/^\d{4}-\d{2}-\d{2}/.test(number)
  },
  { label: "phone", pattern: /(?<![\w.+-])\+\d{10,14}(?!\w)/g }
]

/** A text with what is masked in it replaced by what it was, in brackets. */
export const redact = (text: string): string => {
  let shown = text
  for (const { holds, keep, label, pattern } of rules) {
    shown = shown.replace(pattern, (match: string, ...rest: ReadonlyArray<unknown>) => {
      if (holds !== undefined && !holds(match)) return match
      return keep === undefined ? `[${label}]` : keep(rest.filter((each) => typeof each === "string"))
    })
  }
  return shown
}

/** A JSON value with every text in it redacted; names of fields stay. */
export const redactValue = (value: unknown): unknown => {
  if (typeof value === "string") return redact(value)
  if (Array.isArray(value)) return value.map(redactValue)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactValue(inner)]))
}
