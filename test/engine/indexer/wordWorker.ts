import { serve } from "../../../src/engine/indexer/Serve.ts"
import { languages } from "./languages.ts"

serve(languages)
