/** Whom the doctor looks at: a program, in a project, for its user. */
import type { Where } from "../../../hosts/Host.ts"
import { type Program, shellLine } from "../../../hosts/Program.ts"

export interface Patient {
  readonly where: Where
  readonly own: Program
  readonly version: string
}

/** A command of this program about the project, as a shell takes it. */
export const command = ({ own, where }: Patient, ...words: ReadonlyArray<string>): string =>
  shellLine([...own, ...words, where.project])
