/** docs/hosts.md: where the entries of each host lie and what they are, from the hosts themselves. */
import { type Host, type Place, shownPath, type Where } from "../../hosts/Host.ts"
import { hosts } from "../../hosts/index.ts"
import { sample } from "../../hosts/Setup.ts"
import { verdicts } from "../../transports/cli/doctor/Finding.ts"
import { block, code, codes, table } from "./markdown.ts"
import { markdownPage, type Page } from "./Page.ts"

const where: Where = { project: "/path/to/project", home: "/home/you", env: {} }
const program = ["node", "/path/to/portico/dist/main.js"] as const

const placesOf = (places: ReadonlyArray<Place> = []): string =>
  places
    .filter(({ scope }) => scope !== "local")
    .map(({ file, scope }) => `${code(shownPath(file, where))} (${scope})`)
    .join(", ")

const sampleOf = (host: Host): ReadonlyArray<ReadonlyArray<string>> => {
  const { place, text } = sample(host, where, program)
  return [[`${host.title}, in ${code(shownPath(place.file, where))}:`], block(place.format, text.split("\n"))]
}

export const hostsPage = (): Page =>
  markdownPage(
    "docs/hosts.md",
    "Hosts",
    [
      "An agent's host starts the server itself, as a child process, once its settings have an entry for it.",
      "`portico init` writes that entry, and with `--hooks` the [hooks](hooks.md); `portico doctor` tells whether what is",
      "there works."
    ],
    table(
      ["host", "`--host`", "entry of the server", "hooks", "instructions, never written"],
      hosts.map((host) => [
        host.title,
        code(host.name),
        placesOf(host.servers(where)),
        placesOf(host.hooks?.(where)),
        codes(host.instructions(where).map((file) => shownPath(file, where)))
      ])
    ),
    [
      "Without `--global` or `--project` the first of a host's places is taken. The entry names the program by its path on this",
      "machine: in a repository that others work on, a host's global place is the better one, or a file that is ignored."
    ],
    ["## By hand"],
    ...hosts.flatMap(sampleOf),
    ["## What init does to a file"],
    [
      "- All changes are worked out before anything is written. Where one file cannot be understood, none is written; the refusal",
      "  has the file, the line and what to do.",
      "- One place of the text is changed. Other keys, their order, comments, trailing commas, line ends and a byte order mark stay.",
      "  The outcome is read again and compared: where anything else would have changed, it is refused.",
      "- An entry that starts another program is mended: program and script are replaced, and what else it has stays. An entry that",
      "  names the address of a server is left alone.",
      "- A file is written beside its place and renamed into it, with the mode it had. A file that changed meanwhile, one that is",
      "  read-only, and one in a project that a link leads out of it are left alone. A link of your own is followed.",
      "- `--remove` takes out what is ours, what only held that, and a file in which nothing is left. `--dry-run` writes nothing."
    ],
    ["## What the doctor tells"],
    [
      `Each finding is one of ${codes(verdicts)}, says what it means, and has the command that mends it. What could not be found`,
      "out is `unknown`, and never `ok`; only what is `broken` makes the exit code 1. `--json` gives the same as data.",
      "",
      "- **Hosts.** Whether an entry is there and can be read, whether it starts this program, and which version that says it is.",
      "  A program that the project itself brings is not run, unless `PORTICO_TRUST_WORKSPACE=1` trusts it, and neither is one that",
      "  does not belong to a package named `portico`.",
      "- **Hooks.** Whether they are configured for every event and start this program, and whether one has run. That is only",
      "  known while [telemetry](telemetry.md#hooks) is on.",
      "- **Servers.** Whether one answers where an entry, a hook or your [settings](federation.md) name one. Hosts' settings are",
      "  only believed as to addresses of this machine.",
      "- **What is kept.** Whether the folders can be written, whether the index is there, whole, and like the work tree, and whether",
      "  the [record of calls](approvals.md) is as it was written.",
      "",
      "It writes nothing. SQLite would, beside a file that it reads, so that the record is verified in a copy, which lies in the",
      "folder for temporary files for that long."
    ]
  )
