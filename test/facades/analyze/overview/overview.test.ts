import { describe, expect, it } from "vitest"
import { catalog } from "../../support.ts"
import { servedOnce } from "../../once.ts"
import type { Value } from "../../read/support.ts"

// Two families of five functions, each of which calls all behind it, and two that tie the families together.
const family = (folder: string, name: string, extra = "") => ({
  [`${folder}/ring.ts`]: `${extra}
export const ${name}Alpha = (n: number): number => ${name}Beta(n) + ${name}Gamma(n) + ${name}Delta(n) + ${name}Epsilon(n)
export const ${name}Beta = (n: number): number => ${name}Gamma(n) + ${name}Delta(n) + ${name}Epsilon(n)
export const ${name}Gamma = (n: number): number => ${name}Delta(n) + ${name}Epsilon(n)
export const ${name}Delta = (n: number): number => ${name}Epsilon(n) + 1
export const ${name}Epsilon = (n: number): number => n
`
})
const files = {
  ...family("src/orders", "order"),
  ...family(
    "src/bills",
    "bill",
    `import { orderEpsilon } from "../orders/ring.ts"\nexport const bridgeBill = () => billAlpha(1) + orderEpsilon(1)`
  ),
  "src/main.ts": `import { orderAlpha } from "./orders/ring.ts"
import { bridgeBill } from "./bills/ring.ts"
export function main() { return orderAlpha(3) + bridgeBill() }
`,
  "src/loose.ts": `export function hermit() { return 1 }
const pair = () => other()
export const other = () => 2
void pair
`,
  "test/orders.test.ts": `import { orderAlpha } from "../src/orders/ring.ts"
it("counts", () => { orderAlpha(1) })
`,
  "lib/worker.py": `def work():
    return step()


def step():
    return 1
`
}
const at = servedOnce(files, { git: true })
const idsOf = (rows: ReadonlyArray<Value>) => rows.map(({ id }) => id as string)
const analyze = (kind: string, rest: Value = {}, session?: string) =>
  at.call("analyze", { kind, ...rest }, session)
const refused = (kind: string, rest: Value = {}) => at.refused("analyze", { kind, ...rest })

describe("analyze.help", () => {
  it("has a line for every kind, and is what a call without a kind gets", async () => {
    const value = await at.call("analyze", {})
    const { operations } = catalog.facade("analyze")!
    expect(value["total"]).toBe(operations.length)
    expect({ ...value["kinds"], ...value["unavailable"] }).toEqual(
      Object.fromEntries(
        operations.map(({ available, name, summary, unavailable }) => [
          name,
          available ? summary : unavailable
        ])
      )
    )
  })
  it("is told of by an unknown kind, with the valid ones", async () => {
    const failure = await Promise.resolve(at.refused("analyze", { kind: "flight" }))
    expect(failure.code).toBe("invalid_argument")
    expect(JSON.stringify(failure.data)).toContain("hotspots")
  })
})

describe("analyze.communities", () => {
  it("finds the two families, with their hubs", async () => {
    const { communities, modularity, scope, total } = await analyze("communities")
    expect(communities.map(({ file_count, files: own, size }: Value) => [size, own[0], file_count])).toEqual([
      [5, "src/bills/ring.ts", 1],
      [5, "src/orders/ring.ts", 1]
    ])
    expect([total, communities[1].hub, scope.alone]).toEqual([2, "src/orders/ring.ts::orderAlpha", 1])
    // 23 of 26 ties are inside; strengths are 22, 21, 5, 2 and 2 of 52.
    expect(modularity).toBe(0.5303)
  })
  it("tells all of one, named by id, label or a symbol in it", async () => {
    const byId = await analyze("communities", { options: { id: "c2" } })
    expect(idsOf(byId["members"])).toEqual(
      ["Alpha", "Beta", "Gamma", "Delta", "Epsilon"].map((name) => `src/orders/ring.ts::order${name}`)
    )
    // Ten ties inside; outwards main and bridgeBill.
    expect(byId["cohesion"]).toBe(0.8333)
    for (const id of ["src/orders", "src/orders/ring.ts::orderBeta"])
      expect((await analyze("communities", { options: { id } }))["id"]).toBe("c2")
  })
  it("refuses one there is not", async () => {
    const failure = await refused("communities", { options: { id: "c77" } })
    expect([failure.code, failure.reason_code]).toEqual(["invalid_argument", "unknown_community"])
    expect(failure.data?.["communities"]).toEqual(expect.arrayContaining(["c2 src/orders"]))
  })
})

describe("analyze.clusters", () => {
  it.each(["leiden", "louvain"])("finds the families by %s", async (algorithm) => {
    const { clusters } = await analyze("clusters", { options: { algorithm } })
    const orders = clusters.find(({ label }: Value) => label === "src/orders")
    expect(orders).toMatchObject({ size: 5, files: 1, languages: ["typescript"] })
    expect(orders.density).toBe(1)
  })
  it("keeps each family together by halving, too", async () => {
    const { clusters } = await analyze("clusters", { options: { algorithm: "spectral" } })
    for (const name of ["order", "bill"]) {
      const own = clusters.find(({ member_sample }: Value) =>
        member_sample.some((id: string) => id.endsWith(`${name}Beta`))
      )
      for (const part of ["Alpha", "Gamma", "Delta", "Epsilon"])
        expect(
          own.member_sample.filter((id: string) => id.endsWith(part)).map((id: string) => id.split("::")[1])
        ).toEqual([`${name}${part}`])
    }
  })
  it("divides only what lies under a prefix, and counts what is too small", async () => {
    const value = await analyze("clusters", { options: { path_prefix: "src/orders", min_size: 6 } })
    expect(value).toMatchObject({
      total: 0,
      smaller: 1,
      scope: { definitions: 5, path_prefix: "src/orders" }
    })
  })
  it("refuses an algorithm there is not", async () => {
    expect((await refused("clusters", { options: { algorithm: "guess" } })).code).toBe("invalid_argument")
  })
})

describe("analyze.hotspots", () => {
  it("puts what is used and uses most first, with what it counted", async () => {
    const { hotspots, looked_at, total } = await analyze("hotspots", { options: { threshold: 0 } })
    const gamma = hotspots.find(({ name }: Value) => name === "orderGamma")
    expect(gamma).toMatchObject({
      fan_in: 2,
      fan_out: 2,
      community_crossings: 0,
      file_path: "src/orders/ring.ts",
      line: 4
    })
    const bridge = hotspots.find(({ name }: Value) => name === "bridgeBill")
    expect(bridge).toMatchObject({ fan_in: 1, fan_out: 2, community_crossings: 2 })
    const scores = hotspots.map(({ complexity_score }: Value) => complexity_score)
    expect(scores).toEqual([...scores].sort((a: number, b: number) => b - a))
    expect([total, looked_at]).toEqual([hotspots.length, total])
  })
  it("keeps what is above the mean and two deviations when no threshold is given", async () => {
    const all = await analyze("hotspots", { options: { threshold: 0 } })
    const { hotspots, threshold } = await analyze("hotspots")
    expect(idsOf(hotspots)).toEqual(
      idsOf(all["hotspots"].filter(({ complexity_score }: Value) => complexity_score >= threshold - 0.05))
    )
  })
  it("dates lines: all are new in a repository made now, and none has stood still", async () => {
    const adds = await analyze("hotspots", {
      options: { mode: "directional", direction: "adds", threshold: 0 }
    })
    expect(adds["total"]).toBeGreaterThan(10)
    expect(adds["hotspots"][0].changed_pct).toBe(100)
    const stable = await analyze("hotspots", {
      options: { mode: "directional", direction: "stable", threshold: 0 }
    })
    expect([stable["total"], stable["dated"]]).toEqual([0, adds["dated"]])
    const novel = await analyze("hotspots", { options: { mode: "novelty", threshold: 0 } })
    expect(novel["hotspots"][0].novelty_score).toBe(novel["hotspots"][0].complexity_score)
  })
  it("refuses a mode there is not", async () => {
    expect((await refused("hotspots", { options: { mode: "loud" } })).code).toBe("invalid_argument")
  })
})

describe("analyze.processes", () => {
  it("starts where nothing but tests and top levels calls", async () => {
    const { processes, total } = await analyze("processes")
    expect(idsOf(processes).sort()).toEqual([
      "lib/worker.py::work",
      "src/loose.ts::pair",
      "src/main.ts::main"
    ])
    expect(total).toBe(3)
    expect(processes[0]).toMatchObject({ id: "src/main.ts::main", step_count: 12, file_count: 3 })
  })
  it("tells the steps of one in the order of calls", async () => {
    const { steps } = await analyze("processes", { options: { id: "src/main.ts::main" } })
    expect(
      steps.slice(0, 4).map(({ called_by, depth, name, step }: Value) => [step, name, depth, called_by])
    ).toEqual([
      [1, "main", 0, undefined],
      [2, "orderAlpha", 1, 1],
      [3, "orderBeta", 2, 2],
      [4, "orderGamma", 3, 3]
    ])
  })
  it("refuses what starts none", async () => {
    const failure = await refused("processes", { options: { id: "src/orders/ring.ts::orderBeta" } })
    expect([failure.code, failure.reason_code]).toEqual(["invalid_argument", "unknown_process"])
  })
})

describe("analyze.coupling", () => {
  it("counts users and used definitions of packages, tests aside", async () => {
    const { units } = await analyze("coupling")
    const by = Object.fromEntries(units.map((unit: Value) => [unit["unit"], unit]))
    // orders is used by main and bridgeBill; bills uses orderEpsilon and is used by main.
    expect(by["src/orders"]).toEqual({
      unit: "src/orders",
      ca: 2,
      ce: 0,
      instability: 0,
      internal_edges: 10,
      total_edges: 12,
      members: 5
    })
    expect(by["src/bills"]).toMatchObject({
      ca: 1,
      ce: 1,
      instability: 0.5,
      internal_edges: 11,
      total_edges: 13
    })
    expect(by["src"]).toMatchObject({ ca: 0, ce: 2, instability: 1 })
    expect(by["lib"]).toMatchObject({ ca: 0, ce: 0, instability: null })
  })
  it("takes communities for units, and stays under a prefix", async () => {
    const { units } = await analyze("coupling", { options: { unit: "community", path_prefix: "src/orders" } })
    expect(units.map(({ ca, unit }: Value) => [unit, ca])).toEqual([["c2 src/orders", 2]])
  })
  it("refuses a unit there is not", async () => {
    expect((await refused("coupling", { options: { unit: "galaxy" } })).code).toBe("invalid_argument")
  })
})

describe("analyze.surprising_connections", () => {
  it("finds the uses between the families, the rarest first", async () => {
    const { connections } = await analyze("surprising_connections")
    expect(connections.map(({ from, score, signals, to }: Value) => [from, to, score, signals])).toEqual([
      [
        "src/bills/ring.ts::bridgeBill",
        "src/orders/ring.ts::orderEpsilon",
        0.5,
        ["cross_community", "peripheral_to_hub"]
      ],
      ["src/bills/ring.ts::bridgeBill", "src/bills/ring.ts::billAlpha", 0.3, ["cross_community"]],
      ["src/main.ts::main", "src/orders/ring.ts::orderAlpha", 0.3, ["cross_community"]]
    ])
  })
  it("finds nothing above a score nothing has, and says what it looked at", async () => {
    const value = await analyze("surprising_connections", { options: { min_score: 0.9 } })
    expect(value).toMatchObject({ total: 0, connections: [] })
    expect(value["looked_at"]).toBeGreaterThan(15)
  })
  it("refuses a share that is none", async () => {
    expect((await refused("surprising_connections", { options: { rare_kind_pct: 200 } })).code).toBe(
      "invalid_argument"
    )
  })
})

describe("analyze.knowledge_gaps", () => {
  it("finds what is tied to nothing, thin communities and hot spots no test leads to", async () => {
    const value = await analyze("knowledge_gaps", { options: { thin_community_size: 3 } })
    expect(idsOf(value["disconnected_nodes"])).toEqual(["src/loose.ts::hermit"])
    expect(value["thin_communities"].map(({ files: own }: Value) => own)).toEqual([
      ["lib/worker.py"],
      ["src/bills/ring.ts", "src/main.ts"],
      ["src/loose.ts"]
    ])
    const untested = idsOf(value["untested_hotspots"])
    expect(untested).toContain("src/bills/ring.ts::billGamma")
    expect(untested).not.toContain("src/orders/ring.ts::orderGamma")
    expect(value["summary"].untested_hotspots).toBe(untested.length)
  })
  it("refuses a share that is none", async () => {
    expect((await refused("knowledge_gaps", { options: { min_coverage_pct: -1 } })).code).toBe(
      "invalid_argument"
    )
  })
})

describe("analyze.suggest_boundaries", () => {
  it("makes layers of folders that the guards take", async () => {
    const value = await analyze("suggest_boundaries", { options: { min_size: 3 } })
    const by = Object.fromEntries(value["suggested_layers"].map((layer: Value) => [layer["name"], layer]))
    expect(by["orders"]).toMatchObject({ paths: ["src/orders/*"], allow: [], size: 5 })
    expect(by["bills"]).toMatchObject({ allow: ["orders"] })
    const { guards } = JSON.parse(value["effectrc"])
    at.folder().write(".effectrc", value["effectrc"])
    const held = await at.call("change", { operation: "guards", source: { symbols: ["src/main.ts::main"] } })
    expect(held["violations"]).toEqual([])
    at.folder().remove(".effectrc")
    expect(guards.layers.map(({ name }: Value) => name)).toEqual(Object.keys(by))
  })
  it("refuses a size that is none", async () => {
    expect((await refused("suggest_boundaries", { options: { min_size: -1 } })).code).toBe("invalid_argument")
  })
})

describe("analyze.role", () => {
  it("tells the role of each symbol", async () => {
    const { symbols, tally_by_role } = await analyze("role")
    const by = Object.fromEntries(symbols.map(({ id, role }: Value) => [id, role]))
    expect(by["src/main.ts::main"]).toBe("entry_point")
    expect(by["lib/worker.py::step"]).toBe("leaf")
    expect(by["src/orders/ring.ts::orderBeta"]).toBe("worker")
    expect(tally_by_role).toMatchObject({ isolated: 1, test: 1 })
    expect(idsOf((await analyze("role", { options: { role: "isolated" } }))["symbols"])).toEqual([
      "src/loose.ts::hermit"
    ])
  })
  it("refuses a role there is not, with those there are", async () => {
    const failure = await refused("role", { options: { role: "wizard" } })
    expect([failure.code, failure.data?.["valid_values"]]).toEqual([
      "invalid_argument",
      expect.arrayContaining(["hub"])
    ])
  })
})

describe("analyze.concepts", () => {
  it("groups the words of names, and what is named by them", async () => {
    const { concepts } = await analyze("concepts", { options: { min_size: 4 } })
    const themes: ReadonlyArray<string> = concepts.map(({ theme }: Value) => theme as string)
    expect(themes.some((theme) => theme.split(" ").includes("order"))).toBe(true)
    expect(themes.some((theme) => theme.split(" ").includes("bill"))).toBe(true)
    expect((await analyze("concepts", { options: { min_size: 999 } }))["total"]).toBe(0)
  })
  it("refuses a size that is none", async () => {
    expect((await refused("concepts", { options: { min_size: "many" } })).code).toBe("invalid_argument")
  })
})

describe("analyze.cross_repo", () => {
  it("says that nothing can cross where there is one repository", async () => {
    const value = await analyze("cross_repo")
    expect(value).toMatchObject({ total: 0, dependencies: [] })
    expect(value["note"]).toContain("one repository")
  })
  it("refuses a repository that is none", async () => {
    expect((await refused("cross_repo", { options: { repo: "elsewhere" } })).code).toBe("repo_not_tracked")
  })
})

describe("analyze.architecture", () => {
  it("is one page of it all, with a hierarchy when asked", async () => {
    const value = await analyze("architecture", { options: { top_hotspots: 2, resolution: "package" } })
    expect(value["summary"]).toMatchObject({ files: 6, communities: 2, processes: 3 })
    expect(value["languages"].map(({ language }: Value) => language)).toEqual(["typescript", "python"])
    expect(value["hotspots"]).toHaveLength(2)
    expect(idsOf(value["entry_points"])[0]).toBe("src/main.ts::main")
    const units = Object.fromEntries(value["hierarchy"].units.map(({ id, uses }: Value) => [id, uses]))
    expect(units["src"]).toEqual({ "src/bills": 1, "src/orders": 1 })
    const part = await analyze("architecture", { options: { path_prefix: "lib" } })
    expect(part["summary"]).toMatchObject({ files: 1, symbols: 2 })
  })
  it("refuses a size there is not", async () => {
    expect((await refused("architecture", { options: { resolution: "atom" } })).code).toBe("invalid_argument")
  })
})
