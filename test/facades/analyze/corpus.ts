/** One tree in which every analysis has something to find: a small shop in many languages, with a history. */
import { execFileSync } from "node:child_process"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { TempFolder } from "../../engine/git/TempRepo.ts"
import { write } from "./history/support.ts"

/** Ten functions in two tight groups with one tie between them. */
const ring = (name: string, head = "") => `${head}
export const ${name}One = (n: number): number => ${name}Two(n) + ${name}Three(n) + ${name}Four(n) + ${name}Five(n)
export const ${name}Two = (n: number): number => ${name}Three(n) + ${name}Four(n) + ${name}Five(n)
export const ${name}Three = (n: number): number => ${name}Four(n) + ${name}Five(n)
export const ${name}Four = (n: number): number => ${name}Five(n) + 1
export const ${name}Five = (n: number): number => n
`

/** The same steps under other names. */
const copy = (
  name: string,
  item: string
) => `export function ${name}(${item}s: ReadonlyArray<number>): number {
  let total = 0
  let least = Number.POSITIVE_INFINITY
  for (const ${item} of ${item}s) {
    if (${item} < 0) throw new RangeError("a ${item} below zero")
    total += ${item} * 2
    if (${item} < least) least = ${item}
    while (total > 1000) total -= 1000
  }
  return total - least
}
`

const first = {
  "package.json": `{ "name": "shop", "scripts": { "build": "tsc" }, "dependencies": { "axios": "^1.6.0", "express": "^4.0.0" } }
`,
  "go.mod": "module example.com/shop\n\ngo 1.22\n",
  "src/orders/ring.ts": ring("order"),
  "src/bills/ring.ts": ring(
    "bill",
    `import { orderFive } from "../orders/ring.ts"\nexport const bridge = () => billOne(1) + orderFive(1)`
  ),
  "src/main.ts": `import { orderOne } from "./orders/ring.ts"
import { bridge } from "./bills/ring.ts"
import { sums } from "./copies.ts"
// TODO(@ann): totals of zero
export function main(argv: ReadonlyArray<string>) {
  const count = sums([argv.length])
  return orderOne(count) + bridge()
}
main(process.argv)
`,
  "src/copies.ts": `${copy("sums", "price")}\n${copy("amounts", "weight")}`,
  "src/unused.ts": "const hermit = () => 1\nfunction nobody() {\n  return 2\n}\n",
  "src/circle/left.ts": `import { right } from "./right.ts"
export const left = (n: number): number => (n > 0 ? right(n - 1) : 0)
`,
  "src/circle/right.ts": `import { left } from "./left.ts"
export const right = (n: number): number => left(n)
`,
  "src/shapes.ts": `export interface Shape { area(): number }
export interface Never { missing(): void }
export class Square implements Shape {
  area() { return 4 }
}
export class Round implements Shape {
  area() { return 3 }
}
export const size = (shape: Shape, other: any) => shape.area() + other.nowhere()
`,
  "src/box.ts": `export class Box {
  items: string[] = []
  label: string
  constructor(private readonly owner: string) {}
  put(item: string) {
    this.items.push(item)
    this.label = item
  }
}
`,
  "src/long.ts": `import { orderOne, orderTwo, orderThree, orderFour, orderFive } from "./orders/ring.ts"
export function long(a: number) {
  orderOne(a)
  orderTwo(a)
  orderThree(a)
  orderFour(a)
  orderFive(a)
${"\n".repeat(20)}  return a
}
export const one = () => long(1)
export const two = () => long(2)
`,
  "src/flags.ts": `import { isFeatureEnabled } from "./kit.ts"
export const beta = () => isFeatureEnabled("old-checkout")
`,
  "src/kit.ts": `export const isFeatureEnabled = (name: string) => name !== ""
`,
  "src/linted.js": "const kept = 1\ndebugger\nexport const shown = kept\n",
  "test/orders.test.ts": `import { it } from "vitest"
import { orderOne } from "../src/orders/ring.ts"
it("counts", () => { orderOne(1) })
`,
  "web/Button.tsx": `export const Button = (props: { label: string }) => <button>{props.label}</button>
`,
  "web/Page.tsx": `import axios from "axios"
import { Button } from "./Button.tsx"
export function Page() {
  void axios.post("/api/users", {})
  return <main><Button label="go" /></main>
}
`,
  "api/app.ts": `import express from "express"
import { EventEmitter } from "node:events"
import { createHash } from "node:crypto"
export const app = express()
export const bus = new EventEmitter()
export const digest = (x: string) => createHash("md5").update(x).digest("hex")
export async function create(req: any, res: any) {
  await pool.query("INSERT INTO users (name) VALUES ('" + req.body.name + "')")
  bus.emit("user.created", 1)
  console.error("made")
  res.setHeader("X-Made-By", process.env.SHOP_NAME)
  if (req.body === undefined) throw new Error("no such user")
  res.end()
}
app.post("/api/users", create)
bus.on("user.created", () => {})
`,
  "api/schema.sql": "CREATE TABLE audit_trail (id serial PRIMARY KEY);\n",
  "api/models.py": `import subprocess
from sqlalchemy import Column, Integer
from .base import Base
class Invoice(Base):
    __tablename__ = "invoices"
    id = Column(Integer, primary_key=True)
def run(path):
    subprocess.run("ls " + path, shell=True)
    assert path.is_admin
def quiet():
    try:
        run("x")
    except:
        pass
`,
  "flow/workflow.go": `package flow

import "go.temporal.io/sdk/workflow"

func Checkout(ctx workflow.Context) error {
	workflow.ExecuteActivity(ctx, "Refund")
	return nil
}
`,
  "flow/channels.go": `package flow

import "sync"

type Counter struct {
	mu    sync.Mutex
	total int
	tags  []string
}

func (c *Counter) Loose(n int) { c.total = n }

type Owner struct{ counter Counter }

func (o *Owner) Work() {
	o.counter.Loose(1)
	for i := 0; i < 3; i++ {
		go o.counter.Loose(i)
	}
	go func() { o.counter.total = 2 }()
}

func Make() *Counter { return &Counter{total: 1} }

func Channels() int {
	open := make(chan int)
	go func() { open <- 1 }()
	for v := range open {
		return v
	}
	return 0
}
`,
  "flow/native.go": `package flow

// #include <stdlib.h>
import "C"

func free() { C.free(nil) }
`,
  "wasm/lib.rs": `use wasm_bindgen::prelude::*;
#[wasm_bindgen]
pub fn greet(name: Option<String>) -> String { name.unwrap() }
`,
  "deploy/app.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: api }
spec:
  template:
    spec:
      containers:
        - name: api
          image: shop/api:1.4
`,
  "deploy/prod/kustomization.yaml": "resources:\n  - ../app.yaml\n",
  "dbt/models/orders.sql": `select * from {{ ref("stg_orders") }}\n`,
  "dbt/models/stg_orders.sql": `select * from {{ source("raw", "orders") }}\n`,
  "dbt/dbt_project.yml": "name: shop\nmodel-paths: [models]\n",
  "site/shop.module": `<?php
/**
 * Implements hook_cron().
 */
function shop_cron() {}
`,
  "ios/App.swift": `import SwiftUI
struct Home: View { var body: some View { Text("hi") } }
`,
  "ios/Legacy.swift": `import UIKit
class LoginViewController: UIViewController {}
`,
  "jvm/Config.java": `import org.springframework.beans.factory.annotation.Value;
@Deprecated
public class Config {
  @Value("\${shop.url}") String url;
}
`,
  "docs/guide.md": "# Guide\n\nSee [gone](../src/gone.ts).\n",
  "AGENTS.md": "# How to work\n\nRun `npm run deploy`; `src/lost.ts` is the old one.\n",
  ".effectrc": `{ "detectors": { "rules": [
  { "name": "main-called", "message": "The program starts.", "languages": ["typescript"], "find": "main($ARGS)" }
] } }
`,
  "lcov.info": "TN:\nSF:src/copies.ts\nDA:2,1\nDA:3,1\nDA:4,0\nDA:10,0\nend_of_record\n"
}
const ada = ["Ada", "ada@example.org"] as const

/** Where the linters of this repository are. */
const modules = join(import.meta.dirname, "../../../node_modules")

/** Makes the tree in an empty folder, with three commits, a release, a repository within it and an edit nobody committed. */
export const make = (folder: TempFolder): void => {
  write(folder, [
    { at: "2020-01-01T00:00:00Z", by: ada, subject: "feat: begin", files: first, tag: "v1.0.0" },
    {
      at: "2021-01-01T00:00:00Z",
      by: ada,
      subject: "fix: totals crash (#7)",
      files: {
        "src/kit.ts": `export const isFeatureEnabled = (name: string) => name.trim() !== ""\n`,
        "src/flags.ts": `${first["src/flags.ts"]}export const gamma = () => isFeatureEnabled("cart")\n`
      }
    },
    {
      at: "2022-01-01T00:00:00Z",
      by: ada,
      subject: "docs: decide",
      files: {
        "docs/adr/0001-rings.md":
          "# Rings\n\n## Decision\n\nWe decided that `orderOne` asks all the others, so that totals add up.\n"
      }
    }
  ])
  symlinkSync(modules, folder.at("node_modules"))
  writeFileSync(folder.at(".git/info/exclude"), "node_modules\n")
  folder.write("kit/index.ts", "export const help = () => 1\n")
  execFileSync("git", ["init", "-q", folder.at("kit")])
  folder.write(
    "src/user.ts",
    `import { help } from "../kit/index.ts"\nexport const user = (given: string) => help() + given.length\n`
  )
}
