/** Answers held against the schemas that are advertised of them. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { catalog } from "../../src/facades/index.ts"
import { outputSchema } from "../../src/registry/Result.ts"
import { Either } from "effect"
import { type Outcome, project as projected } from "../../src/registry/Projection.ts"

const ajv = new Ajv2020({ strict: false, allErrors: true })
const compiled = new Map<string, ValidateFunction>()

/** Throws where an answer, or a failure, is not as its operation's schema has it. Operations of no registry have none. */
export const hold = (facade: string, operation: string, value: unknown): void => {
  const found = catalog.lookup(facade, operation)
  if (found === undefined) return
  const name = `${facade}.${operation}`
  const check = compiled.get(name) ?? ajv.compile(outputSchema(found))
  compiled.set(name, check)
  if (check(JSON.parse(JSON.stringify(value)))) return
  const problems = (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`
  )
  throw new Error(`${name} answers what its schema does not have: ${problems.join("; ")}`)
}

/** Projects an outcome, and holds the answer against its schema. */
export const project: typeof projected = (outcome: Outcome) => {
  const made = projected(outcome)
  if (Either.isRight(made)) hold(outcome.facade, outcome.operation, made.right.value)
  return made
}
