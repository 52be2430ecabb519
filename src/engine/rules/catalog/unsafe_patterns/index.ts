/** Primitives that end the program, switch checks off, or have no defined outcome. */
import type { RuleGroup } from "../../Rule.ts"

const rust: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["rust"],
  rules: [
    {
      id: "rs-unwrap",
      severity: "warning",
      message: "unwrap ends the thread when there is no value.",
      fix: "Pass the error on with `?`, or give a value to use instead.",
      tags: ["errors"],
      find: "$X.unwrap()",
      where: { X: { not: "\\.(?:lock|read|write)\\(\\)$|Regex::new\\(|\\.join\\(\\)$" } }
    },
    {
      id: "rs-expect",
      severity: "info",
      message: "expect ends the thread when there is no value.",
      fix: "Pass the error on with `?` unless this cannot happen.",
      tags: ["errors"],
      find: "$X.expect($M)",
      where: { X: { not: "\\.(?:lock|read|write)\\(\\)$|Regex::new\\(|\\.join\\(\\)$" } }
    },
    {
      id: "rs-unwrap-err",
      severity: "info",
      message: "unwrap_err ends the thread when there is a value.",
      tags: ["errors"],
      find: ["$X.unwrap_err()", "$X.expect_err($M)"]
    },
    {
      id: "rs-panic",
      severity: "warning",
      message: "panic! ends the thread.",
      fix: "Return an error.",
      tags: ["errors"],
      find: { kind: "macro_invocation", text: "^(?:std::)?panic!" },
      words: ["panic!"]
    },
    {
      id: "rs-todo",
      severity: "error",
      message: "Code that is not written yet ends the thread.",
      tags: ["errors", "leftovers"],
      find: { kind: "macro_invocation", text: "^(?:todo|unimplemented)!" },
      words: ["todo!", "unimplemented!"]
    },
    {
      id: "rs-unreachable",
      severity: "info",
      message: "unreachable! ends the thread if it is reached after all.",
      tags: ["errors"],
      find: { kind: "macro_invocation", text: "^unreachable!" },
      words: ["unreachable!"]
    },
    {
      id: "rs-unsafe",
      severity: "warning",
      message: "An unsafe block: the compiler does not check what it does.",
      fix: "Say in a SAFETY comment why it holds.",
      tags: ["memory"],
      find: { kind: "unsafe_block" },
      words: ["unsafe"]
    },
    {
      id: "rs-unsafe-impl",
      severity: "warning",
      message: "An unsafe promise about a type: the compiler does not check it.",
      fix: "Say in a SAFETY comment why it holds.",
      tags: ["memory", "concurrency"],
      find: { kind: "impl_item", text: "^unsafe impl" },
      words: ["unsafe impl"]
    },
    {
      id: "rs-transmute",
      severity: "error",
      message: "transmute takes bytes of one type for another.",
      fix: "Use a cast, from_ne_bytes, or a crate such as bytemuck.",
      cwe: "CWE-843",
      tags: ["memory"],
      find: [
        "std::mem::transmute($X)",
        "mem::transmute($X)",
        "core::mem::transmute($X)",
        { kind: "call_expression", text: "^(?:\\w+::)*transmute(?:::<[^(]*>)?\\(" }
      ],
      words: ["transmute"]
    },
    {
      id: "rs-uninit",
      severity: "error",
      message: "Memory that nothing has been written to is taken for a value.",
      fix: "Use MaybeUninit.",
      cwe: "CWE-457",
      tags: ["memory"],
      find: [
        "std::mem::uninitialized()",
        "mem::uninitialized()",
        "std::mem::zeroed()",
        "mem::zeroed()",
        "$X.assume_init()"
      ]
    },
    {
      id: "rs-unchecked",
      severity: "warning",
      message: "A function that leaves its checks out.",
      fix: "Use the checked one unless a measurement speaks against it.",
      tags: ["memory"],
      find: [
        "$X.get_unchecked($I)",
        "$X.get_unchecked_mut($I)",
        "$X.unwrap_unchecked()",
        "std::hint::unreachable_unchecked()",
        "str::from_utf8_unchecked($X)",
        "std::str::from_utf8_unchecked($X)",
        "String::from_utf8_unchecked($X)",
        "$X.add_unchecked($I)"
      ]
    },
    {
      id: "rs-forget",
      severity: "info",
      message: "A value is never dropped.",
      tags: ["memory"],
      find: ["std::mem::forget($X)", "mem::forget($X)", "Box::leak($X)"]
    },
    {
      id: "rs-static-mut",
      severity: "warning",
      message: "A static that every thread may write without a lock.",
      fix: "Use an atomic, a Mutex or a OnceLock.",
      cwe: "CWE-362",
      tags: ["concurrency"],
      find: { kind: "static_item", text: "\\bstatic mut\\b" },
      words: ["static mut"]
    }
  ]
}

const go: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["go"],
  rules: [
    {
      id: "go-panic",
      severity: "warning",
      message: "panic ends the program unless somebody recovers.",
      fix: "Return an error.",
      tags: ["errors"],
      find: "panic($X)",
      around_not: "^func (?:\\([^)]*\\) )?(?:[Mm]ust\\w*|init)\\("
    },
    {
      id: "go-fatal",
      severity: "info",
      message: "The program ends here, and nothing that was deferred runs.",
      fix: "Return an error to main.",
      tags: ["errors"],
      find: ["log.Fatal($$$)", "log.Fatalf($$$)", "log.Fatalln($$$)", "os.Exit($N)"],
      around_not: "^func (?:main|TestMain|init)\\("
    },
    {
      id: "go-unchecked-assertion",
      severity: "info",
      message: "A type assertion of one result panics when the type is another.",
      fix: "Take the second result and look at it.",
      cwe: "CWE-704",
      tags: ["errors"],
      words: [".("],
      find: { kind: "type_assertion_expression" },
      not_inside: [
        {
          kind: "assignment_statement|short_var_declaration|var_spec",
          text: "^[^:={]*\\w+\\s*,\\s*\\w+\\s*:?=\\s*[\\w.\\[\\]()*]*\\.\\([^{};]*\\)$"
        },
        { kind: "if_statement", text: "^if\\s+(?:\\w+|_)\\s*,\\s*\\w+\\s*:?=[^;{]*\\.\\([^;{]*\\);" }
      ]
    },
    {
      id: "go-unsafe-pointer",
      severity: "warning",
      message: "unsafe.Pointer leaves the type system.",
      tags: ["memory"],
      find: ["unsafe.Pointer($X)", "unsafe.Slice($$$)", "unsafe.String($$$)"]
    },
    {
      id: "go-linkname",
      severity: "warning",
      message: "A function of another package is linked to by name.",
      tags: ["memory"],
      find: { kind: "comment", text: "^//go:linkname \\w+ \\w" },
      words: ["go:linkname"]
    },
    {
      id: "go-must",
      severity: "info",
      message: "A Must function panics when it fails, and this one runs on values that are not constant.",
      fix: "Use the one that returns an error.",
      tags: ["errors"],
      find: ["regexp.MustCompile($X)", "template.Must($X)", "uuid.MustParse($X)", "url.MustParse($X)"],
      where: { X: { constant: false } },
      inside: [{ kind: "function_declaration|method_declaration|func_literal" }],
      around_not: "^func (?:\\([^)]*\\) )?(?:[Mm]ust\\w*|init|main)\\(",
      not: "^template\\.Must\\("
    }
  ]
}

const ecmascript: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["typescript", "tsx"],
  rules: [
    {
      id: "ts-any",
      severity: "info",
      message: "any switches the types off for whatever it touches.",
      fix: "Use unknown, or a type parameter.",
      tags: ["types"],
      find: { kind: "predefined_type", text: "^any$" },
      words: ["any"]
    },
    {
      id: "ts-as-any",
      severity: "warning",
      message: "A value is declared to be any.",
      fix: "Use a type that says what is known.",
      cwe: "CWE-704",
      tags: ["types"],
      words: ["as any", "as unknown"],
      find: ["$X as any", "$X as unknown as $T"],
      where: { T: { not: "^(?:typeof|\\w*Mock)" } }
    },
    {
      id: "ts-non-null",
      severity: "info",
      message: "A value is declared to be there without a check.",
      fix: "Check it, or let the type say that it is there.",
      cwe: "CWE-476",
      tags: ["types"],
      find: { kind: "non_null_expression" },
      words: ["!"]
    },
    {
      id: "ts-ignore",
      severity: "warning",
      message: "An error of the compiler is silenced, whatever it is.",
      fix: "Use @ts-expect-error with the reason, so that it goes when the error does.",
      tags: ["types"],
      find: { kind: "comment", text: "^/[/*]\\s*@ts-(?:ignore|nocheck)\\b" },
      words: ["@ts-ignore", "@ts-nocheck"]
    }
  ]
}

const javascript: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["javascript", "typescript", "jsx", "tsx"],
  rules: [
    {
      id: "js-eval-any",
      severity: "error",
      message: "Text is run as code.",
      tags: ["injection"],
      cwe: "CWE-95",
      find: ["eval($$$)", "new Function($$$)"]
    },
    {
      id: "js-process-exit",
      severity: "info",
      message: "The process ends here, and whatever was still to be written is lost.",
      fix: "Set process.exitCode and return.",
      tags: ["errors"],
      find: "process.exit($$$)",
      path_not:
        "(?:^|/)(?:bin|scripts?|tools?|cli)/|(?:cli|main|index|server|build|[\\w-]+\\.config)\\.[cm]?[jt]sx?$"
    },
    {
      id: "js-with",
      severity: "error",
      message: "with makes it unknowable what a name means.",
      tags: ["types"],
      find: { kind: "with_statement" },
      words: ["with"]
    },
    {
      id: "js-proto-write",
      severity: "warning",
      message: "The prototype of every object of a kind is changed.",
      fix: "Write a function.",
      cwe: "CWE-1321",
      tags: ["types"],
      find: [
        "Object.prototype.$M = $V",
        "Array.prototype.$M = $V",
        "String.prototype.$M = $V",
        "Function.prototype.$M = $V",
        "Number.prototype.$M = $V",
        "$X.__proto__ = $V"
      ]
    },
    {
      id: "js-buffer-unsafe",
      severity: "warning",
      message: "The memory holds whatever was there before.",
      fix: "Use Buffer.alloc, unless every byte is written before it is read.",
      cwe: "CWE-908",
      owasp: "A05:2021",
      tags: ["memory"],
      find: ["Buffer.allocUnsafe($N)", "Buffer.allocUnsafeSlow($N)", "new Buffer($N)"]
    }
  ]
}

const python: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["python"],
  rules: [
    {
      id: "py-assert",
      severity: "info",
      message: "An assertion in code that runs: `python -O` leaves it out.",
      fix: "Raise an exception.",
      cwe: "CWE-617",
      tags: ["errors"],
      find: { kind: "assert_statement" },
      words: ["assert"],
      not: "^assert\\s+isinstance\\(|^assert \\w+ is not None$|TYPE_CHECKING"
    },
    {
      id: "py-exec-any",
      severity: "error",
      message: "Text is run as code.",
      cwe: "CWE-95",
      tags: ["injection"],
      find: ["eval($$$)", "exec($$$)"]
    },
    {
      id: "py-sys-exit",
      severity: "info",
      message: "The interpreter ends here.",
      fix: "Raise an exception, and end the program where it began.",
      tags: ["errors"],
      find: ["sys.exit($$$)", "os._exit($$$)", "exit($$$)", "quit($$$)"],
      around_not: "^(?:async )?def (?:main|cli|run|_main)\\b",
      not_inside: [{ kind: "if_statement", text: "^if __name__ ==" }],
      path_not: "(?:^|/)(?:bin|scripts?|tools?)/|__main__|setup\\.py$|manage\\.py$|cli\\.py$",
      inside: [{ kind: "function_definition" }]
    },
    {
      id: "py-type-ignore",
      severity: "info",
      message: "Every complaint of the type checker on this line is silenced.",
      fix: "Name the code of the one that is meant.",
      tags: ["types"],
      find: { kind: "comment", text: "#\\s*type:\\s*ignore(?!\\[)" },
      words: ["type: ignore", "type:ignore"]
    },
    {
      id: "py-ctypes",
      severity: "warning",
      message: "Memory is read or written at an address.",
      tags: ["memory"],
      find: ["ctypes.cast($$$)", "ctypes.memmove($$$)", "ctypes.string_at($$$)", "ctypes.from_address($$$)"]
    }
  ]
}

const java: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["java"],
  rules: [
    {
      id: "java-exit",
      severity: "warning",
      message: "The whole machine ends, with everything else that runs in it.",
      fix: "Throw an exception.",
      tags: ["errors"],
      find: ["System.exit($N)", "Runtime.getRuntime().halt($N)"],
      around_not: "\\bvoid main\\s*\\("
    },
    {
      id: "java-optional-get",
      severity: "warning",
      message: "get throws when there is no value.",
      fix: "Use orElseThrow with an exception that says why, or map.",
      cwe: "CWE-476",
      tags: ["errors"],
      find: [
        "$X.findFirst().get()",
        "$X.findAny().get()",
        "$X.max($C).get()",
        "$X.min($C).get()",
        "Optional.ofNullable($V).get()"
      ]
    },
    {
      id: "java-unsafe",
      severity: "error",
      message: "sun.misc.Unsafe leaves the type system and the bounds of arrays.",
      tags: ["memory"],
      find: { kind: "import_declaration", text: "sun\\.misc\\.Unsafe|jdk\\.internal\\.misc" },
      words: ["Unsafe", "jdk.internal"]
    },
    {
      id: "java-set-accessible",
      severity: "warning",
      message: "The protection of a member is taken off.",
      tags: ["types"],
      find: "$X.setAccessible(true)"
    },
    {
      id: "java-thread-stop",
      severity: "error",
      message: "A thread is ended wherever it stands, with what it guards half done.",
      fix: "Interrupt it, and let it look.",
      tags: ["concurrency"],
      find: ["$T.stop()", "$T.suspend()", "$T.resume()"],
      where: { T: { text: "(?i)thread$|^Thread\\.currentThread\\(\\)$" } }
    },
    {
      id: "java-suppress-unchecked",
      severity: "info",
      message: "Complaints about types are silenced.",
      tags: ["types"],
      find: { kind: "annotation", text: '^@SuppressWarnings\\([^)]*"(?:unchecked|rawtypes|all)"' },
      words: ["SuppressWarnings"]
    }
  ]
}

const csharp: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["csharp"],
  rules: [
    {
      id: "cs-unsafe",
      severity: "warning",
      message: "Code with pointers, which nothing checks.",
      tags: ["memory"],
      find: { kind: "unsafe_statement" },
      words: ["unsafe"]
    },
    {
      id: "cs-environment-exit",
      severity: "warning",
      message: "The process ends here.",
      fix: "Throw an exception.",
      tags: ["errors"],
      find: ["Environment.Exit($N)", "Environment.FailFast($$$)", "Process.GetCurrentProcess().Kill()"],
      around_not: "\\bMain\\s*\\("
    },
    {
      id: "cs-null-forgiving",
      severity: "info",
      message: "A value is declared to be there without a check.",
      fix: "Check it, or let the type say that it is there.",
      cwe: "CWE-476",
      tags: ["types"],
      find: { kind: "postfix_unary_expression", text: "!$", not: "^null!$|^default!$" },
      words: ["!"]
    },
    {
      id: "cs-async-void",
      severity: "warning",
      message: "Nobody can wait for the method, and an exception in it ends the process.",
      fix: "Return Task.",
      tags: ["errors", "concurrency"],
      find: {
        kind: "method_declaration",
        text: "\\basync\\s+void\\s+\\w+\\s*\\(",
        not: "EventArgs|\\boverride\\b"
      },
      words: ["async void"]
    },
    {
      id: "cs-blocking-wait",
      severity: "warning",
      message: "Waiting for a task on this thread can wait for ever.",
      fix: "Use await.",
      cwe: "CWE-833",
      tags: ["concurrency"],
      find: ["$X.Result", "$X.Wait()", "$X.GetAwaiter().GetResult()"],
      where: { X: { text: "Async\\([^]*\\)$|[tT]ask$" } }
    }
  ]
}

const c: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["c", "cpp"],
  rules: [
    {
      id: "c-unbounded-copy",
      severity: "warning",
      message: "A copy without a bound.",
      fix: "Use a function that is told how much room there is.",
      cwe: "CWE-120",
      tags: ["memory"],
      find: ["strcpy($$$)", "strcat($$$)", "sprintf($$$)", "vsprintf($$$)", "gets($$$)", "stpcpy($$$)"]
    },
    {
      id: "c-goto",
      severity: "info",
      message: "A jump backwards, or into a block.",
      tags: ["types"],
      find: {
        kind: "goto_statement",
        not: "(?i)goto\\s+(?:\\w*(?:out|err|error|fail|failed|cleanup|clean|done|end|exit|free|bail|unlock|fin|finish|ret|return|close|abort|quit|oom|nomem)\\w*)\\s*;"
      },
      words: ["goto"]
    },
    {
      id: "c-longjmp",
      severity: "warning",
      message: "A jump out of functions: nothing they hold is given back.",
      tags: ["errors"],
      find: ["longjmp($$$)", "setjmp($$$)", "siglongjmp($$$)"]
    },
    {
      id: "c-abort",
      severity: "info",
      message: "The process ends here.",
      tags: ["errors"],
      find: ["abort()", "exit($N)", "_exit($N)", "quick_exit($N)"],
      around_not: "\\bmain\\s*\\(|usage|[uU]sage\\s*\\("
    },
    {
      id: "c-strtok",
      severity: "warning",
      message: "A function that keeps its state in one place for all threads.",
      fix: "Use the one that ends in _r.",
      cwe: "CWE-362",
      tags: ["concurrency"],
      find: [
        "strtok($A, $B)",
        "asctime($T)",
        "ctime($T)",
        "gmtime($T)",
        "localtime($T)",
        "readdir($D)",
        "gethostbyname($N)"
      ],
      not: "^readdir"
    },
    {
      id: "c-system",
      severity: "warning",
      message: "A command runs through a shell.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: ["system($X)", "popen($X, $M)"]
    }
  ]
}

const cpp: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["cpp"],
  rules: [
    {
      id: "cpp-reinterpret",
      severity: "warning",
      message: "Bytes of one type are taken for another.",
      cwe: "CWE-843",
      tags: ["memory", "types"],
      find: { kind: "call_expression|template_function", text: "^reinterpret_cast<" },
      words: ["reinterpret_cast"]
    },
    {
      id: "cpp-const-cast",
      severity: "info",
      message: "The promise not to write is taken back.",
      tags: ["types"],
      find: { kind: "call_expression", text: "^const_cast<" },
      words: ["const_cast"]
    },
    {
      id: "cpp-new",
      severity: "info",
      message: "An object that somebody has to delete.",
      fix: "Use std::make_unique or std::make_shared.",
      cwe: "CWE-401",
      tags: ["memory"],
      find: { kind: "new_expression", not: "^new\\s*\\(" },
      not_inside: [
        { kind: "call_expression", text: "(?:unique_ptr|shared_ptr|\\breset\\()" },
        { kind: "declaration", text: "unique_ptr|shared_ptr" }
      ],
      words: ["new"]
    },
    {
      id: "cpp-delete",
      severity: "info",
      message: "An object is deleted by hand.",
      fix: "Let a smart pointer own it.",
      cwe: "CWE-415",
      tags: ["memory"],
      find: { kind: "delete_expression" },
      words: ["delete"],
      not_inside: [{ kind: "function_definition", text: "^[\\w:]*~" }]
    },
    {
      id: "cpp-auto-ptr",
      severity: "error",
      message: "auto_ptr gives its object away when it is copied.",
      fix: "Use std::unique_ptr.",
      tags: ["memory"],
      find: { kind: "template_type", text: "^(?:std::)?auto_ptr<" },
      words: ["auto_ptr"]
    },
    {
      id: "cpp-detach",
      severity: "warning",
      message: "A thread that nobody waits for may outlive what it uses.",
      fix: "Join it, or use std::jthread.",
      cwe: "CWE-362",
      tags: ["concurrency"],
      find: "$T.detach()"
    }
  ]
}

const php: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["php"],
  rules: [
    {
      id: "php-silenced",
      severity: "warning",
      message: "Errors of the call are thrown away.",
      fix: "Look at what it answers.",
      tags: ["errors"],
      find: {
        kind: "error_suppression_expression",
        not: "^@\\$?\\w*(?:unlink|mkdir|fopen|chmod|ini_set|filemtime|stream_|simplexml|iconv|getimagesize|dns_|fsockopen|file_get_contents)"
      },
      words: ["@"]
    },
    {
      id: "php-exit",
      severity: "info",
      message: "The program ends here.",
      tags: ["errors"],
      find: [{ kind: "exit_statement" }],
      inside: [{ kind: "method_declaration" }],
      words: ["exit", "die"]
    },
    {
      id: "php-variable-variable",
      severity: "warning",
      message: "A variable whose name is a value.",
      tags: ["types"],
      find: { kind: "dynamic_variable_name" },
      words: ["$$"]
    },
    {
      id: "php-goto",
      severity: "warning",
      message: "A jump.",
      tags: ["types"],
      find: { kind: "goto_statement" },
      words: ["goto"]
    }
  ]
}

const ruby: RuleGroup = {
  family: "unsafe_patterns",
  languages: ["ruby"],
  rules: [
    {
      id: "rb-rescue-exception",
      severity: "warning",
      message: "Everything is caught, signals and the end of the program included.",
      fix: "Rescue StandardError.",
      cwe: "CWE-396",
      tags: ["errors"],
      find: { kind: "rescue", text: "^rescue\\s+Exception\\b" },
      words: ["rescue"]
    },
    {
      id: "rb-rescue-modifier",
      severity: "info",
      message: "Whatever goes wrong becomes a value.",
      fix: "Rescue the error that is meant.",
      tags: ["errors"],
      find: { kind: "rescue_modifier" },
      words: ["rescue"]
    },
    {
      id: "rb-eval-any",
      severity: "error",
      message: "Text is run as code.",
      cwe: "CWE-95",
      tags: ["injection"],
      find: ["eval($X)", "eval($X, $$$)", "$X.instance_eval($C)", "$X.class_eval($C)"]
    },
    {
      id: "rb-exit",
      severity: "info",
      message: "The program ends here.",
      tags: ["errors"],
      find: ["exit!", "exit($N)", "abort($M)"],
      path_not: "(?:^|/)(?:bin|exe|script)/|Rakefile|\\.rake$",
      inside: [{ kind: "method|singleton_method" }]
    },
    {
      id: "rb-thread-kill",
      severity: "warning",
      message: "A thread is ended wherever it stands.",
      tags: ["concurrency"],
      find: ["Thread.kill($T)", "$T.kill"],
      where: { T: { text: "(?i)thread$" } }
    }
  ]
}

export const groups: ReadonlyArray<RuleGroup> = [
  c,
  cpp,
  csharp,
  go,
  java,
  javascript,
  ecmascript,
  php,
  python,
  ruby,
  rust
]
