/** Each kind over one folder whose facts are known, and the words each refuses. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"

const files = {
  "web/src/Button.tsx": `export const Button = (props: { label: string }) => <button>{props.label}</button>
`,
  "web/src/Page.tsx": `import { Button } from "./Button.tsx"
import axios from "axios"
export function Page() {
  const load = () => fetch("/api/users/1")
  const save = () => axios.post("/api/users", {})
  const lost = () => fetch("/api/nowhere", { method: "DELETE" })
  void load; void save; void lost
  return <main><Button label="go" /><Button label="again" /></main>
}
`,
  "web/src/Old.vue": `<template><div><my-card /><TopBar /></div></template>
<script>
import MyCard from "./MyCard.vue"
import TopBar from "./TopBar.vue"
export default { components: { MyCard, TopBar } }
</script>
`,
  "web/src/MyCard.vue": `<template><p>card</p></template>
`,
  "web/package.json": `{ "name": "@shop/web", "version": "1.0.0", "dependencies": { "axios": "^1.6.0", "@shop/core": "^1.2.0" } }
`,
  "core/package.json": `{ "name": "@shop/core", "version": "2.0.0" }
`,
  "api/src/app.ts": `import express from "express"
import { EventEmitter } from "node:events"
import { users } from "./users.ts"
import { log } from "./log.ts"
const app = express()
export const bus = new EventEmitter()
app.use("/api/users", users)
app.get("/health", (_req, res) => res.send("ok"))
bus.on("user.created", (user) => log.info("welcome", user))
bus.on("user.lost", () => {})
export function start() {
  const port = process.env.PORT ?? "80"
  const secret = process.env["SESSION_SECRET"]
  app.listen(port, secret)
}
`,
  "api/src/users.ts": `import { Router } from "express"
import { pool } from "./db.ts"
import { bus } from "./app.ts"
export const users = Router()
export async function show(req: any, res: any) {
  const row = await pool.query("SELECT id, name FROM users JOIN accounts a ON a.user_id = users.id WHERE users.id = $1", [req.params.id])
  if (row === undefined) throw new Error("no such user")
  res.json(row)
}
async function create(_req: any, res: any) {
  await pool.query("INSERT INTO users (name) VALUES ($1)")
  bus.emit("user.created", 1)
  res.setHeader("X-Made-By", "shop")
  res.end()
}
users.get("/:id", show)
users.post("/", create)
`,
  "api/src/db.ts": `import { Pool } from "pg"
export const pool = new Pool()
`,
  "api/src/log.ts": `export const log = console
log.error("cannot start")
`,
  "api/openapi.yaml": `openapi: 3.0.3
info: { title: shop, version: "1" }
paths:
  /api/users/{userId}:
    get: { operationId: showUser, responses: {} }
  /api/orders:
    get: { operationId: listOrders, responses: {} }
`,
  "api/.env.example": `PORT=80
`,
  "api/schema.sql": `CREATE TABLE users (
  id serial PRIMARY KEY,
  name text NOT NULL
);
CREATE TABLE audit_trail (id serial PRIMARY KEY);
`,
  "api/src/User.entity.ts": `import { Column, Entity } from "typeorm"
@Entity("users")
export class User {
  @Column() name!: string
}
@Entity()
export class OrderLine {}
`,
  "py/models.py": `from sqlalchemy import Column, Integer
from .base import Base
class Invoice(Base):
    __tablename__ = "invoices"
    id = Column(Integer, primary_key=True)
`,
  "py/tasks.py": `import logging
import requests
from celery import shared_task
logger = logging.getLogger(__name__)
@shared_task
def send_mail(to):
    logger.warning("mail to %s", to)
    requests.get("https://mail.example/send")
def later():
    send_mail.delay("a")
`,
  "flow/workflow.go": `package flow
import (
	"go.temporal.io/sdk/workflow"
	"go.temporal.io/sdk/worker"
)
func Checkout(ctx workflow.Context) error {
	workflow.ExecuteActivity(ctx, Charge)
	workflow.ExecuteActivity(ctx, "Refund")
	workflow.GetSignalChannel(ctx, "cancel")
	return nil
}
func Charge() error { return nil }
func Unused() error { return nil }
func register(w worker.Worker) {
	w.RegisterWorkflow(Checkout)
	w.RegisterActivity(Charge)
	w.RegisterActivity(Unused)
}
`,
  "flow/client.go": `package flow
func signal(c client) {
	c.SignalWorkflow(nil, "id", "run", "approve", nil)
}
`,
  "flow/temporal.go": `package flow
import "go.temporal.io/sdk/client"
func begin(c client.Client) {
	c.ExecuteWorkflow(nil, client.StartWorkflowOptions{}, Checkout)
	c.SignalWorkflow(nil, "id", "run", "approve", nil)
}
`,
  "flow/native.go": `package flow
// #include <stdlib.h>
import "C"
func free() { C.free(nil) }
`,
  "wasm/lib.rs": `use wasm_bindgen::prelude::*;
#[wasm_bindgen]
pub fn greet(name: &str) -> String { name.to_string() }
`,
  "deploy/app.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: api, namespace: shop }
spec:
  template:
    metadata: { labels: { app: api } }
    spec:
      serviceAccountName: runner
      containers:
        - name: api
          image: registry.example/api:1.4
          env:
            - name: PORT
              value: "80"
            - name: SESSION_SECRET
              valueFrom: { secretKeyRef: { name: session, key: value } }
          envFrom:
            - configMapRef: { name: settings }
      volumes:
        - name: certs
          secret: { secretName: tls }
---
apiVersion: v1
kind: Service
metadata: { name: api, namespace: shop }
spec:
  selector: { app: api }
`,
  "deploy/base/kustomization.yaml": `resources:
  - ../app.yaml
`,
  "deploy/prod/kustomization.yaml": `resources:
  - ../base
patches:
  - path: replicas.yaml
images:
  - name: registry.example/api
    newTag: "1.5"
`,
  Dockerfile: `FROM node:20 AS build
FROM build
COPY --from=build /a /b
COPY --from=alpine:3.19 /c /d
`,
  "dbt/models/orders.sql": `{{ config(materialized="table") }}
select * from {{ ref("stg_orders") }} join {{ source("raw", "customers") }} using (id)
`,
  "dbt/models/stg_orders.sql": `select * from {{ source("raw", "orders") }}
`,
  "dbt/models/schema.yml": `version: 2
models:
  - name: stg_orders
    config: { materialized: view }
    columns:
      - name: id
sources:
  - name: raw
    tables:
      - name: orders
      - name: customers
`,
  "mesh/totals.sql": `MODEL (
  name mart.totals,
  kind FULL,
  columns (id int, total int)
);
SELECT id, total FROM mart.orders
`,
  "site/shop.module": `<?php
/**
 * Implements hook_cron().
 */
function shop_cron() {}
function shop_form_alter(&$form) {}
function shop_helper() {}
`,
  "ios/App.swift": `import SwiftUI
@main
struct ShopApp: App { var body: some Scene { WindowGroup { Home() } } }
struct Home: View { var body: some View { Text("hi") } }
class Store: ObservableObject {}
struct Plain {}
`,
  "ios/Legacy.swift": `import UIKit
class LoginViewController: UIViewController {}
class PriceCell: UITableViewCell {}
`,
  "jvm/Config.java": `import org.springframework.beans.factory.annotation.Value;
@Deprecated
public class Config {
  @Value("\${shop.url}") String url;
  @Deprecated(since = "2") void old() {}
}
`
}

const rowsBy = (rows: ReadonlyArray<Value>, key: string): { readonly [name: string]: Value } =>
  Object.fromEntries(rows.map((row) => [row[key] as string, row]))
const ask = (kind: string, options: Value = {}) => ({ kind, options })

describe("kinds of frameworks", () => {
  it.scopedLive(
    "say what is in the folder",
    () =>
      Effect.gen(function* () {
        const at = yield* served(files)
        const call = (kind: string, options: Value = {}) => at.call("analyze", ask(kind, options))

        const routes = yield* call("routes", { type: "http" })
        assert.deepStrictEqual(
          routes["routes"].map(
            (row: Value) => `${row["route"]} ${row["handler"]} ${row["file_path"]}:${row["line"]}`
          ),
          [
            "POST /api/users api/src/users.ts::create api/src/users.ts:17",
            "GET /api/users/:id api/src/users.ts::show api/src/users.ts:16",
            "GET /health api/src/app.ts api/src/app.ts:8"
          ]
        )
        assert.strictEqual(routes["contract_tier"], "resolved")
        assert.strictEqual(routes["completeness"].complete, true)
        const posts = yield* call("routes", { method: "post" })
        assert.strictEqual(posts["total"], 1)
        const topics = yield* call("routes", { type: "topic" })
        assert.sameMembers(
          topics["routes"].map((row: Value) => row["path"]),
          ["user.created", "user.lost", "send_mail"]
        )
        const passes = yield* call("route_frameworks")
        assert.deepStrictEqual(passes["route_counts_by_framework"], { express: 3 })
        assert.isAtLeast(passes["total_passes"], 30)
        assert.deepInclude(passes["passes"], {
          name: "gin",
          languages: ["go"],
          candidate_files: 0,
          routes: 0
        })

        const components = yield* call("components")
        const byName = rowsBy(components["components"], "name")
        assert.strictEqual(byName["Button"]?.["fan_in"], 1)
        assert.strictEqual(byName["Page"]?.["fan_out"], 1)
        assert.strictEqual(byName["MyCard"]?.["fan_in"], 1)
        assert.strictEqual(byName["Old"]?.["fan_out"], 2)
        const page = yield* call("components", { name: "Page" })
        assert.deepStrictEqual(page["children"], [
          {
            from: "web/src/Page.tsx::Page",
            to: "web/src/Button.tsx::Button",
            name: "Button",
            resolved: true,
            file_path: "web/src/Page.tsx",
            line: 8
          }
        ])

        const models = yield* call("models")
        assert.deepStrictEqual(
          models["models"].map(
            (row: Value) => `${row["id"]} ${row["table"]} ${row["orm"]} ${row["derivation"]}`
          ),
          [
            "py/models.py::Invoice invoices sqlalchemy explicit",
            "api/src/User.entity.ts::OrderLine order_line typeorm convention",
            "api/src/User.entity.ts::User users typeorm explicit"
          ]
        )
        assert.strictEqual((yield* call("models", { orm: "typeorm" }))["total"], 2)

        const sites = yield* call("sql_call_sites")
        assert.deepStrictEqual(
          sites["call_sites"].map(({ reads, symbol, writes }: Value) => ({ symbol, reads, writes })),
          [
            { symbol: "api/src/users.ts::create", reads: [], writes: ["users"] },
            { symbol: "api/src/users.ts::show", reads: ["accounts", "users"], writes: [] }
          ]
        )
        const orphans = yield* call("orphan_tables")
        assert.deepStrictEqual(
          orphans["orphans"]
            .map(({ query_count, table }: Value) => ({ table, query_count }))
            .filter(({ table }: Value) => table === "accounts" || table === "users"),
          [{ table: "accounts", query_count: 1 }]
        )
        const unused = yield* call("unreferenced_tables")
        assert.deepStrictEqual(
          unused["unreferenced"].map(({ dialect, provider_count, table }: Value) => ({
            table,
            dialect,
            provider_count
          })),
          [{ table: "audit_trail", dialect: "postgresql", provider_count: 1 }]
        )

        const dbt = yield* call("dbt_models", { framework: "dbt" })
        const lineage = rowsBy(dbt["dbt_models"], "name")
        assert.deepStrictEqual(lineage["orders"]?.["upstream"], ["source.raw.customers", "stg_orders"])
        assert.deepStrictEqual(lineage["stg_orders"]?.["downstream"], ["orders"])
        assert.strictEqual(lineage["stg_orders"]?.["materialized"], "view")
        assert.deepStrictEqual(lineage["stg_orders"]?.["columns"], ["id"])
        assert.strictEqual(lineage["orders"]?.["materialized"], "table")
        assert.strictEqual(lineage["source.raw.orders"]?.["resource_type"], "source")
        const mesh = yield* call("dbt_models", { framework: "sqlmesh" })
        assert.deepInclude(mesh["dbt_models"][0], {
          name: "mart.totals",
          materialized: "full",
          columns: ["id", "total"],
          upstream: ["mart.orders"]
        })

        const pubsub = yield* call("pubsub", { transport: "event emitter" })
        assert.deepStrictEqual(
          pubsub["topics"].map(({ name, publishes, subscribes }: Value) => [name, publishes, subscribes]),
          [
            ["user.created", 1, 1],
            ["user.lost", 0, 1]
          ]
        )
        assert.strictEqual(pubsub["topics"][0].publishers[0].symbol, "api/src/users.ts::create")
        const celery = yield* call("pubsub", { name: "send_mail" })
        assert.deepInclude(celery["topics"][0], { transport: "celery", publishes: 1, subscribes: 1 })

        const temporal = yield* call("temporal_orphans")
        assert.deepStrictEqual(temporal["totals"], {
          broken_dispatch: 1,
          signal_no_handler: 1,
          query_no_handler: 0,
          orphan_activity: 1,
          orphan_workflow: 0
        })
        assert.strictEqual(temporal["broken_dispatch"][0].name, "Refund")
        assert.strictEqual(temporal["signal_no_handler"][0].name, "approve")
        assert.strictEqual(temporal["orphan_activity"][0].name, "Unused")

        const logs = yield* call("log_events")
        assert.deepStrictEqual(logs["by_level"], { info: 1, error: 1, warn: 1 })
        const warnings = yield* call("log_events", { level: "warn" })
        assert.deepInclude(warnings["events"][0], { value: "mail to %s", level: "warn", emits: 1 })
        assert.strictEqual(warnings["events"][0].emitters[0].symbol, "py/tasks.py::send_mail")
        const events = yield* call("event_emitters", { name: "user." })
        assert.deepInclude(events["events"][0], { name: "user.created", event_kind: "event", emits: 1 })
        const strings = yield* call("string_emitters", { context: "error" })
        assert.deepStrictEqual(
          strings["strings"].map(({ value }: Value) => value),
          ["no such user"]
        )
        assert.strictEqual(
          (yield* call("string_emitters", { context: "header" }))["strings"][0].value,
          "X-Made-By"
        )

        const env = yield* call("env_var_users")
        const variables = rowsBy(env["env_vars"], "name")
        assert.deepInclude(variables["PORT"], { readers: 1, reads: 1, set_in: ["api/.env.example"] })
        assert.strictEqual(variables["SESSION_SECRET"]?.["sites"][0].symbol, "api/src/app.ts::start")
        const config = yield* call("config_readers", { name: "shop.url" })
        assert.deepInclude(config["config_keys"][0], {
          name: "shop.url",
          source: "spring",
          readers: 1,
          reads: 1
        })

        const annotations = yield* call("annotation_users", { name: "@Deprecated" })
        assert.deepStrictEqual(
          annotations["users"].map(({ args, symbol }: Value) => [symbol, args]),
          [
            ["jvm/Config.java::Config", ""],
            ["jvm/Config.java::Config.old", '(since = "2")']
          ]
        )
        assert.strictEqual(
          rowsBy((yield* call("annotation_users"))["annotations"], "name")["Entity"]?.["users"],
          2
        )

        const modules = rowsBy((yield* call("external_calls"))["modules"], "path")
        assert.deepInclude(modules["axios"], { version: "^1.6.0", module_kind: "third_party", calls: 1 })
        assert.strictEqual(modules["node:events"]?.["module_kind"], "stdlib")
        const requests = yield* call("external_calls", { name: "requests" })
        assert.deepInclude(requests["symbols"][0], {
          name: "get",
          import_path: "requests",
          calls: 1,
          callers: 1
        })

        const k8s = yield* call("k8s_resources")
        const resources = rowsBy(k8s["resources"], "k8s_kind")
        assert.deepInclude(resources["Deployment"], {
          name: "api",
          namespace: "shop",
          depends_on: ["ServiceAccount/runner"],
          configures: ["ConfigMap/settings", "Secret/session"],
          mounts: ["Secret/tls"],
          uses_env: ["PORT", "SESSION_SECRET"]
        })
        assert.deepStrictEqual(resources["Service"]?.["exposes"], ["Deployment/api"])
        const prod = yield* call("kustomize", { dir: "deploy/prod" })
        assert.deepInclude(prod["kustomizations"][0], {
          dir: "deploy/prod",
          depends_on: ["deploy/base"],
          patches: ["deploy/prod/replicas.yaml"]
        })
        const images = yield* call("images")
        assert.deepStrictEqual(images["images"].map(({ ref, role }: Value) => `${ref} ${role}`).sort(), [
          "alpine:3.19 copy",
          "node:20 base",
          "registry.example/api:1.4 container",
          "registry.example/api:1.5 kustomize"
        ])

        assert.deepStrictEqual((yield* call("cgo_users"))["cgo_users"], [
          { id: "flow/native.go", file_path: "flow/native.go", line: 3, uses: ["free"] }
        ])
        assert.deepStrictEqual((yield* call("wasm_users"))["wasm_users"], [
          { id: "wasm/lib.rs", file_path: "wasm/lib.rs", line: 1, bound: ["greet"] }
        ])
        const hooks = yield* call("drupal_hooks")
        assert.deepStrictEqual(
          hooks["hooks"].map(({ hook, implementations }: Value) => [hook, implementations[0].known_by]),
          [
            ["hook_cron", "comment"],
            ["hook_form_alter", "name"]
          ]
        )
        const swift = yield* call("swiftui_views")
        assert.deepStrictEqual(
          swift["roles"].map(({ role, types }: Value) => [role, types.map(({ name }: Value) => name)]),
          [
            ["app", ["ShopApp"]],
            ["observable", ["Store"]],
            ["view", ["Home"]]
          ]
        )
        const uikit = yield* call("uikit_classes")
        assert.deepStrictEqual(
          uikit["roles"].map(({ classes, role }: Value) => [role, classes.map(({ name }: Value) => name)]),
          [
            ["cell", ["PriceCell"]],
            ["view_controller", ["LoginViewController"]]
          ]
        )

        // ---- contracts ----
        const contracts = (options: Value = {}) => at.call("analyze", { kind: "contracts", options })
        const list = yield* contracts({ type: "http" })
        assert.strictEqual(list["total"], 7)
        const check = yield* contracts({ action: "check", type: "http" })
        assert.deepStrictEqual(
          check["matched"].map(
            ({ consumers, method, name }: Value) =>
              `${method} ${name} <- ${consumers.map((c: Value) => `${c["symbol"]}:${c["line"]} ${c["match_tier"]}`)}`
          ),
          [
            "GET /api/users/:id <- web/src/Page.tsx::Page.load:4 resolved",
            "POST /api/users <- web/src/Page.tsx::Page.save:5 resolved"
          ]
        )
        assert.deepStrictEqual(
          check["orphan_providers"].map(({ name }: Value) => name),
          ["/health"]
        )
        assert.deepStrictEqual(
          check["orphan_consumers"].map(({ method, name }: Value) => `${method} ${name}`),
          ["DELETE /api/nowhere"]
        )
        assert.strictEqual(check["external_consumer_count"], 1)
        const issues = yield* contracts({ action: "validate" })
        const rules = issues["issues"].map(({ name, rule, severity }: Value) => `${severity} ${rule} ${name}`)
        assert.includeMembers(rules, [
          "error unimplemented_operation /api/orders",
          "warning no_provider /api/nowhere",
          "warning no_publisher user.lost",
          "info parameter_names /api/users/{userId}",
          "warning version_drift @shop/core"
        ])
        const dependencies = yield* contracts({ type: "dependency", role: "consumer" })
        assert.deepStrictEqual(
          dependencies["contracts"].map(({ name, version }: Value) => `${name} ${version}`).sort(),
          ["@shop/core ^1.2.0", "axios ^1.6.0"]
        )
        assert.strictEqual((yield* contracts())["dependencies_skipped"], 1)
        const ranked = yield* contracts({ action: "bridge", query: "users" })
        assert.include(ranked["ranked"][0].name, "/api/users")
        const impact = yield* contracts({
          action: "bridge",
          mode: "impact",
          symbol: "api/src/users.ts::show"
        })
        assert.deepStrictEqual(
          impact["impact"].map(({ affected, id }: Value) => [
            id,
            affected.map(({ symbol }: Value) => symbol)
          ]),
          [["http::GET::/api/users/{}", ["web/src/Page.tsx::Page.load"]]]
        )

        // ---- what persists ----
        const stored = yield* at.call("workspace_admin", { operation: "sql_rebuild" })
        assert.deepInclude(stored, { columns_created: 3, skipped: 0, emitters_linked: 3 })
        assert.isAtLeast(stored["tables_created"], 3)
        assert.isAtLeast(stored["reads_col_edges"], 2)
        const unasked = yield* at.refused("workspace_admin", { operation: "temporal_verify" })
        assert.strictEqual(unasked.code, "capability_unavailable")
        assert.include(unasked.message, "no language model is configured")

        // ---- what a session has over the folder is seen by that session alone ----
        yield* at.overlay("s", {
          path: "api/src/more.ts",
          content: `import express from "express"\nconst more = express()\nmore.get("/more", () => {})\n`,
          deleted: false
        })
        assert.strictEqual((yield* at.call("analyze", ask("routes", { type: "http" }), "s"))["total"], 4)
        assert.strictEqual((yield* call("routes", { type: "http" }))["total"], 3)

        // ---- refusals ----
        const refused = (kind: string, options: Value) =>
          Effect.map(at.refused("analyze", ask(kind, options)), ({ code, field }) => `${code} ${field}`)
        assert.strictEqual(yield* refused("routes", { method: "FETCH" }), "invalid_argument options.method")
        assert.strictEqual(yield* refused("models", { orm: "hibernatus" }), "invalid_argument options.orm")
        assert.strictEqual(
          yield* refused("pubsub", { transport: "pigeon" }),
          "invalid_argument options.transport"
        )
        assert.strictEqual(yield* refused("log_events", { level: "loud" }), "invalid_argument options.level")
        assert.strictEqual(
          yield* refused("event_emitters", { level: "loud" }),
          "invalid_argument options.level"
        )
        assert.strictEqual(
          yield* refused("string_emitters", { context: "poem" }),
          "invalid_argument options.context"
        )
        assert.strictEqual(yield* refused("dbt_models", { type: "table" }), "invalid_argument options.type")
        assert.strictEqual(yield* refused("images", { role: "hero" }), "invalid_argument options.role")
        assert.strictEqual(
          yield* refused("k8s_resources", { k8s_kind: "Boat" }),
          "invalid_argument options.k8s_kind"
        )
        assert.strictEqual(yield* refused("swiftui_views", { role: "hero" }), "invalid_argument options.role")
        assert.strictEqual(yield* refused("uikit_classes", { role: "hero" }), "invalid_argument options.role")
        assert.strictEqual(
          yield* refused("external_calls", { module_kind: "nice" }),
          "invalid_argument options.module_kind"
        )
        assert.strictEqual(
          yield* refused("external_calls", { name: "left-pad" }),
          "symbol_not_found options.name"
        )
        assert.strictEqual(
          yield* refused("annotation_users", { name: "@Nowhere" }),
          "symbol_not_found options.name"
        )
        assert.strictEqual(yield* refused("components", { name: "Nowhere" }), "symbol_not_found options.name")
        assert.strictEqual(
          yield* refused("contracts", { repo: "elsewhere" }),
          "invalid_argument options.repo"
        )
        assert.strictEqual(
          yield* refused("contracts", { action: "bridge" }),
          "invalid_argument options.query"
        )
        for (const kind of [
          "route_frameworks",
          "sql_call_sites",
          "orphan_tables",
          "unreferenced_tables",
          "temporal_orphans",
          "config_readers",
          "env_var_users",
          "kustomize",
          "cgo_users",
          "wasm_users",
          "drupal_hooks"
        ]) {
          const { code } = yield* at.refused("analyze", { kind, target: { symbol: "show" } })
          assert.strictEqual(code, "invalid_argument", kind)
        }
      }),
    60_000
  )

  it.scopedLive("never leave a zero bare", () =>
    Effect.gen(function* () {
      const at = yield* served({ "a.ts": "export const a = 1\n" })
      for (const kind of ["routes", "components", "models", "pubsub", "images"]) {
        const none = yield* at.call("analyze", { kind })
        assert.strictEqual(none["total"], 0, kind)
        assert.match(none["note"], /^no .*: \d+ of \d+ files that show a sign of one were read$/)
        assert.strictEqual(none["completeness"].complete, true)
      }
    })
  )
})
