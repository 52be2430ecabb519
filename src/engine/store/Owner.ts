/** The process that a record belongs to, as text, and whether it still lives. */
import { decodeHolder, isGone, thisProcess } from "../edits/Holder.ts"

/** This process. */
export const owner = (): string => JSON.stringify(thisProcess())

/** Whether a record's process is another one than this. */
export const isElsewhere = (text: string): boolean => text !== owner()

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a record's process is certainly gone. */
export const hasGone = (text: string): boolean => {
  const holder = decodeHolder(parse(text))
  return holder !== null && isGone(holder)
}
