/** Guidance every client gets once, at initialization, as data that lies ready: giving it loads no part of the registry. */
import text from "./instructions.json" with { type: "json" }

/** Made from the registry by `npx tsx src/build/roster.ts`. Under 550 characters. */
export const instructions: string = text
