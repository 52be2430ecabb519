import { dropBranch, fork, merge, simulate, switchTo } from "./branches.ts"
import { overlay } from "./facade.ts"
import { drop, keepalive, push, register, remove } from "./files.ts"

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
