import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { makeView } from "../../../../src/engine/graph/View.ts"
import { open } from "../../../../src/engine/workspace/Workspace.ts"

const folder = mkdtempSync(join(tmpdir(), "portico-ecmascript-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * What the places marked in a text mean: a mark `/*1*\/` stands before the name. Per mark the targets with their tier,
 * nothing where there is none.
 */
const targets = (text: string, more: { readonly [path: string]: string } = {}) => {
  const root = mkdtempSync(join(folder, "case-"))
  for (const [path, content] of Object.entries({ "main.ts": text, ...more })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return Effect.gen(function* () {
    const engine = yield* open({ directory: root, exact: true, watch: false, store: false })
    const { snapshot } = yield* engine.current
    const view = makeView(snapshot, { state: "fresh", stale_files: [], head: undefined, checked_at: "" })
    const edges = view.outgoing(view.fileRef("main.ts")!)
    const out: { [mark: string]: string } = {}
    text.split("\n").forEach((line, i) => {
      for (const mark of line.matchAll(/\/\*(\w+)\*\//g)) {
        // A name in quotes is met behind its quote.
        const behind = mark.index + mark[0].length
        const column = line[behind] === '"' ? behind + 1 : behind
        out[mark[1]!] = edges
          .filter((e) => e.line === i + 1 && e.column === column)
          .map((e) => `${view.symbol(e.to).id.replace(/^main\.ts::/, "")} ${e.tier}`)
          .sort()
          .join(", ")
      }
    })
    return out
  }).pipe(Effect.scoped, Effect.runPromise)
}

const classes = `
class A { a(): void {}; b: B = new B() }
class B { c(): void {}; a(): void {} }
`

describe("type parameters", () => {
  it("stand for the type arguments written, and for their defaults", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
interface Box<T, U = B> { readonly value: T; other: U; map<V>(f: (value: T) => V): Box<V> }
declare const box: Box<A>
box.value./*1*/a()
box.other./*2*/c()
class Sub extends Map2<string, A> {}
declare class Map2<K, V> { get(key: K): V }
new Sub().get("")./*3*/a()
type Alias<T> = Box<T, T>
declare const alias: Alias<B>
alias.other./*4*/c()
declare function made<T>(): Box<T>
made<A>().value./*5*/a()`),
      {
        "1": "A.a resolved",
        "2": "B.c resolved",
        "3": "A.a resolved",
        "4": "B.c resolved",
        "5": "A.a resolved"
      }
    )
  })
  it("are inferred from arguments, and from what functions given give", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
interface Box<T> { readonly value: T; map<V>(f: (value: T) => V): Box<V> }
declare function box<T>(value: T): Box<T>
declare const a: A
box(a).value./*1*/a()
box(a).map((x) => x./*2*/b).value./*3*/c()
box(a).map((x) => { return x.b }).map((y) => y./*4*/c())
declare function first<T>(all: ReadonlyArray<T>): T
first([a])./*5*/a()
declare function pair<T, U>(t: T, u: U): [T, U]
const [p, q] = pair(a, a.b)
p./*6*/a()
q./*7*/c()
declare function same<T extends A>(t: T): T
function inside<T extends A>(t: T) { t./*8*/a() }
same(a)./*9*/a()`),
      {
        "1": "A.a resolved",
        "2": "A.b resolved",
        "3": "B.c resolved",
        "4": "B.c resolved",
        "5": "A.a resolved",
        "6": "A.a resolved",
        "7": "B.c resolved",
        "8": "A.a resolved",
        "9": "A.a resolved"
      }
    )
  })
  it("are inferred from what a call is expected to give", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
interface Maker<T, D = T["b" & keyof T]> { new (d: D): T; init(t: T): void }
declare function maker<T>(name: string, init: (t: T) => void): Maker<T>
const m: Maker<A> = maker("x", (t) => t./*1*/a())
declare function run(make: Maker<B>): void
run(maker("x", (t) => t./*2*/c()))
new m(1)./*3*/a()`),
      { "1": "A.a resolved", "2": "B.c resolved", "3": "A.a resolved" }
    )
  })
  it("pass through pipes and functions that take their data first or last", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
interface Pipeable { pipe<A, B>(this: A, ab: (a: A) => B): B; pipe<A, B, C>(this: A, ab: (a: A) => B, bc: (b: B) => C): C }
interface Eff<T> extends Pipeable { readonly run: () => T }
declare const map: {
  <A, B>(f: (a: A) => B): (self: Eff<A>) => Eff<B>
  <A, B>(self: Eff<A>, f: (a: A) => B): Eff<B>
}
declare function pipe<A, B>(a: A, ab: (a: A) => B): B
declare const eff: Eff<A>
map(eff, (x) => x./*1*/b).run()./*2*/c()
eff.pipe(map((x) => x./*3*/b), map((y) => y./*4*/c()))
pipe(eff, map((x) => x./*5*/b)).run()./*6*/c()
declare const dual: { <Last extends Function, First extends Function>(n: number, body: First): Last & First }
const tap = dual<(f: (a: A) => void) => (self: A) => B, (self: A, f: (a: A) => void) => B>(2, (self, f) => { self./*7*/a(); return self.b })
tap(eff.run(), (x) => x./*8*/a())./*9*/c()`),
      {
        "1": "A.b resolved",
        "2": "B.c resolved",
        "3": "A.b resolved",
        "4": "B.c resolved",
        "5": "A.b resolved",
        "6": "B.c resolved",
        "7": "A.a resolved",
        "8": "A.a resolved",
        "9": "B.c resolved"
      }
    )
  })
})

describe("types written with others", () => {
  it("are indexed by names", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
interface Z { in: { out: A } ; list: B[] }
declare const x: Z[/*1*/"in"][/*2*/"out"]
x./*3*/a()
declare const y: Z["list"][number]
y./*4*/c()
function f<T extends Z>(t: T[/*5*/"in"], u: Z) { t./*6*/out./*7*/a(); u[/*8*/"list"] }`),
      {
        "1": "Z.in resolved",
        "2": "Z.in.out resolved",
        "3": "A.a resolved",
        "4": "B.c resolved",
        "5": "Z.in resolved",
        "6": "Z.in.out resolved",
        "7": "A.a resolved",
        "8": "Z.list resolved"
      }
    )
  })
  it("are conditional, mapped or made by the library", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
type Of<T> = T extends Promise<infer U> ? U : T
declare const one: Of<Promise<A>>
one./*1*/a()
type Flat<T> = { [K in keyof T]: T[K] } & {}
declare const two: Flat<A>
two./*2*/b./*3*/c()
type Wrapped<T> = { [K in keyof T]: { it: T[K] } }
declare const three: Wrapped<A>
three./*4*/b.it./*5*/c()
declare const four: Readonly<Partial<Pick<A, "b">>>
four./*6*/b?./*7*/c()
function make() { return new A() }
declare const five: ReturnType<typeof make>
declare const six: Awaited<Promise<B>>
six./*8*/c()
declare const seven: Record<string, A>
seven["x"]./*9*/a()`),
      {
        "1": "A.a resolved",
        "2": "A.b resolved",
        "3": "B.c resolved",
        "4": "A.b resolved",
        "5": "B.c resolved",
        "6": "A.b resolved",
        "7": "B.c resolved",
        "8": "B.c resolved",
        "9": "A.a resolved"
      }
    )
  })
  it("are `this`, wherever a member is inherited to", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
class Base { self(): this { return this }; readonly out!: unknown; wrap(): List<this> { throw 1 } }
class Sub extends Base { own(): void {} }
declare class List<T> { first(): T }
new Sub().self().self()./*1*/own()
new Sub().wrap().first()./*2*/own()`),
      { "1": "Sub.own resolved", "2": "Sub.own resolved" }
    )
  })
  it("are unions, whose members are those of all that have them", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
interface L { readonly _tag: "L"; left: A; both: A }
interface R { readonly _tag: "R"; right: B; both: B }
interface O { readonly _tag: "O"; both: B }
type U = L | R
declare const u: U
u./*1*/_tag
if (u._tag === "L") u./*2*/left
declare const v: L | R | O
const w: U = { /*3*/_tag: "R", /*4*/right: new B(), both: new B() }
type And = L & { more: B }
declare const and: And
and./*5*/more./*6*/c()
and./*7*/left`),
      {
        "1": "L._tag resolved, R._tag resolved",
        "2": "L.left resolved",
        "3": "R._tag resolved",
        "4": "R.right resolved",
        "5": "And.more resolved",
        "6": "B.c resolved",
        "7": "L.left resolved"
      }
    )
  })
  it("are object types written where they are used", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
function f({ x, y: [z] }: { x: A; y: [B, A] }, options: { on(a: A): void; by: { [name: string]: B } }) {
  x./*1*/a()
  z./*2*/c()
  options.by.q./*3*/c()
}
f({ x: new A(), y: [new B(), new A()] }, { on: (a) => a./*4*/a(), by: {} })
declare function g<T>(of: { t: T; f: (t: T) => void }): T
g({ t: new A(), f: (t) => {} })./*5*/a()`),
      {
        "1": "A.a resolved",
        "2": "B.c resolved",
        "3": "B.c resolved",
        "4": "A.a resolved",
        "5": "A.a resolved"
      }
    )
  })
})

describe("calls", () => {
  it("choose the overload that takes their arguments", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
declare const zip: {
  (that: A, options?: { strict?: boolean }): (self: B) => B
  (self: A, that: A, options?: { strict?: boolean }): A
}
declare const a: A
zip(a, a)./*1*/a()
zip(a, { strict: true })(a.b)./*2*/c()
interface Callable { (x: A): B; new (x: A): A }
declare const call: Callable
call(a)./*3*/c()`),
      { "1": "A.a resolved", "2": "B.c resolved", "3": "B.c resolved" }
    )
  })
  it("make classes to be extended", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
declare const Tagged: (tag: string) => new <T>(args: T) => A & Readonly<T>
class Failure extends Tagged("x")<{ readonly why: B }> { own() { this./*1*/a(); this./*2*/why } }
interface Schema<T> { new (): T; pipe(): void }
declare function schema<T>(t: T): Schema<T>
class S extends schema<A>(new A()) {}
S./*3*/pipe()`),
      { "1": "A.a resolved", "2": "Failure.why resolved", "3": "Schema.pipe resolved" }
    )
  })
  it("run generators that delegate to what they iterate", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
interface Eff<T> { [Symbol.iterator](): EffIterator<Eff<T>> }
type Success<T> = [T] extends [Eff<infer S>] ? S : never
interface EffIterator<T extends Eff<any>> { next(): IteratorResult<T, Success<T>> }
declare function gen<R>(f: () => Generator<any, R, any>): Eff<R>
declare const eff: Eff<A>
const made = gen(function* () {
  const x = yield* eff
  x./*1*/a()
  return x.b
})
gen(function* () { (yield* made)./*2*/c() })`),
      { "1": "A.a resolved", "2": "B.c resolved" }
    )
  })
  it("of library containers give and take their elements", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
declare const list: A[]
list.map((x) => x./*1*/b).filter((y) => y./*2*/c()).forEach((z) => z./*3*/c())
declare const byName: Map<string, A>
byName.get("")!./*4*/a()
for (const [, value] of byName) value./*5*/a()
async function f(p: Promise<A>) { (await p)./*6*/a(); p.then((x) => x./*7*/b).then((y) => y./*8*/c()) }
list.push({ /*9*/b: new B(), a() {} })`),
      {
        "1": "A.b resolved",
        "2": "B.c resolved",
        "3": "B.c resolved",
        "4": "A.a resolved",
        "5": "A.a resolved",
        "6": "A.a resolved",
        "7": "A.b resolved",
        "8": "B.c resolved",
        "9": "A.b resolved"
      }
    )
  })
})

describe("what is not known", () => {
  it("is not guessed, and ends where types lead in circles", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
import { thing } from "elsewhere"
thing<A>()./*1*/a()
type Loop<T> = T extends string ? Loop<Loop<T>> : { [K in keyof T]: Loop<T[K]> }
declare const loop: Loop<{ x: A }>
loop.x./*2*/zzz
interface Rec<T> { next: Rec<Rec<T>>; value: T }
declare const rec: Rec<A>
rec.next.next.next./*3*/next
declare function id<T>(t: T): T
id(id)(id)./*4*/a`),
      { "1": "", "2": "", "3": "Rec.next resolved", "4": "" }
    )
  })
})

describe("conditions", () => {
  const shapes = `
interface Circle { readonly kind: "circle"; r: number; size(): number; common(): void }
interface Square { readonly kind: "square"; side: number; size(): number; common(): void; extra?: number }
interface Line { readonly kind: "line"; size(): number }
type Shape = Circle | Square | Line
`
  it("on a discriminant narrow a union in their branches and behind those that leave", async () => {
    assert.deepStrictEqual(
      await targets(`${shapes}
export function f(x: Shape, y: Shape, z: Shape) {
  x./*0*/size()
  if (x.kind === "circle") { x./*1*/size(); [1].map(() => x./*2*/size()) } else x./*3*/size()
  x./*4*/size()
  if (y.kind !== "square") return y./*5*/size()
  y./*6*/size()
  const n = z.kind === "line" ? z./*7*/size() : z.kind === "circle" && z./*8*/size()
  if ((z.kind === "line" || z.kind === "circle") && n) { z./*9*/size() } else if (z.kind === "line") throw z
  z./*10*/size()
}`),
      {
        "0": "Circle.size resolved, Line.size resolved, Square.size resolved",
        "1": "Circle.size resolved",
        "2": "Circle.size resolved",
        "3": "Line.size resolved, Square.size resolved",
        "4": "Circle.size resolved, Line.size resolved, Square.size resolved",
        "5": "Circle.size resolved, Line.size resolved",
        "6": "Square.size resolved",
        "7": "Line.size resolved",
        "8": "Circle.size resolved",
        "9": "Circle.size resolved, Line.size resolved",
        "10": "Circle.size resolved, Line.size resolved, Square.size resolved"
      }
    )
  })
  it("of a switch hold in its clauses, as far as they are entered from above only", async () => {
    assert.deepStrictEqual(
      await targets(`${shapes}
export const f = (x: Shape) => {
  switch (x.kind) {
    case "circle":
      x./*1*/size()
      break
    case "line":
    case "square":
      x./*2*/size()
    case "circle":
      x./*3*/size()
      return
    default:
      x./*4*/size()
  }
  switch (x.kind) {
    case "circle": { x./*5*/size(); return }
    default: x./*6*/size()
  }
  x./*7*/size()
}`),
      {
        "1": "Circle.size resolved",
        "2": "Line.size resolved, Square.size resolved",
        "3": "Circle.size resolved, Line.size resolved, Square.size resolved",
        "4": "Circle.size inferred, Line.size inferred, Square.size inferred",
        "5": "Circle.size resolved",
        "6": "Line.size resolved, Square.size resolved",
        "7": "Circle.size resolved, Line.size resolved, Square.size resolved"
      }
    )
  })
  it("are also instanceof, in, typeof and guards", async () => {
    assert.deepStrictEqual(
      await targets(`${shapes}
class A { a(): void {} }
class B { a(): void {} }
declare function isSquare(x: unknown): x is Square
declare function isOf<T>(x: unknown, like: T): x is T
declare const line: Line
export function f(x: A | B, y: Shape, z: A | ((n: number) => A), w: unknown) {
  if (x instanceof A) x./*1*/a(); else x./*2*/a()
  if ("side" in y) y./*3*/size(); else y./*4*/size()
  if (typeof z === "function") z(1)./*5*/a(); else z./*6*/a()
  if (!isSquare(y)) { y./*7*/size(); return }
  y./*8*/size()
  if (isOf(w, line)) w./*9*/size()
  try {} catch (e) { if (!(e instanceof B)) throw e; e./*10*/a() }
}`),
      {
        "1": "A.a resolved",
        "2": "B.a resolved",
        "3": "Square.size resolved",
        "4": "Circle.size resolved, Line.size resolved",
        "5": "A.a resolved",
        "6": "A.a resolved",
        "7": "Circle.size resolved, Line.size resolved",
        "8": "Square.size resolved",
        "9": "Line.size resolved",
        "10": "B.a resolved"
      }
    )
  })
  it("end where the name is given another value, and do not reach other variables of that name", async () => {
    assert.deepStrictEqual(
      await targets(`${shapes}
export function f(x: Shape, next: () => Shape) {
  if (x.kind === "circle") {
    x./*1*/size()
    x = next()
    x./*2*/size()
  }
  if (x.kind === "line") {
    const g = (x: Circle) => x./*3*/size()
    { const x = next(); x./*4*/size(); if (x.kind === "circle") x./*5*/size() }
    x./*6*/size()
  }
  {
    x./*7*/size()
    if (x.kind === "line") return
    x./*8*/size()
  }
  x./*9*/size()
}`),
      {
        "1": "Circle.size resolved",
        "2": "Circle.size resolved, Line.size resolved, Square.size resolved",
        "3": "Circle.size resolved",
        "4": "Circle.size resolved, Line.size resolved, Square.size resolved",
        "5": "Circle.size resolved",
        "6": "Line.size resolved",
        "7": "Circle.size resolved, Line.size resolved, Square.size resolved",
        "8": "Circle.size resolved, Square.size resolved",
        "9": "Circle.size resolved, Line.size resolved, Square.size resolved"
      }
    )
  })
})

describe("type arguments", () => {
  it("of a member whose receiver is not known yet leave it what it is", async () => {
    assert.deepStrictEqual(
      await targets(`${classes}
interface Makes { make<U>(u: U): A }
declare function use<V>(f: (v: V) => A, v: V): V
export function f<T extends Makes>(x: T, y: T["make"]) {
  x.make<string>("")./*1*/a()
  use(x.make<string>, "")
  use(y<string>, "")
}`),
      { "1": "A.a resolved" }
    )
  })
})
