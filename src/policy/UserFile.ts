/** Where the user's own settings are. Loads nothing, so that a start can look whether there are any. */
import { homedir } from "node:os"
import { join } from "node:path"

/** `portico` in the XDG configuration folder. */
export const userFolder = (): string =>
  join(process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "portico")

/** `PORTICO_CONFIG`, else `portico/effectrc` in the XDG configuration folder: what the user says for every repository. */
export const userFile = (): string => process.env["PORTICO_CONFIG"] ?? join(userFolder(), "effectrc")
