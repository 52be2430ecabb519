/**
 * Prints the closing line `N passed, N failed` (and `, N skipped`) from the tests' JSON report. A test file
 * that failed before any of its tests ran counts as one failure. Exits with 1 when something failed or
 * nothing passed.
 */
import { readFileSync } from "node:fs"

const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
  readFileSync(process.argv[2], "utf8")
)
const brokenFiles = testResults.filter(
  ({ status, assertionResults }) =>
    status === "failed" && !assertionResults.some((test) => test.status === "failed")
).length
const failed = numFailedTests + brokenFiles
const skipped = numPendingTests + numTodoTests
process.stdout.write(
  `${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`
)
process.exitCode = failed > 0 || numPassedTests === 0 ? 1 : 0
