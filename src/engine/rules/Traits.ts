/** What the node types of a grammar mean to a rule: which are literals, names, functions and so on, as bits by symbol. */
import type { SyntaxTree } from "../languages/treesitter/SyntaxTree.ts"

export const Trait = {
  string: 1,
  interpolation: 2,
  /** A literal without parts. */
  literal: 4,
  name: 8,
  function: 16,
  /** Gives a name a value. */
  binding: 32,
  /** Gives a name one value after another. */
  loop: 64,
  parameter: 128,
  /** Adds nothing to the one expression in it. */
  wrap: 256,
  binary: 512,
  call: 1024,
  /** Constant when all in it is. */
  composite: 2048,
  conditional: 4096
} as const

const patterns: ReadonlyArray<readonly [keyof typeof Trait, RegExp]> = [
  [
    "string",
    /^(?:(?:interpreted_|raw_|verbatim_)?string(?:_literal)?|template_string|encapsed_string|interpolated_string_expression|concatenated_string|heredoc|nowdoc|heredoc_body|subshell|chained_string|line_string_literal)$/
  ],
  ["interpolation", /^(?:interpolation|template_substitution|string_interpolation)$/],
  [
    "literal",
    /^(?:\w*(?:integer|int|float|double|decimal|rune|char|character|number|boolean|bool|null|real)_literal|integer|float|number|true|false|null|nil|none|None|character|regex|symbol|simple_symbol|decimal_integer_literal|decimal_floating_point_literal|undefined|nullptr|boolean|predefined_type)$/
  ],
  [
    "name",
    /^(?:identifier|variable_name|simple_identifier|constant|instance_variable|global_variable|class_variable|shorthand_property_identifier)$/
  ],
  [
    "function",
    /^(?:function\w*|method\w*|arrow_function|generator_function\w*|lambda\w*|closure_expression|anonymous_function\w*|func_literal|constructor\w*|local_function_statement|singleton_method|block_lambda|accessor_declaration|arrow_function_clause)$/
  ],
  [
    "binding",
    /^(?:\w*assignment\w*|variable_declarator|init_declarator|let_declaration|short_var_declaration|var_spec|const_spec|const_item|static_item|named_expression|const_element|property_declaration)$/
  ],
  [
    "loop",
    /^(?:for\w*_statement|for_in_clause|range_clause|enhanced_for_statement|foreach_statement|for|for_expression)$/
  ],
  [
    "parameter",
    /^(?:\w*_parameter|parameter|parameter_declaration|list_splat_pattern|dictionary_splat_pattern|parameters|formal_parameters|method_parameters|block_parameters|closure_parameters|lambda_parameters|inferred_parameters)$/
  ],
  [
    "wrap",
    /^(?:parenthesized_expression|argument|reference_expression|await_expression|await|non_null_expression|as_expression|satisfies_expression|expression_list|pointer_expression|parenthesized_statements|type_cast_expression|cast_expression|try_expression|spread_element)$/
  ],
  ["binary", /^(?:binary_expression|binary_operator|binary|additive_expression|infix_expression)$/],
  [
    "call",
    /^(?:call|call_expression|invocation_expression|method_invocation|\w*_call_expression|macro_invocation|object_creation_expression|new_expression|composite_literal)$/
  ],
  [
    "composite",
    /^(?:array\w*|list|tuple|set|object|dictionary|pair|hash|unary_expression|unary|unary_op_expression|prefix_unary_expression|initializer_list|literal_value|literal_element|keyed_element|concatenated_string|slice_expression|type_conversion_expression|element_initializer|array_element_initializer)$/
  ],
  ["conditional", /^(?:ternary_expression|conditional_expression|conditional)$/]
]

/** Traits of each symbol of a grammar. */
export const traitsOf = (tree: SyntaxTree): Uint16Array => {
  const out = new Uint16Array(tree.types.length)
  tree.types.forEach((type, symbol) => {
    if (!/^\w+$/.test(type)) return
    for (const [name, pattern] of patterns) if (pattern.test(type)) out[symbol]! |= Trait[name]
  })
  // A type named in a function's header is no function.
  tree.types.forEach((type, symbol) => {
    if (
      /^(?:function_(?:declarator|type|modifiers|signature\w*|call_expression|static_declaration)|method_(?:invocation|spec|parameters|elem|index\w*|reference|signature)|constructor_(?:type|initializer|body)|lambda_(?:capture_specifier|parameters)|functional\w*)$/.test(
        type
      )
    )
      out[symbol]! &= ~Trait.function
  })
  return out
}

/** What callers of a language's programs send, as they are read from a request. */
const requests: { readonly [language: string]: RegExp } = {
  javascript:
    /\b(?:req|request|ctx|context|c|event)\.(?:query|body|params|param|headers|cookies|url|originalUrl|rawBody|queryStringParameters|pathParameters|request\.(?:query|body|url)|req\.(?:query|param|header|json|parseBody))\b|\blocation\.(?:search|hash|href)\b|\bsearchParams\.get\(|\bdocument\.(?:referrer|URL|documentURI)\b|\bwindow\.name\b/,
  python:
    /\brequest\.(?:args|form|values|json|data|files|cookies|headers|GET|POST|FILES|COOKIES|META|query_params|path_params|params|body|get_json|query_string|matchdict)\b|\bself\.(?:request\.|get_(?:query_|body_)?argument\()|\b(?:Query|Body|Form|Path|Header|Cookie)\(/,
  go: /\b(?:r|req|request)\.(?:FormValue|PostFormValue|URL|Form|PostForm|Header|Body|Cookie|PathValue|Host|RequestURI)\b|\b(?:c|ctx)\.(?:Query|Param|PostForm|DefaultQuery|GetQuery|FormValue|QueryParam|GetHeader|Params|BodyParser|Cookie)\(|\bmux\.Vars\(|\bchi\.URLParam\(/,
  java: /\b\w*[rR]eq(?:uest)?\.get(?:Parameter\w*|Header\w*|QueryString|Cookies|InputStream|Reader|PathInfo|RequestUR[IL])\(|@(?:RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|MatrixParam|ModelAttribute)\b/,
  csharp:
    /\bRequest\.(?:Query|Form|Headers|Cookies|QueryString|Params|Body|RouteValues|Path|Url|RawUrl|InputStream|Unvalidated)\b|\bRequest\[|\[From(?:Query|Body|Route|Form|Header)\b/,
  php: /\$_(?:GET|POST|REQUEST|COOKIE|FILES|SERVER)\b|\$request->(?:input|get|query|post|all|request|cookie|header|getQueryParams|getParsedBody)\b|\bfile_get_contents\(\s*['"]php:\/\/input|\bRequest::(?:input|get|query|all)\b/,
  ruby: /\bparams\s*(?:\[|\.(?:fetch|require|permit|dig|to_unsafe_h))|\bcookies\s*\[|\brequest\.(?:params|query_string|headers|body|path|url|referer|env|GET|POST|raw_post|user_agent)\b/,
  rust: /\b(?:Query|Path|Form|Json|RawQuery)\b\s*[(<]|\breq(?:uest)?\.(?:uri|headers|query_string|match_info|body)\(/,
  c: /\bgetenv\(\s*"(?:QUERY_STRING|HTTP_|REQUEST_URI|PATH_INFO)|\bargv\[|\b(?:recv|recvfrom|read|fgets|gets|getline)\(/
}
const familyOf: { readonly [language: string]: string } = {
  jsx: "javascript",
  typescript: "javascript",
  tsx: "javascript",
  cpp: "c",
  kotlin: "java"
}
export const requestOf = (language: string): RegExp | undefined => requests[familyOf[language] ?? language]
