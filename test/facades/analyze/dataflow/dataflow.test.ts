import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../../read/support.ts"

const files = {
  "go.mod": "module example.com/m\n",
  "main.go": `package main

import (
	"errors"
	"fmt"
	"sync"
)

type Counter struct {
	mu    sync.Mutex
	total int
	name  string
	tags  []string
}

var ErrEmpty = errors.New("empty")

func (c *Counter) Add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += n
}

func (c *Counter) Loose(n int) {
	c.total = n
}

type Owner struct {
	counter Counter
	done    chan int
}

func (o *Owner) Work() {
	o.counter.Loose(1)
	go o.counter.Add(2)
	for i := 0; i < 3; i++ {
		go o.counter.Loose(i)
	}
	go func() {
		o.counter.name = "x"
	}()
}

func Make() *Counter {
	return &Counter{total: 1, name: "a"}
}

func All() Counter {
	return Counter{total: 1, name: "a", tags: nil, mu: sync.Mutex{}}
}

func Check(n int) error {
	if n == 0 {
		return ErrEmpty
	}
	if n > 9 {
		return fmt.Errorf("too many: %d", n)
	}
	if n < 0 {
		panic("negative")
	}
	return nil
}

func Channels() int {
	open := make(chan int)
	shut := make(chan int, 1)
	go func() {
		open <- 1
		shut <- 2
		close(shut)
	}()
	for v := range shut {
		_ = v
	}
	for v := range open {
		_ = v
	}
	return 0
}
`,
  "box.ts": `export class Box {
  items: string[] = []
  label: string
  size?: number
  constructor(private readonly owner: string) {}
  put(item: string) {
    this.items.push(item)
    this.label = item
  }
  clear() {
    this.label = ""
    if (this.items.length === 0) throw new RangeError("nothing to clear")
  }
}
`,
  "job.py": `import threading


class Job:
    def __init__(self, name):
        self.name = name
        self.state = "new"

    def run(self):
        self.state = "running"
        raise ValueError("no luck")

    def start(self):
        threading.Thread(target=self.run).start()
`
}
const by = (rows: ReadonlyArray<Value>, key: string, value: string): Value => {
  const row = rows.find((r) => r[key] === value)
  assert.isDefined(row, `${value} in ${JSON.stringify(rows.map((r) => r[key]))}`)
  return row!
}

describe("analyze: flow of values", () => {
  it.scoped(
    "answers every kind over one folder",
    () =>
      Effect.gen(function* () {
        const at = yield* served(files)
        const ask = (kind: string, rest: Value = {}) => at.call("analyze", { kind, ...rest })
        const refused = (kind: string, rest: Value) => at.refused("analyze", { kind, ...rest })

        const chains = yield* ask("def_use", { target: { symbols: ["main.go::Check", "main.go::Counter"] } })
        assert.strictEqual(chains["total"], 2)
        assert.deepStrictEqual(
          chains["symbols"][0].chains
            .filter((c: Value) => c["var"] === "n")
            .map((c: Value) => [c["stmt_line"], c["def_lines"]]),
          [
            [53, [52]],
            [56, [52]],
            [57, [52]],
            [59, [52]]
          ]
        )
        assert.match(chains["symbols"][1].error, /only functions/)
        assert.strictEqual(
          (yield* refused("def_use", { target: { symbol: "main.go::Counter" } })).reason_code,
          "no_body"
        )
        assert.strictEqual(
          (yield* refused("def_use", { target: { symbol: "gone" } })).code,
          "symbol_not_found"
        )

        const writers = yield* ask("field_writers")
        const total = by(writers["fields"], "id", "main.go::Counter.total")
        assert.strictEqual(total["writes"], 4)
        assert.sameMembers(
          total["writers"].map((w: Value) => w["id"]),
          ["main.go::Counter.Add", "main.go::Counter.Loose", "main.go::Make", "main.go::All"]
        )
        const one = yield* ask("field_writers", { options: { id: "Counter.total" } })
        assert.deepStrictEqual(
          one["fields"][0].sites.map((s: Value) => s["line"]),
          [21, 25, 45, 49]
        )
        const never = yield* ask("field_writers", { options: { id: "Box.size" } })
        assert.strictEqual(never["never_written"], "box.ts::Box.size")
        assert.strictEqual(
          (yield* refused("field_writers", { options: { id: "main.go::Check" } })).reason_code,
          "not_a_field"
        )

        const mutations = yield* ask("indirect_mutations")
        const counter = by(mutations["fields"], "id", "main.go::Owner.counter")
        assert.deepStrictEqual(
          counter["mutators"].map((m: Value) => [m["function"], m["via"], m["line"]]),
          [
            ["main.go::Owner.Work", "main.go::Counter.Loose", 34],
            ["main.go::Owner.Work", "main.go::Counter.Add", 35],
            ["main.go::Owner.Work", "main.go::Counter.Loose", 37]
          ]
        )
        const items = by(mutations["fields"], "id", "box.ts::Box.items")
        assert.deepStrictEqual(items["mutators"], [
          { function: "box.ts::Box.put", via: "push", file_path: "box.ts", line: 7, by_name: true }
        ])
        assert.strictEqual(
          (yield* refused("indirect_mutations", { options: { id: "nothing.at.all" } })).code,
          "symbol_not_found"
        )

        const missing = yield* ask("constructors_missing_fields")
        assert.deepStrictEqual(
          missing["sites"].map((s: Value) => [
            s["function_id"],
            s["line"],
            s["missing_fields"],
            s["total_fields"]
          ]),
          [
            ["main.go::Make", 45, ["mu", "tags"], 4],
            ["box.ts::Box.constructor", 5, ["label"], 4]
          ]
        )
        const least = yield* ask("constructors_missing_fields", { options: { min_missing: 2 } })
        assert.strictEqual(least["total"], 1)
        const typed = yield* ask("constructors_missing_fields", { options: { type_id: "main.go::Counter" } })
        assert.strictEqual(typed["total"], 1)
        assert.strictEqual(
          (yield* refused("constructors_missing_fields", { options: { type_id: "main.go::Check" } }))
            .reason_code,
          "no_fields"
        )

        const errors = yield* ask("error_surface")
        const check = by(errors["throwers"], "symbol", "main.go::Check")
        assert.deepStrictEqual(
          [check["throws"], check["how"], check["errors"]],
          [3, ["panic", "return"], ["ErrEmpty", "fmt.Errorf"]]
        )
        assert.includeMembers(check["error_msgs"], ["too many: %d", "negative"])
        assert.deepStrictEqual(by(errors["throwers"], "symbol", "box.ts::Box.clear")["errors"], [
          "RangeError"
        ])
        assert.deepStrictEqual(by(errors["throwers"], "symbol", "job.py::Job.run")["errors"], ["ValueError"])
        assert.strictEqual((yield* ask("error_surface", { options: { path_prefix: "job.py" } }))["total"], 1)
        assert.strictEqual(
          (yield* refused("error_surface", { options: { path_prefix: "absent" } })).reason_code,
          "path_not_indexed"
        )

        const races = yield* ask("race_writes")
        assert.deepStrictEqual(
          races["race_writes"].map((r: Value) => `${r["field"]} ${r["file_path"]}:${r["line"]}`).sort(),
          [
            "job.py::Job.state job.py:10",
            "main.go::Counter.name main.go:40",
            "main.go::Counter.total main.go:25"
          ]
        )
        assert.strictEqual(races["guarded"], 1)
        assert.match(by(races["race_writes"], "line" as never, 25 as never)["reason"], /in a loop/)
        assert.strictEqual(
          (yield* refused("race_writes", { options: { path_prefix: "absent" } })).reason_code,
          "path_not_indexed"
        )

        const spawns = yield* ask("goroutine_spawns")
        assert.deepStrictEqual(
          spawns["spawns"]
            .map((s: Value) => [s["target"], s["mode"], s["concurrency"], s["line"]])
            .sort((a: Value, b: Value) => a[3] - b[3]),
          [
            ["job.py::Job.run", "thread", "once", 14],
            ["main.go::Counter.Add", "goroutine", "once", 35],
            ["main.go::Counter.Loose", "goroutine", "in_loop", 37],
            ["func literal", "goroutine", "once", 39],
            ["func literal", "goroutine", "once", 68]
          ]
        )
        assert.strictEqual(
          (yield* refused("goroutine_spawns", { options: { depth: 3 } })).code,
          "invalid_argument"
        )

        const channels = yield* ask("channel_ops")
        assert.deepStrictEqual(
          channels["channels"].map((c: Value) => [c["channel"], c["sends"], c["recvs"], c["closes"]]).sort(),
          [
            ["open", 1, 1, 0],
            ["shut", 1, 1, 1]
          ]
        )
        assert.strictEqual(
          (yield* refused("channel_ops", { options: { path_prefix: "absent" } })).reason_code,
          "path_not_indexed"
        )
        const unclosed = yield* ask("unclosed_channels")
        assert.deepStrictEqual(
          unclosed["unclosed_channels"].map((c: Value) => [c["channel"], c["line"], c["risk"]]),
          [["open", 66, "high"]]
        )
        assert.strictEqual(
          (yield* refused("unclosed_channels", { options: { path_prefix: "absent" } })).reason_code,
          "path_not_indexed"
        )
      }),
    30_000
  )
})
