import { dropBranch, fork, merge, switchTo } from "./branches.ts"
import { overlay } from "./facade.ts"
import { drop, keepalive, push, register, remove } from "./files.ts"
import { simulate } from "./simulate.ts"

export const overlayFacade = overlay.of(
  register,
  push,
  remove,
  drop,
  fork,
  switchTo,
  merge,
  simulate,
  dropBranch,
  keepalive
)
