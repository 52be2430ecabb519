/** Idiom and correctness: what a reviewer would ask about. */
import type { RuleGroup } from "../../Rule.ts"

const javascript: RuleGroup = {
  family: "review",
  languages: ["javascript", "typescript", "jsx", "tsx"],
  rules: [
    {
      id: "js-loose-equality",
      severity: "info",
      message: "The comparison converts its operands first.",
      fix: "Use === or !==.",
      tags: ["idiom"],
      find: [
        {
          kind: "binary_expression",
          text: "^[^=!<>]*[^=!<>](?:==|!=)[^=]",
          not: "(?:==|!=)\\s*(?:null|undefined)\\b|\\bnull\\s*(?:==|!=)|^typeof\\b|===|!=="
        }
      ],
      words: ["== ", "!= ", "==", "!="]
    },
    {
      id: "js-nan-compare",
      severity: "error",
      message: "Nothing is equal to NaN.",
      fix: "Use Number.isNaN.",
      tags: ["correctness"],
      find: ["$X === NaN", "$X == NaN", "$X !== NaN", "NaN === $X", "$X != NaN"]
    },
    {
      id: "js-assign-in-condition",
      severity: "warning",
      message: "An assignment where a comparison was likely meant.",
      fix: "Use ===, or put the assignment before the condition.",
      cwe: "CWE-481",
      tags: ["correctness"],
      find: { kind: "if_statement", text: "^if\\s*\\(\\s*[\\w.]+\\s*=\\s*[^=>]" },
      words: ["if"]
    },
    {
      id: "js-self-compare",
      severity: "warning",
      message: "Both sides are the same.",
      tags: ["correctness"],
      find: ["$A === $A", "$A !== $A", "$A == $A", "$A || $A", "$A && $A", "$A = $A"],
      where: { A: { not: "\\(|\\+\\+|^NaN$" } }
    },
    {
      id: "js-async-for-each",
      severity: "warning",
      message: "forEach does not wait for what an async function promises.",
      fix: "Use for…of with await, or Promise.all with map.",
      tags: ["correctness", "concurrency"],
      find: [
        "$X.forEach(async ($$$) => $$$)",
        { kind: "call_expression", text: "\\.forEach\\(\\s*async\\b" }
      ],
      words: ["forEach"]
    },
    {
      id: "js-async-executor",
      severity: "warning",
      message: "What an async executor throws is lost, and the promise never settles.",
      fix: "Make the executor a plain function.",
      tags: ["correctness", "concurrency"],
      find: { kind: "new_expression", text: "^new Promise(?:<[^(]*>)?\\(\\s*async\\b" },
      words: ["Promise"]
    },
    {
      id: "js-await-in-loop",
      severity: "info",
      message: "Each turn waits for the one before it.",
      fix: "Collect the promises and await them together, if they do not depend on each other.",
      tags: ["performance"],
      find: {
        kind: "for_in_statement",
        text: "^for\\s*\\([^)]*\\bof\\b[^)]*\\)\\s*\\{\\s*(?:const \\w+ = )?await [^;\\n]*;?\\s*\\}$"
      },
      words: ["await"]
    },
    {
      id: "js-sort-numbers",
      severity: "warning",
      message: "sort without a function compares numbers as text.",
      fix: "Give it (a, b) => a - b.",
      tags: ["correctness"],
      find: ["$X.sort()"],
      where: {
        X: {
          text: "(?i)(?:number|num|score|price|size|count|age|length|time|duration|amount|id)s$|\\.map\\((?:Number|parseInt|parseFloat)\\)$|^\\[[\\d., -]+\\]$"
        }
      }
    },
    {
      id: "js-parse-int-radix",
      severity: "info",
      message: "parseInt without a base takes 0x for hexadecimal.",
      fix: "Pass 10, or use Number.",
      tags: ["idiom"],
      find: ["parseInt($X)"]
    },
    {
      id: "js-map-parse-int",
      severity: "error",
      message: "map passes the index as the base.",
      fix: "Use map(Number), or a function of one argument.",
      tags: ["correctness"],
      find: ["$X.map(parseInt)"]
    },
    {
      id: "js-in-array",
      severity: "warning",
      message: "for…in goes over keys, as text, and over those of the prototype.",
      fix: "Use for…of.",
      tags: ["correctness"],
      find: {
        kind: "for_in_statement",
        text: "^for\\s*\\(\\s*(?:const|let|var)\\s+(?:i|idx|index)\\s+in\\s"
      },
      words: [" in "]
    },
    {
      id: "js-throw-text",
      severity: "warning",
      message: "What is thrown has no stack.",
      fix: "Throw an Error.",
      tags: ["errors"],
      find: { kind: "throw_statement", text: "^throw\\s+(?:[\"'`\\d]|\\{)" },
      words: ["throw"]
    },
    {
      id: "js-promise-swallowed-return",
      severity: "warning",
      message: "A return in finally throws away what was thrown or returned before.",
      tags: ["correctness", "errors"],
      find: { kind: "return_statement|throw_statement" },
      inside: [{ kind: "finally_clause" }],
      not_inside: [{ kind: "finally_clause", text: "=>|\\bfunction\\b" }],
      words: ["finally"]
    },
    {
      id: "js-duplicate-case",
      severity: "error",
      message: "A case that an earlier one already takes.",
      tags: ["correctness"],
      find: {
        kind: "switch_body",
        text: "\\bcase\\s+([\"'][^\"']*[\"']|\\d+):[^]*\\bcase\\s+\\1:",
        not: "switch"
      },
      words: ["case"]
    },
    {
      id: "js-constant-condition",
      severity: "warning",
      message: "The condition never changes.",
      tags: ["correctness"],
      find: ["if (true) $$$", "if (false) $$$", "$A ? $B : $B", "if ([]) $$$", "if ({}) $$$"]
    },
    {
      id: "js-delete-element",
      severity: "warning",
      message: "delete leaves a hole in an array.",
      fix: "Use splice.",
      tags: ["correctness"],
      find: {
        kind: "unary_expression",
        text: "^delete\\s+\\w*(?:[lL]ist|[aA]rray|[iI]tems|[rR]ows|arr)\\[(?:\\w+|\\d+)\\]$"
      },
      words: ["delete"]
    },
    {
      id: "js-spread-accumulator",
      severity: "info",
      message: "Each turn copies all that was collected before: the work grows with the square.",
      fix: "Push into one array, or assign into one object.",
      tags: ["performance"],
      find: [
        "$X.reduce(($ACC, $$$) => [...$ACC, $$$], $_I)",
        "$X.reduce(($ACC, $$$) => ({ ...$ACC, $$$ }), $_I)"
      ]
    },
    {
      id: "js-json-clone",
      severity: "info",
      message: "A copy through JSON loses dates, undefined and what is no plain data.",
      fix: "Use structuredClone.",
      tags: ["idiom"],
      find: "JSON.parse(JSON.stringify($X))"
    },
    {
      id: "js-react-index-key",
      severity: "info",
      message: "The place in the list is no key: elements are mixed up when it changes.",
      fix: "Use an id of the row.",
      tags: ["correctness"],
      find: { kind: "jsx_attribute", text: "^key=\\{(?:index|idx|i)\\}$" },
      words: ["key={"]
    },
    {
      id: "js-react-state-write",
      severity: "warning",
      message: "State is changed in place, so nothing is drawn again.",
      fix: "Use setState, or the setter of the hook.",
      tags: ["correctness"],
      find: ["this.state.$K = $V"],
      not_inside: [{ kind: "method_definition", text: "^constructor" }]
    },
    {
      id: "js-listener-leak",
      severity: "info",
      message: "A listener is added in an effect that does not take it off again.",
      fix: "Return a function that removes it.",
      tags: ["correctness"],
      find: ["useEffect($F, $D)", "useEffect($F)"],
      where: {
        F: {
          text: "\\b(?:window|document)\\.addEventListener\\(|\\bsetInterval\\(",
          not: "removeEventListener|clearInterval|AbortController|\\{\\s*once:\\s*true|signal"
        }
      }
    },
    {
      id: "js-date-month",
      severity: "info",
      message: "The months of Date begin with 0.",
      tags: ["correctness"],
      find: ["new Date($Y, 12, $D)", "new Date($Y, 12)", "new Date($Y, 12, $D, $$$)"]
    },
    {
      id: "js-focused-test",
      severity: "error",
      message: "Only this test runs.",
      fix: "Take `only` out.",
      tags: ["leftovers"],
      find: [
        "it.only($$$)",
        "test.only($$$)",
        "describe.only($$$)",
        "fit($$$)",
        "fdescribe($$$)",
        "it.scoped.only($$$)"
      ],
      path: "(?i)(?:test|spec)"
    },
    {
      id: "js-skipped-test",
      severity: "info",
      message: "The test does not run.",
      tags: ["leftovers"],
      find: [
        "it.skip($$$)",
        "test.skip($$$)",
        "describe.skip($$$)",
        "xit($$$)",
        "xdescribe($$$)",
        "xtest($$$)"
      ],
      path: "(?i)(?:test|spec)"
    }
  ]
}

const python: RuleGroup = {
  family: "review",
  languages: ["python"],
  rules: [
    {
      id: "py-mutable-default",
      severity: "warning",
      message: "The default is made once and shared by all calls.",
      fix: "Use None, and make it inside.",
      cwe: "CWE-1188",
      tags: ["correctness"],
      find: {
        kind: "default_parameter|typed_default_parameter",
        text: "=\\s*(?:\\[\\]|\\{\\}|\\[[^\\]]*\\]|\\{[^}]*\\}|list\\(\\)|dict\\(\\)|set\\(\\))$"
      }
    },
    {
      id: "py-none-equality",
      severity: "info",
      message: "None is compared by ==, which the other side may define.",
      fix: "Use `is None`.",
      tags: ["idiom"],
      find: ["$X == None", "$X != None"]
    },
    {
      id: "py-bool-equality",
      severity: "info",
      message: "A comparison with True or False.",
      fix: "Use the value itself.",
      tags: ["idiom"],
      find: ["$X == True", "$X == False", "$X != True", "$X != False"],
      file_not: "sqlalchemy|\\.filter\\(|pandas|numpy"
    },
    {
      id: "py-literal-identity",
      severity: "error",
      message: "`is` asks for the same object, and two equal literals need not be one.",
      fix: "Use ==.",
      tags: ["correctness"],
      find: { kind: "comparison_operator", text: "\\bis\\s+(?:not\\s+)?(?:[\"']|-?\\d|\\()" },
      words: [" is "]
    },
    {
      id: "py-type-equality",
      severity: "info",
      message: "The type itself is compared, so sub classes do not count.",
      fix: "Use isinstance.",
      tags: ["idiom"],
      find: ["type($X) == $T", "type($X) != $T"],
      where: { T: { not: "^type\\(" } }
    },
    {
      id: "py-open-without-with",
      severity: "info",
      message: "The file is closed whenever the collector comes by.",
      fix: "Use `with`.",
      cwe: "CWE-772",
      tags: ["correctness"],
      find: [
        "open($$$).read()",
        "open($$$).readlines()",
        "open($$$).write($X)",
        "json.load(open($$$))",
        "yaml.safe_load(open($$$))"
      ]
    },
    {
      id: "py-raise-from",
      severity: "info",
      message: "The error that led to this one is not named.",
      fix: "Use `raise … from error`.",
      tags: ["errors", "idiom"],
      find: { kind: "raise_statement", text: "^raise\\s+\\w+[\\w.]*\\(", not: "\\bfrom\\b" },
      inside: [{ kind: "except_clause", text: "^except\\s+[^:]*\\bas\\s+\\w+\\s*:" }],
      words: ["raise"]
    },
    {
      id: "py-return-in-finally",
      severity: "warning",
      message: "A return in finally throws away what was raised.",
      tags: ["correctness", "errors"],
      words: ["finally"],
      find: { kind: "return_statement" },
      inside: [{ kind: "finally_clause" }],
      not_inside: [{ kind: "finally_clause", text: "\\bdef\\b|lambda" }]
    },
    {
      id: "py-assert-tuple",
      severity: "error",
      message: "A tuple is always true, so nothing is asserted.",
      fix: "Leave the parentheses out.",
      tags: ["correctness"],
      find: { kind: "assert_statement", text: "^assert\\s*\\([^()]*,[^()]*\\)$" },
      words: ["assert"]
    },
    {
      id: "py-range-len",
      severity: "info",
      message: "A loop over the places of a list.",
      fix: "Use enumerate.",
      tags: ["idiom"],
      find: {
        kind: "for_statement",
        text: "^for\\s+\\w+\\s+in\\s+range\\(\\s*len\\(\\s*[\\w.]+\\s*\\)\\s*\\)\\s*:"
      },
      words: ["range(len("]
    },
    {
      id: "py-naive-now",
      severity: "info",
      message: "A time without a zone.",
      fix: "Use datetime.now(timezone.utc).",
      tags: ["correctness"],
      find: ["datetime.utcnow()", "datetime.datetime.utcnow()", "datetime.utcfromtimestamp($X)"]
    },
    {
      id: "py-async-sleep",
      severity: "warning",
      message: "A sleep that stops every task of the loop.",
      fix: "Use await asyncio.sleep.",
      tags: ["concurrency"],
      find: ["time.sleep($N)", "requests.get($$$)", "requests.post($$$)"],
      around: "^async def"
    },
    {
      id: "py-no-timeout",
      severity: "info",
      message: "The request may wait for ever.",
      fix: "Pass a timeout.",
      cwe: "CWE-400",
      tags: ["correctness"],
      find: [
        "requests.get($$$)",
        "requests.post($$$)",
        "requests.put($$$)",
        "requests.delete($$$)",
        "requests.request($$$)",
        "requests.head($$$)"
      ],
      not: "timeout\\s*=|\\*\\*"
    },
    {
      id: "py-list-remove-in-loop",
      severity: "warning",
      message: "A list loses elements while it is gone over, so some are left out.",
      fix: "Go over a copy.",
      tags: ["correctness"],
      find: ["$L.remove($X)", "del $L[$I]", "$L.pop($I)"],
      inside: [
        { kind: "for_statement", text: "^for\\s+\\w+\\s+in\\s+\\w+\\s*:[^]*\\b(?:remove|del|pop)\\b" }
      ],
      where: { L: { kind: "identifier" } },
      around: "\\bfor\\s+(\\w+)\\s+in\\s+(\\w+)\\s*:[^]{0,400}(?:\\b\\2\\.remove\\(\\1\\)|del \\2\\[)"
    },
    {
      id: "py-late-lambda",
      severity: "info",
      message: "A function made in a loop sees the last value of the variable.",
      fix: "Bind it as a default: lambda x=x: …",
      tags: ["correctness"],
      find: { kind: "call", text: "\\.append\\(\\s*lambda\\s*:" },
      inside: [{ kind: "for_statement" }],
      words: ["lambda"]
    },
    {
      id: "py-skipped-test",
      severity: "info",
      message: "The test does not run.",
      tags: ["leftovers"],
      find: {
        kind: "decorator",
        text: "^@(?:pytest\\.mark\\.skip|unittest\\.skip|skip)\\b(?!if|[iI]f|Unless)"
      },
      words: ["skip"]
    }
  ]
}

const go: RuleGroup = {
  family: "review",
  languages: ["go"],
  rules: [
    {
      id: "go-defer-in-loop",
      severity: "warning",
      message: "What is deferred waits for the end of the function, not of the turn.",
      fix: "Put the body into a function of its own.",
      cwe: "CWE-772",
      tags: ["correctness"],
      find: { kind: "defer_statement" },
      inside: [{ kind: "for_statement" }],
      not_inside: [{ kind: "func_literal" }],
      words: ["defer"]
    },
    {
      id: "go-error-compare",
      severity: "warning",
      message: "Errors that wrap this one do not compare equal.",
      fix: "Use errors.Is.",
      tags: ["errors"],
      find: ["err == $E", "err != $E"],
      where: { E: { not: "^nil$|^io\\.EOF$|^err\\d?$", text: "^(?:\\w+\\.)?(?:Err|EOF)\\w*$" } }
    },
    {
      id: "go-error-text",
      severity: "warning",
      message: "An error is told by its text, which may change.",
      fix: "Use errors.Is or errors.As.",
      tags: ["errors"],
      find: ["strings.Contains(err.Error(), $T)", "err.Error() == $T", "strings.HasPrefix(err.Error(), $T)"]
    },
    {
      id: "go-error-unwrapped",
      severity: "info",
      message: "The error is flattened to text, so nobody can ask what it was.",
      fix: "Use %w.",
      tags: ["errors"],
      find: ["fmt.Errorf($F, err)", "fmt.Errorf($F, $$$, err)"],
      where: { F: { string: "%[vs]", not: "%w" } }
    },
    {
      id: "go-error-type",
      severity: "info",
      message: "A type assertion of an error does not see wrapped ones.",
      fix: "Use errors.As.",
      tags: ["errors"],
      find: { kind: "type_assertion_expression", text: "^err\\.\\(" },
      words: ["err.("]
    },
    {
      id: "go-body-open",
      severity: "warning",
      message: "The body of an answer is not closed, so its connection is not used again.",
      fix: "Defer Body.Close.",
      cwe: "CWE-772",
      tags: ["correctness"],
      find: [
        "http.Get($URL)",
        "http.Post($$$)",
        "http.DefaultClient.Do($R)",
        "client.Do($R)",
        "client.Get($URL)"
      ],
      around_not: "Body\\.Close|\\.Close\\(\\)|return (?:http|client|\\w+)\\.\\w+\\(|, resp\\)|return resp",
      inside: [{ kind: "function_declaration|method_declaration|func_literal" }]
    },
    {
      id: "go-no-timeout",
      severity: "info",
      message: "A client without a time limit may wait for ever.",
      fix: "Set Timeout, or use a context.",
      cwe: "CWE-400",
      tags: ["correctness"],
      find: ["http.Client{}", "&http.Client{}"]
    },
    {
      id: "go-copied-lock",
      severity: "error",
      message: "A lock is copied with what holds it, and the copy guards nothing.",
      fix: "Use a pointer.",
      cwe: "CWE-667",
      tags: ["concurrency"],
      find: {
        kind: "parameter_declaration",
        text: "\\bsync\\.(?:Mutex|RWMutex|WaitGroup|Once|Cond|Pool)$",
        not: "\\*"
      },
      words: ["sync."]
    },
    {
      id: "go-waitgroup-add",
      severity: "warning",
      message: "Add runs inside the goroutine, so Wait may be through before it.",
      fix: "Call Add before the go statement.",
      tags: ["concurrency"],
      find: ["$WG.Add($N)"],
      where: { WG: { text: "(?i)wg|waitgroup|wait" } },
      inside: [{ kind: "go_statement" }]
    },
    {
      id: "go-lock-without-defer",
      severity: "info",
      message: "A lock is given back by hand although the function returns in between.",
      fix: "Use defer.",
      cwe: "CWE-667",
      tags: ["concurrency"],
      find: ["$M.Lock()"],
      inside: [{ kind: "function_declaration|method_declaration" }],
      not_inside: [{ kind: "func_literal" }],
      where: { M: { text: "(?i)(?:mu|mutex|lock)$" } },
      around: "\\.Lock\\(\\)[^]*\\breturn\\b[^]*\\.Unlock\\(\\)",
      around_not: "defer [\\w.]*\\.Unlock|defer func"
    },
    {
      id: "go-select-busy",
      severity: "warning",
      message: "A loop that never waits takes a whole processor.",
      fix: "Leave the default out, or wait in it.",
      cwe: "CWE-400",
      tags: ["concurrency", "performance"],
      find: { kind: "for_statement", text: "^for\\s*\\{\\s*select\\s*\\{[^]*\\bdefault:\\s*\\}\\s*\\}$" },
      words: ["select"]
    },
    {
      id: "go-time-after-loop",
      severity: "info",
      message: "Each turn makes a timer that lives until it fires.",
      fix: "Use one timer and reset it.",
      tags: ["performance"],
      find: ["time.After($D)"],
      inside: [{ kind: "for_statement" }]
    },
    {
      id: "go-time-tick",
      severity: "info",
      message: "The ticker behind time.Tick cannot be stopped.",
      fix: "Use time.NewTicker.",
      tags: ["performance"],
      find: ["time.Tick($D)"],
      around_not: "^func main\\("
    },
    {
      id: "go-string-loop",
      severity: "info",
      message: "Each turn copies the whole text.",
      fix: "Use strings.Builder.",
      tags: ["performance"],
      find: { kind: "assignment_statement", text: '^\\w+ \\+= (?:"|fmt\\.Sprintf|string\\()' },
      inside: [{ kind: "for_statement" }],
      words: ["+= "]
    },
    {
      id: "go-context-todo",
      severity: "info",
      message: "A context that is to be replaced.",
      tags: ["leftovers"],
      find: "context.TODO()"
    },
    {
      id: "go-context-field",
      severity: "info",
      message: "A context is kept in a structure, and outlives the call it belongs to.",
      fix: "Pass it as the first argument.",
      tags: ["idiom"],
      find: { kind: "field_declaration", text: "^\\w*\\s*context\\.Context(?:\\s*`|$)" },
      words: ["context.Context"]
    },
    {
      id: "go-sprintf-number",
      severity: "info",
      message: "Formatting where a conversion would do.",
      fix: "Use strconv.",
      tags: ["performance", "idiom"],
      find: ['fmt.Sprintf("%d", $X)', 'fmt.Sprintf("%s", $X)']
    },
    {
      id: "go-length-compare",
      severity: "info",
      message: "A text is compared by its length.",
      fix: 'Compare with "".',
      tags: ["idiom"],
      find: ["len(strings.TrimSpace($X)) == 0", "len(strings.TrimSpace($X)) > 0"]
    },
    {
      id: "go-skipped-test",
      severity: "info",
      message: "The test does not run.",
      tags: ["leftovers"],
      find: ["t.Skip($$$)", "t.SkipNow()", "t.Skipf($$$)"],
      not_inside: [{ kind: "if_statement" }],
      path: "_test\\.go$"
    }
  ]
}

const rust: RuleGroup = {
  family: "review",
  languages: ["rust"],
  rules: [
    {
      id: "rs-double-copy",
      severity: "info",
      message: "A value is copied twice.",
      fix: "Copy it once.",
      tags: ["performance"],
      find: [
        "$X.to_string().clone()",
        "$X.clone().clone()",
        "$X.to_owned().to_owned()",
        "$X.to_string().to_string()"
      ]
    },
    {
      id: "rs-len-zero",
      severity: "info",
      message: "Whether something is empty is asked by its length.",
      fix: "Use is_empty.",
      tags: ["idiom"],
      where: { X: { not: "^self$" } },
      find: ["$X.len() == 0", "$X.len() > 0", "$X.len() != 0", "$X.len() >= 1"]
    },
    {
      id: "rs-blocking-async",
      severity: "warning",
      message: "A call that blocks every task of the thread.",
      fix: "Use the async one, or spawn_blocking.",
      tags: ["concurrency"],
      find: [
        "std::thread::sleep($D)",
        "thread::sleep($D)",
        "std::fs::read_to_string($P)",
        "std::fs::read($P)",
        "std::fs::write($P, $D)",
        "reqwest::blocking::get($U)"
      ],
      around: "^(?:pub(?:\\([^)]*\\))? )?async fn",
      around_not: "spawn_blocking|block_in_place"
    },
    {
      id: "rs-lock-await",
      severity: "warning",
      message: "A lock of the standard library is held while another task runs.",
      fix: "Drop it before await, or use the lock of the runtime.",
      cwe: "CWE-667",
      tags: ["concurrency"],
      find: {
        kind: "let_declaration",
        text: "^let (?:mut )?\\w+ = [\\w.]*(?:mutex|lock|mu)\\w*\\.lock\\(\\)\\.(?:unwrap|expect)\\("
      },
      around: "^(?:pub(?:\\([^)]*\\))? )?async fn[^]*\\.lock\\(\\)\\.(?:unwrap|expect)\\([^]*\\.await",
      around_not: "drop\\(",
      words: [".lock()"]
    },
    {
      id: "rs-bool-compare",
      severity: "info",
      message: "A comparison with true or false.",
      fix: "Use the value itself.",
      tags: ["idiom"],
      words: ["true", "false"],
      find: ["$X == true", "$X == false", "$X != true", "$X != false"]
    },
    {
      id: "rs-match-bool",
      severity: "info",
      message: "A match with one arm that counts.",
      fix: "Use if let.",
      tags: ["idiom"],
      find: {
        kind: "match_expression",
        text: "^match [^{]*\\{\\s*(?:Some|Ok)\\([^)]*\\) => \\{[^{}]*\\}\\s*,?\\s*(?:None|Err\\(_\\)|_) => (?:\\(\\)|\\{\\s*\\})\\s*,?\\s*\\}$"
      },
      words: ["match"]
    },
    {
      id: "rs-as-narrowing",
      severity: "info",
      message: "`as` cuts off what does not fit.",
      fix: "Use try_from.",
      cwe: "CWE-197",
      tags: ["correctness"],
      find: ["$X.len() as u8", "$X.len() as u16", "$X.len() as i32", "$X.len() as u32", "$X.len() as i16"]
    },
    {
      id: "rs-eager-default",
      severity: "info",
      message: "A default is computed although it may not be needed.",
      fix: "Use the form that takes a function.",
      tags: ["performance"],
      find: ["$X.unwrap_or($C)", "$X.ok_or($C)", "$X.or($C)"],
      where: {
        C: {
          kind: "macro_invocation|call_expression",
          text: "^(?:format!|String::from\\(|\\w+::new\\(\\w|vec!\\[\\w)"
        }
      }
    },
    {
      id: "rs-string-push-format",
      severity: "info",
      message: "A text is made only to be copied into another.",
      fix: "Use write!.",
      tags: ["performance"],
      find: "$S.push_str(&format!($$$))"
    },
    {
      id: "rs-collect-len",
      severity: "info",
      message: "A collection is made only to be counted.",
      fix: "Use count.",
      tags: ["performance"],
      find: ["$X.collect::<Vec<_>>().len()"]
    },
    {
      id: "rs-ignored-test",
      severity: "info",
      message: "The test does not run.",
      tags: ["leftovers"],
      find: { kind: "attribute_item", text: "^#\\[ignore\\b" },
      words: ["#[ignore"]
    }
  ]
}

const java: RuleGroup = {
  family: "review",
  languages: ["java"],
  rules: [
    {
      id: "java-text-identity",
      severity: "error",
      message: "== asks whether two texts are one object.",
      fix: "Use equals.",
      cwe: "CWE-597",
      tags: ["correctness"],
      find: ["$A == $B", "$A != $B"],
      where: { B: { kind: "string_literal" } }
    },
    {
      id: "java-equals-without-hash",
      severity: "warning",
      message: "equals is defined and hashCode is not, so sets and maps lose the objects.",
      fix: "Define both.",
      cwe: "CWE-581",
      tags: ["correctness"],
      find: {
        kind: "class_declaration",
        text: "\\bboolean equals\\s*\\(\\s*(?:final )?(?:@\\w+ )?Object ",
        not: "\\bint hashCode\\s*\\(|@EqualsAndHashCode|@Data|@Value"
      },
      words: ["boolean equals"]
    },
    {
      id: "java-catch-all",
      severity: "info",
      message: "Everything is caught, errors of the machine included.",
      fix: "Catch what can be handled.",
      cwe: "CWE-396",
      tags: ["errors"],
      find: { kind: "catch_clause", text: "^catch\\s*\\(\\s*(?:final )?Throwable\\b", not: "\\bthrow\\b" },
      words: ["Throwable"]
    },
    {
      id: "java-return-in-finally",
      severity: "warning",
      message: "A return in finally throws away what was thrown.",
      tags: ["correctness", "errors"],
      words: ["finally"],
      find: { kind: "return_statement|throw_statement" },
      inside: [{ kind: "finally_clause" }],
      not_inside: [{ kind: "finally_clause", text: "->|new \\w+\\(\\)\\s*\\{" }]
    },
    {
      id: "java-lost-cause",
      severity: "info",
      message: "The error that led to this one is not passed on.",
      fix: "Pass it as the cause.",
      tags: ["errors"],
      find: {
        kind: "throw_statement",
        text: '^throw new \\w+\\((?:"[^"]*"|e\\w*\\.getMessage\\(\\)|"[^"]*"\\s*\\+\\s*e\\w*\\.getMessage\\(\\))\\)'
      },
      inside: [{ kind: "catch_clause" }],
      words: ["throw new"]
    },
    {
      id: "java-interrupt-lost",
      severity: "warning",
      message: "That the thread was asked to stop is forgotten.",
      fix: "Call Thread.currentThread().interrupt(), or pass it on.",
      tags: ["concurrency"],
      find: {
        kind: "catch_clause",
        text: "^catch\\s*\\(\\s*(?:final )?InterruptedException\\b",
        not: "interrupt\\(\\)|\\bthrow\\b|\\breturn\\b|\\bbreak\\b"
      },
      words: ["InterruptedException"]
    },
    {
      id: "java-wait-outside-loop",
      severity: "warning",
      message: "wait may come back although nothing happened.",
      fix: "Wait in a loop that looks at the condition.",
      tags: ["concurrency"],
      find: ["$X.wait()", "wait()"],
      not_inside: [{ kind: "while_statement|do_statement|for_statement" }],
      where: { X: { text: "(?i)lock|monitor|mutex|^this$" } }
    },
    {
      id: "java-resource-leak",
      severity: "info",
      message: "Nothing closes it when something is thrown in between.",
      fix: "Use try with resources.",
      cwe: "CWE-772",
      tags: ["correctness"],
      find: {
        kind: "local_variable_declaration",
        text: "=\\s*new (?:FileInputStream|FileOutputStream|FileReader|FileWriter|BufferedReader|BufferedWriter|PrintWriter|Scanner|Socket|ServerSocket|ZipFile|RandomAccessFile)\\("
      },
      not_inside: [{ kind: "try_with_resources_statement", text: "^try\\s*\\([^{]*new " }],
      around_not: "\\btry\\s*\\(|System\\.in|return \\w+;|\\.close\\(\\)"
    },
    {
      id: "java-date-format",
      severity: "warning",
      message: "SimpleDateFormat is not safe for several threads.",
      fix: "Use DateTimeFormatter.",
      cwe: "CWE-362",
      tags: ["concurrency"],
      find: { kind: "field_declaration", text: "\\bstatic\\b[^=]*\\bSimpleDateFormat\\b" },
      words: ["SimpleDateFormat"]
    },
    {
      id: "java-boxed-identity",
      severity: "warning",
      message: "Two boxed numbers are compared as objects.",
      fix: "Use equals.",
      tags: ["correctness"],
      find: [
        "Integer.valueOf($A) == $B",
        "Long.valueOf($A) == $B",
        "new Integer($A)",
        "new Long($A)",
        "new Boolean($A)",
        "new Double($A)"
      ]
    },
    {
      id: "java-string-loop",
      severity: "info",
      message: "Each turn copies the whole text.",
      fix: "Use StringBuilder.",
      tags: ["performance"],
      find: { kind: "assignment_expression", text: '^\\w+ \\+= (?:"|String\\.)' },
      inside: [{ kind: "for_statement|enhanced_for_statement|while_statement" }],
      words: ["+= "]
    },
    {
      id: "java-disabled-test",
      severity: "info",
      message: "The test does not run.",
      tags: ["leftovers"],
      find: { kind: "marker_annotation|annotation", text: "^@(?:Disabled|Ignore)\\b" },
      words: ["@Disabled", "@Ignore"]
    }
  ]
}

const csharp: RuleGroup = {
  family: "review",
  languages: ["csharp"],
  rules: [
    {
      id: "cs-rethrow",
      severity: "warning",
      message: "The stack of the error is thrown away.",
      fix: "Use `throw;`.",
      tags: ["errors"],
      find: { kind: "throw_statement", text: "^throw (?:e|ex|exception);$" },
      inside: [{ kind: "catch_clause" }],
      words: ["throw "]
    },
    {
      id: "cs-lock-this",
      severity: "warning",
      message: "Anybody may take the same lock.",
      fix: "Lock a private object.",
      cwe: "CWE-667",
      tags: ["concurrency"],
      find: { kind: "lock_statement", text: '^lock\\s*\\(\\s*(?:this|typeof\\(|")' },
      words: ["lock"]
    },
    {
      id: "cs-http-client-new",
      severity: "info",
      message: "A client for each call uses up the sockets.",
      fix: "Use IHttpClientFactory, or one for all.",
      tags: ["performance"],
      find: ["new HttpClient()"],
      inside: [{ kind: "using_statement|local_declaration_statement" }]
    },
    {
      id: "cs-datetime-now",
      severity: "info",
      message: "A time without a zone.",
      fix: "Use DateTimeOffset.UtcNow.",
      tags: ["correctness"],
      find: "DateTime.Now"
    },
    {
      id: "cs-string-loop",
      severity: "info",
      message: "Each turn copies the whole text.",
      fix: "Use StringBuilder.",
      tags: ["performance"],
      find: { kind: "assignment_expression", text: '^\\w+ \\+= (?:\\$?"|string\\.)' },
      inside: [{ kind: "for_statement|foreach_statement|while_statement" }],
      words: ["+= "]
    },
    {
      id: "cs-count-any",
      severity: "info",
      message: "Everything is counted to see whether there is one.",
      fix: "Use Any.",
      tags: ["performance"],
      find: ["$X.Count() > 0", "$X.Count() == 0", "$X.Count() != 0"]
    }
  ]
}

const php: RuleGroup = {
  family: "review",
  languages: ["php"],
  rules: [
    {
      id: "php-strpos-truth",
      severity: "warning",
      message: "A text found at its very beginning counts as not found.",
      fix: "Compare with false by ===, or use str_contains.",
      tags: ["correctness"],
      find: {
        kind: "if_statement",
        text: "^if\\s*\\(\\s*!?\\s*(?:strpos|stripos|array_search)\\([^()]*\\)\\s*\\)"
      },
      words: ["strpos", "stripos", "array_search"]
    },
    {
      id: "php-in-array-loose",
      severity: "info",
      message: "in_array compares loosely.",
      fix: "Pass true as the third argument.",
      tags: ["correctness"],
      find: "in_array($X, $L)"
    },
    {
      id: "php-count-loop",
      severity: "info",
      message: "The elements are counted in every turn.",
      fix: "Count them before.",
      tags: ["performance"],
      find: { kind: "for_statement", text: "^for\\s*\\([^;]*;[^;]*\\bcount\\(" },
      words: ["count("]
    },
    {
      id: "php-assign-in-condition",
      severity: "warning",
      message: "An assignment where a comparison was likely meant.",
      cwe: "CWE-481",
      tags: ["correctness"],
      find: {
        kind: "if_statement",
        text: "^if\\s*\\(\\s*\\$\\w+\\s*=\\s*(?:['\"\\d]|true|false|null)[^=)]*\\)"
      },
      words: ["if"]
    }
  ]
}

const ruby: RuleGroup = {
  family: "review",
  languages: ["ruby"],
  rules: [
    {
      id: "rb-nil-compare",
      severity: "info",
      message: "A comparison with nil.",
      fix: "Use nil?.",
      tags: ["idiom"],
      find: ["$X == nil", "$X != nil"]
    },
    {
      id: "rb-assign-in-condition",
      severity: "warning",
      message: "An assignment where a comparison was likely meant.",
      cwe: "CWE-481",
      tags: ["correctness"],
      find: { kind: "if|unless", text: "^(?:if|unless)\\s+\\w+\\s*=\\s*(?:[\"'\\d]|true|false|nil)\\b" },
      words: ["if", "unless"]
    },
    {
      id: "rb-all-each",
      severity: "warning",
      message: "Every row is loaded at once.",
      fix: "Use find_each.",
      tags: ["performance"],
      find: [
        "$M.all.each { $$$ }",
        { kind: "call", text: "^[A-Z]\\w*\\.(?:all|where\\([^)]*\\))\\.each\\b" }
      ],
      words: [".each"]
    },
    {
      id: "rb-update-attribute",
      severity: "info",
      message: "The record is saved without its checks.",
      fix: "Use update.",
      tags: ["correctness"],
      find: ["$X.update_attribute($K, $V)", "$X.update_column($K, $V)", "$X.save(validate: false)"]
    },
    {
      id: "rb-count-length",
      severity: "info",
      message: "Rows are loaded only to be counted.",
      fix: "Use count, or size.",
      tags: ["performance"],
      find: ["$X.all.length", "$X.to_a.size", "$X.all.to_a.length"]
    }
  ]
}

const c: RuleGroup = {
  family: "review",
  languages: ["c", "cpp"],
  rules: [
    {
      id: "c-assign-in-condition",
      severity: "warning",
      message: "An assignment where a comparison was likely meant.",
      fix: "Use ==, or put the assignment in parentheses of its own.",
      cwe: "CWE-481",
      tags: ["correctness"],
      find: { kind: "if_statement", text: "^if\\s*\\(\\s*[\\w>.-]+\\s*=\\s*(?:\\d|[A-Z_]+\\b|'|\")[^=]*\\)" },
      words: ["if"]
    },
    {
      id: "c-empty-if",
      severity: "error",
      message: "A semicolon ends the statement before its body.",
      cwe: "CWE-483",
      tags: ["correctness"],
      find: { kind: "if_statement", text: "^if\\s*\\((?:[^()]|\\([^()]*\\))*\\)\\s*;\\s*$" },
      words: ["if"]
    },
    {
      id: "c-sizeof-parameter",
      severity: "error",
      message: "An array that is a parameter is a pointer, and so is its size.",
      cwe: "CWE-467",
      tags: ["memory", "correctness"],
      words: ["sizeof"],
      find: "sizeof($A) / sizeof($A[0])",
      around: "^[^{]*\\b\\w+\\s+(\\w+)\\[\\d*\\]\\s*[,)][^]*sizeof\\s*\\(\\s*\\1\\s*\\)\\s*/"
    },
    {
      id: "c-return-local",
      severity: "error",
      message: "The address of a local is returned, and the local is gone.",
      cwe: "CWE-562",
      tags: ["memory", "correctness"],
      words: ["return &"],
      find: ["return &$X;"],
      where: { X: { kind: "identifier" } },
      around:
        "\\{[^]*(?<!static )(?<!static const )(?<!extern )\\b(?:int|char|long|short|float|double|unsigned|size_t|struct \\w+)\\s+(\\w+)\\s*(?:=|;|\\[)[^]*return &\\1;"
    },
    {
      id: "c-unchecked-alloc",
      severity: "info",
      message: "What malloc answers is used without a look at it.",
      cwe: "CWE-690",
      tags: ["memory", "correctness"],
      words: ["malloc", "calloc"],
      find: [
        "$P = malloc($N);",
        { kind: "init_declarator", text: "^\\*\\s*\\w+\\s*=\\s*(?:\\([^()]*\\)\\s*)?[cm]alloc\\(" }
      ],
      around_not: "(?:if|assert|CHECK\\w*|while|unlikely)\\s*\\(|\\?|xmalloc"
    },
    {
      id: "c-strcmp-truth",
      severity: "info",
      message: "strcmp answers zero for equal texts.",
      fix: "Compare with 0.",
      tags: ["correctness"],
      find: [
        "strcmp($A, $B) == 1",
        "strcmp($A, $B) == -1",
        "strcmp($A, $B) == true",
        "strncmp($A, $B, $N) == 1"
      ]
    },
    {
      id: "cpp-throw-pointer",
      severity: "warning",
      message: "An exception is thrown as a pointer, which nobody deletes.",
      fix: "Throw it by value.",
      tags: ["errors"],
      find: { kind: "throw_statement", text: "^throw new\\b" },
      words: ["throw new"]
    },
    {
      id: "cpp-catch-by-value",
      severity: "info",
      message: "The exception is copied, and cut to the type that is named.",
      fix: "Catch it by reference.",
      tags: ["errors"],
      find: {
        kind: "catch_clause",
        text: "^catch\\s*\\(\\s*(?:const\\s+)?(?:std::)?\\w*(?:exception|error|Exception|Error)\\s+\\w+\\s*\\)"
      },
      words: ["catch"]
    },
    {
      id: "cpp-using-std-header",
      severity: "warning",
      message: "Everybody who includes the header gets all of the namespace.",
      fix: "Name what is meant.",
      tags: ["idiom"],
      find: { kind: "using_declaration", text: "^using namespace\\b" },
      path: "\\.(?:h|hpp|hh|hxx)$",
      words: ["using namespace"],
      not_inside: [{ kind: "function_definition" }]
    },
    {
      id: "cpp-endl",
      severity: "info",
      message: "endl flushes as well, each time.",
      fix: "Use '\\n'.",
      tags: ["performance"],
      find: { code: "$S << std::endl", only: ["cpp"] },
      inside: [{ kind: "for_statement|while_statement|for_range_loop" }]
    }
  ]
}

const sql: RuleGroup = {
  family: "review",
  languages: ["sql"],
  rules: [
    {
      id: "sql-unbounded-change",
      severity: "error",
      message: "Every row is changed or deleted.",
      fix: "State which rows are meant.",
      cwe: "CWE-1286",
      tags: ["correctness"],
      line: '^\\s*(?:DELETE\\s+FROM\\s+[\\w."`]+|UPDATE\\s+[\\w."`]+\\s+SET\\s+[^;]*)\\s*;',
      ignore_case: true,
      words: ["DELETE", "delete", "UPDATE", "update"],
      path_not: "(?i)seed|migrat|fixture|test"
    },
    {
      id: "sql-select-star",
      severity: "info",
      message: "Every column is read, also those that come later.",
      fix: "Name the columns.",
      tags: ["performance"],
      line: "\\bSELECT\\s+\\*\\s+FROM\\b",
      ignore_case: true,
      words: ["select", "SELECT"]
    },
    {
      id: "sql-drop-cascade",
      severity: "warning",
      message: "Whatever depends on it goes as well.",
      tags: ["correctness"],
      line: "\\bDROP\\s+(?:TABLE|SCHEMA|VIEW|TYPE)\\b[^;\\n]*\\bCASCADE\\b",
      ignore_case: true,
      words: ["DROP", "drop"]
    }
  ]
}

const bash: RuleGroup = {
  family: "review",
  languages: ["bash"],
  rules: [
    {
      id: "sh-remove-variable",
      severity: "warning",
      message: "With an empty variable this removes something else.",
      fix: "Use ${name:?}.",
      cwe: "CWE-73",
      tags: ["correctness"],
      line: "^[^#\\n]*\\brm\\s+-\\w*[rR]\\w*\\s+(?:-\\w+\\s+)*[\"']?\\$\\{?\\w+\\}?[\"']?/(?:\\*|\\s|$)",
      words: ["rm "]
    },
    {
      id: "sh-cd-unchecked",
      severity: "info",
      message: "When the folder is not there, what follows runs somewhere else.",
      fix: "Use `cd … || exit`, or `set -e`.",
      tags: ["correctness"],
      line: "^\\s*cd\\s+[\"']?\\$[^|&;\\n]*$",
      words: ["cd "],
      file_not: "^\\s*set\\s+-\\w*e|set -o errexit|#!.*\\s-\\w*e"
    },
    {
      id: "sh-ls-loop",
      severity: "info",
      message: "Names with blanks are taken apart.",
      fix: "Use a glob.",
      tags: ["correctness"],
      line: "^\\s*for\\s+\\w+\\s+in\\s+(?:\\$\\(|`)\\s*(?:ls|find)\\b",
      words: ["for "]
    }
  ]
}

export const groups: ReadonlyArray<RuleGroup> = [
  bash,
  c,
  csharp,
  go,
  java,
  javascript,
  php,
  python,
  ruby,
  rust,
  sql
]
