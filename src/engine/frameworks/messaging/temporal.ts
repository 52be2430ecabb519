/** Workflows of Temporal: what is defined, registered and dispatched by name. */
import type { LocalFact } from "../Local.ts"
import type { Pass } from "../Pass.ts"
import { at } from "../Routers.ts"
import { argOf, type Expr, type Script, textOf } from "../Script.ts"

const note = (
  script: Script,
  what: string,
  name: string,
  token: number,
  data: { readonly [key: string]: unknown } = {}
): LocalFact => ({ kind: "note", pass: "temporal", what, name, data, ...at(script, token) })

/** The name a reference to a workflow or an activity gives. */
const nameOf = (expr: Expr | undefined): string | undefined =>
  expr?.kind === "string"
    ? expr.text
    : expr?.kind === "chain"
      ? expr.chain.parts.findLast(({ name }) => name !== "" && name !== "[]")?.name
      : undefined

const goPass: Pass = {
  name: "temporal",
  family: "workflows",
  languages: ["go"],
  hints: ["go.temporal.io", "cadence"],
  *read({ script }): Generator<LocalFact> {
    for (const { at: token, name, params } of script.functions()) {
      const [first] = params
      if (first?.type.endsWith("workflow.Context") === true && /^[A-Z]/.test(name))
        yield note(script, "workflow", name, token, { declared: "signature" })
    }
    for (const { parts } of script.chains())
      for (const part of parts) {
        if (part.args === undefined) continue
        const named = (place: number): string | undefined => nameOf(part.args![place]?.value)
        const yielded = (what: string, name: string | undefined): ReadonlyArray<LocalFact> =>
          name === undefined
            ? []
            : [
                note(script, what, name, part.at, {
                  by: textOf(part.args![0]?.value) === undefined ? "reference" : "name"
                })
              ]
        if (/^Register(?:Workflow|WorkflowWithOptions)$/.test(part.name))
          yield* yielded("registered_workflow", named(0))
        else if (/^Register(?:Activity|ActivityWithOptions)$/.test(part.name))
          yield* yielded("registered_activity", named(0))
        else if (/^Execute(?:Local)?Activity$/.test(part.name)) yield* yielded("dispatch_activity", named(1))
        else if (/^ExecuteChildWorkflow$/.test(part.name)) yield* yielded("dispatch_workflow", named(1))
        else if (part.name === "ExecuteWorkflow") yield* yielded("dispatch_workflow", named(2))
        else if (part.name === "SignalWorkflow" || part.name === "SignalExternalWorkflow")
          yield* yielded("signal", named(3))
        else if (part.name === "SignalWithStartWorkflow") yield* yielded("signal", named(2))
        else if (part.name === "QueryWorkflow") yield* yielded("query", named(3))
        else if (part.name === "GetSignalChannel") yield* yielded("signal_handler", named(1))
        else if (/^SetQueryHandler(?:WithOptions)?$/.test(part.name))
          yield* yielded("query_handler", named(1))
      }
  }
}

const tsPass: Pass = {
  name: "temporal",
  family: "workflows",
  languages: ["typescript", "javascript"],
  hints: ["@temporalio/"],
  *read({ script, text }): Generator<LocalFact> {
    const signals = new Map<string, string>()
    for (const [name, bindings] of script.bindings())
      for (const { value } of bindings) {
        const part = value?.kind === "chain" ? value.chain.parts.at(-1)! : undefined
        if (part?.args !== undefined && /^define(?:Signal|Query|Update)$/.test(part.name))
          signals.set(name, textOf(part.args[0]?.value) ?? name)
      }
    const workflowFile = /@temporalio\/workflow/.test(text)
    const activities = new Set<string>()
    // const { charge } = proxyActivities<typeof activities>({ … })
    for (const found of text.matchAll(/(?:const|let)\s*\{([^}]*)\}\s*=\s*proxy(?:Local)?Activities\b/g))
      for (const each of found[1]!.split(",")) {
        const name = each.trim().split(":")[0]!.trim()
        if (name !== "") activities.add(each.trim().split(":").at(-1)!.trim() || name)
      }
    for (const { at: token, name } of script.functions())
      if (
        workflowFile &&
        script.line(token) > 0 &&
        /\bexport\b/.test(
          text.slice(Math.max(0, script.tokens.start[token]! - 30), script.tokens.start[token]!)
        )
      )
        yield note(script, "workflow", name, token, { declared: "export" })
    for (const { parts } of script.chains())
      for (const [index, part] of parts.entries()) {
        if (part.args === undefined) continue
        if (index === 0 && activities.has(part.name))
          yield note(script, "dispatch_activity", part.name, part.at, { by: "reference" })
        const first = part.args[0]?.value
        const name = nameOf(first)
        if (
          /^(?:executeChild|startChild)$/.test(part.name) ||
          (/^(?:start|execute|signalWithStart)$/.test(part.name) &&
            /workflow/i.test(parts[index - 1]?.name ?? ""))
        ) {
          if (name !== undefined)
            yield note(script, "dispatch_workflow", name, part.at, {
              by: first?.kind === "string" ? "name" : "reference"
            })
        } else if (part.name === "signal" && index > 0 && name !== undefined)
          yield note(script, "signal", signals.get(name) ?? name, part.at)
        else if (
          part.name === "query" &&
          index > 0 &&
          /handle|workflow/i.test(parts[index - 1]!.name) &&
          name !== undefined
        )
          yield note(script, "query", signals.get(name) ?? name, part.at)
        else if (part.name === "setHandler" && name !== undefined) {
          const kind = new RegExp(`\\b${name}\\s*=\\s*(?:\\w+\\.)?define(Signal|Query|Update)\\b`).exec(
            text
          )?.[1]
          yield note(
            script,
            kind === "Query" ? "query_handler" : "signal_handler",
            signals.get(name) ?? name,
            part.at
          )
        } else if (
          part.name === "create" &&
          parts[index - 1]?.name === "Worker" &&
          first?.kind === "record"
        ) {
          yield note(script, "worker", textOf(argOf(first.items, "taskQueue")) ?? "", part.at)
        }
      }
  }
}

const annotated: { readonly [name: string]: string } = {
  WorkflowMethod: "workflow",
  ActivityMethod: "activity",
  SignalMethod: "signal_handler",
  QueryMethod: "query_handler"
}
const javaPass: Pass = {
  name: "temporal",
  family: "workflows",
  languages: ["java", "kotlin"],
  hints: ["io.temporal"],
  *read({ script }): Generator<LocalFact> {
    const interfaces = new Map<number, string>()
    for (const { name, on } of script.decorations())
      if ((name === "ActivityInterface" || name === "WorkflowInterface") && on.kind === "class") {
        const body = script.classes().find(({ at: own }) => own === on.at)
        if (body !== undefined) interfaces.set(body.from, name)
        yield note(script, name === "ActivityInterface" ? "activity" : "workflow", on.name, on.at, {
          declared: "interface"
        })
      }
    for (const { args, name, on } of script.decorations())
      if (on.kind === "function" && Object.hasOwn(annotated, name) && /Signal|Query/.test(name))
        yield note(script, annotated[name]!, textOf(argOf(args, "name")) ?? on.name, on.at)
    for (const { parts } of script.chains())
      for (const part of parts) {
        if (part.args === undefined) continue
        const type = (place: number): string | undefined => {
          const value = part.args![place]?.value
          return value?.kind === "chain" ? value.chain.parts[0]!.name : undefined
        }
        if (/^new(?:Local)?ActivityStub$/.test(part.name)) {
          const name = type(0)
          if (name !== undefined) yield note(script, "dispatch_activity", name, part.at, { by: "reference" })
        } else if (/^new(?:Child)?WorkflowStub$/.test(part.name)) {
          const name = type(0)
          if (name !== undefined) yield note(script, "dispatch_workflow", name, part.at, { by: "reference" })
        } else if (part.name === "registerWorkflowImplementationTypes") {
          for (const [place] of part.args.entries()) {
            const name = type(place)
            if (name !== undefined)
              yield note(script, "registered_workflow", name, part.at, { implementation: true })
          }
        } else if (part.name === "registerActivitiesImplementations") {
          for (const [place] of part.args.entries()) {
            const name = type(place)
            if (name !== undefined)
              yield note(script, "registered_activity", name, part.at, { implementation: true })
          }
        }
      }
  }
}

const pythonPass: Pass = {
  name: "temporal",
  family: "workflows",
  languages: ["python"],
  hints: ["temporalio"],
  *read({ script }): Generator<LocalFact> {
    for (const { args, chain, name, on } of script.decorations()) {
      const base = chain.parts[0]!.name
      const given = textOf(argOf(args, "name"))
      if (base === "workflow" && name === "defn")
        yield note(script, "workflow", given ?? on.name, on.at, { declared: "decorator" })
      else if (base === "activity" && name === "defn")
        yield note(script, "activity", given ?? on.name, on.at, { declared: "decorator" })
      else if (base === "workflow" && name === "signal")
        yield note(script, "signal_handler", given ?? on.name, on.at)
      else if (base === "workflow" && name === "query")
        yield note(script, "query_handler", given ?? on.name, on.at)
    }
    for (const chain of script.chains()) {
      if (chain.decorates === true) continue
      for (const [index, part] of chain.parts.entries()) {
        if (part.args === undefined) continue
        const value = part.args[0]?.value
        // MyWorkflow.run means the workflow.
        const name =
          value?.kind === "chain" && value.chain.parts.at(-1)!.name === "run" && value.chain.parts.length > 1
            ? value.chain.parts.at(-2)!.name
            : nameOf(value)
        const base = chain.parts[index - 1]?.name ?? ""
        if (name !== undefined && /^(?:execute|start)_(?:local_)?activity(?:_method)?$/.test(part.name))
          yield note(script, "dispatch_activity", name, part.at, {
            by: value?.kind === "string" ? "name" : "reference"
          })
        else if (name !== undefined && /^(?:execute|start)_(?:child_)?workflow$/.test(part.name))
          yield note(script, "dispatch_workflow", name, part.at, {
            by: value?.kind === "string" ? "name" : "reference"
          })
        else if (name !== undefined && part.name === "signal" && /handle|workflow/i.test(base))
          yield note(script, "signal", name, part.at)
        else if (name !== undefined && part.name === "query" && /handle|workflow/i.test(base))
          yield note(script, "query", name, part.at)
        else if (part.name === "Worker") {
          for (const [label, what] of [
            ["workflows", "registered_workflow"],
            ["activities", "registered_activity"]
          ] as const) {
            const list = argOf(part.args, label)
            if (list?.kind === "list")
              for (const item of list.items) yield note(script, what, nameOf(item.value) ?? "", part.at)
          }
        }
      }
    }
  }
}

export const workflowPasses: ReadonlyArray<Pass> = [goPass, tsPass, javaPass, pythonPass]
