/** Which tests exercise definitions: by the uses that lead to them, by what test files bring in, by their names. */
import type { GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import { withParts } from "./Affected.ts"

/**
 * How a test was found, the surest first: by uses within the depth asked for, by its name, by uses further away, by what
 * its file imports. Names, the folder they share and what imports that are asked only where no use leads to a test.
 */
export const ways = ["calls", "name", "further_calls", "imports", "package", "import_chain"] as const
export type Way = (typeof ways)[number]

/** A test, or a function that a runner takes for one. */
export interface TestFunction {
  readonly ref: SymbolRef
  readonly name: string
  readonly line: number
  /** Edges between a subject and it. */
  readonly distance: number
  /** What it uses on the way to the subject; undefined when it uses the subject itself, or is it. */
  readonly via: SymbolRef | undefined
  /** A method of a suite, which its runner cannot pick by its name alone. */
  readonly suite: boolean
}

/** A file of tests to run. */
export interface TestTarget {
  readonly path: string
  readonly way: Way
  /** Edges between a subject and its nearest test, or files between them for ways other than calls. */
  readonly distance: number
  /** The tests found in it, nearest first; none when none is known by name. */
  readonly functions: ReadonlyArray<TestFunction>
  /** Its top level leads to a subject, so that running some of its tests would not do. */
  readonly whole: boolean
  /** Subjects it exercises, as places in the list of subjects; all that are known. */
  readonly subjects: ReadonlyArray<number>
}

export interface TestMap {
  /** The nearest first. */
  readonly targets: ReadonlyArray<TestTarget>
  /** Places of subjects no test was found for. */
  readonly uncovered: ReadonlyArray<number>
}

const testName =
  /(?:[._-](?:test|tests|spec|e2e|cy)\.[cm]?[jt]sx?$|^test_[^/]*\.py$|_tests?\.(?:py|go|rb|exs?|c|cc|cpp|lua)$|_spec\.(?:rb|lua)$|(?:[a-z0-9](?:Tests?|Spec|IT)|^Test[A-Z]\w*)\.(?:java|kt|kts|scala|groovy|cs|fs|vb|php|swift)$|\.bats$)/

const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
const dirOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")

/** What a file is called without what marks it as a test or says its language: `user_test.go` and `UserTest.java` are `user`. */
export const stemOf = (path: string): string =>
  baseOf(path)
    .replace(/\.[^.]+$/, "")
    .replace(/\.d$/, "")
    .replace(/(?:[._-](?:test|tests|spec|e2e|cy|unit|integration)|_tests?|Tests?|Spec|IT)+$/, "")
    .replace(/^(?:test_|Test(?=[A-Z]))/, "")
    .toLowerCase()
    .replace(/[-_]/g, "")

/** Ready answers about the files of one view. */
export class TestFiles {
  private readonly view: GraphView
  private readonly runnable = new Map<string, boolean>()
  private byStem: Map<string, ReadonlyArray<string>> | undefined
  private byDir: Map<string, ReadonlyArray<string>> | undefined

  private constructor(view: GraphView) {
    this.view = view
  }

  /** Of a view and those that say the same with another freshness. */
  static of(view: GraphView): TestFiles {
    let known = filesKnown.get(view.symbol)
    if (known === undefined) filesKnown.set(view.symbol, (known = new TestFiles(view)))
    return known
  }

  /** Whether a runner would find tests in the file, rather than helpers or data of tests. */
  isRunnable(path: string): boolean {
    let known = this.runnable.get(path)
    if (known === undefined) {
      known = testName.test(baseOf(path)) || this.view.definitions(path).some((ref) => this.isCase(ref))
      this.runnable.set(path, known)
    }
    return known
  }

  /** Whether a definition is a test itself. */
  isCase(ref: SymbolRef): boolean {
    return this.view.isCase(ref)
  }

  /** The tests around a definition, innermost first. */
  casesOf(ref: SymbolRef): ReadonlyArray<SymbolRef> {
    const out: Array<SymbolRef> = []
    for (
      let at: SymbolRef | undefined = ref;
      at !== undefined && !this.view.isFile(at);
      at = this.view.parent(at)
    )
      if (this.isCase(at)) out.push(at)
    return out
  }

  private gather(keyOf: (path: string) => string): Map<string, ReadonlyArray<string>> {
    const map = new Map<string, Array<string>>()
    for (const { path, test } of this.view.files()) {
      if (!test || !this.isRunnable(path)) continue
      const key = keyOf(path)
      const list = map.get(key)
      if (list === undefined) map.set(key, [path])
      else list.push(path)
    }
    return map
  }

  /** Test files called like a file. */
  named(path: string): ReadonlyArray<string> {
    this.byStem ??= this.gather(stemOf)
    return this.byStem.get(stemOf(path)) ?? []
  }

  /** Test files of a folder. */
  beside(path: string): ReadonlyArray<string> {
    this.byDir ??= this.gather(dirOf)
    return this.byDir.get(dirOf(path)) ?? []
  }
}

const filesKnown = new WeakMap<GraphView["symbol"], TestFiles>()

interface Draft {
  way: Way
  distance: number
  readonly functions: Map<SymbolRef, TestFunction>
  readonly subjects: Set<number>
  whole: boolean
}

const rank = (way: Way): number => ways.indexOf(way)
const most = 1_000_000
/** Levels of helpers inside tests that do not count against the depth asked for. */
const helperLevels = 3
/** Edges after which tests are so far away that they say nothing of a subject. */
const furthest = 16
/**
 * Definitions found after which a walk goes no step further, and those it finds at most: of what so much leads to, tests
 * far away say nothing.
 */
const plenty = 2048
const mostReached = 8192
/** Test files equally near and called like a subject's file: more than so many say nothing of it. */
const mostNamesakes = 4
/** Files looked at for what imports a subject's file. */
const mostChained = 512
/** Folders that names have in common with a file, from the end or the start: how near a namesake is. */
const shared = (a: string, b: string): number => {
  const left = dirOf(a).split("/")
  const right = new Set(dirOf(b).split("/"))
  return left.filter((part) => part !== "" && right.has(part)).length
}

/** Languages whose tests share a package with what lies in the same folder, and need no import to see it. */
const packaged = new Set(["go", "java", "kotlin", "scala", "csharp", "swift"])

/**
 * Finds the tests of each subject. Uses are walked to `depth`, helpers among the tests further; files to `chain` imports.
 */
export const testsOf = (
  view: GraphView,
  subjects: ReadonlyArray<SymbolRef>,
  options: { readonly depth: number; readonly chain: number }
): TestMap => {
  const files = TestFiles.of(view)
  const drafts = new Map<string, Draft>()
  const covered = new Set<number>()
  const note = (path: string, way: Way, distance: number, place: number): Draft => {
    let draft = drafts.get(path)
    if (draft === undefined)
      drafts.set(path, (draft = { way, distance, functions: new Map(), subjects: new Set(), whole: false }))
    else if (rank(way) < rank(draft.way) || (way === draft.way && distance < draft.distance)) {
      draft.way = way
      draft.distance = distance
    }
    draft.subjects.add(place)
    if (way !== "package" && way !== "import_chain") covered.add(place)
    return draft
  }
  const found = (
    ref: SymbolRef,
    distance: number,
    place: number,
    way: "calls" | "further_calls",
    via: SymbolRef | undefined
  ): boolean => {
    const path = view.pathOf(ref)
    const cases = view.isFile(ref) ? [] : files.casesOf(ref)
    if (cases.length === 0 && !files.isRunnable(path)) return false
    const draft = note(path, way, distance, place)
    const [innermost] = cases
    // A helper is no test; what it is used by is walked to.
    if (innermost === undefined) {
      if (view.isFile(ref)) draft.whole = true
      return true
    }
    const known = draft.functions.get(innermost)
    if (known === undefined || known.distance > distance)
      draft.functions.set(innermost, {
        ref: innermost,
        name: nameOf(view, cases),
        line: view.symbol(innermost).line,
        distance,
        via,
        suite: view.symbol(cases[cases.length - 1]!).kind === "method"
      })
    return true
  }

  subjects.forEach((subject, place) => {
    const roots = withParts(view, [subject])
    let called = false
    for (const root of roots)
      if (view.isTest(root) && (!view.isFile(root) || files.isRunnable(view.pathOf(root))))
        called = found(root, 0, place, "calls", undefined) || called
    const reached = view.reach(roots, {
      depth: Math.max(furthest, options.depth + helperLevels),
      most: mostReached,
      plenty,
      values: true
    })
    // Whether a definition is within the depth: 1 for other code, 2 for tests and their helpers.
    const near = new Uint8Array(reached.refs.length)
    reached.refs.forEach((ref, i) => {
      const depth = reached.depths[i]!
      const test = view.isTest(ref)
      const from = reached.cameFrom[i]!
      const close =
        depth <= options.depth ||
        (test && depth <= options.depth + helperLevels && from >= 0 && near[from] === 2)
      if (close) near[i] = test ? 2 : 1
      const via = from < 0 ? undefined : reached.refs[from]
      if (test) called = found(ref, depth, place, close ? "calls" : "further_calls", via) || called
    })
    // A test file that brings a subject in is about it, whatever it does with it.
    for (const ref of reached.importers) {
      const path = view.pathOf(ref)
      if (view.isTest(ref) && files.isRunnable(path)) note(path, "imports", 1, place)
    }
    const own = new Set(roots.map((ref) => view.pathOf(ref)))
    for (const path of own) {
      // Where uses lead to tests, a file of its name that they do not lead to rarely runs it.
      if (!called) {
        const others = files.named(path).filter((other) => other !== path)
        const beside = others.filter((other) => dirOf(other) === dirOf(path))
        // A name as common as `index` says something only nearby.
        const most = Math.max(0, ...others.map((other) => shared(path, other)))
        const near =
          beside.length > 0
            ? beside
            : others.filter((other) => others.length === 1 || (most > 0 && shared(path, other) === most))
        if (near.length <= mostNamesakes) for (const other of near) note(other, "name", 1, place)
      }
      if (!called && packaged.has(view.file(path)?.language ?? ""))
        for (const other of files.beside(path)) if (other !== path) note(other, "package", 1, place)
    }
    if (called) return
    // What brings in the file of a subject, and what brings in that.
    const seen = new Set(own)
    let level: ReadonlyArray<string> = [...own]
    for (
      let distance = 1;
      distance <= options.chain && level.length > 0 && seen.size <= mostChained;
      distance++
    ) {
      const next: Array<string> = []
      for (const path of level) {
        const file = view.fileRef(path)
        const users = view.reach([...view.definitions(path), ...(file === undefined ? [] : [file])], {
          depth: 1,
          most,
          values: true
        })
        for (const ref of [...users.refs, ...users.importers]) {
          const other = view.pathOf(ref)
          if (seen.has(other)) continue
          seen.add(other)
          next.push(other)
          if (view.isTest(ref) && files.isRunnable(other))
            note(other, distance === 1 ? "imports" : "import_chain", distance, place)
        }
      }
      level = next
    }
  })
  const targets = [...drafts].map(
    ([path, { distance, functions, subjects: exercised, way, whole }]): TestTarget => ({
      path,
      way,
      distance,
      functions: [...functions.values()].sort((a, b) => a.distance - b.distance || a.line - b.line),
      subjects: [...exercised],
      whole
    })
  )
  targets.sort(
    (a, b) =>
      rank(a.way) - rank(b.way) ||
      a.distance - b.distance ||
      b.subjects.length - a.subjects.length ||
      (a.path < b.path ? -1 : 1)
  )
  return { targets, uncovered: subjects.flatMap((_, place) => (covered.has(place) ? [] : [place])) }
}

/** What a test is called: its title with those around it, or the function a runner knows it by. */
const nameOf = (view: GraphView, cases: ReadonlyArray<SymbolRef>): string => {
  const outermost = cases[cases.length - 1]!
  const language = view.file(view.pathOf(outermost))?.language
  // A sub-test of Go is run with the function around it.
  if (language === "go") return view.nameOf(outermost)
  return view.symbol(cases[0]!).qualified
}
