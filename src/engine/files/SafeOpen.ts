/** Opening files without being led astray; nothing here needs more than the file system, so worker threads stay light. */
import { constants, type Stats } from "node:fs"

/** A word for what a stat describes: `file`, `directory`, `symlink`, `fifo`, `socket`, `device`. */
export const kindOf = (stat: Stats): string =>
  stat.isFile()
    ? "file"
    : stat.isDirectory()
      ? "directory"
      : stat.isSymbolicLink()
        ? "symlink"
        : stat.isFIFO()
          ? "fifo"
          : stat.isSocket()
            ? "socket"
            : "device"

/** Flags that neither follow a link put in place at the last moment nor wait for the other end of a FIFO. */
export const safeReadFlags: number =
  constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
