import { isUtf8 } from "node:buffer"

/** Why a file is left out of the index; `own_state` is what this server writes for itself. */
export type SkipReason =
  | "binary"
  | "minified"
  | "too_large"
  | "not_regular"
  | "unreadable"
  | "vanished"
  | "symlink"
  | "symlink_outside"
  | "symlink_dangling"
  | "symlink_loop"
  | "behind_symlink"
  | "name_not_utf8"
  | "name_too_long"
  | "own_state"

/** What is worth knowing about a file that is indexed all the same, so that ranking can put it lower. */
export type FileFlag = "generated" | "vendored" | "lock_file" | "nul_bytes"

/** The judgement on one file. `skip` null means: index it. `detail` is a short factual remark for people. */
export interface Verdict {
  readonly skip: SkipReason | null
  readonly flags: ReadonlyArray<FileFlag>
  readonly detail: string | null
}

/** Files above this many bytes (2 MiB) are `too_large`; one of exactly this size is not. */
export const maxFileBytes = 2 * 1024 * 1024

const accepted: Verdict = { skip: null, flags: [], detail: null }

const verdict = (skip: SkipReason, detail: string | null, flags: ReadonlyArray<FileFlag> = []): Verdict => ({
  skip,
  flags,
  detail
})

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Extensions whose files hold no text whatever their first bytes look like. Formats that also exist as text (svg, ps) are not here. */
const binaryExtensions = words(`
  png jpg jpeg gif webp avif bmp ico icns tif tiff psd heic xcf mp3 mp4 m4a m4v mov avi mkv webm ogg oga ogv flac wav aac
  zip gz tgz bz2 xz zst 7z rar jar war ear whl egg nupkg apk ipa deb rpm dmg iso class pyc pyo o obj a so dylib dll exe
  lib pdb wasm node woff woff2 ttf otf eot pdf doc docx xls xlsx ppt pptx odt ods sqlite sqlite3 db mdb parquet avro
  arrow npy npz pt pth onnx safetensors gguf pkl h5 tflite keystore jks p12 pfx der
`)

const lockFiles = words(`
  package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock cargo.lock go.sum
  go.work.sum poetry.lock pipfile.lock uv.lock pdm.lock composer.lock gemfile.lock mix.lock pubspec.lock podfile.lock
  package.resolved flake.lock gradle.lockfile packages.lock.json paket.lock conan.lock cartfile.resolved
  .terraform.lock.hcl chart.lock module.bazel.lock
`)

const generatedName =
  /(\.pb\.(go|cc|h|c|swift|dart)|\.pb\.gw\.go|_pb2(_grpc)?\.pyi?|_pb\.(js|ts|d\.ts)|_grpc_pb\.(js|d\.ts)|\.(g|freezed|gr|config|mocks)\.dart|\.designer\.(cs|vb)|\.g(\.i)?\.cs|\.generated\.[a-z]+|[._-]gen\.(go|ts|tsx|js|rs|py|java)|(^|\/)zz_generated[^/]*\.go|_generated\.(go|rs|ts|js|py|h|cc)|(^|\/)bindata\.go|\.(js|css|mjs|cjs)\.map|[.-]min\.(js|css|mjs|cjs)|\.snap)$/i

const generatedDirectory = /(^|\/)(__generated__|__snapshots__)\//

const vendoredPath =
  /(^|\/)(node_modules|bower_components|vendor|vendors|third[-_]party|thirdparty|external[-_]deps|Pods|Carthage|\.yarn)\//i

const bundlePath =
  /(^|\/)(dist|build|out|public|static|assets)\/.*[.-](bundle|chunk|umd|iife)\.(js|mjs|css)$|(^|\/)dist\/[^/]+\.(js|mjs|cjs|css)$/i

/** Judgement by path alone: flags for generated, locked and vendored files, and `binary` by extension. */
export const judgePath = (path: string): Verdict => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const dot = name.lastIndexOf(".")
  if (dot > 0 && binaryExtensions.has(name.slice(dot + 1)))
    return verdict("binary", `extension .${name.slice(dot + 1)}`)
  const flags: Array<FileFlag> = []
  if (lockFiles.has(name)) flags.push("lock_file", "generated")
  else if (generatedName.test(path) || generatedDirectory.test(path) || bundlePath.test(path))
    flags.push("generated")
  if (vendoredPath.test(path)) flags.push("vendored")
  return flags.length === 0 ? accepted : { skip: null, flags, detail: null }
}

/** Judgement by path and size, before the file is opened. `size` in bytes. */
export const judgeStat = (path: string, size: number): Verdict => {
  const byPath = judgePath(path)
  if (byPath.skip !== null) return byPath
  return size > maxFileBytes ? verdict("too_large", `${size} bytes`, byPath.flags) : byPath
}

/** Bytes git looks at to tell binary from text; the same number here. */
const binaryProbe = 8000

const hasUtf16Bom = (bytes: Uint8Array): boolean =>
  bytes.length >= 2 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))

/** Whether the bytes are not text: a NUL in the first 8000 bytes, or mostly control characters. UTF-16 with a byte order mark is text. */
export const isBinary = (bytes: Uint8Array): boolean => {
  if (hasUtf16Bom(bytes)) return false
  const probe = bytes.subarray(0, binaryProbe)
  if (probe.indexOf(0) >= 0) return true
  let control = 0
  for (let at = 0; at < probe.length; at++) {
    const byte = probe[at]!
    if (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b) control++
  }
  return control > 0 && control * 10 > probe.length
}

/** Line statistics in bytes; a line ends at `\n`. */
const measureLines = (
  bytes: Uint8Array
): { filled: number; longest: number; inLong: number; inHuge: number } => {
  let filled = 0
  let longest = 0
  let inLong = 0
  let inHuge = 0
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(10, from)
    const stop = to < 0 ? bytes.length : to
    const length = stop - from
    if (length > 1) filled++
    if (length > longest) longest = length
    if (length > 500) inLong += length
    if (length > 5000) inHuge += length
    from = stop + 1
  }
  return { filled, longest, inLong, inHuge }
}

/** Formats in which one very long line is ordinary: prose and data. Only huge lines count against them. */
const longLinesAreUsual =
  /\.(md|mdx|markdown|rst|txt|adoc|org|tex|html?|xml|svg|csv|tsv|json|jsonl|ndjson|geojson|ipynb|ya?ml|toml|sql|po|pot|lock|sum)$/i

/**
 * Whether text was packed by a tool rather than written: in code, lines over 500 bytes that hold most of a file above
 * 2 KiB with a mean line above 200; in prose and data, lines over 5000 bytes that hold most of a file above 64 KiB.
 * Notebooks are never minified.
 */
export const isMinified = (path: string, bytes: Uint8Array): { readonly longestLine: number } | null => {
  if (bytes.length < 2048 || /\.(ipynb|jsonl|ndjson)$/i.test(path)) return null
  const lines = measureLines(bytes)
  if (longLinesAreUsual.test(path)) {
    return bytes.length > 65536 && lines.inHuge * 2 > bytes.length ? { longestLine: lines.longest } : null
  }
  const mean = bytes.length / Math.max(1, lines.filled)
  const packed = lines.inLong * 2 > bytes.length && mean > 200
  return packed ? { longestLine: lines.longest } : null
}

/** A line that is a comment in some common language. */
const commentLine = /^\s*(\/\/|\/\*|\*|#|--|;|<!--|%|"""|'''|'|\(\*|\{-|REM\b)/i

const generatedMarker =
  /\bcode generated\b.*\bdo not edit\b|@generated\b|<auto-generated|\bauto-?generated\b.*\b(do not|don't) (edit|modify)\b|\b(do not|don't) (edit|modify)\b.*\b(generated|auto-?generated)\b|\b(this|the) (file|code|source|module) (is|was|has been) (auto(matically)?[- ]?)?generated\b|\bgenerated by the protocol buffer compiler\b|\bautogenerated by\b|\bgenerated by [\w./-]+[,.;:]? do not edit\b/i

/** Whether a comment near the head of the file (40 lines, 8000 bytes) says that a tool wrote it. */
export const hasGeneratedMarker = (bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, binaryProbe)).toString(
    "latin1"
  )
  if (!/generated|do(?: not|n't) (?:edit|modify)/i.test(head)) return false
  const lines = head.split("\n", 40)
  return lines.some(
    (line, at) =>
      commentLine.test(line) &&
      // "Do not edit" often sits on the line after "generated by".
      (generatedMarker.test(line) ||
        (at + 1 < lines.length &&
          commentLine.test(lines[at + 1]!) &&
          generatedMarker.test(`${line.trim()} ${lines[at + 1]!.replace(/^\W+/, "")}`)))
  )
}

/**
 * Judges a file by its path and whole content. Pure. Order: extension, size, binary, minified; generated, vendored and
 * lock files keep `skip: null` and carry flags. Invalid UTF-8 is not a reason to skip: see `decodeText`.
 */
export const judgeBytes = (path: string, bytes: Uint8Array): Verdict => {
  const before = judgeStat(path, bytes.length)
  if (before.skip !== null) return before
  if (isBinary(bytes)) return verdict("binary", null, before.flags)
  const flags = [...before.flags]
  if (hasUtf16Bom(bytes)) return before
  if (!flags.includes("generated") && hasGeneratedMarker(bytes)) flags.push("generated")
  if (!flags.includes("lock_file")) {
    const minified = isMinified(path, bytes)
    if (minified !== null) return verdict("minified", `longest line ${minified.longestLine} bytes`, flags)
  }
  if (bytes.length > binaryProbe && bytes.indexOf(0, binaryProbe) >= 0) {
    if (!isUtf8(bytes)) return verdict("binary", "NUL bytes and not UTF-8", flags)
    flags.push("nul_bytes")
  }
  return flags.length === 0 ? accepted : { skip: null, flags, detail: null }
}

/** A path that is not indexed, and why. */
export interface Skipped {
  readonly path: string
  readonly reason: SkipReason
  readonly detail: string | null
}

/** Counts per reason, most frequent first. */
export const countReasons = (
  skipped: Iterable<{ readonly reason: SkipReason }>
): ReadonlyArray<readonly [SkipReason, number]> => {
  const counts = new Map<SkipReason, number>()
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}
