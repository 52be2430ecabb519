/** Named structural rules: what each looks for, and how that is said for each language that has it. */

export interface Detector {
  readonly name: string
  readonly summary: string
  readonly severity: "error" | "warning" | "info"
  /** Tree-sitter query by language id; `@match` is the reported span. */
  readonly queries: { readonly [language: string]: string }
}

const each = (languages: ReadonlyArray<string>, query: string): { readonly [language: string]: string } =>
  Object.fromEntries(languages.map((l) => [l, query]))
const ecmascript = ["javascript", "jsx", "typescript", "tsx"]

export const detectors: ReadonlyArray<Detector> = [
  {
    name: "empty-catch",
    summary: "errors that are caught and dropped",
    severity: "warning",
    queries: {
      // The grammar lets a block end with the comment behind it.
      ...each(
        ecmascript,
        '(catch_clause body: (statement_block) @body (#match? @body "^\\\\{\\\\s*\\\\}(\\\\s*//.*)?$")) @match'
      ),
      java: '(catch_clause body: (block) @body (#match? @body "^\\\\{\\\\s*\\\\}$")) @match',
      csharp: '(catch_clause body: (block) @body (#match? @body "^\\\\{\\\\s*\\\\}$")) @match',
      python: "(except_clause (block . (pass_statement) .)) @match"
    }
  },
  {
    name: "bare-except",
    summary: "handlers that catch everything, interrupts included",
    severity: "warning",
    queries: { python: '(except_clause "except" . ":") @match' }
  },
  {
    name: "dynamic-eval",
    summary: "code made from text at run time",
    severity: "error",
    queries: {
      ...each(
        ecmascript,
        '(call_expression function: (identifier) @callee (#eq? @callee "eval")) @match (new_expression constructor: (identifier) @callee (#eq? @callee "Function")) @match'
      ),
      python: '(call function: (identifier) @callee (#match? @callee "^(eval|exec)$")) @match',
      php: '(function_call_expression function: (name) @callee (#eq? @callee "eval")) @match'
    }
  },
  {
    name: "debug-leftover",
    summary: "debugger statements and prints for debugging",
    severity: "info",
    queries: {
      ...each(
        ecmascript,
        '(debugger_statement) @match (call_expression function: (member_expression object: (identifier) @object property: (property_identifier) @member) (#eq? @object "console") (#match? @member "^(log|debug|trace)$")) @match'
      ),
      python:
        '(call function: (identifier) @callee (#eq? @callee "breakpoint")) @match (call function: (attribute object: (identifier) @object attribute: (identifier) @member) (#eq? @object "pdb") (#eq? @member "set_trace")) @match',
      rust: '(macro_invocation macro: (identifier) @macro (#eq? @macro "dbg")) @match'
    }
  },
  {
    name: "panic",
    summary: "places that end the program or thread rather than answer an error",
    severity: "warning",
    queries: {
      go: '(call_expression function: (identifier) @callee (#eq? @callee "panic")) @match',
      rust: '(macro_invocation macro: (identifier) @macro (#match? @macro "^(panic|todo|unimplemented|unreachable)$")) @match (call_expression function: (field_expression field: (field_identifier) @member) (#match? @member "^(unwrap|expect)$")) @match'
    }
  },
  {
    name: "ignored-error",
    summary: "results of calls assigned to the blank identifier",
    severity: "warning",
    queries: {
      go: '(assignment_statement left: (expression_list (identifier) @blank) right: (expression_list (call_expression)) (#eq? @blank "_")) @match'
    }
  },
  {
    name: "loose-equality",
    summary: "comparisons that convert their operands",
    severity: "info",
    queries: each(
      ecmascript,
      '(binary_expression operator: ["==" "!="] right: (_) @right (#not-eq? @right "null")) @match'
    )
  },
  {
    name: "any-type",
    summary: "places where types are switched off",
    severity: "info",
    queries: each(["typescript", "tsx"], '((predefined_type) @match (#eq? @match "any"))')
  },
  {
    name: "shell-command",
    summary: "commands run through a shell",
    severity: "error",
    queries: {
      python:
        '(keyword_argument name: (identifier) @name value: (true) (#eq? @name "shell")) @match (call function: (attribute object: (identifier) @object attribute: (identifier) @member) (#eq? @object "os") (#eq? @member "system")) @match',
      ...each(
        ecmascript,
        '(call_expression function: (identifier) @callee (#match? @callee "^(exec|execSync)$")) @match (call_expression function: (member_expression object: (identifier) @object property: (property_identifier) @member) (#match? @object "^(child_process|cp)$") (#match? @member "^(exec|execSync)$")) @match'
      )
    }
  },
  {
    name: "sleep",
    summary: "waits of a fixed time",
    severity: "info",
    queries: {
      go: '(call_expression function: (selector_expression operand: (identifier) @object field: (field_identifier) @member) (#eq? @object "time") (#eq? @member "Sleep")) @match',
      java: '(method_invocation object: (identifier) @object name: (identifier) @member (#eq? @object "Thread") (#eq? @member "sleep")) @match',
      python:
        '(call function: (attribute object: (identifier) @object attribute: (identifier) @member) (#eq? @object "time") (#eq? @member "sleep")) @match',
      rust: '(call_expression function: (scoped_identifier path: (_) @path name: (identifier) @member) (#match? @path "thread$") (#eq? @member "sleep")) @match'
    }
  }
]

export const detectorNames = detectors.map((d) => d.name) as unknown as readonly [
  string,
  ...ReadonlyArray<string>
]
