/** Arguments that the analyses of history share. */
import * as F from "../../../registry/Fields.ts"

export const historyKinds = F.withDefault(F.described(F.csv, "kinds of symbol to keep; all for every kind"), [
  "function",
  "method"
])
