import { HttpApiBuilder } from "@effect/platform"
import { Chunk, Context, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { api } from "../../../../src/transports/http/Api.ts"
import { routesOf } from "../../../../src/transports/http/inventories/Routes.ts"
import * as Mcp from "../../../../src/transports/http/mcp/Route.ts"
import { layerRoutes } from "../../../../src/transports/http/Rooms.ts"

/** The routes a router was given, as it has them, and those served beside it. Services are of no use before a request comes. */
const routed = Effect.gen(function* () {
  const nothing = Layer.succeedContext(Context.unsafeMake(new Map([["portico/http/Serving", {} as never]])))
  const built = yield* Layer.build(
    Layer.provideMerge(layerRoutes, HttpApiBuilder.Router.Live).pipe(
      Layer.provide(nothing as Layer.Layer<never>)
    ) as Layer.Layer<HttpApiBuilder.Router>
  )
  const router = yield* Context.get(built, HttpApiBuilder.Router).router
  return {
    routes: Chunk.toReadonlyArray(router.routes)
      .map(({ method, path }) => ({ method: String(method), path: String(path) }))
      .concat(Mcp.methods.map((method) => ({ method, path: Mcp.path }))),
    mounts: Chunk.toReadonlyArray(router.mounts).map(([prefix]) => prefix)
  }
}).pipe(Effect.scoped)

describe("the inventories", () => {
  it("list every route of the router, and no other", async () => {
    const { mounts, routes } = await Effect.runPromise(routed)
    const listed = routesOf(api).routes
    expect(mounts).toEqual([])
    expect(routes.length).toBeGreaterThan(10)
    const missing = routes.filter(
      ({ method, path }) =>
        !listed.some((route) => route.path === path && (method === "*" || route.method === method))
    )
    expect(missing).toEqual([])
    const absent = listed.filter(
      (route) =>
        !routes.some(({ method, path }) => route.path === path && (method === "*" || route.method === method))
    )
    expect(absent.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})
