import type { Language } from "../Language.ts"

/** Protocol Buffers: messages, fields, enums, services and their calls. */
export const protobuf: Language = {
  id: "protobuf",
  label: "Protocol Buffers",
  extensions: [".proto"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
