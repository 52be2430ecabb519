import { artifacts } from "./artifacts.ts"
import { ast } from "./ast.ts"
import { completion } from "./completion.ts"
import { search } from "./facade.ts"
import { files } from "./files.ts"
import { symbols } from "./symbols.ts"
import { text } from "./text.ts"
import { winnow } from "./winnow.ts"

export const searchFacade = search.of(symbols, text, files, ast, completion, winnow, artifacts)
