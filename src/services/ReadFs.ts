import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

export interface FileText {
  /** Root-relative path after symbolic links, with `/`. */
  readonly path: string
  readonly text: string
  /** Bytes on disk. */
  readonly bytes: number
  /** Git blob id of the bytes on disk. */
  readonly sha: string
  readonly eol: "lf" | "crlf" | "mixed" | "none"
  readonly bom: boolean
  /** utf8, utf16le, utf16be or latin1 (bytes that are not valid UTF-8). */
  readonly encoding: string
  /** 0 for text that is not on disk. */
  readonly mtime_ms: number
  /** There for text of the session's overlay, which is not on disk. */
  readonly overlay?: true
  /** A number that stands for this content of this file in the session of the call; for guards of edits. */
  readonly revision?: number
}

/** Some lines of a file, with their ends. */
export interface FileLines {
  readonly path: string
  /** Git blob id of the whole file's bytes. */
  readonly sha: string
  readonly lines: ReadonlyArray<string>
  /** Whether the last of them is the file's last. */
  readonly whole: boolean
}

/** Reads files of the workspace. Every path argument is confined to its root after symbolic links are followed. */
export class ReadFs extends Context.Tag("portico/ReadFs")<
  ReadFs,
  {
    /**
     * A whole text file of at most 16 MiB. Fails with reason path_outside_root, not_found, not_file, permission_denied,
     * invalid_path, binary, too_large or io_error.
     */
    readonly readText: (path: string) => Effect.Effect<FileText, ServiceFailure>
    /** The same file as it is on disk, whatever the session of the call has over it. */
    readonly readDisk: (path: string) => Effect.Effect<FileText, ServiceFailure>
    /**
     * Lines `from` to `to` of a large file, 1-based, or as many as there are, without reading it whole; the same as its
     * text has. Undefined where only the whole text will do: it is not large, is not on disk as it was indexed, has secrets
     * to look for, or has nothing on those lines.
     */
    readonly lines: (path: string, from: number, to: number) => Effect.Effect<FileLines | undefined>
    /** Root-relative form of a path that need not exist; same failures for confinement. */
    readonly relative: (path: string) => Effect.Effect<string, ServiceFailure>
    /** The text with secret-shaped values of configuration files masked, and how many were. */
    readonly redact: (path: string, text: string) => { readonly text: string; readonly redactions: number }
  }
>() {}
