/** What was left behind: debug output, dropped errors, silenced checks, places of one machine. */
import type { RuleGroup } from "../../Rule.ts"

const scripts =
  "(?:^|/)(?:bin|scripts?|tools?|cli|cmd|examples?|demo|benchmarks?|bench)/|(?:cli|build|[\\w-]+\\.config)\\.[cm]?[jt]sx?$"

const anything: RuleGroup = {
  family: "hygiene",
  languages: ["*"],
  rules: [
    {
      id: "conflict-marker",
      severity: "error",
      message: "A merge left its markers behind.",
      fix: "Resolve the conflict.",
      tags: ["leftovers"],
      words: ["<<<<<<< ", ">>>>>>> "],
      line: "^(?:<{7}|>{7}) \\S.*$",
      path_not: "\\.(?:md|mdx|rst|adoc|patch|diff)$"
    },
    {
      id: "home-path",
      severity: "warning",
      message: "A path of somebody's own machine.",
      fix: "Make it relative, or read it from the environment.",
      tags: ["leftovers"],
      words: ["/home/", "/Users/", "\\Users\\"],
      line: "(?<![\\w/.:@-])(?:/home/(?!user\\b|runner\\b|app\\b|node\\b|vscode\\b|ubuntu\\b|linuxbrew\\b|git\\b|you\\b|me\\b|foo\\b|username\\b|USER\\b|pi\\b|ec2-user\\b|circleci\\b|www\\b|jovyan\\b|build\\w*\\b|dev\\b|test\\b|alice\\b|bob\\b)[a-z][\\w-]+/|/Users/(?!runner\\b|user\\b|username\\b|you\\b|me\\b|foo\\b|Shared\\b|test\\b|alice\\b|bob\\b|name\\b)[A-Za-z][\\w.-]+/|[A-Z]:\\\\{1,2}Users\\\\{1,2}(?!Public\\b|user\\b|username\\b|you\\b|me\\b|foo\\b|test\\b|runner\\w*\\b|name\\b)[A-Za-z][\\w.-]+\\\\)[\\w./\\\\-]*",
      path_not: "(?i)\\.(?:md|mdx|rst|txt|html|snap|svg|lock)$|test|fixture|example|doc"
    },
    {
      id: "private-address",
      severity: "info",
      message: "The address of a machine in a local network.",
      fix: "Read it from the settings.",
      tags: ["leftovers"],
      line: "(?<![\\d.\\w-])(?:10\\.\\d{1,3}\\.\\d{1,3}\\.(?!0\\b)\\d{1,3}|192\\.168\\.\\d{1,3}\\.(?!0\\b)\\d{1,3}|172\\.(?:1[6-9]|2\\d|3[01])\\.\\d{1,3}\\.(?!0\\b)\\d{1,3})(?![\\d.]|/\\d)",
      words: ["10.", "192.168.", "172."],
      path_not:
        "(?i)\\.(?:md|mdx|rst|txt|html|svg|lock|sum|json|snap|csv)$|test|fixture|example|doc|CHANGELOG"
    },
    {
      id: "lorem-ipsum",
      severity: "info",
      message: "Text to fill space.",
      tags: ["leftovers"],
      words: ["orem ipsum"],
      line: "\\b[Ll]orem ipsum\\b",
      path_not: "(?i)\\.(?:md|mdx|rst|txt|snap|csv)$|test|fixture|example|doc|demo|stor(?:y|ies)"
    }
  ]
}

const javascript: RuleGroup = {
  family: "hygiene",
  languages: ["javascript", "typescript", "jsx", "tsx"],
  rules: [
    {
      id: "js-debugger",
      severity: "error",
      message: "A stop for the debugger.",
      fix: "Take it out.",
      tags: ["leftovers"],
      find: { kind: "debugger_statement" },
      words: ["debugger"]
    },
    {
      id: "js-console-log",
      severity: "info",
      message: "Output to the console, of the kind debugging leaves behind.",
      fix: "Use the logger, or take it out.",
      tags: ["leftovers"],
      find: [
        "console.log($$$)",
        "console.debug($$$)",
        "console.trace($$$)",
        "console.dir($$$)",
        "console.table($$$)"
      ],
      path_not: `${scripts}|logger`
    },
    {
      id: "js-alert",
      severity: "warning",
      message: "A dialog that stops the page.",
      tags: ["leftovers"],
      find: ["alert($M)", "window.alert($M)"]
    },
    {
      id: "js-empty-catch",
      severity: "warning",
      message: "An error is caught and dropped.",
      fix: "Handle it, pass it on, or say in a comment why it does not matter.",
      cwe: "CWE-390",
      tags: ["errors"],
      find: { kind: "catch_clause", text: "^catch\\s*(?:\\([^)]*\\)\\s*)?\\{\\s*\\}$" },
      words: ["catch"]
    },
    {
      id: "js-empty-handler",
      severity: "info",
      message: "What a promise fails with is dropped.",
      fix: "Handle it, or say in a comment why it does not matter.",
      cwe: "CWE-390",
      tags: ["errors"],
      find: ["$P.catch(() => {})", "$P.catch($_E => {})", "$P.catch(function () {})"],
      not: "//|/\\*"
    },
    {
      id: "js-lint-off",
      severity: "info",
      message: "Every rule of the linter is off for this file.",
      fix: "Name the rule that is meant.",
      tags: ["leftovers"],
      find: {
        kind: "comment",
        text: "^/\\*\\s*eslint-disable\\s*\\*/$|^//\\s*eslint-disable-(?:next-)?line\\s*$"
      },
      words: ["eslint-disable"]
    },
    {
      id: "js-var",
      severity: "info",
      message: "A variable that the whole function sees, and that may be used before it is declared.",
      fix: "Use const or let.",
      tags: ["idiom"],
      find: { kind: "variable_declaration", text: "^var\\b" },
      words: ["var "],
      file: "\\b(?:const|let)\\s|=>|^import\\s"
    },
    {
      id: "js-empty-block",
      severity: "info",
      message: "A branch with nothing in it.",
      tags: ["leftovers"],
      find: { kind: "if_statement", text: "^if\\s*\\([^{}]*\\)\\s*\\{\\s*\\}" },
      words: ["if"]
    },
    {
      id: "js-commented-out",
      severity: "info",
      message: "Several lines of code in comments.",
      fix: "Take them out; the history keeps them.",
      tags: ["leftovers"],
      line: "^[ \\t]*//[ \\t]*(?:const|let|var|if|for|while|return|import|export|await|function|\\}|\\w+\\([^)]*\\);?|[\\w.]+ = ).*[;{}),]\\s*\\n(?:[ \\t]*//[ \\t]*.*[;{}),]\\s*\\n){2,}",
      words: ["//"]
    }
  ]
}

const python: RuleGroup = {
  family: "hygiene",
  languages: ["python"],
  rules: [
    {
      id: "py-breakpoint",
      severity: "error",
      message: "A stop for the debugger.",
      fix: "Take it out.",
      tags: ["leftovers"],
      words: ["breakpoint", "pdb"],
      find: [
        "breakpoint()",
        "pdb.set_trace()",
        "ipdb.set_trace()",
        { kind: "import_statement", text: "^import i?pdb$" }
      ]
    },
    {
      id: "py-print",
      severity: "info",
      message: "Output to the console, of the kind debugging leaves behind.",
      fix: "Use logging, or take it out.",
      tags: ["leftovers"],
      find: ["print($$$)", "pprint($$$)"],
      path_not:
        "(?:^|/)(?:bin|scripts?|tools?|examples?|docs?|benchmarks?|cli)/|__main__|setup\\.py$|manage\\.py$|cli\\.py$|conf\\.py$",
      inside: [{ kind: "function_definition" }],
      around_not: "^(?:async )?def (?:main|cli|run|_main|print\\w*|show\\w*|help|usage)\\b|\\bargparse\\b"
    },
    {
      id: "py-except-pass",
      severity: "warning",
      message: "An error is caught and dropped.",
      fix: "Handle it, or use contextlib.suppress with the error that is meant.",
      cwe: "CWE-390",
      tags: ["errors"],
      find: { kind: "except_clause", text: ":\\s*(?:pass|\\.\\.\\.)\\s*$" },
      words: ["except"],
      not: "^except\\s+(?:ImportError|ModuleNotFoundError|KeyboardInterrupt|StopIteration|FileNotFoundError|AttributeError|KeyError|asyncio\\.CancelledError|ProcessLookupError)\\b|#"
    },
    {
      id: "py-bare-except",
      severity: "warning",
      message: "Everything is caught, interrupts and exits included.",
      fix: "Name the exceptions, or use `except Exception`.",
      cwe: "CWE-396",
      tags: ["errors"],
      find: { kind: "except_clause", text: "^except\\s*:" },
      words: ["except"],
      not: "\\braise\\b"
    },
    {
      id: "py-star-import",
      severity: "info",
      message: "Names come from nobody knows where.",
      fix: "Import them by name.",
      tags: ["idiom"],
      find: { kind: "import_from_statement", text: "import \\*$" },
      words: ["import *"],
      path_not: "__init__\\.py$"
    },
    {
      id: "py-noqa-all",
      severity: "info",
      message: "Every complaint of the linter on this line is silenced.",
      fix: "Name the code of the one that is meant.",
      tags: ["leftovers"],
      find: { kind: "comment", text: "#\\s*noqa\\s*$" },
      words: ["noqa"]
    }
  ]
}

const go: RuleGroup = {
  family: "hygiene",
  languages: ["go"],
  rules: [
    {
      id: "go-print",
      severity: "info",
      message: "Output to the console, of the kind debugging leaves behind.",
      fix: "Use the logger, or take it out.",
      tags: ["leftovers"],
      find: ["println($$$)", "print($$$)", "spew.Dump($$$)", "fmt.Println($$$)", "fmt.Printf($$$)"],
      path_not: "(?:^|/)(?:cmd|examples?|_examples?|tools?|scripts?|internal/cmd|hack)/|main\\.go$",
      file_not: "^package main\\b"
    },
    {
      id: "go-ignored-error",
      severity: "warning",
      message: "What a call fails with is thrown away.",
      fix: "Look at it, or say in a comment why it does not matter.",
      cwe: "CWE-252",
      tags: ["errors"],
      find: { kind: "assignment_statement", text: "^_(?:\\s*,\\s*_)*\\s*=\\s*[\\w.]+\\(" },
      words: ["_ ="],
      not: "(?:Fprint\\w*|Close|Remove\\w*|WriteString|Setenv|Unsetenv|fmt\\.Print\\w*|Write|append|copy|Sync|Flush|SetDeadline|SetReadDeadline|SetWriteDeadline|Kill|Shutdown|Rollback)\\("
    },
    {
      id: "go-empty-branch",
      severity: "warning",
      message: "An error is looked at and nothing is done.",
      cwe: "CWE-390",
      tags: ["errors"],
      find: { kind: "if_statement", text: "^if [^{]*err != nil\\s*\\{\\s*\\}" },
      words: ["err != nil"]
    },
    {
      id: "go-nolint-all",
      severity: "info",
      message: "Every complaint of the linters is silenced here.",
      fix: "Name the linter that is meant.",
      tags: ["leftovers"],
      find: { kind: "comment", text: "^//\\s*nolint\\s*$" },
      words: ["nolint"]
    },
    {
      id: "go-dot-import",
      severity: "info",
      message: "Names come from nobody knows where.",
      fix: "Import the package by name.",
      tags: ["idiom"],
      find: { kind: "import_spec", text: '^\\. "' },
      words: ['. "']
    }
  ]
}

const java: RuleGroup = {
  family: "hygiene",
  languages: ["java"],
  rules: [
    {
      id: "java-print",
      severity: "info",
      message: "Output to the console, of the kind debugging leaves behind.",
      fix: "Use the logger, or take it out.",
      tags: ["leftovers"],
      find: [
        "System.out.println($$$)",
        "System.err.println($$$)",
        "System.out.print($$$)",
        "System.out.printf($$$)"
      ],
      around_not: "\\bvoid main\\s*\\("
    },
    {
      id: "java-stack-trace",
      severity: "info",
      message: "An error is printed and then forgotten.",
      fix: "Log it or pass it on.",
      cwe: "CWE-209",
      tags: ["errors", "leftovers"],
      find: "$E.printStackTrace()"
    },
    {
      id: "java-empty-catch",
      severity: "warning",
      message: "An error is caught and dropped.",
      fix: "Handle it, pass it on, or say in a comment why it does not matter.",
      cwe: "CWE-390",
      tags: ["errors"],
      find: {
        kind: "catch_clause",
        text: "\\{\\s*\\}$",
        not: "catch\\s*\\([^)]*\\b(?:ignored?|expected|unused)\\b"
      },
      words: ["catch"]
    },
    {
      id: "java-star-import",
      severity: "info",
      message: "Names come from nobody knows where.",
      fix: "Import them by name.",
      tags: ["idiom"],
      find: { kind: "import_declaration", text: "\\.\\*;$", not: "^import static" },
      words: [".*;"]
    }
  ]
}

const csharp: RuleGroup = {
  family: "hygiene",
  languages: ["csharp"],
  rules: [
    {
      id: "cs-print",
      severity: "info",
      message: "Output to the console, of the kind debugging leaves behind.",
      fix: "Use the logger, or take it out.",
      tags: ["leftovers"],
      find: ["Console.WriteLine($$$)", "Console.Write($$$)", "Debug.WriteLine($$$)"],
      around_not: "\\bMain\\s*\\(",
      path_not: "Program\\.cs$"
    },
    {
      id: "cs-empty-catch",
      severity: "warning",
      message: "An error is caught and dropped.",
      fix: "Handle it, pass it on, or say in a comment why it does not matter.",
      cwe: "CWE-390",
      tags: ["errors"],
      find: { kind: "catch_clause", text: "\\{\\s*\\}$" },
      words: ["catch"]
    },
    {
      id: "cs-pragma-all",
      severity: "info",
      message: "Every warning is silenced from here on.",
      fix: "Name the warning that is meant.",
      tags: ["leftovers"],
      line: "^\\s*#pragma warning disable\\s*$",
      words: ["#pragma warning disable"]
    },
    {
      id: "cs-debugger",
      severity: "error",
      message: "A stop for the debugger.",
      fix: "Take it out.",
      tags: ["leftovers"],
      find: ["Debugger.Break()", "Debugger.Launch()", "System.Diagnostics.Debugger.Break()"]
    }
  ]
}

const php: RuleGroup = {
  family: "hygiene",
  languages: ["php"],
  rules: [
    {
      id: "php-dump",
      severity: "warning",
      message: "A value is shown for debugging.",
      fix: "Take it out.",
      tags: ["leftovers"],
      words: ["var_dump", "print_r", "dd(", "dump(", "var_export", "debug_zval"],
      find: [
        "var_dump($$$)",
        "print_r($X)",
        "dd($$$)",
        "dump($$$)",
        "var_export($X)",
        "debug_zval_refcount($$$)"
      ]
    },
    {
      id: "php-empty-catch",
      severity: "warning",
      message: "An error is caught and dropped.",
      fix: "Handle it, pass it on, or say in a comment why it does not matter.",
      cwe: "CWE-390",
      tags: ["errors"],
      find: { kind: "catch_clause", text: "\\{\\s*\\}$" },
      words: ["catch"]
    }
  ]
}

const ruby: RuleGroup = {
  family: "hygiene",
  languages: ["ruby"],
  rules: [
    {
      id: "rb-breakpoint",
      severity: "error",
      message: "A stop for the debugger.",
      fix: "Take it out.",
      tags: ["leftovers"],
      words: ["binding.", "byebug", "debugger"],
      find: [
        "binding.pry",
        "binding.irb",
        "byebug",
        "binding.break",
        { kind: "identifier", text: "^(?:byebug|debugger)$" }
      ]
    },
    {
      id: "rb-print",
      severity: "info",
      message: "Output to the console, of the kind debugging leaves behind.",
      fix: "Use the logger, or take it out.",
      tags: ["leftovers"],
      find: ["puts($X)", "p($X)", "pp($X)", "print($X)"],
      path_not: "(?:^|/)(?:bin|exe|scripts?|tasks?|examples?|db)/|Rakefile|\\.rake$|cli\\.rb$",
      inside: [{ kind: "method" }]
    },
    {
      id: "rb-rubocop-all",
      severity: "info",
      message: "Every rule of the linter is off.",
      fix: "Name the rule that is meant.",
      tags: ["leftovers"],
      find: { kind: "comment", text: "rubocop:disable\\s+all\\b" },
      words: ["rubocop:disable"]
    },
    {
      id: "rb-empty-rescue",
      severity: "warning",
      message: "An error is caught and dropped.",
      fix: "Handle it, or say in a comment why it does not matter.",
      cwe: "CWE-390",
      tags: ["errors"],
      find: { kind: "rescue", text: "^rescue\\b[^\\n#]*(?:\\n\\s*nil)?\\s*$" },
      words: ["rescue"],
      not: "#|\\bretry\\b"
    }
  ]
}

const rust: RuleGroup = {
  family: "hygiene",
  languages: ["rust"],
  rules: [
    {
      id: "rs-dbg",
      severity: "error",
      message: "A value is shown for debugging.",
      fix: "Take it out.",
      tags: ["leftovers"],
      find: { kind: "macro_invocation", text: "^(?:std::)?dbg!" },
      words: ["dbg!"]
    },
    {
      id: "rs-print",
      severity: "info",
      message: "Output to the console, of the kind debugging leaves behind.",
      fix: "Use log or tracing, or take it out.",
      tags: ["leftovers"],
      find: { kind: "macro_invocation", text: "^println!" },
      words: ["println!"],
      path_not: "(?:^|/)(?:examples?|bin|benches|tools?|xtask)/|main\\.rs$|build\\.rs$|cli",
      around_not: "^(?:pub )?(?:async )?fn main\\b"
    },
    {
      id: "rs-ignored-result",
      severity: "info",
      message: "What a call fails with is thrown away.",
      fix: "Look at it, or say in a comment why it does not matter.",
      cwe: "CWE-252",
      tags: ["errors"],
      find: { kind: "let_declaration", text: "^let _ = [\\w.:]+\\([^]*\\)\\??;$" },
      words: ["let _ ="],
      not: "\\.(?:send|try_send|set|write_all|write|flush|kill|wait|join|remove_file|remove_dir_all|shutdown)\\(|write(?:ln)?!|drop\\("
    },
    {
      id: "rs-allow-all",
      severity: "info",
      message: "Warnings of a whole file are silenced.",
      fix: "Allow the one that is meant, where it is meant.",
      tags: ["leftovers"],
      find: {
        kind: "inner_attribute_item",
        text: "^#!\\[allow\\((?:warnings|unused|clippy::all|dead_code|unused_variables|unused_imports)\\)\\]$"
      },
      words: ["#![allow("]
    }
  ]
}

const c: RuleGroup = {
  family: "hygiene",
  languages: ["c", "cpp"],
  rules: [
    {
      id: "c-code-switched-off",
      severity: "info",
      message: "Code that is never compiled.",
      fix: "Take it out; the history keeps it.",
      tags: ["leftovers"],
      find: { kind: "preproc_if", text: "^#\\s*if\\s+0\\b" },
      words: ["#if 0", "# if 0"]
    },
    {
      id: "cpp-empty-catch",
      severity: "warning",
      message: "An error is caught and dropped.",
      fix: "Handle it, pass it on, or say in a comment why it does not matter.",
      cwe: "CWE-390",
      tags: ["errors"],
      find: { kind: "catch_clause", text: "\\{\\s*\\}$" },
      words: ["catch"]
    }
  ]
}

export const groups: ReadonlyArray<RuleGroup> = [
  anything,
  c,
  csharp,
  go,
  java,
  javascript,
  php,
  python,
  ruby,
  rust
]
