import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/types/**", "**/fixtures/**", "**/node_modules/**"],
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
