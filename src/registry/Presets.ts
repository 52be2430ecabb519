/**
 * Surfaces that list single canonical tools. An operation says which of them its tool belongs to; the ones that follow
 * from the registry as a whole (`full`, `readonly`, `compact`) are nobody's to say.
 */
export const presets = ["agent", "core", "edit", "nav", "localization", "hybrid"] as const
export type Preset = (typeof presets)[number]
