import { readFileSync } from "node:fs"
import type { FactsDescription } from "../../../../src/engine/languages/describe.ts"
import type { Language } from "../../../../src/engine/languages/Language.ts"
import { factsOf } from "../support.ts"

/** A sample file beside a test. */
export const sample = (file: string, url: string): string => readFileSync(new URL(file, url), "utf8")

/** Facts in one line per record, with definitions and imports by name instead of by index. */
export const shown = (facts: FactsDescription) => {
  const definition = (i: number) => (i < 0 ? "-" : facts.definitions[i]!.qualified)
  const imported = (i: number) => {
    const { imported, module } = facts.imports[i]!
    return [module, imported].filter((s) => s !== "").join(":")
  }
  const text = (s: string) =>
    s
      .replace(/#def(\d+)/g, (_, i: string) => `@${definition(Number(i))}`)
      .replace(/#imp(\d+)/g, (_, i: string) => `@import ${imported(Number(i))}`)
  const bind = (s: string) =>
    /^def\d/.test(s)
      ? `@${definition(Number(s.slice(3)))}`
      : /^imp\d/.test(s)
        ? `@import ${imported(Number(s.slice(3)))}`
        : text(s)
  const line = (at: string) => at.slice(0, at.indexOf(":"))
  return {
    definitions: facts.definitions.map(
      (d) =>
        `${line(d.at)} ${d.kind} ${d.qualified}${d.type === undefined ? "" : ` : ${text(d.type)}`}${d.owner === undefined ? "" : ` of ${text(d.owner)}`}`
    ),
    flags: (name: string) => facts.definitions.find((d) => d.qualified === name)?.flags,
    of: (name: string) => facts.definitions.find((d) => d.qualified === name),
    references: (...roles: ReadonlyArray<string>) =>
      facts.references
        .filter((r) => roles.includes(r.role))
        .map((r) => `${line(r.at)} ${r.name}${r.args < 0 ? "" : `(${r.args})`} ${bind(r.bind)}`),
    uses: facts.references.filter((r) => r.use !== "unknown").map((r) => `${line(r.at)} ${r.name} ${r.use}`),
    imports: facts.imports.map(
      (i) =>
        `${i.module}${i.imported === "" ? "" : `:${i.imported}`}${i.local === "" ? "" : ` as ${i.local}`}${i.flags.length === 0 ? "" : ` (${i.flags.join(" ")})`}`
    ),
    inherits: facts.inherits.map(
      (i) => `${i.subject < 0 ? text(i.subjectType) : definition(i.subject)} ${i.how} ${text(i.superType)}`
    ),
    marks: facts.marks.map((m) => `${m.line} ${m.kind} ${m.text}`),
    package: facts.package,
    runner: facts.runner,
    parseErrors: facts.parseErrors
  }
}

export const shownSample = async (language: Language, file: string, url: string) =>
  shown(await factsOf(language, sample(file, url), file))
