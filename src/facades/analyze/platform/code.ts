import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { failure, type OperationFailure } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { FrameworkFacts, type Note } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import {
  byPlace,
  completenessOf,
  facts,
  grouped,
  holders,
  holds,
  none,
  notesOf,
  oneWord,
  text
} from "./Facts.ts"

const unknown = (
  field: string,
  words: string,
  what: string,
  valid: ReadonlyArray<string>
): OperationFailure =>
  failure("symbol_not_found", `no ${what} ${JSON.stringify(words)}`, {
    field,
    failure_stage: "resolve",
    data: { known: valid.slice(0, 30), known_count: valid.length }
  })

export const annotationUsers = kind("annotation_users", {
  summary: "Where an annotation or decorator is used.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ id: F.optional(F.text), name: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const reading = yield* facts("annotations")
      const all = grouped(notesOf(reading, "annotation"), ({ name }) => name)
      const words = (options.id ?? options.name)
        ?.replace(/^annotation::/, "")
        .replace(/^[@#]+\[?|[\])(]+$/g, "")
        .trim()
      if (words !== undefined) {
        const exact = all.filter(([name]) => name === words)
        const wanted =
          exact.length > 0
            ? exact
            : all.filter(([, notes]) => text(notes[0]!, "short").toLowerCase() === words.toLowerCase())
        if (wanted.length === 0)
          return yield* unknown(
            options.id === undefined ? "options.name" : "options.id",
            words,
            "annotation",
            all.map(([name]) => name)
          )
        const users = wanted
          .flatMap(([, notes]) => notes)
          .map((note) => ({
            symbol: note.targets["symbol"]?.id ?? note.targets["symbol"]?.name ?? note.within,
            file_path: note.file,
            line: note.line,
            args: text(note, "args"),
            ...(note.test ? { test: true as const } : {})
          }))
          .sort(byPlace)
        return page(
          "users",
          {
            annotation: wanted.map(([name]) => name).join(", "),
            users,
            total: users.length,
            ...completenessOf(reading)
          },
          { snapshot: reading.generation }
        )
      }
      const rows = all
        .map(([name, notes]) => ({
          id: `annotation::${name}`,
          name,
          users: notes.length,
          file_path: notes[0]!.file,
          line: notes[0]!.line
        }))
        .sort((a, b) => b.users - a.users || (a.id < b.id ? -1 : 1))
      return page(
        "annotations",
        {
          annotations: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "annotation") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

const nodeModules = new Set(
  "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib test".split(
    " "
  )
)
const pythonModules = new Set(
  "abc argparse array ast asyncio base64 bisect builtins bz2 calendar cmath cmd code codecs collections colorsys compileall concurrent configparser contextlib contextvars copy csv ctypes curses dataclasses datetime decimal difflib dis doctest email encodings enum errno faulthandler filecmp fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib gzip hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox math mimetypes mmap multiprocessing netrc numbers operator os pathlib pdb pickle pkgutil platform plistlib poplib posixpath pprint profile pstats pty queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys sysconfig syslog tarfile tempfile textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc types typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser xml xmlrpc zipapp zipfile zipimport zlib zoneinfo __future__".split(
    " "
  )
)

/** What a module is: of the language itself, or a package. */
const moduleKind = (note: Note): "stdlib" | "third_party" => {
  const { file, name } = note
  const extension = file.slice(file.lastIndexOf(".") + 1)
  if (/^(?:[cm]?[jt]sx?|vue|svelte)$/.test(extension))
    return name.startsWith("node:") || nodeModules.has(name.split("/")[0]!) ? "stdlib" : "third_party"
  if (extension === "py") return pythonModules.has(name.split(".")[0]!) ? "stdlib" : "third_party"
  if (extension === "go") return name.split("/")[0]!.includes(".") ? "third_party" : "stdlib"
  if (extension === "rs") return /^(?:std|core|alloc)(?:::|$)/.test(name) ? "stdlib" : "third_party"
  if (/^(?:java|kt|kts|scala)$/.test(extension))
    return /^(?:java|javax|kotlin|kotlinx|scala)\./.test(name) ? "stdlib" : "third_party"
  if (extension === "cs") return /^System(?:\.|$)/.test(name) ? "stdlib" : "third_party"
  if (extension === "swift")
    return /^(?:Foundation|Swift|UIKit|SwiftUI|Combine|Dispatch)$/.test(name) ? "stdlib" : "third_party"
  return "third_party"
}

/** The package a module path is of, as manifests name it. */
const packageOf = (module: string): string =>
  module.startsWith("@") ? module.split("/").slice(0, 2).join("/") : module.replace(/^node:/, "")

export const externalCalls = kind("external_calls", {
  summary: "Calls into other modules, by module.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      id: F.optional(F.text),
      name: F.optional(F.text),
      module_kind: F.optional(F.text),
      module_path: F.optional(F.text)
    })
  }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const wantedKind = yield* oneWord(
        "options.module_kind",
        options.module_kind,
        ["stdlib", "third_party"],
        "class of modules"
      )
      const reading = yield* facts("externals", "manifests")
      const versions = new Map<string, string>()
      for (const note of notesOf(reading, "dependency"))
        if (!versions.has(note.name)) versions.set(note.name, text(note, "version"))
      const versionOf = (module: string): string => {
        const exact =
          versions.get(packageOf(module)) ??
          versions.get(module) ??
          versions.get(module.split(/[/.]/)[0]!) ??
          versions.get(module.split("::")[0]!)
        if (exact !== undefined) return exact
        // A package of Go lies below its module.
        const above = [...versions.keys()]
          .filter((name) => module.startsWith(`${name}/`))
          .sort((a, b) => b.length - a.length)[0]
        return above === undefined ? "" : versions.get(above)!
      }
      const fits = holds(options.module_path)
      const modules = grouped(
        notesOf(reading, "external").filter(
          (note) =>
            !note.test && fits(note.name) && (wantedKind === undefined || moduleKind(note) === wantedKind)
        ),
        ({ name }) => name
      )
      const words = options.id?.replace(/^module::/, "") ?? options.name
      if (words !== undefined) {
        const exact = modules.filter(([name]) => name === words)
        const wanted =
          exact.length > 0
            ? exact
            : modules.filter(
                ([name]) =>
                  options.id === undefined &&
                  (packageOf(name).toLowerCase() === words.toLowerCase() ||
                    name.toLowerCase().includes(words.toLowerCase()))
              )
        if (wanted.length === 0)
          return yield* unknown(
            options.id === undefined ? "options.name" : "options.id",
            words,
            "module that is called",
            modules.map(([name]) => name)
          )
        const symbols = wanted
          .flatMap(([module, notes]) =>
            grouped(notes, (note) => text(note, "symbol")).map(([name, calls]) => ({
              id: `module::${module}::${name}`,
              name,
              kind: "function",
              import_path: module,
              calls: calls.length,
              callers: holders(calls),
              file_path: calls[0]!.file,
              line: calls[0]!.line
            }))
          )
          .sort((a, b) => b.calls - a.calls || (a.id < b.id ? -1 : 1))
        return page(
          "symbols",
          {
            module: wanted.map(([name]) => name).join(", "),
            version: versionOf(wanted[0]![0]),
            symbols,
            total: symbols.length,
            ...completenessOf(reading)
          },
          { snapshot: reading.generation }
        )
      }
      const rows = modules
        .map(([path, notes]) => ({
          id: `module::${path}`,
          path,
          version: versionOf(path),
          module_kind: moduleKind(notes[0]!),
          symbols: new Set(notes.map((note) => text(note, "symbol"))).size,
          calls: notes.length
        }))
        .sort((a, b) => b.calls - a.calls || (a.id < b.id ? -1 : 1))
      return page(
        "modules",
        {
          modules: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "call into another module") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})
