/** Security rules for C and C++. */
import type { RuleGroup } from "../../Rule.ts"

export const group: RuleGroup = {
  family: "sast",
  languages: ["c", "cpp"],
  rules: [
    {
      id: "c-gets",
      severity: "error",
      message: "gets cannot know how much room there is.",
      fix: "Use fgets with the size of the buffer.",
      cwe: "CWE-242",
      tags: ["memory"],
      find: ["gets($B)", "_getts($B)"]
    },
    {
      id: "c-strcpy",
      severity: "warning",
      message: "Text is copied without regard to the room there is.",
      fix: "Use snprintf or strlcpy with the size of the target.",
      cwe: "CWE-120",
      tags: ["memory"],
      find: [
        "strcpy($D, $S)",
        "strcat($D, $S)",
        "wcscpy($D, $S)",
        "wcscat($D, $S)",
        "stpcpy($D, $S)",
        "lstrcpy($D, $S)",
        "lstrcat($D, $S)"
      ],
      where: { S: { constant: false } },
      around_not: "malloc\\(\\s*strlen\\(|strlen\\([^)]*\\)\\s*(?:<|>|<=|>=)\\s*sizeof"
    },
    {
      id: "c-sprintf",
      severity: "warning",
      message: "Text is formatted without regard to the room there is.",
      fix: "Use snprintf with the size of the target.",
      cwe: "CWE-120",
      tags: ["memory"],
      find: ["sprintf($D, $F, $$$)", "vsprintf($D, $F, $$$)", "wsprintf($D, $F, $$$)"],
      text: '%[-+ #0]*\\d*s|^v?w?sprintf\\(\\s*[^,]+,\\s*[^"L\\s]'
    },
    {
      id: "c-scanf-string",
      severity: "error",
      message: "A word of any length is read into a buffer.",
      fix: "State a width, such as %31s.",
      cwe: "CWE-120",
      tags: ["memory"],
      find: ["scanf($F, $$$)", "sscanf($S, $F, $$$)", "fscanf($S, $F, $$$)"],
      where: { F: { text: "%(?:s|\\[)" } }
    },
    {
      id: "c-format",
      severity: "error",
      message: "The format is not constant: directives in it read and write memory.",
      fix: 'Use "%s" as the format.',
      cwe: "CWE-134",
      tags: ["memory", "injection"],
      find: [
        "printf($F)",
        "fprintf($S, $F)",
        "sprintf($D, $F)",
        "snprintf($D, $N, $F)",
        "syslog($P, $F)",
        "vprintf($F, $A)",
        "err($C, $F)",
        "warn($F)"
      ],
      where: {
        F: {
          constant: false,
          kind: "identifier|field_expression|subscript_expression|call_expression|pointer_expression",
          not: "^_\\(|^(?:gettext|N_|_T|TEXT)\\(|^[A-Z][A-Z0-9_]+$|[fF]mt|[fF]ormat"
        }
      },
      not: "^(?:vprintf|err|warn)\\([^)]*\\bfmt\\b"
    },
    {
      id: "c-command",
      severity: "error",
      message: "A command that is not constant runs through a shell.",
      fix: "Use execve or posix_spawn with a list of arguments.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: [
        "system($CMD)",
        "popen($CMD, $M)",
        "_popen($CMD, $M)",
        { code: "std::system($CMD)", only: ["cpp"] },
        "ShellExecute($$$, $CMD, $A, $B, $C)"
      ],
      where: { CMD: { constant: false } }
    },
    {
      id: "c-sql-built",
      severity: "error",
      message: "An SQL statement is formatted from values.",
      fix: "Use a prepared statement and bind the values.",
      cwe: "CWE-89",
      tags: ["injection"],
      find: ["sprintf($D, $F, $$$)", "snprintf($D, $N, $F, $$$)", "asprintf($D, $F, $$$)"],
      where: {
        F: {
          string: "(?i)\\b(?:select\\s.*\\bfrom|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from)\\b.*%s"
        }
      },
      file: "sqlite3_|mysql_|PQexec|SQLExec"
    },
    {
      id: "c-strncpy-length",
      severity: "warning",
      message: "The bound is the length of the source, which says nothing about the target.",
      fix: "Use the size of the target.",
      cwe: "CWE-131",
      tags: ["memory"],
      find: [
        "strncpy($D, $S, strlen($S))",
        "strncat($D, $S, strlen($S))",
        "memcpy($D, $S, strlen($S))",
        "strncpy($D, $S, strlen($S) + 1)"
      ],
      around_not: "malloc|realloc|alloca|calloc|new char"
    },
    {
      id: "c-strncat-size",
      severity: "warning",
      message: "The bound of strncat is the room that is left, not the whole size.",
      fix: "Use sizeof(target) - strlen(target) - 1.",
      cwe: "CWE-787",
      tags: ["memory"],
      find: ["strncat($D, $S, sizeof($D))", "strncat($D, $S, sizeof $D)"]
    },
    {
      id: "c-malloc-strlen",
      severity: "error",
      message: "There is no room for the zero byte at the end of the text.",
      fix: "Add one.",
      cwe: "CWE-131",
      tags: ["memory"],
      find: ["malloc(strlen($S))", "alloca(strlen($S))", "new char[strlen($S)]"]
    },
    {
      id: "c-sizeof-pointer",
      severity: "error",
      message: "The size is that of a pointer, not of what it points to.",
      fix: "Use sizeof(*pointer).",
      cwe: "CWE-467",
      tags: ["memory"],
      words: ["sizeof"],
      find: [
        "$P = malloc(sizeof($P))",
        "memset($P, $V, sizeof(&$_Q))",
        {
          kind: "init_declarator",
          text: "^\\*\\s*(\\w+)\\s*=\\s*(?:\\([^()]*\\)\\s*)?malloc\\(\\s*sizeof\\s*\\(\\s*\\1\\s*\\)\\s*\\)$"
        }
      ]
    },
    {
      id: "c-memset-order",
      severity: "error",
      message: "The size is zero: value and size are in each other's place.",
      fix: "Write memset(target, 0, size).",
      cwe: "CWE-687",
      owasp: "A03:2021",
      tags: ["memory"],
      find: ["memset($P, $V, 0)"],
      where: { V: { not: "^(?:0|'\\\\0'|0x[fF]+|-1)$" } }
    },
    {
      id: "c-realloc-self",
      severity: "warning",
      message: "When there is no memory the only pointer to the old block is overwritten.",
      fix: "Keep the result in another variable until it is checked.",
      cwe: "CWE-401",
      tags: ["memory"],
      find: ["$P = realloc($P, $N)", "$P = ($_T)realloc($P, $N)"]
    },
    {
      id: "c-double-free",
      severity: "error",
      message: "The same block is freed twice in a row.",
      fix: "Free it once, and set the pointer to NULL.",
      cwe: "CWE-415",
      tags: ["memory"],
      words: ["free("],
      find: {
        kind: "compound_statement",
        text: "\\bfree\\(\\s*(\\w[\\w>.-]*)\\s*\\);\\s*free\\(\\s*\\1\\s*\\);"
      },
      lacks: [
        { kind: "compound_statement", text: "\\bfree\\(\\s*(\\w[\\w>.-]*)\\s*\\);\\s*free\\(\\s*\\1\\s*\\);" }
      ]
    },
    {
      id: "c-alloca",
      severity: "info",
      message: "Memory of a size that is not constant is taken from the stack, which may end there.",
      fix: "Use malloc, and check the size.",
      cwe: "CWE-770",
      tags: ["memory"],
      find: ["alloca($N)", "_alloca($N)"],
      where: { N: { constant: false, not: "sizeof" } }
    },
    {
      id: "c-temp-name",
      severity: "warning",
      message: "Between choosing the name and opening the file somebody else can make it.",
      fix: "Use mkstemp.",
      cwe: "CWE-377",
      tags: ["files"],
      find: ["tmpnam($$$)", "tempnam($$$)", "mktemp($$$)", "_mktemp($$$)", "tmpnam_r($$$)"]
    },
    {
      id: "c-access-open",
      severity: "info",
      message: "Between asking for access and opening, the file can become another one.",
      fix: "Open it and look at what failed.",
      cwe: "CWE-367",
      tags: ["files"],
      find: ["access($P, $M)"],
      around: "\\b(?:open|fopen|unlink|chmod)\\("
    },
    {
      id: "c-file-mode",
      severity: "warning",
      message: "Everybody on the machine may write the file.",
      fix: "Give write permission to the owner alone.",
      cwe: "CWE-732",
      tags: ["files"],
      find: [
        "chmod($P, $MODE)",
        "open($P, $F, $MODE)",
        "mkdir($P, $MODE)",
        "creat($P, $MODE)",
        "umask($MASK)"
      ],
      where: { MODE: { text: "^0[0-7]?[0-7][0-7][2367]$|S_IWOTH" }, MASK: { text: "^0+$" } },
      not: "^(?:open|mkdir|creat)\\([^]*0(?:666|777)\\)$"
    },
    {
      id: "c-weak-hash",
      severity: "info",
      message: "A digest that is broken: two texts with the same value can be made.",
      fix: "Use SHA-256.",
      cwe: "CWE-328",
      tags: ["crypto"],
      find: [
        "MD5_Init($$$)",
        "MD5($$$)",
        "SHA1_Init($$$)",
        "SHA1($$$)",
        "EVP_md5()",
        "EVP_sha1()",
        "MD4($$$)"
      ],
      around_not: "(?i)checksum|fingerprint|etag|websocket"
    },
    {
      id: "c-weak-cipher",
      severity: "error",
      message: "A cipher or mode that does not keep what it encrypts secret.",
      fix: "Use EVP_aes_256_gcm.",
      cwe: "CWE-327",
      tags: ["crypto"],
      find: [
        "EVP_des_cbc()",
        "EVP_des_ecb()",
        "EVP_des_ede3_cbc()",
        "EVP_rc4()",
        "EVP_aes_128_ecb()",
        "EVP_aes_256_ecb()",
        "EVP_bf_cbc()",
        "DES_ecb_encrypt($$$)",
        "RC4($$$)"
      ]
    },
    {
      id: "c-weak-random",
      severity: "warning",
      message: "A number that can be guessed is used where it must not be.",
      fix: "Use getrandom, arc4random or RAND_bytes.",
      cwe: "CWE-338",
      tags: ["crypto"],
      find: ["rand()", "random()", "drand48()", "lrand48()", { code: "std::rand()", only: ["cpp"] }],
      around: "(?i)^[^{]*(?:token|secret|passw|nonce|salt|session_?id|csrf|otp|api_?key)"
    },
    {
      id: "c-tls-unchecked",
      severity: "error",
      message: "Certificates of the other side are not checked.",
      fix: "Use SSL_VERIFY_PEER, and leave the checks of curl on.",
      cwe: "CWE-295",
      tags: ["tls"],
      find: [
        "SSL_CTX_set_verify($C, SSL_VERIFY_NONE, $F)",
        "SSL_set_verify($C, SSL_VERIFY_NONE, $F)",
        "curl_easy_setopt($C, CURLOPT_SSL_VERIFYPEER, $Z)",
        "curl_easy_setopt($C, CURLOPT_SSL_VERIFYHOST, $Z)"
      ],
      where: { Z: { text: "^(?:0[lL]?|false|FALSE)$" } }
    },
    {
      id: "c-tls-old",
      severity: "warning",
      message: "A version of TLS that is known to be weak is used.",
      fix: "Use TLS_method and TLS1_2_VERSION at least.",
      cwe: "CWE-326",
      tags: ["tls"],
      find: [
        "SSLv3_method()",
        "SSLv23_method()",
        "TLSv1_method()",
        "TLSv1_1_method()",
        "SSLv2_method()",
        "SSLv3_client_method()",
        "TLSv1_client_method()"
      ]
    },
    {
      id: "c-xxe",
      severity: "warning",
      message: "libxml2 is told to resolve entities or to load documents.",
      fix: "Leave XML_PARSE_NOENT and XML_PARSE_DTDLOAD out.",
      cwe: "CWE-611",
      tags: ["web"],
      find: ["xmlReadFile($$$)", "xmlReadMemory($$$)", "xmlCtxtReadFile($$$)", "xmlReadDoc($$$)"],
      text: "XML_PARSE_(?:NOENT|DTDLOAD|XINCLUDE)"
    },
    {
      id: "c-setuid-unchecked",
      severity: "warning",
      message: "Whether the rights were given up is not looked at.",
      fix: "End the program when it fails.",
      cwe: "CWE-252",
      tags: ["files"],
      words: ["setuid", "setgid", "seteuid", "setegid", "setresuid", "setresgid", "setgroups", "chroot"],
      find: {
        kind: "expression_statement",
        text: "^(?:setuid|setgid|seteuid|setegid|setresuid|setresgid|setgroups|chroot)\\([^;]*\\);$"
      }
    },
    {
      id: "c-chroot-dir",
      severity: "warning",
      message: "After chroot the process still stands outside of the new root.",
      fix: 'Call chdir("/") right after it.',
      cwe: "CWE-243",
      owasp: "A01:2021",
      tags: ["files"],
      find: ["chroot($P)"],
      around_not: "chdir\\("
    },
    {
      id: "c-integer-size",
      severity: "info",
      message: "A product that may not fit is the size of a block.",
      fix: "Use calloc or reallocarray, which look for that.",
      cwe: "CWE-190",
      tags: ["memory"],
      find: ["malloc($A * $B)", "realloc($P, $A * $B)"],
      where: { A: { constant: false, not: "sizeof" }, B: { constant: false, not: "sizeof" } }
    },
    {
      id: "c-atoi-input",
      severity: "info",
      message: "atoi does not tell a number from what is none, and an overflow is undefined.",
      fix: "Use strtol and look at the end and at errno.",
      cwe: "CWE-190",
      tags: ["memory"],
      find: ["atoi($S)", "atol($S)", "atoll($S)"],
      where: { S: { request: true } }
    },
    {
      id: "c-buffer-loop",
      severity: "info",
      message: "Text is read into an array with `>>` and no width.",
      fix: "Read into a std::string.",
      cwe: "CWE-120",
      tags: ["memory"],
      find: [
        { code: "std::cin >> $B", only: ["cpp"] },
        { code: "cin >> $B", only: ["cpp"] }
      ],
      where: { B: { kind: "identifier" } },
      around: "\\bchar\\s+\\w+\\s*\\[",
      around_not: "setw|\\.width\\("
    }
  ]
}
