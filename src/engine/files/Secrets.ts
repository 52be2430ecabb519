/**
 * Hides secret values in configuration files before their text leaves the house.
 *
 * Source code is returned as it is: a redaction there could change what the code says, and an edit made against redacted
 * text would no longer match. Only files that `isConfigLike` names are touched, in three ways: private key blocks, tokens
 * of well-known shape, and values assigned to keys with secret names. Every redaction stays on its line, so line numbers
 * hold; columns after a redaction do not. Placeholders (`${TOKEN}`, `<your key>`, `changeme`) are left readable.
 */

/** What kind of secret a value looked like. */
export type SecretKind = "private_key" | "known_token" | "url_password" | "named_value"

/** Text fit to show. `redactions` counts the values replaced (a whole key block is one); 0 means `text` is the input. */
export interface Redacted {
  readonly text: string
  readonly redactions: number
  readonly kinds: ReadonlyArray<SecretKind>
}

const configName =
  /(^|\/)(\.env(\.[^/]*)?|[^/]*\.env|\.envrc|\.?npmrc|\.yarnrc(\.yml)?|\.pypirc|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.dockercfg|\.dockerconfigjson|credentials|config|kubeconfig|id_(rsa|dsa|ecdsa|ed25519)|\.s3cfg|\.boto)$/i

const configExtension =
  /\.(json|jsonc|json5|ya?ml|toml|ini|properties|props|conf|cfg|cnf|config|plist|tfvars|tfstate|pem|key|ppk|crt|cer|secret|secrets|credentials|env|netrc)$/i

/** Whether a path names a configuration file, whose values may be redacted. Example files (`.env.example`) count too. */
export const isConfigLike = (path: string): boolean => configName.test(path) || configExtension.test(path)

/** Tokens whose issuer gave them an unmistakable shape. */
const knownToken = new RegExp(
  [
    String.raw`(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])`,
    String.raw`\bgh[pousr]_[A-Za-z0-9]{30,255}\b`,
    String.raw`\bgithub_pat_[A-Za-z0-9_]{40,255}\b`,
    String.raw`\bglpat-[A-Za-z0-9_-]{20,}`,
    String.raw`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`,
    String.raw`\bxapp-\d-[A-Za-z0-9-]{20,}`,
    String.raw`(?<=hooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}`,
    String.raw`\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}`,
    String.raw`\bwhsec_[A-Za-z0-9]{20,}`,
    String.raw`\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{32,}`,
    String.raw`\bAIza[A-Za-z0-9_-]{35}`,
    String.raw`\bya29\.[A-Za-z0-9_-]{20,}`,
    String.raw`\bGOCSPX-[A-Za-z0-9_-]{20,}`,
    String.raw`\bnpm_[A-Za-z0-9]{36}\b`,
    String.raw`\bpypi-[A-Za-z0-9_-]{50,}`,
    String.raw`\bhf_[A-Za-z0-9]{30,}\b`,
    String.raw`\bdop_v1_[a-f0-9]{64}\b`,
    String.raw`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
    String.raw`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`
  ].join("|"),
  "g"
)

/** Words that make a key's name secret, wherever they stand in it. */
const secretWords: ReadonlySet<string> = new Set([
  "password",
  "passwd",
  "passphrase",
  "passwort",
  "pwd",
  "pass",
  "secret",
  "secrets",
  "token",
  "apikey",
  "credential",
  "credentials",
  "accesskey",
  "secretkey",
  "privatekey",
  "authtoken",
  "accesstoken",
  "refreshtoken",
  "clientsecret",
  "bearer",
  "dsn",
  "connectionstring",
  "authorization",
  "pat"
])

/** Pairs of words that do. */
const secretPairs: ReadonlySet<string> = new Set([
  "api key",
  "access key",
  "secret key",
  "private key",
  "signing key",
  "encryption key",
  "master key",
  "account key",
  "shared key",
  "service key",
  "license key",
  "deploy key",
  "connection string",
  "client key",
  "storage key",
  "app key",
  "webhook url"
])

/** Words that make a value suspicious only when it also looks random. */
const vagueWords: ReadonlySet<string> = new Set([
  "key",
  "auth",
  "salt",
  "signature",
  "cert",
  "hash",
  "seed",
  "cookie"
])

/** Last words that turn a secret's name into a name about secrets. */
const aboutWords: ReadonlySet<string> = new Set([
  "policy",
  "file",
  "path",
  "dir",
  "length",
  "min",
  "max",
  "ttl",
  "expiry",
  "expires",
  "expiration",
  "timeout",
  "type",
  "name",
  "field",
  "header",
  "count",
  "limit",
  "limits",
  "enabled",
  "required",
  "regex",
  "pattern",
  "hint",
  "env",
  "ref",
  "algorithm",
  "alg",
  "rounds",
  "endpoint",
  "uri",
  "prompt",
  "label",
  "description",
  "title",
  "placeholder",
  "message",
  "error",
  "format",
  "version",
  "provider",
  "store",
  "issuer",
  "audience",
  "scope",
  "scopes",
  "ids",
  "budget",
  "usage",
  "in",
  "at",
  "rotation",
  "manager",
  "mount",
  "class",
  "location",
  "refresh",
  "reset",
  "validation",
  "strategy"
])

const keyWords = (key: string): ReadonlyArray<string> =>
  key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "")

/** How surely a key's name promises a secret. */
const keyGrade = (key: string): "secret" | "vague" | "plain" => {
  const words = keyWords(key)
  const last = words.at(-1)
  if (last === undefined || aboutWords.has(last)) return "plain"
  for (let at = 0; at < words.length; at++) {
    if (secretWords.has(words[at]!)) return "secret"
    if (at > 0 && secretPairs.has(`${words[at - 1]} ${words[at]}`)) return "secret"
  }
  return words.some((word) => vagueWords.has(word)) ? "vague" : "plain"
}

/** Shannon entropy in bits per character. */
const entropy = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

const placeholder =
  /^(|true|false|null|nil|none|undefined|~|yes|no|on|off|inherit|required|optional|string|number|boolean|object|x{3,}|\*{3,}|\.{3,}|-+|\[?redacted.*|change[-_ ]?me.*|replace[-_ ]?me.*|your[-_ ].*|my[-_ ]?(secret|token|password)|example.*|dummy|todo|tbd|placeholder|password|secret|token)$/i

const reference =
  /^(\$\{.*\}|\$[A-Za-z_(].*|\$\$.*|%[A-Za-z_]+%|<[^>]*>|\{\{.*\}\}|<%.*%>|process\.env\..*|env[.:(].*|env\[.*|op:\/\/.*|vault:.*|ssm:.*|arn:.*|secretsmanager:.*|!(Ref|Sub|GetAtt|ENV).*|file:.*|\$ref.*|@[A-Za-z.]+@|var\..*|data\..*|local\..*|secrets\..*)$/

const versionLike =
  /^([\^~<>=v ]*\d+(\.(\d+|x|\*))*([-+][\w.]+)?|[\^~]?\*|latest|workspace:.*|npm:.*|link:.*|catalog:.*)$/i

const harmless = (key: string, value: string): boolean =>
  placeholder.test(value) ||
  reference.test(value) ||
  versionLike.test(value) ||
  value.toLowerCase() === key.toLowerCase() ||
  value.trim().split(/\s+/).length >= 4

const valueIsSecret = (key: string, value: string): boolean => {
  const grade = keyGrade(key)
  if (grade === "plain" || harmless(key, value)) return false
  if (grade === "secret") return true
  return (
    value.length >= 20 &&
    !/\s/.test(value) &&
    !/^(https?:|\.{0,2}\/|[A-Za-z]:\\)/.test(value) &&
    !/^[a-z]+([-_./][a-z]+)*$/i.test(value) &&
    entropy(value) >= 3.5
  )
}

const mark = (kind: SecretKind): string => `[redacted:${kind}]`

/** `"key": "value"` and `'key': 'value'`, any number on a line; also `key: "value"` and `key = 'value'`. */
const quotedPair =
  /((?:"((?:[^"\\\n]|\\.){1,120})"|'((?:[^'\\\n]|\\.){1,120})'|\b([A-Za-z_][\w.\-/]{0,119}))\s*(?::=?|=>?)\s*)(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')/g

/** An unquoted value after `key:` or `key=` at the start of a line, as in `.env`, ini, properties and block YAML. */
const barePair =
  /^(\s*(?:-\s+)?(?:export\s+|set\s+|set -gx\s+)?(?:\/\/[^\s=]*:)?["']?([A-Za-z_@][\w.\-/]{0,119})["']?(?:\s*[=:]\s*|\s+(?=\S+$)))([^\s"'{[|>&*#!][^\r\n]*?)(\s+#.*)?(\r?)$/

const urlPassword = /\b([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>]*:)([^\s@/"'<>]+)(@)/gi

const netrcPassword = /(\bpassword\s+)(\S+)/g

const keyBegin = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/
const keyEnd = /-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/

/** A line of a key block between its markers: base64 (quoted, escaped or joined as configuration does), or one of PEM's own headers. */
const keyBody =
  /^["'+]*(?:[A-Za-z0-9+/=]|\\[nr]|\[redacted:private_key\])*["',+;\\\s]*$|^(?:Proc-Type|DEK-Info|Version|Comment): /

/** Redacts one line that is not part of a key block. */
const redactLine = (path: string, line: string, found: (kind: SecretKind) => void): string => {
  const replaced = (kind: SecretKind): string => {
    found(kind)
    return mark(kind)
  }
  let text = line.replace(knownToken, () => replaced("known_token"))
  text = text.replace(urlPassword, (all, before: string, value: string, after: string) =>
    value.includes("[redacted:") ||
    (harmless("", value) && value.toLowerCase() !== "password" && value.toLowerCase() !== "secret")
      ? all
      : `${before}${replaced("url_password")}${after}`
  )
  if (/(^|[/._])netrc$/i.test(path)) {
    text = text.replace(netrcPassword, (_, before: string) => `${before}${replaced("named_value")}`)
  }
  text = text.replace(
    quotedPair,
    (
      all: string,
      before: string,
      k1?: string,
      k2?: string,
      k3?: string,
      double?: string,
      single?: string
    ) => {
      const value = double ?? single ?? ""
      const key = k1 ?? k2 ?? k3 ?? ""
      if (value.includes("[redacted:") || !valueIsSecret(key, value)) return all
      const quote = double === undefined ? "'" : '"'
      return `${before}${quote}${replaced("named_value")}${quote}`
    }
  )
  const bare = barePair.exec(text)
  if (bare !== null && !/\.(json|jsonc|json5|plist)$/i.test(path)) {
    const [, before, key, value, comment, cr] = bare
    const separated = /[=:]/.test(before!.slice(before!.lastIndexOf(key!) + key!.length))
    const comma = value!.endsWith(",") ? "," : ""
    const bareValue = comma === "" ? value! : value!.slice(0, -1)
    if (separated && !bareValue.includes("[redacted:") && valueIsSecret(key!, bareValue)) {
      text = `${before}${replaced("named_value")}${comma}${comment ?? ""}${cr ?? ""}`
    }
  }
  return text
}

const indentOf = (line: string): number => line.length - line.trimStart().length

/** Opens a YAML block scalar: `key: |`, `key: >-`. */
const blockScalar = /^\s*(?:-\s+)?["']?([A-Za-z_][\w.\-/]*)["']?\s*:\s*[|>][+-]?\d*\s*(?:#.*)?$/

/**
 * Redacts secret-shaped values of a configuration file. Other files come back unchanged with `redactions: 0`.
 * The number of lines and their endings never change. Give it whole files and cut windows out of the answer: the middle
 * of a key block alone cannot be recognised.
 */
export const redactSecrets = (path: string, text: string): Redacted => {
  if (!isConfigLike(path)) return { text, redactions: 0, kinds: [] }
  const kinds = new Set<SecretKind>()
  let redactions = 0
  const found = (kind: SecretKind): void => {
    kinds.add(kind)
    redactions++
  }
  let inKey = false
  let block: number | null = null
  /** A line that a key block may touch: text around the block is redacted as usual. */
  const keyLine = (line: string): string => {
    let out = ""
    let rest = line
    for (;;) {
      const marker = (inKey ? keyEnd : keyBegin).exec(rest)
      const before = marker === null ? rest : rest.slice(0, marker.index)
      if (inKey) {
        const body = before.trim()
        out += body === "" ? before : before.replace(body, () => mark("private_key"))
        // What does not look like a key's body ends the block: a marker was only mentioned.
        if (marker === null && body !== "" && !keyBody.test(body)) inKey = false
      } else out += before === "" ? "" : redactLine(path, before, found)
      if (marker === null) return out
      inKey = !inKey
      if (inKey) found("private_key")
      out += marker[0]
      rest = rest.slice(marker.index + marker[0].length)
    }
  }
  const lines = text.split("\n").map((line) => {
    const cr = line.endsWith("\r") ? "\r" : ""
    const indent = line.slice(0, indentOf(line))
    if (inKey && !keyEnd.test(line) && line.trim() !== "" && !keyBody.test(line.trim())) inKey = false
    if (inKey || keyBegin.test(line)) return keyLine(line)
    if (block !== null) {
      if (line.trim() === "") return line
      if (indentOf(line) > block) return `${indent}${mark("named_value")}${cr}`
      block = null
    }
    const scalar = /\.ya?ml$/i.test(path) ? blockScalar.exec(line.trimEnd()) : null
    if (scalar !== null && keyGrade(scalar[1]!) === "secret") {
      block = indentOf(line)
      found("named_value")
      return line
    }
    return redactLine(path, line, found)
  })
  return redactions === 0
    ? { text, redactions: 0, kinds: [] }
    : { text: lines.join("\n"), redactions, kinds: [...kinds].sort() }
}
