import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The longest files, longest first: one that starts late keeps one process busy when the other has nothing left to do. */
const long = [
  "loop/loop",
  "protocol/cli",
  "engine/workspace/History",
  "pipeline/Killed",
  "surface/Parity",
  "engine/text/Ripgrep",
  "engine/languages/treesitter/robustness",
  "protocol/mcp_http",
  "protocol/mcp",
  "transports/http/contract/calls",
  "facades/refactor/rename",
  "transports/cli/policy",
  "protocol/http",
  "transports/http/contract/approvals",
  "engine/workspace/Kill",
  "engine/indexer/Pool",
  "protocol/conformance",
  "engine/edits/Recovery"
]

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = long.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return found < 0 ? long.length : found
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

/** Threads that read files run a bundle: from its sources each would take a second or two of a processor to load. */
const bundledEntry = {
  name: "bundled-entry",
  enforce: "pre" as const,
  resolveId: (id: string, importer?: string) =>
    id === "./Entry.ts" && importer?.endsWith("/src/engine/indexer/Pool.ts") === true
      ? fileURLToPath(new URL("test/engine/indexer/bundledEntry.ts", import.meta.url))
      : undefined
}

export default defineConfig({
  plugins: [bundledEntry],
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/types/**", "**/fixtures/**", "**/node_modules/**"],
    environment: "node",
    // Worker threads cannot change directory or take signals, and several parts under test do both.
    pool: "forks",
    // A process runs many files, since loading what they all import takes longer than most of them run. Which files
    // share one is up to chance, so a file leaves nothing behind; `setupFiles` sees to what a process has one of.
    poolOptions: { forks: { isolate: false, minForks: 1, maxForks: 2 } },
    globalSetup: ["test/programs.mjs"],
    setupFiles: ["test/setup.ts"],
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Whole snapshots in a failing comparison would keep the report busy for hours.
    diff: { maxDepth: 6, truncateThreshold: 400 },
    teardownTimeout: 10_000,
    restoreMocks: true,
    unstubEnvs: true
  }
})
