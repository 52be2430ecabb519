/**
 * Bearer tokens: secrets in files that only their owner can read. One is for callers; the other is for the person who
 * settles what callers wait for, and no caller should ever hold it.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export const roles = ["caller", "approver"] as const
export type Role = (typeof roles)[number]

/** Who a token belongs to. */
export interface Holder {
  readonly role: Role
  /** Stable and no secret: part of the token's digest. */
  readonly id: string
}

const digest = (token: string): Buffer => createHash("sha256").update(token).digest()

/** File of a token below a folder. */
export const fileOf = (folder: string, role: Role): string => join(folder, `${role}.token`)

/** Reads a token, making it where there is none. Throws when the file holds something else or others can read it. */
const obtain = (file: string): string => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600 })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
  }
  chmodSync(file, 0o600)
  const token = readFileSync(file, "utf8").trim()
  if (!/^[!-~]{16,}$/.test(token)) throw new Error(`${file} holds no token of at least 16 characters`)
  return token
}

export class Tokens {
  readonly #digests: ReadonlyArray<{ readonly holder: Holder; readonly digest: Buffer }>

  constructor(tokens: { readonly [R in Role]: string }) {
    this.#digests = roles.map((role) => {
      const bytes = digest(tokens[role])
      return { holder: { role, id: `${role}-${bytes.toString("hex").slice(0, 12)}` }, digest: bytes }
    })
  }

  /** The tokens of a folder, made where there are none. */
  static in(folder: string): Tokens {
    return new Tokens({
      caller: obtain(fileOf(folder, "caller")),
      approver: obtain(fileOf(folder, "approver"))
    })
  }

  /** Who shows a token; undefined for one that is not known. Takes as long for a near miss as for a far one. */
  holder(token: string): Holder | undefined {
    const shown = digest(token)
    let found: Holder | undefined
    for (const { digest: known, holder } of this.#digests) if (timingSafeEqual(shown, known)) found = holder
    return found
  }
}
