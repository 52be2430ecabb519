import { Effect, Either, type Layer } from "effect"
import type { OperationFailure } from "../../../src/registry/Failure.ts"
import type { Outcome } from "../../../src/registry/Projection.ts"
import { project } from "../advertised.ts"
import type { Folder } from "./services.ts"

type Services = Pick<Folder, "layer">
interface Runnable {
  readonly run: (args: unknown) => Effect.Effect<Outcome, OperationFailure, any>
}

/** The projected value of a call, as a caller gets it. */
export const answer = (
  services: Services,
  operation: Runnable,
  args: unknown
): Effect.Effect<any, OperationFailure> =>
  projected(services, operation, args).pipe(Effect.map((p) => p.value))

export const projected = (services: Services, operation: Runnable, args: unknown) =>
  (
    Effect.provide(operation.run(args), services.layer as Layer.Layer<any>) as Effect.Effect<
      Outcome,
      OperationFailure
    >
  ).pipe(
    Effect.flatMap((outcome) =>
      Either.match(project(outcome), { onLeft: (e) => Effect.fail(e), onRight: (p) => Effect.succeed(p) })
    )
  )
