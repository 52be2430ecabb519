/** Frameworks, storage, messages, deployment. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { repository } from "../diff.ts"
import { analyze, native } from "./facade.ts"

const because = "this build extracts no facts of frameworks"

const needs = [CodeGraph] as const

export const contracts: Member<typeof analyze, "contracts", typeof needs> = analyze.declared("contracts", {
  tool: "contracts",
  summary: "API contracts: list, check, validate, or bridge across repositories.",
  page: { default: 200, max: 1000 },
  input: F.input({
    options: F.group({
      action: F.withDefault(F.choice("list", "check", "validate", "bridge"), "list"),
      repo: repository,
      all_repos: F.withDefault(F.described(F.flag, "beyond the active project"), false),
      include_deps: F.withDefault(F.described(F.flag, "contracts of dependencies too"), false),
      type: F.optional(
        F.choice("http", "grpc", "thrift", "graphql", "topic", "ws", "env", "openapi", "dependency")
      ),
      role: F.optional(F.choice("provider", "consumer")),
      query: F.optional(F.described(F.text, "for action bridge")),
      symbol: F.optional(F.described(F.text, "for action bridge")),
      mode: F.withDefault(F.choice("rank", "impact"), "rank")
    })
  }),
  needs,
  because
})

export const routes = native("routes", {
  summary: "Handlers and routes, of all protocols.",
  input: F.input({
    options: F.group({
      method: F.optional(F.text),
      path: F.optional(F.text),
      type: F.optional(F.choice("http", "grpc", "graphql", "topic", "ws"))
    })
  }),
  needs: [CodeGraph],
  because
})

export const routeFrameworks = native("route_frameworks", {
  summary: "Route extraction passes and what each found.",
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const components = native("components", {
  summary: "UI components, parents and children.",
  input: F.input({
    options: F.group({
      id: F.optional(F.text),
      name: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const models = native("models", {
  summary: "Object models and their tables.",
  input: F.input({
    options: F.group({
      orm: F.optional(F.text),
      table: F.optional(F.text),
      model: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const sqlCallSites = native("sql_call_sites", {
  fixed: { materialize: false },
  summary: "Tables each caller's SQL reads and writes.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      name: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const orphanTables = native("orphan_tables", {
  summary: "Tables queried but never created.",
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const unreferencedTables = native("unreferenced_tables", {
  summary: "Tables created but never queried.",
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const dbtModels = native("dbt_models", {
  summary: "Data models with their lineage.",
  input: F.input({
    options: F.group({
      framework: F.optional(F.choice("dbt", "sqlmesh")),
      materialized: F.optional(F.text),
      name: F.optional(F.text),
      type: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const pubsub = native("pubsub", {
  summary: "Message topics with producers and consumers.",
  input: F.input({
    options: F.group({
      name: F.optional(F.text),
      transport: F.optional(F.text),
      role: F.optional(F.choice("publish", "subscribe"))
    })
  }),
  needs: [CodeGraph],
  because
})

export const temporalOrphans = native("temporal_orphans", {
  summary: "Workflow wiring that is broken or unused.",
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const eventEmitters = native("event_emitters", {
  summary: "Places that emit events, logs or metrics.",
  input: F.input({
    options: F.group({
      level: F.optional(F.text),
      name: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const logEvents = native("log_events", {
  summary: "Logging calls as events.",
  input: F.input({
    options: F.group({
      level: F.optional(F.text),
      value: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const stringEmitters = native("string_emitters", {
  summary: "Places that emit strings of interest.",
  input: F.input({
    options: F.group({
      context: F.optional(F.text),
      name: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const configReaders = native("config_readers", {
  summary: "Configuration keys and their readers.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      name: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const envVarUsers = native("env_var_users", {
  summary: "Environment variables and their readers.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      name: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const annotationUsers = native("annotation_users", {
  summary: "Where an annotation or decorator is used.",
  input: F.input({
    options: F.group({
      id: F.optional(F.text),
      name: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const externalCalls = native("external_calls", {
  summary: "Calls into other modules, by module.",
  input: F.input({
    options: F.group({
      id: F.optional(F.text),
      name: F.optional(F.text),
      module_kind: F.optional(F.text),
      module_path: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const k8sResources = native("k8s_resources", {
  summary: "Kubernetes resources and what they depend on.",
  input: F.input({
    options: F.group({
      name: F.optional(F.text),
      namespace: F.optional(F.text),
      k8s_kind: F.optional(F.described(F.text, "kind of resource"))
    })
  }),
  needs: [CodeGraph],
  because
})

export const kustomize = native("kustomize", {
  summary: "Kustomize overlays with bases and resources.",
  input: F.input({
    options: F.group({
      dir: F.optional(F.described(F.text, "folder"))
    })
  }),
  needs: [CodeGraph],
  because
})

export const images = native("images", {
  summary: "Container images and who uses them.",
  input: F.input({
    options: F.group({
      ref: F.optional(F.described(F.text, "image reference")),
      role: F.optional(F.text),
      tag: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const cgoUsers = native("cgo_users", {
  summary: "Go files that import C.",
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const wasmUsers = native("wasm_users", {
  summary: "Files that use wasm_bindgen.",
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const drupalHooks = native("drupal_hooks", {
  summary: "Drupal hooks and what implements them.",
  input: F.input({
    options: F.group({
      name: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const swiftuiViews = native("swiftui_views", {
  summary: "SwiftUI types by role.",
  input: F.input({
    options: F.group({
      role: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const uikitClasses = native("uikit_classes", {
  summary: "UIKit classes by role.",
  input: F.input({
    options: F.group({
      role: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})
