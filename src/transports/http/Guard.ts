/**
 * Who is at the door: what a connection and the head of a request say of the caller, before anything of its body is read.
 * Forwarding headers are never believed, and a request from this machine is not thereby somebody.
 */
import type { Door, Principal, PrincipalKind } from "../../policy/Principal.ts"
import type { Holder, Tokens } from "./Tokens.ts"

/** The head of a request. */
export interface Head {
  /** Address of the other end of the connection; undefined when it is not known. */
  readonly peer: string | undefined
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly authorization: string | undefined
}

export interface Access {
  readonly tokens: Tokens
  /** Whether the server listens on loopback addresses only. */
  readonly loopback: boolean
  /** Names, without a port, under which the server may be addressed besides the loopback ones. */
  readonly hosts: ReadonlyArray<string>
  /** Origins of web pages that may call. */
  readonly origins: ReadonlyArray<string>
}

/** Why a request is not let in. */
export interface Refused {
  readonly status: 401 | 403
  readonly code:
    | "AUTH_REQUIRED"
    | "CROSS_ORIGIN_BLOCKED"
    | "HOST_NOT_ALLOWED"
    | "AGENT_CONTEXT_ORIGIN_REJECTED"
  readonly message: string
}

/** Whether an address is one of this machine's own. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined &&
  (/^127(\.\d{1,3}){3}$/.test(address) || address === "::1" || /^::ffff:127(\.\d{1,3}){3}$/i.test(address))

/** The name of a Host header without its port; undefined for one that is none. */
export const hostName = (host: string): string | undefined => {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.exec(host.trim())?.[1]
  return name?.replace(/^\[|\]$/g, "").toLowerCase()
}

const isLocalName = (name: string): boolean => name === "localhost" || isLoopback(name)

const originName = (origin: string): string | undefined => {
  try {
    const { hostname, protocol } = new URL(origin)
    return protocol === "http:" || protocol === "https:" ? hostname.replace(/^\[|\]$/g, "") : undefined
  } catch {
    return undefined
  }
}

/** Refuses requests that a web page or a renamed address could have brought about. */
export const fromElsewhere = (head: Head, access: Access): Refused | undefined => {
  const name = head.host === undefined ? undefined : hostName(head.host)
  if (name === undefined || !(isLocalName(name) || access.hosts.includes(name)))
    return {
      status: 403,
      code: "HOST_NOT_ALLOWED",
      message: "this server is not addressed by that name; see --host"
    }
  if (head.origin === undefined || access.origins.includes(head.origin)) return undefined
  const page = originName(head.origin)
  return page !== undefined && isLocalName(page)
    ? undefined
    : {
        status: 403,
        code: "CROSS_ORIGIN_BLOCKED",
        message: "pages of other origins may not call this server"
      }
}

const bearer = (authorization: string): string | undefined => /^Bearer +([!-~]+)$/i.exec(authorization)?.[1]

/** Whose token a request shows; undefined for none that is known. */
export const holderOf = (head: Head, access: Access): Holder | undefined => {
  const token = head.authorization === undefined ? undefined : bearer(head.authorization)
  return token === undefined ? undefined : access.tokens.holder(token)
}

/**
 * The principal behind a request, of the kind its door is for. Without a token it is nobody, which is let in on loopback
 * only and may read.
 */
export const principalOf = (
  kind: PrincipalKind,
  door: Door,
  head: Head,
  access: Access
): Principal | Refused => {
  if (head.authorization === undefined) {
    return access.loopback && isLoopback(head.peer)
      ? { kind, id: `${kind}:${door}:anonymous`, authenticated: false }
      : { status: 401, code: "AUTH_REQUIRED", message: "a bearer token is needed" }
  }
  const holder = holderOf(head, access)
  return holder === undefined
    ? { status: 401, code: "AUTH_REQUIRED", message: "that token is not known here" }
    : { kind, id: `${kind}:${holder.id}`, authenticated: true }
}

export const isRefused = (value: Principal | Refused): value is Refused => "status" in value
