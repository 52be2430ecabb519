/** What a running server offers: declared at start, registered later, and not taken back. */

type Json = { readonly [key: string]: unknown }

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Where the answer to `initialize` declares a method, as a path into its `capabilities`. */
const declaredAt: { readonly [method: string]: ReadonlyArray<string> } = {
  "textDocument/definition": ["definitionProvider"],
  "textDocument/typeDefinition": ["typeDefinitionProvider"],
  "textDocument/implementation": ["implementationProvider"],
  "textDocument/references": ["referencesProvider"],
  "textDocument/hover": ["hoverProvider"],
  "textDocument/documentSymbol": ["documentSymbolProvider"],
  "textDocument/rename": ["renameProvider"],
  "textDocument/prepareRename": ["renameProvider", "prepareProvider"],
  "textDocument/codeAction": ["codeActionProvider"],
  "codeAction/resolve": ["codeActionProvider", "resolveProvider"],
  "textDocument/diagnostic": ["diagnosticProvider"],
  "workspace/diagnostic": ["diagnosticProvider", "workspaceDiagnostics"],
  "textDocument/prepareCallHierarchy": ["callHierarchyProvider"],
  "callHierarchy/incomingCalls": ["callHierarchyProvider"],
  "callHierarchy/outgoingCalls": ["callHierarchyProvider"],
  "textDocument/prepareTypeHierarchy": ["typeHierarchyProvider"],
  "typeHierarchy/supertypes": ["typeHierarchyProvider"],
  "typeHierarchy/subtypes": ["typeHierarchyProvider"],
  "workspace/symbol": ["workspaceSymbolProvider"],
  "workspace/executeCommand": ["executeCommandProvider"],
  "workspace/willRenameFiles": ["workspace", "fileOperations", "willRename"]
}

/** Methods that a registration of another method brings along, with the option that says so. */
const broughtBy: { readonly [method: string]: readonly [method: string, option: string | undefined] } = {
  "textDocument/prepareRename": ["textDocument/rename", "prepareProvider"],
  "codeAction/resolve": ["textDocument/codeAction", "resolveProvider"],
  "workspace/diagnostic": ["textDocument/diagnostic", "workspaceDiagnostics"],
  "callHierarchy/incomingCalls": ["textDocument/prepareCallHierarchy", undefined],
  "callHierarchy/outgoingCalls": ["textDocument/prepareCallHierarchy", undefined],
  "typeHierarchy/supertypes": ["textDocument/prepareTypeHierarchy", undefined],
  "typeHierarchy/subtypes": ["textDocument/prepareTypeHierarchy", undefined]
}

interface Registration {
  readonly method: string
  readonly options: unknown
}

const at = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), value)

const offered = (value: unknown): boolean => value !== undefined && value !== null && value !== false

const forLanguage = (options: unknown, languageId: string | undefined): boolean => {
  const selector = isJson(options) ? options["documentSelector"] : undefined
  if (languageId === undefined || !Array.isArray(selector)) return true
  return (selector as ReadonlyArray<unknown>).some(
    (filter) =>
      isJson(filter) &&
      (filter["language"] === undefined || filter["language"] === languageId) &&
      (filter["scheme"] === undefined || filter["scheme"] === "file")
  )
}

/** The offers of one process, for its whole life. */
export class Capabilities {
  private declared: Json = {}
  private readonly registered = new Map<string, Registration>()
  private readonly withdrawn = new Set<string>()

  /** Takes the `capabilities` of the answer to `initialize`. */
  declare(capabilities: unknown): void {
    this.declared = isJson(capabilities) ? capabilities : {}
  }

  /** Takes the parameters of `client/registerCapability`. */
  register(params: unknown): void {
    const list = isJson(params) ? params["registrations"] : undefined
    if (!Array.isArray(list)) return
    for (const item of list as ReadonlyArray<unknown>) {
      if (isJson(item) && typeof item["id"] === "string" && typeof item["method"] === "string")
        this.registered.set(item["id"], { method: item["method"], options: item["registerOptions"] })
    }
  }

  /** Takes the parameters of `client/unregisterCapability`, whose member the protocol spells `unregisterations`. */
  unregister(params: unknown): void {
    const list = isJson(params) ? (params["unregisterations"] ?? params["unregistrations"]) : undefined
    if (!Array.isArray(list)) return
    for (const item of list as ReadonlyArray<unknown>)
      if (isJson(item) && typeof item["id"] === "string") this.registered.delete(item["id"])
  }

  /** Remembers that a method was offered and then not known. It is not asked again in this process's life. */
  withdraw(method: string): void {
    this.withdrawn.add(method)
  }

  /** Methods that were offered and turned out not to be known. */
  get broken(): ReadonlyArray<string> {
    return [...this.withdrawn].sort()
  }

  /** Whether a method can be asked, for documents of a language when one is named. */
  offers(method: string, languageId?: string): boolean {
    if (this.withdrawn.has(method)) return false
    // What is a server's own is declared nowhere: it answers, or does not know it.
    if (method.startsWith("custom/")) return true
    const path = declaredAt[method]
    if (path !== undefined && offered(at(this.declared, path))) return true
    const brought = broughtBy[method]
    for (const { method: name, options } of this.registered.values()) {
      if (name === method && forLanguage(options, languageId)) return true
      if (brought !== undefined && name === brought[0] && forLanguage(options, languageId)) {
        if (brought[1] === undefined || offered(at(options, [brought[1]]))) return true
      }
    }
    return false
  }

  /** A declared value by its path, undefined when absent. */
  value(...path: ReadonlyArray<string>): unknown {
    return at(this.declared, path)
  }

  /** Options of every live registration of a method. */
  registrations(method: string): ReadonlyArray<unknown> {
    return [...this.registered.values()].flatMap((r) => (r.method === method ? [r.options] : []))
  }

  /** 0 none, 1 full, 2 incremental: how the server wants to hear of changed documents. */
  get sync(): number {
    const value = this.declared["textDocumentSync"]
    if (typeof value === "number") return value
    return isJson(value) && typeof value["change"] === "number" ? value["change"] : 0
  }

  /** Whether the server wants to hear of opened and closed documents. */
  get openClose(): boolean {
    const value = this.declared["textDocumentSync"]
    return typeof value === "number" ? value > 0 : isJson(value) && value["openClose"] === true
  }

  /** Whether the server wants to hear of saved documents. */
  get save(): boolean {
    const value = at(this.declared, ["textDocumentSync", "save"])
    return offered(value) || this.registrations("textDocument/didSave").length > 0
  }
}
