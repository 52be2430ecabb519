/** The routes as a list to search in. */
import { Array } from "effect"
import { operationIdOf, isExposed } from "./openapi.ts"
import type { Route, Routes } from "./Routes.ts"
import type { JsonRecord } from "./Schemas.ts"

const rowOf = (route: Route): JsonRecord => ({
  method: route.method,
  path: route.path,
  mountPath: route.domain.mount,
  sources: [route.domain.source],
  openApiPath: route.template,
  operationId: operationIdOf(route),
  domain: route.domain.id,
  domainLabel: route.domain.label,
  summary: route.summary,
  access: route.access,
  sideEffect: route.sideEffect,
  contractStatus: route.contractStatus
})

/** The route catalog. */
export const routeCatalog = ({ routes }: Routes): JsonRecord => {
  const mounts = [...new Set(routes.map(({ domain }) => domain.mount))].sort()
  const sources = new Set(routes.map(({ domain }) => domain.source))
  const byDomain = Object.entries(Array.groupBy(routes, ({ domain }) => domain.id)).sort(([a], [b]) =>
    a < b ? -1 : 1
  )
  const modeled = routes.filter(({ contractStatus }) => contractStatus === "modeled").length
  return {
    schemaVersion: 1,
    generatedFrom: "the routes the server has",
    regenerateCommand: "npm run docs",
    mounts,
    routes: routes.map(rowOf),
    domains: byDomain.map(([id, own]) => ({
      id,
      label: own[0].domain.label,
      operations: own.length
    })),
    externallyExposableApis: [...new Set(routes.filter(isExposed).map(({ domain }) => domain.mount))].sort(),
    stats: {
      mounts: mounts.length,
      operations: routes.length,
      declarations: routes.length,
      sourceFiles: sources.size,
      domains: byDomain.length,
      modeled,
      generated: routes.length - modeled
    }
  }
}
