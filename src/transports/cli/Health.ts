/** The state of an index for a person: what is indexed, what is not and why. */

type Answer = { readonly [key: string]: unknown }

const record = (value: unknown): Answer =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Answer) : {}
const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const count = (value: unknown): number => (typeof value === "number" ? value : 0)

/** Bytes in the largest unit of which there is one. */
export const size = (bytes: number): string => {
  const units = ["bytes", "KiB", "MiB", "GiB"]
  const at = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return at === 0 ? `${bytes} bytes` : `${(bytes / 1024 ** at).toFixed(1)} ${units[at]}`
}

const reasons = (skipped: Answer): Answer =>
  Object.fromEntries(
    Object.entries(skipped)
      .filter(([, files]) => count(files) > 0)
      .sort(([, one], [, other]) => count(other) - count(one))
  )

/**
 * An answer of workspace.index in full, put for reading: what there is none of is said to be none, and what is not known
 * to be not known.
 */
export const health = (answer: Answer): Answer => {
  const freshness = record(answer["freshness"])
  const languages = list(answer["languages"])
    .map(record)
    .map(({ depth, files, language, symbols }) => ({
      language: `${String(language)}:`,
      files: `${count(files)} ${count(files) === 1 ? "file" : "files"}`,
      symbols: `${count(symbols)} ${count(symbols) === 1 ? "symbol" : "symbols"}`,
      depth
    }))
  return {
    state: answer["state"],
    freshness: freshness["state"] ?? "not known",
    listed_files: answer["listed_files"],
    indexed_files: answer["indexed_files"],
    symbols: answer["node_count"],
    edges: answer["edge_count"],
    unbound_references: answer["unbound_references"],
    skipped_files: reasons(record(answer["skipped"])),
    failed_files: list(answer["failed_files"]),
    stale_files: freshness["state"] === undefined ? "not known" : list(freshness["stale_files"]),
    parse_errors: count(answer["files_with_parse_errors"]),
    languages,
    language_servers: list(answer["language_servers"])
      .map(record)
      .map(({ id, state, version, detail, hint }) => ({
        id: `${String(id)}:`,
        state,
        ...(version === undefined ? {} : { version }),
        ...(detail === undefined ? {} : { detail }),
        ...(hint === undefined ? {} : { hint })
      })),
    indexed_at: answer["indexed_at"] ?? "not known",
    watching: answer["watching"] === undefined ? "not known" : answer["watching"] === true ? "yes" : "no",
    store:
      typeof answer["store_bytes"] !== "number"
        ? "not known"
        : answer["store_bytes"] === 0
          ? "nothing stored"
          : size(answer["store_bytes"])
  }
}
