/** Takes the place of src/engine/indexer/Entry.ts in tests: a pool's threads run the bundle that was made for the run. */
import { pathToFileURL } from "node:url"
import { type WorkerEntry, workerEntry } from "../../../src/engine/indexer/Entry.ts"
import { program } from "../../program.ts"

export const ownEntry = (): WorkerEntry => workerEntry(pathToFileURL(program("worker")))
