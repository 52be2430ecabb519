/** What C's syntax means. */
import { Space } from "../FactsBuilder.ts"
import {
  arrayForm,
  builtinForm,
  castForm,
  eitherForm,
  elementForm,
  field,
  literalForm,
  memberForm,
  nameForm,
  nth,
  typeNameForm
} from "../treesitter/forms.ts"
import { inner, type Rules } from "../treesitter/Rules.ts"
import {
  assigns,
  binary,
  branches,
  branchScope,
  ignored,
  scoped,
  useName,
  useType
} from "../treesitter/visits.ts"
import { Role } from "../Vocabulary.ts"
import {
  call,
  callValue,
  declaration,
  enumerator,
  fieldAccess,
  fieldList,
  functionDefinition,
  include,
  macro,
  parameterDeclaration,
  statement,
  typeDefinition,
  typeSpecifier,
  uses
} from "./family.ts"

export const rules = {
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-c.wasm" },
  probe:
    '#include <a.h>\n/* \u00e9 */ typedef struct s { int *a[3], b; } t; static int f(t *x, ...) { x->a[0] = g(1, "y"); for (;;) {} return (int)x->b; }',
  nodes: {
    preproc_include: include,
    preproc_def: macro,
    preproc_function_def: macro,
    preproc_arg: ignored,
    function_definition: functionDefinition,
    declaration,
    field_declaration: declaration,
    parameter_declaration: parameterDeclaration,
    type_definition: typeDefinition,
    struct_specifier: typeSpecifier("struct"),
    union_specifier: typeSpecifier("union"),
    enum_specifier: typeSpecifier("enum"),
    field_declaration_list: fieldList,
    enumerator,
    compound_statement: scoped(),
    expression_statement: statement,
    if_statement: branches,
    while_statement: branches,
    do_statement: branches,
    for_statement: branchScope,
    case_statement: branches,
    conditional_expression: branches,
    binary_expression: binary("&&", "||"),
    call_expression: call,
    field_expression: fieldAccess,
    assignment_expression: assigns(field("left")),
    update_expression: assigns(field("argument")),
    field_designator: (w, n) => {
      const name = w.named(n)
      w.memberReference(w.unknown, w.name(name), w.start(name), Role.write)
      w.skip(name)
    },
    macro_type_specifier: (w, n) => {
      const name = w.child(n, "name")
      w.reference(name, Role.macro, Space.any)
      w.skip(name)
    },
    identifier: useName(),
    type_identifier: useType,
    field_identifier: ignored,
    statement_identifier: ignored
  },
  values: {
    identifier: nameForm,
    parenthesized_expression: inner(nth(0)),
    field_expression: memberForm(field("argument"), field("field")),
    call_expression: callValue,
    pointer_expression: inner(field("argument")),
    subscript_expression: elementForm(field("argument")),
    cast_expression: castForm(field("type")),
    conditional_expression: eitherForm(field("consequence"), field("alternative")),
    assignment_expression: inner(field("right")),
    compound_literal_expression: castForm(field("type")),
    string_literal: literalForm("string"),
    number_literal: literalForm("int"),
    char_literal: literalForm("char")
  },
  types: {
    type_identifier: typeNameForm,
    struct_specifier: (w, n) => w.typeOf(w.child(n, "name")),
    union_specifier: (w, n) => w.typeOf(w.child(n, "name")),
    enum_specifier: (w, n) => w.typeOf(w.child(n, "name")),
    type_descriptor: (w, n) =>
      w.type(w.child(n, "declarator")) === "abstract_array_declarator"
        ? arrayForm(field("type"))(w, n)
        : w.typeOf(w.child(n, "type")),
    primitive_type: builtinForm,
    sized_type_specifier: builtinForm
  },
  passes: ["type_descriptor", "parenthesized_expression", "pointer_expression", "subscript_expression"],
  comments: ["comment"],
  docs: /^\/[/*]/,
  uses,
  strings: ["string_literal"],
  environment: ["getenv", "secure_getenv"]
} as const satisfies Rules
