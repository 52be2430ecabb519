/** The agents' hosts that can be set up and looked at. Whatever names them is made from this list. */
import { claudeCode } from "./claude_code.ts"
import { codex } from "./codex.ts"
import { cursor } from "./cursor.ts"
import type { Host } from "./Host.ts"

export const hosts: ReadonlyArray<Host> = [claudeCode, codex, cursor]

export const hostNames: ReadonlyArray<string> = hosts.map(({ name }) => name)
