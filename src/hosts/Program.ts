/** The program that hosts start, and command lines that start it or another one of its kind. */
import { accessSync, constants, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, delimiter, dirname, isAbsolute, join, sep } from "node:path"

/** Node, and the script it runs. Both absolute. */
export type Program = readonly [node: string, script: string]

/** This one. */
export const ownProgram = (): Program => [process.execPath, realpathSync(process.argv[1] as string)]

const quote = (word: string): string =>
  /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** Words as a shell takes them. */
export const shellLine = (words: ReadonlyArray<string>): string => words.map(quote).join(" ")

/** The words of a line as a shell would part them, without what else it would do to them. */
export const shellWords = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g)].map(([word]) =>
    word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_, double, single, escaped) =>
      double === undefined ? (single ?? escaped) : double.replace(/\\(["\\$`])/g, "$1")
    )
  )

/** A program that a command line starts. */
export interface Started {
  /** What is started, with the script where that is one for node. Absolute, links followed. */
  readonly program: string
  readonly script: string
  /** The words behind those. */
  readonly rest: ReadonlyArray<string>
}

const isNode = (file: string): boolean => /^node(?:js)?(?:\.exe)?$/.test(basename(file))

const onPath = (name: string, path: string): string | undefined =>
  path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return statSync(file).isFile()
      } catch {
        return false
      }
    })

const fileAt = (file: string): string | undefined => {
  try {
    const real = realpathSync(file)
    return statSync(real).isFile() ? real : undefined
  } catch {
    return undefined
  }
}

/** Finds a program by its name, or where it lies. */
export const found = (command: string, path = process.env["PATH"] ?? ""): string | undefined => {
  if (!command.includes("/") && !command.includes(sep)) {
    const file = onPath(command, path)
    return file === undefined ? undefined : fileAt(file)
  }
  return isAbsolute(command) ? fileAt(command) : undefined
}

/** What a command line starts, or why nothing can be started by it. */
export const startedBy = ([command = "", ...words]: ReadonlyArray<string>): Started | string => {
  const program = found(command)
  if (program === undefined) return `there is no program ${command}`
  if (!isNode(command)) return { program, script: program, rest: words }
  const [given = "", ...rest] = words
  const script = isAbsolute(given) ? fileAt(given) : undefined
  return script === undefined ? `there is no script ${given}` : { program, script, rest }
}

/** Whether a program is this one. */
export const isOwn = ({ script }: Started, [, own]: Program): boolean => script === realpathSync(own)

/** Whether the package a script lies in calls itself Portico. */
export const isPortico = (script: string): boolean => {
  for (let folder = dirname(script); ; folder = dirname(folder)) {
    let name: unknown
    try {
      ;({ name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")))
    } catch {
      // There is none here.
    }
    if (typeof name === "string") return name === "portico"
    if (dirname(folder) === folder) return false
  }
}
