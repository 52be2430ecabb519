/** Lines of bytes; a line ends at a line feed. */

const lineFeed = 10

/** Where the line begins that a place is in. */
export const lineStartOf = (bytes: Buffer, at: number): number =>
  at < 1 ? 0 : bytes.lastIndexOf(lineFeed, at - 1) + 1

/** Where the line ends that a place is in: at its line feed, or where there is no more. */
export const lineEndOf = (bytes: Buffer, at: number): number => {
  const feed = bytes.indexOf(lineFeed, at)
  return feed < 0 ? bytes.length : feed
}
