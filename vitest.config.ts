import { defineConfig } from "vitest/config"

const never = ["test/types/**", "**/fixtures/**", "**/node_modules/**"]
const together = [
  "test/algorithms/**/*.test.ts",
  "test/docs/**/*.test.ts",
  "test/engine/{coverage,federation,flow,git,graph,languages,overlays}/**/*.test.ts",
  "test/engine/{repositories,rules,sessions,store,structural,symbols,text,tokens}/**/*.test.ts",
  "test/facades/**/*.test.ts",
  "test/policy/*.test.ts",
  "test/registry/**/*.test.ts"
]

export default defineConfig({
  test: {
    // Files of these folders change nothing outside themselves, so one process runs many of them: loading what they all
    // import takes longer than most of them run.
    projects: [
      {
        extends: true,
        test: { name: "alone", include: ["test/**/*.test.ts"], exclude: [...never, ...together] }
      },
      {
        extends: true,
        test: {
          name: "together",
          include: [...together],
          exclude: [...never],
          poolOptions: { forks: { isolate: false } }
        }
      }
    ],
    environment: "node",
    // Worker threads cannot change directory or take signals, and several parts under test do both.
    pool: "forks",
    poolOptions: { forks: { minForks: 1, maxForks: 2 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Whole snapshots in a failing comparison would keep the report busy for hours.
    diff: { maxDepth: 6, truncateThreshold: 400 },
    teardownTimeout: 10_000,
    restoreMocks: true,
    unstubEnvs: true
  }
})
