import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { python } from "../../../../src/engine/languages/python/index.ts"
import { factsOf } from "../support.ts"

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8")
const service = await factsOf(python, fixture("service.py"))
const tests = await factsOf(python, fixture("test_service.py"), "tests/test_service.py")

const definition = (qualified: string, facts = service) => {
  const found = facts.definitions.find((d) => d.qualified === qualified)
  if (found === undefined) throw new Error(`no definition ${qualified}`)
  return found
}
const readable = (text: string, facts = service) =>
  text
    .replace(/(.?)#?def(\d+)/g, (_, before: string, d: string) =>
      `${before}#${facts.definitions[Number(d)]!.qualified}`.replace(/^#/, "")
    )
    .replace(/#imp\d+/g, "#import")
/** `role use bind` of each reference of a name. */
const uses = (name: string, facts = service) =>
  facts.references.filter((r) => r.name === name).map((r) => `${r.role} ${r.use} ${readable(r.bind, facts)}`)
const type = (name: string) => {
  const t = definition(name).type
  return t === undefined ? undefined : readable(t)
}

describe("definitions", () => {
  it("reads every kind with its members under it", () => {
    assert.strictEqual(service.parseErrors, 0)
    assert.deepStrictEqual(
      service.definitions.map((d) => `${d.kind} ${d.qualified}`),
      [
        "variable __all__",
        "constant LIMIT",
        "constant T",
        "variable first",
        "variable second",
        "variable fallback",
        "function shout",
        "variable _hidden",
        "enum Color",
        "enum_member Color.RED",
        "enum_member Color.GREEN",
        "class Item",
        "field Item.price",
        "field Item.tags",
        "field Item.shared",
        "class Item.Meta",
        "field Item.Meta.ordering",
        "class Service",
        "constructor Service.__init__",
        "field Service.store",
        "field Service.cache",
        "field Service.last",
        "field Service.owner",
        "field Service.low",
        "field Service.high",
        "property Service.name",
        "property Service.name",
        "method Service.default",
        "method Service.check",
        "method Service.get",
        "method Service.get",
        "method Service.get",
        "method Service._internal",
        "method Service.__secret",
        "method Service.run",
        "function Service.run.again",
        "function Service.run.later",
        "function make",
        "function orders",
        "function box",
        "type_alias Table"
      ]
    )
  })
  it("gives signatures, docstrings, spans and parameters", () => {
    const init = definition("Service.__init__")
    assert.strictEqual(
      init.signature,
      'def __init__(self, store: "Store[Purchase]", limit: int | None = None, *rest: Item, debug=False, **options)'
    )
    assert.deepStrictEqual(init.parameters, { min: 1, max: 3, variadic: true })
    assert.deepStrictEqual(definition("make").parameters, { min: 1, max: 3, variadic: false })
    assert.deepStrictEqual(definition("Service.check").parameters, { min: 1, max: 2, variadic: false })
    assert.deepStrictEqual(definition("Service.default").parameters, { min: 1, max: 1, variadic: false })
    assert.strictEqual(definition("Item").doc, '"""An item."""')
    assert.strictEqual(definition("Item").signature, "class Item(Generic[T])")
    assert.strictEqual(definition("Item").span, "33:0-42:28")
    assert.strictEqual(definition("orders").span, "119:0-134:28")
    assert.strictEqual(definition("make").body, "113:66")
    assert.strictEqual(
      definition("Service.run").signature,
      "async def run(self, orders: Union[list[Purchase], None], handlers: dict[str, Handler])"
    )
    assert.strictEqual(definition("orders").complexity, 4)
  })
  it("flags what decorators, names and places say", () => {
    const flags = (name: string) => definition(name).flags
    assert.deepStrictEqual(flags("_hidden"), [])
    assert.deepStrictEqual(flags("Service.__init__"), ["exported"])
    assert.deepStrictEqual(flags("Service._internal"), ["protected"])
    assert.deepStrictEqual(flags("Service.__secret"), ["private"])
    assert.deepStrictEqual(flags("Service.name"), ["exported", "getter"])
    assert.deepStrictEqual(flags("Service.check"), ["exported", "static"])
    assert.deepStrictEqual(flags("Service.get"), ["exported", "declaration"])
    assert.deepStrictEqual(flags("Service.run"), ["exported", "async"])
    assert.deepStrictEqual(flags("Service.run.again"), ["local"])
    assert.deepStrictEqual(flags("orders"), ["exported", "generator"])
    assert.deepStrictEqual(flags("Item.shared"), ["exported", "static"])
    assert.deepStrictEqual(flags("Item.price"), ["exported"])
  })
  it("types attributes by annotation, parameter and constructor, and results by what is returned", () => {
    assert.strictEqual(type("Service.store"), "store#local(:Store<Purchase#import>)")
    assert.strictEqual(type("Service.cache"), "Cache()")
    assert.strictEqual(type("Service.last"), "Purchase#import()")
    assert.strictEqual(type("Service.owner"), ":Ledger#import")
    assert.strictEqual(type("fallback"), ":Purchase#import")
    assert.strictEqual(type("first"), "make_pair()[0]")
    assert.strictEqual(type("Service.check"), "Verdict()")
    assert.strictEqual(type("Service.default"), ":Service#Service")
    assert.strictEqual(type("Service.run.again"), "order#local(?).retry()")
    assert.strictEqual(type("Item.tags"), ":list<'str'>")
    assert.strictEqual(type("box"), ":K#local(Base#import)")
    assert.strictEqual(type("Table"), "dict<K#local(?), Purchase#import>")
    assert.strictEqual(type("orders"), undefined)
  })
})

describe("assignments", () => {
  it("makes attributes of what a list of targets assigns, without a reference to themselves", async () => {
    const facts = await factsOf(
      python,
      "class A:\n  def __init__(self, u: U):\n    self.a, self.b = u, 2\n    self.a, self.c = pair()\n"
    )
    assert.deepStrictEqual(
      facts.definitions.slice(2).map((d) => `${d.qualified} ${d.type}`),
      ["A.a u#local(:U)", "A.b 'number'", "A.c pair()[1]"]
    )
    assert.deepStrictEqual(
      facts.references.filter((r) => r.role === "write").map((r) => `${r.name} ${r.at}`),
      ["a 4:9"]
    )
  })
  it("declares a variable of the module that only a function assigns", async () => {
    const facts = await factsOf(python, "def f():\n  global state\n  state = 1\ndef g():\n  return state\n")
    assert.deepStrictEqual(
      facts.definitions.map((d) => `${d.kind} ${d.qualified}`),
      ["function f", "function g", "variable state"]
    )
    assert.deepStrictEqual(
      facts.references.map((r) => `${r.name} ${r.role} ${r.bind}`),
      ["state write def2", "state read def2"]
    )
  })
  it("takes a built-in type for what the file makes of its name", async () => {
    const facts = await factsOf(python, "from compat import str\nx: str\ny: int\n")
    assert.deepStrictEqual(
      facts.definitions.map((d) => d.type),
      [":str#imp0", ":'int'"]
    )
  })
  it("knows deprecation by docstring", async () => {
    const facts = await factsOf(python, 'def f():\n  """Old.\n\n  .. deprecated:: 2\n  """\n')
    assert.deepStrictEqual(facts.definitions[0]!.flags, ["exported", "deprecated"])
  })
})

describe("imports, exports and bases", () => {
  it("records modules, names, levels and what is for type checkers", () => {
    assert.deepStrictEqual(
      service.imports.map(
        (i) => `${".".repeat(i.level)}${i.module} ${i.imported} ${i.local} ${i.flags.join()}`
      ),
      [
        "__future__ annotations annotations ",
        "json  codec namespace",
        "os.path  os namespace",
        "shop.data.models  shop namespace",
        "typing TYPE_CHECKING TYPE_CHECKING ",
        "typing Generic Generic ",
        "typing Optional Optional ",
        "typing TypeVar TypeVar ",
        "typing Union Union ",
        "typing overload overload ",
        ". clock clock ",
        ".models Order Purchase ",
        ".models Base Base ",
        "..config   wildcard",
        "fast  fast namespace",
        ".audit Ledger Ledger typeOnly"
      ]
    )
    assert.deepStrictEqual(
      service.imports.slice(1, 4).map((i) => i.at),
      ["4:15", "4:22", "5:7"]
    )
  })
  it("publishes what __all__ names, imported or not", () => {
    assert.deepStrictEqual(
      service.exports.map(
        (e) => `${e.exported} ${e.definition < 0 ? "import" : service.definitions[e.definition]!.kind}`
      ),
      ["Service class", "LIMIT constant", "clock import", "make function"]
    )
  })
  it("keeps an import that a handler replaces by nothing", () => {
    assert.deepStrictEqual(uses("fast"), ["write unknown imp14"])
  })
  it("records base classes but no keyword arguments", () => {
    assert.deepStrictEqual(
      service.inherits.map(
        (n) => `${service.definitions[n.subject]!.name} ${n.how} ${readable(n.superType)}`
      ),
      [
        "Color extends Enum",
        "Item extends Generic#import<T#T>",
        "Service extends Base#import",
        "Service extends clock#import.Timed"
      ]
    )
  })
  it("records modules imported by a call", async () => {
    const facts = await factsOf(
      python,
      "import_module('a.b'); __import__('c'); import_module('..d', p); import_module(name)"
    )
    assert.deepStrictEqual(
      facts.imports.map((i) => `${i.level} ${i.module} ${i.flags.join()}`),
      ["0 a.b dynamic", "0 c dynamic", "2 d dynamic"]
    )
  })
  it("says that a package republishes what it imports", async () => {
    const facts = await factsOf(python, "from .a import b\nfrom .c import d as d", "pkg/__init__.py")
    assert.deepStrictEqual(
      facts.imports.map((i) => i.flags),
      [["reexport"], ["reexport"]]
    )
  })
})

describe("references", () => {
  it("knows self, cls and super", () => {
    assert.deepStrictEqual(uses("__init__"), ["call discarded of super#Service"])
    assert.deepStrictEqual(uses("store").at(0), "read unknown of self#local(self#Service)")
    const facts = service.references.filter(
      (r) => r.within === service.definitions.findIndex((d) => d.name === "default")
    )
    assert.deepStrictEqual(
      facts.map((r) => r.name),
      ["Service"]
    )
  })
  it("follows contexts, loops, comprehensions, handlers and patterns to their values", () => {
    const list = "orders#local(:list<Purchase#import>)"
    assert.deepStrictEqual(uses("flush"), [
      "call awaited of session#local(self#local(self#Service).store.open())"
    ])
    assert.deepStrictEqual(uses("pay"), [
      `call discarded of order#local(${list}[])`,
      "call discarded of one#local(:Purchase#import)"
    ])
    assert.deepStrictEqual(uses("call"), [
      "call discarded of handler#local(handlers#local(:dict<'str', Handler>)[])"
    ])
    assert.deepStrictEqual(uses("left"), ["call discarded of a#local(pairs()[][0])"])
    assert.deepStrictEqual(uses("total"), [`call unknown of o#local(${list}[])`])
    assert.deepStrictEqual(uses("paid"), [`call condition of o#local(${list}[])`])
    assert.deepStrictEqual(uses("label"), [`call unknown of ${list}[]`])
    assert.deepStrictEqual(uses("report"), [
      "call discarded of problem#local(:ValueError | codec#import.Bad)"
    ])
    assert.deepStrictEqual(uses("use"), ["call discarded of found#local(self#local(self#Service).get())"])
    assert.deepStrictEqual(uses("draw"), ["call discarded of point#local(:Point)"])
    assert.deepStrictEqual(uses("close"), ["call discarded of value#local(:K#local(Base#import))"])
    assert.deepStrictEqual(uses("retry"), ["call returned of order#local(?)"])
  })
  it("reads names inside formatted strings and quoted annotations", () => {
    assert.deepStrictEqual(uses("width"), ["read unknown of self#local(self#Service)"])
    assert.deepStrictEqual(uses("Store"), ["parameter_type unknown free"])
    assert.deepStrictEqual(uses("Ledger"), ["field_type unknown imp15"])
  })
  it("writes through global names", () => {
    assert.deepStrictEqual(uses("LIMIT"), ["write unknown LIMIT"])
  })
  it("gives dotted modules as members of their first name", () => {
    assert.deepStrictEqual(uses("load"), ["call discarded of shop#import.data.models"])
  })
  it("hides the names of a class body from its methods", async () => {
    const facts = await factsOf(python, "x = 1\nclass A:\n  x = 2\n  y = x\n  def m(self):\n    return x\n")
    assert.deepStrictEqual(
      facts.references.map((r) => `${r.at} ${r.bind}`),
      ["4:6 def2", "6:11 def0"]
    )
  })
  it("gives calls their use", () => {
    assert.deepStrictEqual(uses("again"), [
      "call returned Service.run.again",
      "call returned Service.run.again"
    ])
    assert.deepStrictEqual(uses("later"), ["call returned Service.run.later"])
    assert.deepStrictEqual(uses("find_owner"), ["call assigned free"])
  })
})

describe("tests and marks", () => {
  it("flags test classes and functions", () => {
    assert.strictEqual(tests.runner, "pytest")
    assert.deepStrictEqual(
      tests.definitions.filter((d) => d.flags.includes("test")).map((d) => d.qualified),
      ["ServiceTest", "ServiceTest.test_get", "TestMake", "TestMake.test_kind", "test_default"]
    )
    assert.deepStrictEqual(definition("test_default.Local.size", tests).flags, ["static", "local"])
    assert.deepStrictEqual(definition("ServiceTest.service", tests).type, "make#imp2()")
  })
  it("tells unittest by its classes", async () => {
    const facts = await factsOf(
      python,
      "from unittest import TestCase\nclass A(TestCase):\n  def test_a(self): pass\n",
      "test_a.py"
    )
    assert.strictEqual(facts.runner, "unittest")
    assert.strictEqual(service.runner, "")
  })
  it("marks notes, routes, environment variables, queries and addresses", () => {
    assert.deepStrictEqual(
      service.marks.map((m) => `${m.kind} ${m.text}`),
      [
        "todo TODO: stop early",
        "route /orders",
        "env HOME",
        "env SHOP",
        "env LANG",
        "sql SELECT id FROM orders",
        "url https://example.org/a"
      ]
    )
  })
})

describe("broken text", () => {
  it("keeps the definitions after an open bracket, a broken line and odd indentation", async () => {
    const facts = await factsOf(
      python,
      "def a():\n  x = f(1,\ndef b(:\n  return )\nclass C:\n    y = = 2\n   z = 3\n  def d(self): pass\ndef e(): pass\n"
    )
    assert.isAbove(facts.parseErrors, 0)
    assert.includeMembers(
      facts.definitions.map((d) => d.name),
      ["a", "b", "C", "d", "e"]
    )
  })
  it("reads Windows line ends alike", async () => {
    const facts = await factsOf(python, fixture("service.py").replaceAll("\n", "\r\n"))
    assert.strictEqual(facts.parseErrors, 0)
    assert.deepStrictEqual(
      facts.definitions.map((d) => [d.qualified, d.span, d.signature]),
      service.definitions.map((d) => [d.qualified, d.span, d.signature])
    )
    assert.deepStrictEqual(facts.references, service.references)
  })
})
