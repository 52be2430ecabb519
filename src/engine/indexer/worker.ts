/** Entry of the worker threads that read files into facts. */
import { languages } from "../languages/index.ts"
import { serve } from "./Serve.ts"

serve(languages)
