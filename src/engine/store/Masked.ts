/** Arguments of a call as they may be kept for a person's eyes: what looks like a secret in them is masked first. */
import { redactSecrets } from "../files/Secrets.ts"

type Arguments = { readonly [key: string]: unknown }

/** A value, and the name it goes by. Texts are looked through as settings are, whatever file they are meant for. */
const maskedValue = (value: unknown, name: string): unknown => {
  if (typeof value === "string") {
    const named = redactSecrets("arguments.json", `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    if (named.kinds.includes("named_value") && !value.includes("\n")) return "[redacted:named_value]"
    return redactSecrets("arguments.env", value).text
  }
  if (Array.isArray(value)) return value.map((inner) => maskedValue(inner, name))
  return typeof value === "object" && value !== null ? masked(value as Arguments) : value
}

/** The same arguments with every value that looks like a secret replaced by a mark. */
export const masked = (given: Arguments): Arguments =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, maskedValue(value, name)]))
