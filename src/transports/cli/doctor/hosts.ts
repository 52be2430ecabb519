/** What the doctor finds of one host. */
import { type Checkup, type HooksSeen, type Seen, type ServerSeen, serverOf } from "../../../hosts/Checkup.ts"
import { type Place, shownPath } from "../../../hosts/Host.ts"
import { shellLine } from "../../../hosts/Program.ts"
import { choiceFile, consentOf } from "../../../telemetry/Consent.ts"
import { hookEffectiveness } from "../../../telemetry/Hooks.ts"
import { broken, type Finding, note, ok, unknown } from "./Finding.ts"
import { command, type Patient } from "./Patient.ts"
import { server } from "./server.ts"

type Host = Checkup["host"]
type Readable<A> = Exclude<Seen<A>, { readonly refusal: unknown }>

/** What sets a place up; undefined for one that the host itself looks after. */
const init = (patient: Patient, host: Host, { scope }: Place, ...more: ReadonlyArray<string>) =>
  scope === "local" ? undefined : command(patient, "init", "--host", host.name, `--${scope}`, ...more)

const ofServer = (
  patient: Patient,
  host: Host,
  { entry, place, version }: Readable<ServerSeen>
): Finding | Promise<Finding> => {
  const about = `${host.title}: server in ${shownPath(place.file, patient.where)}`
  if (entry.state === "remote") return server(about, entry.url, patient.version)
  const mend =
    init(patient, host, place) ??
    shellLine([host.program, "mcp", "remove", "--scope", place.scope, "portico"])
  const says =
    version === undefined
      ? undefined
      : "says" in version
        ? `version ${version.says}`
        : "fails" in version
          ? version.fails
          : version.unasked
  const own = `this is ${patient.own[1]}, version ${patient.version}`
  if (entry.state === "stale")
    return broken(about, "stale", `${entry.why}${says === undefined ? "" : ` (${says})`}; ${own}`, mend)
  if (version === undefined || "unasked" in version) return unknown(about, `${says}`)
  if ("fails" in version) return broken(about, "broken", `what it starts does not run: ${says}`, mend)
  return version.says === patient.version
    ? ok(about, "present", `it starts this program, ${says}`)
    : broken(about, "stale", `it starts ${says}; ${own}`, mend)
}

/** Whether hooks that are configured have run. */
const activity = ({ own, where: { env } }: Patient, host: Host, about: string): Finding => {
  const last = hookEffectiveness.read(env).findLast(({ agent }) => agent === host.name)
  if (last !== undefined) return ok(about, "active", `the last one ran at ${last.ts}`)
  return consentOf(env, choiceFile(env)).on
    ? note(
        about,
        "silent",
        "they are configured, and none has run since telemetry is on; a host reads them when a session begins, and may ask to trust them first"
      )
    : unknown(
        about,
        "they are configured; whether they run is written down while telemetry is on, and it is off",
        shellLine([...own, "telemetry", "on"])
      )
}

const ofHooks = async (
  patient: Patient,
  host: Host,
  { entries, missing, place }: Readable<HooksSeen>
): Promise<ReadonlyArray<Finding>> => {
  const where = shownPath(place.file, patient.where)
  const about = `${host.title}: hooks in ${where}`
  const mend = init(patient, host, place, "--hooks")
  const stale = entries.find((entry) => entry.stale !== undefined)
  const servers = new Set(entries.flatMap((entry) => serverOf(entry) ?? []))
  return [
    stale !== undefined
      ? broken(about, "stale", `${stale.event}: ${stale.stale}`, mend)
      : missing.length > 0
        ? note(about, "incomplete", `none is configured for ${missing.join(", ")}`, mend)
        : activity(patient, host, about),
    ...(await Promise.all(
      [...servers].map((address) =>
        server(`${host.title}: server of the hooks in ${where}`, address, patient.version)
      )
    ))
  ]
}

/** What is found of a host. */
export const hostFindings = async (
  patient: Patient,
  { hooks, host, isHere, servers }: Checkup
): Promise<ReadonlyArray<Finding>> => {
  // One file may be several places.
  const unreadable = new Map(
    [...servers, ...hooks].flatMap((seen) => ("refusal" in seen ? [[seen.place.file, seen] as const] : []))
  )
  const readable = <A>(all: ReadonlyArray<Seen<A>>) =>
    all.filter((seen): seen is Readable<A> => !("refusal" in seen))
  return [
    ...[...unreadable.values()].map(({ place, refusal: { line, remedy, why } }) =>
      broken(
        `${host.title}: ${shownPath(place.file, patient.where)}`,
        "unreadable",
        `${line === undefined ? "" : `line ${line}: `}${why}; ${remedy}`,
        init(patient, host, place)
      )
    ),
    ...(await Promise.all(readable(servers).map((seen) => ofServer(patient, host, seen)))),
    ...(servers.length > 0
      ? []
      : [
          isHere
            ? note(
                `${host.title}: server`,
                "missing",
                "the host is here, and is not set up",
                command(patient, "init", "--host", host.name)
              )
            : note(`${host.title}: server`, "missing", "the host was not found on this machine")
        ]),
    ...(await Promise.all(readable(hooks).map((seen) => ofHooks(patient, host, seen)))).flat(),
    ...(hooks.length > 0 || host.hooks === undefined || servers.length === 0
      ? []
      : [
          note(
            `${host.title}: hooks`,
            "missing",
            "none are configured, and none are needed",
            command(patient, "init", "--host", host.name, "--hooks")
          )
        ])
  ]
}
