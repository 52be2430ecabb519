import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Forms of profiles that are understood. */
export const coverageFormats = ["lcov", "cobertura", "jacoco", "go", "istanbul", "coverage.py"] as const
export type CoverageFormat = (typeof coverageFormats)[number]

/** What a profile says of one file. */
export interface CoveredFile {
  /** As the profile writes it. */
  readonly path: string
  /**
   * Four numbers for each thing that was counted, in order of lines: first line, last line, statements, times run. Lines
   * count from 1.
   */
  readonly blocks: ReadonlyArray<number>
}

export interface CoverageProfile {
  /** Workspace-relative path of the profile. */
  readonly path: string
  readonly format: CoverageFormat
  readonly files: ReadonlyArray<CoveredFile>
  /** When it was written, milliseconds since the epoch. */
  readonly mtime_ms: number
}

/** Reads profiles that test runners write. */
export class CoverageReader extends Context.Tag("portico/CoverageReader")<
  CoverageReader,
  {
    /**
     * A profile of at most 256 MiB, whatever its name; its form is found by what it holds. Fails with the reasons of
     * reading a file, `unknown_format` when it is none of {@link coverageFormats}, and `malformed` when it is one and
     * cannot be read to its end.
     */
    readonly read: (path: string) => Effect.Effect<CoverageProfile, ServiceFailure>
  }
>() {}
