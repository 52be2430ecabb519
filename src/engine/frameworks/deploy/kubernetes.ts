/** What is deployed: Kubernetes resources, kustomizations, container images. */
import { isMap, LineCounter, type Node, parseAllDocuments, type YAMLMap } from "yaml"
import type { LocalFact } from "../Local.ts"
import type { Pass, Source } from "../Pass.ts"

type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | ReadonlyArray<Value>
  | { readonly [key: string]: Value }

export interface Document {
  readonly value: { readonly [key: string]: Value }
  readonly root: YAMLMap
  readonly line: (node: unknown) => number
}

const templated = /\{\{|\{%/

/** The documents of a file that are maps. Text with templates in it is no YAML: there are none. */
export const documentsOf = ({ text }: Source): ReadonlyArray<Document> => {
  const lines = new LineCounter()
  const out: Array<Document> = []
  for (const document of parseAllDocuments(text, { lineCounter: lines, logLevel: "silent" }) as Iterable<
    ReturnType<typeof parseAllDocuments>[number]
  >) {
    const root = (document as { readonly contents?: unknown }).contents
    if (!isMap(root)) continue
    let value: unknown
    try {
      value = (document as { readonly toJS: (options?: object) => unknown }).toJS({ maxAliasCount: 100 })
    } catch {
      continue
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue
    out.push({
      value: value as Document["value"],
      root: root as YAMLMap,
      line: (node) => {
        const range = (node as Node | undefined)?.range
        return range === undefined || range === null ? 1 : lines.linePos(range[0]).line
      }
    })
  }
  return out
}

const text = (value: Value): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined
const record = (value: Value): { readonly [key: string]: Value } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Value })
    : {}
const list = (value: Value): ReadonlyArray<Value> =>
  Array.isArray(value) ? (value as ReadonlyArray<Value>) : []

interface Relations {
  readonly depends_on: Set<string>
  readonly configures: Set<string>
  readonly mounts: Set<string>
  readonly exposes: Set<string>
  readonly uses_env: Set<string>
}

/** Names of other resources in a pod, wherever it is described. */
const inPod = (
  spec: { readonly [key: string]: Value },
  found: Relations
): ReadonlyArray<{ readonly image: string; readonly role: string }> => {
  const images: Array<{ readonly image: string; readonly role: string }> = []
  const account = text(spec["serviceAccountName"])
  if (account !== undefined) found.depends_on.add(`ServiceAccount/${account}`)
  for (const each of list(spec["imagePullSecrets"])) {
    const name = text(record(each)["name"])
    if (name !== undefined) found.depends_on.add(`Secret/${name}`)
  }
  for (const volume of list(spec["volumes"])) {
    const own = record(volume)
    const config = text(record(own["configMap"])["name"])
    const secret = text(record(own["secret"])["secretName"])
    const claim = text(record(own["persistentVolumeClaim"])["claimName"])
    if (config !== undefined) found.mounts.add(`ConfigMap/${config}`)
    if (secret !== undefined) found.mounts.add(`Secret/${secret}`)
    if (claim !== undefined) found.mounts.add(`PersistentVolumeClaim/${claim}`)
    for (const source of list(record(own["projected"])["sources"])) {
      const c = text(record(record(source)["configMap"])["name"])
      const s = text(record(record(source)["secret"])["name"])
      if (c !== undefined) found.mounts.add(`ConfigMap/${c}`)
      if (s !== undefined) found.mounts.add(`Secret/${s}`)
    }
  }
  for (const [key, role] of [
    ["initContainers", "init"],
    ["containers", "container"],
    ["ephemeralContainers", "ephemeral"]
  ] as const)
    for (const container of list(spec[key])) {
      const own = record(container)
      const image = text(own["image"])
      if (image !== undefined) images.push({ image, role })
      for (const env of list(own["env"])) {
        const variable = record(env)
        const name = text(variable["name"])
        if (name !== undefined) found.uses_env.add(name)
        const from = record(variable["valueFrom"])
        const config = text(record(from["configMapKeyRef"])["name"])
        const secret = text(record(from["secretKeyRef"])["name"])
        if (config !== undefined) found.configures.add(`ConfigMap/${config}`)
        if (secret !== undefined) found.configures.add(`Secret/${secret}`)
      }
      for (const env of list(own["envFrom"])) {
        const config = text(record(record(env)["configMapRef"])["name"])
        const secret = text(record(record(env)["secretRef"])["name"])
        if (config !== undefined) found.configures.add(`ConfigMap/${config}`)
        if (secret !== undefined) found.configures.add(`Secret/${secret}`)
      }
    }
  return images
}

const podOf = (
  kind: string,
  spec: { readonly [key: string]: Value }
): { readonly [key: string]: Value } | undefined => {
  if (kind === "Pod") return spec
  if (kind === "CronJob")
    return record(record(record(record(spec["jobTemplate"])["spec"])["template"])["spec"])
  const template = record(spec["template"])
  return Object.keys(record(template["spec"])).length > 0 ? record(template["spec"]) : undefined
}

/** `depends_on` by a reference in the other kinds. */
const referenced = (kind: string, value: { readonly [key: string]: Value }, found: Relations): void => {
  const spec = record(value["spec"])
  if (kind === "Service") {
    const selector = Object.entries(record(spec["selector"])).map(
      ([key, label]) => `${key}=${text(label) ?? ""}`
    )
    if (selector.length > 0) found.exposes.add(`selector:${selector.sort().join(",")}`)
  } else if (kind === "Ingress") {
    const backend = (each: Value): void => {
      const own = record(each)
      const name = text(record(own["service"])["name"]) ?? text(own["serviceName"])
      if (name !== undefined) found.exposes.add(`Service/${name}`)
    }
    backend(spec["defaultBackend"] ?? spec["backend"])
    for (const rule of list(spec["rules"]))
      for (const path of list(record(record(rule)["http"])["paths"])) backend(record(path)["backend"])
    for (const tls of list(spec["tls"])) {
      const secret = text(record(tls)["secretName"])
      if (secret !== undefined) found.depends_on.add(`Secret/${secret}`)
    }
  } else if (kind === "HorizontalPodAutoscaler" || kind === "VerticalPodAutoscaler") {
    const target = record(spec["scaleTargetRef"] ?? spec["targetRef"])
    const name = text(target["name"])
    if (name !== undefined) found.depends_on.add(`${text(target["kind"]) ?? "Deployment"}/${name}`)
  } else if (kind.endsWith("RoleBinding")) {
    const role = record(value["roleRef"])
    const name = text(role["name"])
    if (name !== undefined) found.depends_on.add(`${text(role["kind"]) ?? "Role"}/${name}`)
    for (const subject of list(value["subjects"])) {
      const own = record(subject)
      if (text(own["name"]) !== undefined)
        found.depends_on.add(`${text(own["kind"]) ?? "User"}/${text(own["name"])}`)
    }
  } else if (kind === "StatefulSet") {
    const service = text(spec["serviceName"])
    if (service !== undefined) found.depends_on.add(`Service/${service}`)
  } else if (kind === "HTTPRoute")
    for (const rule of list(spec["rules"]))
      for (const each of list(record(rule)["backendRefs"])) {
        const name = text(record(each)["name"])
        if (name !== undefined) found.exposes.add(`Service/${name}`)
      }
}

export const kubernetes: Pass = {
  name: "kubernetes",
  family: "deployment",
  languages: ["yaml"],
  hints: ["apiVersion"],
  *read(source): Generator<LocalFact> {
    if (!/^\s*apiVersion\s*:/m.test(source.text) || !/^\s*kind\s*:/m.test(source.text)) return
    if (templated.test(source.text)) {
      yield {
        kind: "note",
        pass: "kubernetes",
        what: "templated",
        name: source.path,
        data: {},
        line: 1,
        column: 0
      }
      return
    }
    for (const document of documentsOf(source)) {
      const items =
        text(document.value["kind"]) === "List" ? list(document.value["items"]).map(record) : [document.value]
      for (const value of items) {
        const kind = text(value["kind"])
        const metadata = record(value["metadata"])
        const name = text(metadata["name"]) ?? text(metadata["generateName"])
        if (
          kind === undefined ||
          name === undefined ||
          text(value["apiVersion"]) === undefined ||
          (kind === "Kustomization" && /kustomize\.config/.test(text(value["apiVersion"]) ?? ""))
        )
          continue
        const found: Relations = {
          depends_on: new Set(),
          configures: new Set(),
          mounts: new Set(),
          exposes: new Set(),
          uses_env: new Set()
        }
        const pod = podOf(kind, record(value["spec"]))
        const images = pod === undefined ? [] : inPod(pod, found)
        referenced(kind, value, found)
        const labels = Object.entries(
          record(
            record(record(record(value["spec"])["template"])["metadata"])["labels"] ??
              (kind === "Pod" ? metadata["labels"] : undefined)
          )
        ).map(([key, label]) => `${key}=${text(label) ?? ""}`)
        const line = document.line(document.root)
        yield {
          kind: "note",
          pass: "kubernetes",
          what: "k8s",
          name,
          data: {
            k8s_kind: kind,
            namespace: text(metadata["namespace"]) ?? "",
            labels,
            ...Object.fromEntries(
              Object.entries(found).map(([key, set]) => [key, [...(set as Set<string>)].sort()])
            )
          },
          line,
          column: 0
        }
        for (const { image, role } of images)
          yield {
            kind: "note",
            pass: "kubernetes",
            what: "image",
            name: image,
            data: { role, consumer: `${kind}/${name}` },
            line: lineOfText(source.text, image, line),
            column: 0
          }
      }
    }
  }
}

const lineOfText = (whole: string, word: string, from: number): number => {
  const lines = whole.split("\n")
  for (let i = from - 1; i < lines.length; i++) if (lines[i]!.includes(word)) return i + 1
  return from
}

export const kustomize: Pass = {
  name: "kustomize",
  family: "deployment",
  languages: ["yaml"],
  files: (path) => /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/.test(path),
  *read(source): Generator<LocalFact> {
    for (const { value } of documentsOf(source)) {
      const strings = (key: string): ReadonlyArray<string> =>
        list(value[key]).flatMap((each) => text(each) ?? text(record(each)["path"]) ?? [])
      yield {
        kind: "note",
        pass: "kustomize",
        what: "kustomize",
        name: source.path.split("/").slice(0, -1).join("/") || ".",
        data: {
          bases: strings("bases"),
          resources: strings("resources"),
          components: strings("components"),
          patches: [
            ...strings("patches"),
            ...strings("patchesStrategicMerge"),
            ...strings("patchesJson6902")
          ],
          generators: [...list(value["configMapGenerator"]), ...list(value["secretGenerator"])].flatMap(
            (each) => text(record(each)["name"]) ?? []
          ),
          namespace: text(value["namespace"]) ?? ""
        },
        line: 1,
        column: 0
      }
      for (const each of list(value["images"])) {
        const own = record(each)
        const name = text(own["newName"]) ?? text(own["name"])
        const tag = text(own["newTag"])
        if (name !== undefined)
          yield {
            kind: "note",
            pass: "kustomize",
            what: "image",
            name: tag === undefined ? name : `${name}:${tag}`,
            data: { role: "kustomize", consumer: source.path },
            line: lineOfText(source.text, name, 1),
            column: 0
          }
      }
    }
  }
}

export const compose: Pass = {
  name: "compose",
  family: "deployment",
  languages: ["yaml"],
  hints: ["services:"],
  *read(source): Generator<LocalFact> {
    if (!/compose|docker/.test(source.path) && !/^services:\s*$/m.test(source.text)) return
    if (templated.test(source.text)) return
    for (const { value } of documentsOf(source))
      for (const [service, own] of Object.entries(record(value["services"]))) {
        const image = text(record(own)["image"])
        if (image !== undefined)
          yield {
            kind: "note",
            pass: "compose",
            what: "image",
            name: image,
            data: { role: "service", consumer: service },
            line: lineOfText(source.text, image, 1),
            column: 0
          }
      }
  }
}

export const workflows: Pass = {
  name: "ci",
  family: "deployment",
  languages: ["yaml"],
  hints: ["image:", "container:", "docker://"],
  files: (path) =>
    /(?:^|\/)(?:\.github\/workflows\/|\.gitlab-ci\.ya?ml$|\.circleci\/|bitbucket-pipelines\.ya?ml$|azure-pipelines\.ya?ml$|\.drone\.ya?ml$)/.test(
      path
    ),
  *read({ text: whole }): Generator<LocalFact> {
    for (const found of whole.matchAll(
      /^\s*-?\s*(?:image|container):\s*["']?([\w./-]+(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?)["']?\s*$/gm
    )) {
      if (!/[/:]/.test(found[1]!) && !/^[a-z]+$/.test(found[1]!)) continue
      yield {
        kind: "note",
        pass: "ci",
        what: "image",
        name: found[1]!,
        data: { role: "ci", consumer: "" },
        line: whole.slice(0, found.index + found[0].indexOf(found[1]!)).split("\n").length,
        column: 0
      }
    }
  }
}

export const dockerfiles: Pass = {
  name: "dockerfile",
  family: "deployment",
  languages: ["dockerfile"],
  *read({ text: whole }): Generator<LocalFact> {
    const stages = new Set<string>()
    const args = new Map<string, string>()
    for (const [i, line] of whole.split("\n").entries()) {
      const arg = /^\s*ARG\s+(\w+)=["']?([^"'\s]+)/i.exec(line)
      if (arg !== null) args.set(arg[1]!, arg[2]!)
      const found = /^\s*FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i.exec(line)
      if (found !== null) {
        const image = found[1]!.replace(
          /\$\{?(\w+)(?::-([^}]*))?\}?/g,
          (all, name: string, otherwise: string | undefined) => args.get(name) ?? otherwise ?? all
        )
        if (!stages.has(image.toLowerCase()) && image.toLowerCase() !== "scratch")
          yield {
            kind: "note",
            pass: "dockerfile",
            what: "image",
            name: image,
            data: { role: "base", consumer: found[2] ?? "" },
            line: i + 1,
            column: 0
          }
        if (found[2] !== undefined) stages.add(found[2].toLowerCase())
      }
      const copied = /^\s*COPY\s+--from=(\S+)/i.exec(line)?.[1]
      if (copied !== undefined && /[/:]/.test(copied) && !stages.has(copied.toLowerCase()))
        yield {
          kind: "note",
          pass: "dockerfile",
          what: "image",
          name: copied,
          data: { role: "copy", consumer: "" },
          line: i + 1,
          column: 0
        }
    }
  }
}

export const deploymentPasses: ReadonlyArray<Pass> = [kubernetes, kustomize, compose, workflows, dockerfiles]
