/** Security rules for Go. */
import type { RuleGroup } from "../../Rule.ts"

export const group: RuleGroup = {
  family: "sast",
  languages: ["go"],
  rules: [
    {
      id: "go-command-shell",
      severity: "error",
      message: "A command that is not constant runs through a shell.",
      fix: "Start the program itself with a list of arguments.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: ["exec.Command($SHELL, $FLAG, $CMD)", "exec.CommandContext($CTX, $SHELL, $FLAG, $CMD)"],
      where: {
        SHELL: { string: "^(?:/bin/|/usr/bin/)?(?:sh|bash|zsh|cmd|cmd\\.exe|powershell)$" },
        CMD: { constant: false }
      }
    },
    {
      id: "go-command-request",
      severity: "error",
      message: "Something of a request becomes a command or an argument of one.",
      fix: "Choose the command from a fixed list, and check arguments against one.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: ["exec.Command($CMD, $$$ARGS)", "exec.Command($CMD)", "exec.CommandContext($CTX, $$$, $CMD)"],
      where: { CMD: { request: true } }
    },
    {
      id: "go-sql-built",
      severity: "error",
      message: "An SQL statement is put together from values.",
      fix: "Use placeholders and pass the values beside the statement.",
      cwe: "CWE-89",
      tags: ["injection"],
      find: [
        "$X.Query($SQL, $$$)",
        "$X.QueryRow($SQL, $$$)",
        "$X.Exec($SQL, $$$)",
        "$X.QueryContext($CTX, $SQL, $$$)",
        "$X.QueryRowContext($CTX, $SQL, $$$)",
        "$X.ExecContext($CTX, $SQL, $$$)",
        "$X.Prepare($SQL)",
        "$X.Raw($SQL, $$$)",
        "$X.Where($SQL, $$$)",
        "$X.Get($D, $SQL, $$$)",
        "$X.Select($D, $SQL, $$$)"
      ],
      where: {
        SQL: {
          built: true,
          text: "(?i)\\b(?:select\\s|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table|where\\s|order\\s+by|\\w+\\s*=\\s*'?%[svd])|^\\w+$"
        }
      },
      file: "(?i)(?:select\\s[^]{0,300}\\bfrom\\b|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table|\\.Where\\()"
    },
    {
      id: "go-tls-unchecked",
      severity: "error",
      message: "Certificates of the other side are not checked.",
      fix: "Leave InsecureSkipVerify out and put the authority into RootCAs.",
      cwe: "CWE-295",
      tags: ["tls"],
      words: ["InsecureSkipVerify"],
      find: [{ kind: "keyed_element", text: "^InsecureSkipVerify:\\s*true$" }, "$X.InsecureSkipVerify = true"]
    },
    {
      id: "go-tls-old",
      severity: "warning",
      message: "A version of TLS that is known to be weak is allowed.",
      fix: "Use tls.VersionTLS12 at least.",
      cwe: "CWE-326",
      tags: ["tls"],
      words: ["MinVersion", "MaxVersion"],
      find: [{ kind: "keyed_element", text: "^M(?:in|ax)Version:\\s*tls\\.Version(?:SSL30|TLS10|TLS11)$" }]
    },
    {
      id: "go-ssh-host-key",
      severity: "warning",
      message: "Whatever key an SSH server shows is accepted.",
      fix: "Use knownhosts.New or FixedHostKey.",
      cwe: "CWE-295",
      tags: ["tls"],
      find: "ssh.InsecureIgnoreHostKey()"
    },
    {
      id: "go-plain-server",
      severity: "info",
      message: "A server without encryption and without time limits.",
      fix: "Use an http.Server with timeouts, and TLS here or in front of it.",
      cwe: "CWE-400",
      tags: ["web"],
      find: ["http.ListenAndServe($ADDR, $H)", "http.Serve($L, $H)"]
    },
    {
      id: "go-weak-hash",
      severity: "info",
      message: "A digest that is broken: two texts with the same value can be made.",
      fix: "Use sha256, and for passwords bcrypt, scrypt or argon2.",
      cwe: "CWE-328",
      tags: ["crypto"],
      find: ["md5.New()", "md5.Sum($X)", "sha1.New()", "sha1.Sum($X)"],
      file: '"crypto/(?:md5|sha1)"',
      around_not: "(?i)etag|cache|checksum|fingerprint|gravatar|websocket|Sec-WebSocket|integrity"
    },
    {
      id: "go-password-hash",
      severity: "error",
      message: "A password is kept as a digest that is made for speed, so that many can be tried.",
      fix: "Use bcrypt, scrypt or argon2.",
      cwe: "CWE-916",
      tags: ["crypto"],
      find: ["md5.Sum($X)", "sha1.Sum($X)", "sha256.Sum256($X)", "sha512.Sum512($X)"],
      where: { X: { text: "(?i)passw|pwd\\b|passphrase" } }
    },
    {
      id: "go-weak-cipher",
      severity: "error",
      message: "A cipher that does not keep what it encrypts secret.",
      fix: "Use AES in GCM mode, or chacha20poly1305.",
      cwe: "CWE-327",
      tags: ["crypto"],
      find: ["des.NewCipher($K)", "des.NewTripleDESCipher($K)", "rc4.NewCipher($K)"]
    },
    {
      id: "go-short-key",
      severity: "warning",
      message: "The key is too short to last.",
      fix: "Use at least 2048 bits, 3072 for new keys.",
      cwe: "CWE-326",
      tags: ["crypto"],
      find: ["rsa.GenerateKey($R, $BITS)"],
      where: { BITS: { text: "^(?:512|768|1024)$" } }
    },
    {
      id: "go-weak-random",
      severity: "warning",
      message: "math/rand makes something that must not be guessed.",
      fix: "Use crypto/rand.",
      cwe: "CWE-338",
      tags: ["crypto"],
      file: '"math/rand(?:/v2)?"',
      file_not: '"crypto/rand"',
      find: [
        "rand.Int()",
        "rand.Intn($N)",
        "rand.Int63()",
        "rand.Read($B)",
        "rand.Uint32()",
        "rand.Uint64()",
        "rand.IntN($N)"
      ],
      around: "(?i)^func[^{]*(?:token|secret|passw|nonce|salt|session|csrf|otp|api_?key)"
    },
    {
      id: "go-static-key",
      severity: "error",
      message: "A key is written in the source.",
      fix: "Read it from the environment or a secret store, and replace this one.",
      cwe: "CWE-321",
      tags: ["crypto", "secrets"],
      find: ["hmac.New($H, []byte($K))", "aes.NewCipher([]byte($K))", "$T.SignedString([]byte($K))"],
      where: { K: { string: "^.{4,}$" } }
    },
    {
      id: "go-jwt-none",
      severity: "error",
      message: "A token is read without its signature being checked, or made without one.",
      fix: "Use Parse with a key function that looks at the method.",
      cwe: "CWE-347",
      tags: ["web", "crypto"],
      find: ["$X.ParseUnverified($$$)", "jwt.SigningMethodNone", "jwt.UnsafeAllowNoneSignatureType"]
    },
    {
      id: "go-path-request",
      severity: "error",
      message: "A file is opened at a path that a request states.",
      fix: "Use os.Root or http.Dir, or check that the cleaned path is local.",
      cwe: "CWE-22",
      tags: ["files"],
      find: [
        "os.Open($P)",
        "os.ReadFile($P)",
        "ioutil.ReadFile($P)",
        "os.Create($P)",
        "os.Remove($P)",
        "os.RemoveAll($P)",
        "http.ServeFile($W, $R, $P)",
        "$C.File($P)",
        "os.OpenFile($P, $F, $M)"
      ],
      where: { P: { request: true, not: "filepath\\.Base\\(" } },
      around_not: "filepath\\.(?:IsLocal|Rel|Base)\\(|strings\\.(?:HasPrefix|Contains)\\(|securejoin"
    },
    {
      id: "go-archive-path",
      severity: "warning",
      message: "A file is made at the path an archive's entry states.",
      fix: "Refuse entries that filepath.IsLocal does not accept.",
      cwe: "CWE-22",
      tags: ["files"],
      find: ["filepath.Join($DIR, $H.Name)", "path.Join($DIR, $H.Name)"],
      file: '"archive/(?:zip|tar)"',
      around: "(?:zip|tar)\\.|\\.File\\b|\\.Next\\(\\)",
      around_not: 'IsLocal|HasPrefix|securejoin|"\\.\\."'
    },
    {
      id: "go-unbounded-copy",
      severity: "info",
      message: "A compressed stream is unpacked without a bound on what comes out.",
      fix: "Use io.CopyN or io.LimitReader.",
      cwe: "CWE-409",
      tags: ["web"],
      file: "(?:gzip|zlib|flate|bzip2|lzw)\\.NewReader\\(",
      find: ["io.Copy($W, $R)", "io.ReadAll($R)"],
      around: "(?:gzip|zlib|flate|bzip2|lzw)\\.NewReader\\(",
      around_not: "LimitReader|LimitedReader|MaxBytesReader|CopyN"
    },
    {
      id: "go-ssrf-request",
      severity: "error",
      message: "The address of an outgoing request comes from an incoming one.",
      fix: "Choose the host from a list; refuse addresses of the local network.",
      cwe: "CWE-918",
      tags: ["web"],
      find: [
        "http.Get($URL)",
        "http.Post($URL, $$$)",
        "http.Head($URL)",
        "http.NewRequest($M, $URL, $B)",
        "http.NewRequestWithContext($CTX, $M, $URL, $B)",
        "$CLIENT.Get($URL)"
      ],
      where: { URL: { request: true, not: '^"https?://[^/"]+/' }, CLIENT: { text: "(?i)client$" } }
    },
    {
      id: "go-open-redirect",
      severity: "warning",
      message: "A redirect leads wherever the request says.",
      fix: "Allow paths of this site only.",
      cwe: "CWE-601",
      tags: ["web"],
      find: ["http.Redirect($W, $R, $URL, $CODE)", "$C.Redirect($CODE, $URL)"],
      where: {
        URL: { request: true, not: '^"/[^/"]|\\.URL\\.(?:Path|String\\(\\))|RequestURI|\\.Host\\b' },
        C: { text: "^(?:c|ctx)$" }
      },
      around:
        "FormValue\\(|\\.Query\\(\\)|PostForm|\\b(?:c|ctx)\\.(?:Query|Param|PostForm|DefaultQuery|QueryParam)\\("
    },
    {
      id: "go-response-html",
      severity: "warning",
      message: "Something of a request is written back as it came.",
      fix: "Use html/template, or html.EscapeString.",
      cwe: "CWE-79",
      tags: ["xss", "web"],
      find: [
        "fmt.Fprintf($W, $F, $$$, $V)",
        "fmt.Fprintf($W, $F, $V)",
        "$W.Write([]byte($V))",
        "io.WriteString($W, $V)",
        "fmt.Fprint($W, $V)"
      ],
      where: {
        V: { request: true, not: "(?i)escape|\\.Header\\b|[=!]=" },
        W: { text: "^(?:w|rw|writer|resp|c\\.Writer)$" }
      },
      around:
        "FormValue\\(|\\.Query\\(\\)|PostForm|\\.Form\\b|PathValue\\(|\\b(?:c|ctx)\\.(?:Query|Param|PostForm|DefaultQuery|QueryParam)\\("
    },
    {
      id: "go-template-unescaped",
      severity: "warning",
      message: "A value that is not constant is declared to be safe markup.",
      fix: "Pass it as text; html/template escapes it.",
      cwe: "CWE-79",
      tags: ["xss"],
      find: ["template.HTML($V)", "template.JS($V)", "template.URL($V)", "template.HTMLAttr($V)"],
      where: { V: { constant: false, not: "(?i)sanitize|escape|markdown|render" } }
    },
    {
      id: "go-file-mode",
      severity: "warning",
      message: "Everybody on the machine may write the file.",
      fix: "Use 0o600 for files and 0o700 or 0o755 for folders.",
      cwe: "CWE-732",
      tags: ["files"],
      find: [
        "os.Chmod($P, $MODE)",
        "os.WriteFile($P, $D, $MODE)",
        "ioutil.WriteFile($P, $D, $MODE)",
        "os.OpenFile($P, $F, $MODE)",
        "os.Mkdir($P, $MODE)",
        "os.MkdirAll($P, $MODE)"
      ],
      where: { MODE: { text: "^0o?[0-7]?[0-7][0-7][2367]$|os\\.ModePerm" } },
      not: "^os\\.(?:OpenFile|Mkdir|MkdirAll|WriteFile)\\([^]*0o?(?:666|777)\\)$|os\\.ModePerm"
    },
    {
      id: "go-temp-name",
      severity: "info",
      message: "A file of a fixed name in the folder for temporary files: somebody else can make it first.",
      fix: "Use os.CreateTemp.",
      cwe: "CWE-377",
      tags: ["files"],
      find: ["os.Create($P)", "os.WriteFile($P, $D, $M)", "ioutil.WriteFile($P, $D, $M)"],
      where: { P: { string: "^/tmp/" } }
    },
    {
      id: "go-cookie-flags",
      severity: "warning",
      message: "A cookie is readable by scripts, or sent without encryption.",
      fix: "Set Secure and HttpOnly.",
      cwe: "CWE-1004",
      tags: ["web"],
      words: ["http.Cookie"],
      find: [{ kind: "composite_literal", text: "^http\\.Cookie\\{[^]*(?:HttpOnly|Secure):\\s*false" }]
    },
    {
      id: "go-cors-any",
      severity: "warning",
      message: "Any site may send requests with the user's cookies.",
      fix: "Name the origins.",
      cwe: "CWE-942",
      tags: ["web"],
      find: [
        {
          kind: "composite_literal",
          text: '(?:AllowAllOrigins:\\s*true|AllowedOrigins:\\s*\\[\\]string\\{"\\*"\\}|AllowOrigins:\\s*\\[\\]string\\{"\\*"\\})[^]*AllowCredentials:\\s*true|AllowCredentials:\\s*true[^]*(?:AllowAllOrigins:\\s*true|\\[\\]string\\{"\\*"\\})'
        }
      ],
      words: ["AllowCredentials"]
    },
    {
      id: "go-pprof",
      severity: "info",
      message: "The profiler adds its pages to the server that everybody reaches.",
      fix: "Serve it on an address of its own.",
      cwe: "CWE-489",
      tags: ["configuration"],
      words: ["net/http/pprof"],
      find: { kind: "import_spec", text: '^_ "net/http/pprof"' }
    },
    {
      id: "go-log-secret",
      severity: "warning",
      message: "A secret is written to the log.",
      fix: "Leave it out, or log that it is there.",
      cwe: "CWE-532",
      tags: ["secrets"],
      find: [
        "log.Printf($F, $$$, $V)",
        "log.Printf($F, $V)",
        "log.Println($$$, $V)",
        "fmt.Println($$$, $V)",
        "log.Infof($F, $$$, $V)",
        "slog.Info($$$, $V)"
      ],
      where: {
        V: {
          text: "(?i)^(?:\\w+\\.)*(?:password|passwd|secret|apiKey|accessToken|privateKey|clientSecret|authToken)$"
        }
      }
    },
    {
      id: "go-narrowed-number",
      severity: "info",
      message: "Numbers of another width are parsed than they are used at, so that large ones change.",
      fix: "Use strconv.ParseInt with the width that is needed.",
      cwe: "CWE-190",
      tags: [],
      file: "strconv\\.Atoi\\(",
      find: ["int32($N)", "int16($N)", "uint32($N)", "int8($N)", "uint8($N)", "uint16($N)"],
      where: { N: { kind: "identifier" } },
      around: "strconv\\.Atoi\\("
    }
  ]
}
