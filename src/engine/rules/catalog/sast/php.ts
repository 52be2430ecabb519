/** Security rules for PHP. */
import type { RuleGroup } from "../../Rule.ts"

export const group: RuleGroup = {
  family: "sast",
  languages: ["php"],
  rules: [
    {
      id: "php-eval",
      severity: "error",
      message: "Text that is not constant is run as code.",
      fix: "Choose among functions by name.",
      cwe: "CWE-95",
      tags: ["injection"],
      find: ["eval($CODE)", "assert($CODE)", "create_function($ARGS, $CODE)"],
      where: { CODE: { constant: false } },
      not: '^assert\\((?!\\s*(?:"|\\$_|\\$\\w+\\s*\\)))'
    },
    {
      id: "php-command",
      severity: "error",
      message: "A shell command is put together from values.",
      fix: "Use escapeshellarg for each value, or proc_open with a list.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: [
        "exec($CMD, $$$)",
        "shell_exec($CMD)",
        "system($CMD, $$$)",
        "passthru($CMD, $$$)",
        "popen($CMD, $M)",
        "proc_open($CMD, $$$)"
      ],
      where: { CMD: { constant: false, not: "escapeshell(?:arg|cmd)|^\\[|^array\\(" } },
      around_not: "escapeshell(?:arg|cmd)\\("
    },
    {
      id: "php-sql-built",
      severity: "error",
      message: "An SQL statement is put together from values.",
      fix: "Use prepare with placeholders.",
      cwe: "CWE-89",
      tags: ["injection"],
      find: [
        "$X->query($SQL, $$$)",
        "$X->exec($SQL)",
        "$X->prepare($SQL, $$$)",
        "mysqli_query($C, $SQL)",
        "mysql_query($SQL, $$$)",
        "pg_query($C, $SQL)",
        "pg_query($SQL)",
        "DB::select($SQL, $$$)",
        "DB::statement($SQL, $$$)",
        "DB::raw($SQL)",
        "$X->whereRaw($SQL, $$$)",
        "$X->executeQuery($SQL, $$$)",
        "$X->get_results($SQL, $$$)",
        "sqlsrv_query($C, $SQL, $$$)"
      ],
      where: {
        SQL: {
          built: true,
          text: "(?i)\\b(?:select\\s|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table|where\\s|order\\s+by|\\w+\\s*=)|^\\$\\w+$",
          not: "->prepare\\(|\\bquote\\(|esc_sql"
        }
      },
      file: "(?i)(?:select\\s[^]{0,300}\\bfrom\\b|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table)"
    },
    {
      id: "php-echo-request",
      severity: "error",
      message: "Something of a request is written into the page as it came.",
      fix: "Use htmlspecialchars.",
      cwe: "CWE-79",
      tags: ["xss", "web"],
      words: ["$_GET", "$_POST", "$_REQUEST", "$_COOKIE", "$_SERVER"],
      find: [
        {
          kind: "echo_statement|print_intrinsic|expression_statement",
          text: "^(?:echo|print)\\b[^;]*\\$_(?:GET|POST|REQUEST|COOKIE|SERVER\\[['\"](?:PHP_SELF|REQUEST_URI|QUERY_STRING|HTTP_))"
        },
        "printf($$$, $_GET[$_K])"
      ],
      not: "htmlspecialchars|htmlentities|strip_tags|intval|\\(int\\)|esc_html|esc_attr|urlencode|json_encode|filter_"
    },
    {
      id: "php-include-request",
      severity: "error",
      message: "A file is included whose name is not constant.",
      fix: "Choose the file from a fixed table.",
      cwe: "CWE-98",
      tags: ["injection", "files"],
      words: ["$_GET", "$_POST", "$_REQUEST", "$_COOKIE"],
      find: [
        {
          kind: "include_expression|include_once_expression|require_expression|require_once_expression",
          text: "\\$_(?:GET|POST|REQUEST|COOKIE)"
        },
        "include $P",
        "require $P",
        "include($P)",
        "require($P)"
      ],
      where: { P: { request: true } }
    },
    {
      id: "php-unserialize",
      severity: "error",
      message: "Objects are made out of text, of whatever class it names.",
      fix: "Use json_decode, or allowed_classes => false.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: ["unserialize($DATA)", "unserialize($DATA, $OPTIONS)"],
      where: { DATA: { constant: false, not: "^serialize\\(" }, OPTIONS: { not: "allowed_classes" } }
    },
    {
      id: "php-path-request",
      severity: "error",
      message: "A file is opened at a path that a request states.",
      fix: "Use basename, or look the name up in a list.",
      cwe: "CWE-22",
      tags: ["files"],
      find: [
        "file_get_contents($P, $$$)",
        "fopen($P, $$$)",
        "readfile($P)",
        "file($P)",
        "unlink($P)",
        "file_put_contents($P, $$$)",
        "copy($P, $TO)",
        "highlight_file($P)"
      ],
      where: { P: { request: true, not: "basename\\(|php://input|^\\$_FILES\\[" } },
      around_not: "basename\\(|realpath\\(|in_array\\("
    },
    {
      id: "php-upload-name",
      severity: "warning",
      message: "An uploaded file keeps the name it came with.",
      fix: "Choose the name and the extension yourself.",
      cwe: "CWE-434",
      tags: ["files", "web"],
      find: ["move_uploaded_file($F, $TO)"],
      where: { TO: { request: true } }
    },
    {
      id: "php-ssrf-request",
      severity: "error",
      message: "The address of an outgoing request comes from an incoming one.",
      fix: "Choose the host from a list; refuse addresses of the local network.",
      cwe: "CWE-918",
      tags: ["web"],
      find: [
        "curl_init($URL)",
        "curl_setopt($C, CURLOPT_URL, $URL)",
        "$CLIENT->get($URL, $$$)",
        "Http::get($URL, $$$)"
      ],
      where: {
        URL: { request: true, not: "^['\"]https?://[^/'\"$]+/" },
        CLIENT: { text: "(?i)client|http|guzzle" }
      }
    },
    {
      id: "php-open-redirect",
      severity: "warning",
      message: "A redirect leads wherever the request says.",
      fix: "Allow paths of this site only.",
      cwe: "CWE-601",
      tags: ["web"],
      find: ["header($V, $$$)", "header($V)", "redirect($V)", "wp_redirect($V)"],
      where: {
        V: { request: true, not: "(?i)^['\"](?!location)|^['\"]location:\\s*(?:/[^/]|https?://[^/'\"$]+/)" }
      }
    },
    {
      id: "php-weak-hash",
      severity: "warning",
      message: "A password or token is made with a digest that is broken.",
      fix: "Use password_hash, or random_bytes for tokens.",
      cwe: "CWE-328",
      tags: ["crypto"],
      find: ["md5($X)", "sha1($X)", "hash($NAME, $X)"],
      where: {
        NAME: { string: "(?i)^(?:md5|sha1|md4)$" },
        X: { text: "(?i)passw|pwd|token|secret|salt|rand\\(|time\\(|uniqid" }
      }
    },
    {
      id: "php-weak-cipher",
      severity: "error",
      message: "A cipher or mode that does not keep what it encrypts secret.",
      fix: "Use aes-256-gcm, or sodium.",
      cwe: "CWE-327",
      tags: ["crypto"],
      find: [
        "openssl_encrypt($D, $NAME, $$$)",
        "openssl_decrypt($D, $NAME, $$$)",
        "mcrypt_encrypt($$$)",
        "mcrypt_decrypt($$$)"
      ],
      where: { NAME: { string: "(?i)^(?:des|rc4|rc2|bf)|ecb" } }
    },
    {
      id: "php-weak-random",
      severity: "warning",
      message: "A number that can be guessed is used where it must not be.",
      fix: "Use random_int or random_bytes.",
      cwe: "CWE-338",
      tags: ["crypto"],
      words: ["rand(", "uniqid(", "shuffle("],
      find: {
        kind: "assignment_expression",
        text: "(?i)^\\$[\\w\\[\\]'\">-]*(?:token|secret|passw|nonce|salt|session|csrf|otp|api_?key)\\w*['\"\\]]*\\s*=[^;]*\\b(?:mt_rand|rand|uniqid|str_shuffle|array_rand|lcg_value)\\("
      }
    },
    {
      id: "php-tls-unchecked",
      severity: "error",
      message: "Certificates of the other side are not checked.",
      fix: "Leave the checks on.",
      cwe: "CWE-295",
      tags: ["tls"],
      words: ["CURLOPT_SSL_VERIFY", "verify"],
      find: [
        "curl_setopt($C, CURLOPT_SSL_VERIFYPEER, $V)",
        "curl_setopt($C, CURLOPT_SSL_VERIFYHOST, $V)",
        {
          kind: "array_element_initializer",
          text: "^(?:CURLOPT_SSL_VERIFY(?:PEER|HOST)|['\"]verify(?:_peer)?['\"])\\s*=>\\s*(?:false|0)$"
        }
      ],
      where: { V: { text: "^(?:false|FALSE|0)$" } }
    },
    {
      id: "php-xxe",
      severity: "error",
      message: "An XML parser resolves entities.",
      fix: "Leave LIBXML_NOENT and LIBXML_DTDLOAD out.",
      cwe: "CWE-611",
      tags: ["web"],
      find: [
        "$X->loadXML($D, $F)",
        "simplexml_load_string($D, $C, $F)",
        "libxml_disable_entity_loader($F)",
        "$X->load($D, $F)"
      ],
      where: { F: { text: "LIBXML_(?:NOENT|DTDLOAD)|^false$" } }
    },
    {
      id: "php-extract-request",
      severity: "error",
      message: "What a request holds becomes variables of any name.",
      fix: "Take the single values out.",
      cwe: "CWE-915",
      tags: ["injection"],
      find: [
        "extract($_GET)",
        "extract($_POST)",
        "extract($_REQUEST)",
        "parse_str($_SERVER['QUERY_STRING'])",
        "extract($_COOKIE)"
      ]
    },
    {
      id: "php-callable-request",
      severity: "error",
      message: "A function is called whose name comes from a request.",
      fix: "Choose it from a fixed table.",
      cwe: "CWE-470",
      tags: ["injection"],
      find: ["call_user_func($F, $$$)", "call_user_func_array($F, $A)", "array_map($F, $A)"],
      where: { F: { request: true } }
    },
    {
      id: "php-preg-eval",
      severity: "error",
      message: "The modifier e runs the replacement as code.",
      fix: "Use preg_replace_callback.",
      cwe: "CWE-95",
      tags: ["injection"],
      find: ["preg_replace($P, $$$)"],
      where: { P: { string: "^([/#~@]).*[/#~@][a-zA-Z]*e[a-zA-Z]*$" } }
    },
    {
      id: "php-debug-shown",
      severity: "warning",
      message: "Errors are shown to whoever looks at the page.",
      fix: "Log them.",
      cwe: "CWE-209",
      tags: ["web", "configuration"],
      find: ["ini_set('display_errors', $V)", "phpinfo($$$)"],
      where: { V: { text: "^['\"]?(?:1|on|On|true)['\"]?$" } }
    },
    {
      id: "php-cookie-flags",
      severity: "info",
      message: "A cookie is readable by scripts, or sent without encryption.",
      fix: "Pass `secure` and `httponly` as true.",
      cwe: "CWE-1004",
      tags: ["web"],
      find: [
        "setcookie($N, $V, $E, $P, $D, $S)",
        "setcookie($N, $V, $E, $P)",
        "setcookie($N, $V, $E)",
        "setcookie($N, $V)",
        "setcookie($N, $V, $E, $P, $D, $S, false)"
      ],
      where: {
        E: { not: "(?i)httponly|-\\s*\\d|- 3600" },
        N: { text: "(?i)sess|auth|token|login|remember|user" }
      }
    },
    {
      id: "php-loose-secret",
      severity: "warning",
      message: "A secret is compared with ==, which takes some different texts for equal.",
      fix: "Use hash_equals.",
      cwe: "CWE-697",
      owasp: "A07:2021",
      tags: ["crypto"],
      find: ["$A == $B", "$A != $B"],
      where: {
        A: {
          text: "(?i)\\b(?:md5|sha1|hash|hash_hmac)\\(|(?:token|hash|signature|digest)\\W*$",
          constant: false
        },
        B: { constant: false }
      }
    },
    {
      id: "php-database-password",
      severity: "error",
      message: "A password is written in the source.",
      fix: "Read it from the environment or a secret store, and replace this one.",
      cwe: "CWE-798",
      tags: ["secrets"],
      find: [
        "new PDO($DSN, $USER, $PASSWORD, $$$)",
        "new mysqli($HOST, $USER, $PASSWORD, $$$)",
        "mysqli_connect($HOST, $USER, $PASSWORD, $$$)",
        "define('DB_PASSWORD', $PASSWORD)"
      ],
      where: { PASSWORD: { string: "^(?!.*_here).+$" } },
      secret: true
    },
    {
      id: "php-file-mode",
      severity: "warning",
      message: "Everybody on the machine may write the file.",
      fix: "Give write permission to the owner alone.",
      cwe: "CWE-732",
      tags: ["files"],
      find: ["chmod($P, $MODE)", "mkdir($P, $MODE, $$$)", "umask($MASK)"],
      where: { MODE: { text: "^0o?[0-7]?[0-7][0-7][2367]$" }, MASK: { text: "^0+$" } }
    },
    {
      id: "php-header-request",
      severity: "warning",
      message: "Any site may send requests with the user's cookies.",
      fix: "Compare the origin with a list first.",
      cwe: "CWE-942",
      tags: ["web"],
      find: ["header($V)"],
      where: { V: { text: "(?i)Access-Control-Allow-Origin:[^;]*(?:HTTP_ORIGIN|\\$origin)" } },
      around_not: "in_array\\("
    }
  ]
}
