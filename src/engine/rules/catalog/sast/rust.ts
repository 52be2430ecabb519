/** Security rules for Rust. */
import type { RuleGroup } from "../../Rule.ts"

export const group: RuleGroup = {
  family: "sast",
  languages: ["rust"],
  rules: [
    {
      id: "rs-command-shell",
      severity: "error",
      message: "A command that is not constant runs through a shell.",
      fix: "Start the program itself and give it arguments one by one.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: [
        "Command::new($SH).arg($FLAG).arg($CMD)",
        "Command::new($SH).args([$FLAG, $CMD])",
        "Command::new($SH).args(&[$FLAG, $CMD])",
        "std::process::Command::new($SH).arg($FLAG).arg($CMD)"
      ],
      where: {
        SH: { string: "^(?:/bin/|/usr/bin/)?(?:sh|bash|zsh|cmd|cmd\\.exe|powershell)$" },
        CMD: { constant: false }
      }
    },
    {
      id: "rs-sql-built",
      severity: "error",
      message: "An SQL statement is put together from values.",
      fix: "Use placeholders and bind the values.",
      cwe: "CWE-89",
      tags: ["injection"],
      find: [
        "sqlx::query($SQL)",
        "sqlx::query_as($SQL)",
        "sqlx::query_scalar($SQL)",
        "$X.execute($SQL, $$$)",
        "$X.query($SQL, $$$)",
        "$X.query_row($SQL, $$$)",
        "$X.query_one($SQL, $$$)",
        "$X.prepare($SQL)",
        "diesel::sql_query($SQL)",
        "sql_query($SQL)",
        "$X.execute_batch($SQL)",
        "$X.batch_execute($SQL)"
      ],
      where: {
        SQL: {
          built: true,
          text: "(?i)\\b(?:select\\s|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table|where\\s)|^&?\\w+$"
        }
      },
      file: "(?i)(?:select\\s[^]{0,300}\\bfrom\\b|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table)"
    },
    {
      id: "rs-tls-unchecked",
      severity: "error",
      message: "Certificates or host names of the other side are not checked.",
      fix: "Leave the checks on, and add the authority's certificate.",
      cwe: "CWE-295",
      tags: ["tls"],
      find: [
        "$X.danger_accept_invalid_certs(true)",
        "$X.danger_accept_invalid_hostnames(true)",
        "$X.set_verify(SslVerifyMode::NONE)",
        "$X.dangerous().set_certificate_verifier($V)",
        "$X.set_verify_hostname(false)"
      ]
    },
    {
      id: "rs-tls-old",
      severity: "warning",
      message: "A version of TLS that is known to be weak is allowed.",
      fix: "Use TLS 1.2 at least.",
      cwe: "CWE-326",
      tags: ["tls"],
      find: ["$X.min_tls_version($V)", "$X.min_protocol_version(Some($V))"],
      where: { V: { text: "TLS_1_0|TLS_1_1|Tlsv1[01]|Sslv3|Tlsv10|Tlsv11" } }
    },
    {
      id: "rs-weak-hash",
      severity: "info",
      message: "A digest that is broken: two texts with the same value can be made.",
      fix: "Use sha2 or blake3, and for passwords argon2.",
      cwe: "CWE-328",
      tags: ["crypto"],
      find: [
        "md5::compute($X)",
        "Md5::new()",
        "Sha1::new()",
        "Md5::digest($X)",
        "Sha1::digest($X)",
        "MessageDigest::md5()",
        "MessageDigest::sha1()"
      ],
      around_not: "(?i)etag|cache_key|checksum|fingerprint|gravatar|websocket"
    },
    {
      id: "rs-weak-cipher",
      severity: "error",
      message: "A cipher or mode that does not keep what it encrypts secret.",
      fix: "Use aes-gcm or chacha20poly1305.",
      cwe: "CWE-327",
      tags: ["crypto"],
      find: [
        "Cipher::des_cbc()",
        "Cipher::des_ecb()",
        "Cipher::des_ede3_cbc()",
        "Cipher::aes_128_ecb()",
        "Cipher::aes_256_ecb()",
        "Cipher::rc4()",
        "Cipher::bf_cbc()"
      ]
    },
    {
      id: "rs-static-key",
      severity: "error",
      message: "A key is written in the source.",
      fix: "Read it from the environment or a secret store, and replace this one.",
      cwe: "CWE-321",
      tags: ["crypto", "secrets"],
      find: [
        "EncodingKey::from_secret($K)",
        "DecodingKey::from_secret($K)",
        "Hmac::new_from_slice($K)",
        "HmacSha256::new_from_slice($K)",
        "Key::from_slice($K)"
      ],
      where: { K: { text: '^b?"[^"]{4,}"(?:\\.as_(?:bytes|ref)\\(\\))?$' } },
      secret: true
    },
    {
      id: "rs-static-nonce",
      severity: "warning",
      message: "A cipher is given a constant nonce.",
      fix: "Make a new one for each message.",
      cwe: "CWE-329",
      tags: ["crypto"],
      find: ["Nonce::from_slice($N)", "XNonce::from_slice($N)", "Nonce::assume_unique_for_key($N)"],
      where: { N: { text: '^&?b"|^&?\\[0(?:u8)?; *\\d+\\]$' } }
    },
    {
      id: "rs-weak-random",
      severity: "warning",
      message: "A generator that can be guessed makes something that must not be.",
      fix: "Use OsRng.",
      cwe: "CWE-338",
      tags: ["crypto"],
      find: [
        "SmallRng::from_entropy()",
        "SmallRng::seed_from_u64($S)",
        "StdRng::seed_from_u64($S)",
        "fastrand::u64($$$)",
        "fastrand::alphanumeric()"
      ],
      around: "(?i)^[^{]*(?:token|secret|passw|nonce|salt|session|csrf|otp|api_?key)"
    },
    {
      id: "rs-jwt-unchecked",
      severity: "error",
      message: "A token is read without its signature being checked.",
      fix: "Leave the check on and state the algorithm.",
      cwe: "CWE-347",
      tags: ["web", "crypto"],
      find: [
        "$X.insecure_disable_signature_validation()",
        "dangerous_insecure_decode($$$)",
        "jsonwebtoken::dangerous_insecure_decode($$$)"
      ]
    },
    {
      id: "rs-path-request",
      severity: "error",
      message: "A file is opened at a path that a request states.",
      fix: "Canonicalize the path and check that it starts with the folder.",
      cwe: "CWE-22",
      tags: ["files"],
      find: [
        "File::open($P)",
        "fs::read($P)",
        "fs::read_to_string($P)",
        "tokio::fs::read($P)",
        "tokio::fs::read_to_string($P)",
        "NamedFile::open($P)",
        "std::fs::read_to_string($P)",
        "std::fs::remove_file($P)"
      ],
      where: { P: { request: true } },
      around_not: "canonicalize\\(|starts_with\\(|file_name\\(|components\\("
    },
    {
      id: "rs-ssrf-request",
      severity: "error",
      message: "The address of an outgoing request comes from an incoming one.",
      fix: "Choose the host from a list; refuse addresses of the local network.",
      cwe: "CWE-918",
      tags: ["web"],
      find: ["reqwest::get($URL)", "$C.get($URL).send()", "$C.post($URL)"],
      where: {
        URL: { request: true, not: '^(?:&?format!\\()?"https?://[^{/"]+/' },
        C: { text: "(?i)client" }
      }
    },
    {
      id: "rs-html-raw",
      severity: "warning",
      message: "Text put together from values is sent as markup.",
      fix: "Escape the values, or use a template.",
      cwe: "CWE-79",
      tags: ["xss"],
      find: ["Html($V)", "PreEscaped($V)", "RawHtml($V)"],
      where: { V: { built: true, not: "(?i)escape|encode" } }
    },
    {
      id: "rs-cors-any",
      severity: "info",
      message: "Any site may send requests to this service.",
      fix: "Name the origins.",
      cwe: "CWE-942",
      tags: ["web"],
      find: [
        "CorsLayer::permissive()",
        "CorsLayer::very_permissive()",
        "Cors::permissive()",
        "$X.allow_any_origin()"
      ]
    },
    {
      id: "rs-file-mode",
      severity: "warning",
      message: "Everybody on the machine may write the file.",
      fix: "Give write permission to the owner alone.",
      cwe: "CWE-732",
      tags: ["files"],
      find: [
        "Permissions::from_mode($MODE)",
        "$X.set_mode($MODE)",
        "$X.mode($MODE)",
        "fs::Permissions::from_mode($MODE)"
      ],
      where: { MODE: { text: "^0o[0-7]?[0-7][0-7][2367]$" } }
    },
    {
      id: "rs-temp-name",
      severity: "info",
      message: "A file of a fixed name in the folder for temporary files: somebody else can make it first.",
      fix: "Use the tempfile crate.",
      cwe: "CWE-377",
      tags: ["files"],
      find: ["File::create($P)", "fs::write($P, $D)", "std::fs::write($P, $D)"],
      where: { P: { string: "^/tmp/" } }
    },
    {
      id: "rs-deserialize",
      severity: "info",
      message: "Bytes are read without a bound on what they may grow to.",
      fix: "Set a limit.",
      cwe: "CWE-400",
      tags: ["deserialization"],
      find: ["bincode::deserialize_from($R)", "rmp_serde::from_read($R)", "ciborium::from_reader($R)"],
      where: { R: { text: "(?i)stream|socket|conn|request|body" } }
    },
    {
      id: "rs-log-secret",
      severity: "warning",
      message: "A secret is written to the log.",
      fix: "Leave it out, or log that it is there.",
      cwe: "CWE-532",
      tags: ["secrets"],
      words: ["info!", "debug!", "println!", "warn!", "error!", "trace!"],
      find: {
        kind: "macro_invocation",
        text: "^(?:(?:log|tracing)::)?(?:info|debug|println|warn|error|trace)!\\([^]*(?:,\\s*|\\{|%|\\?)(?:\\w+\\.)?(?:password|passwd|secret_key|api_key|access_token|private_key|client_secret|auth_token)\\s*[,)}:]"
      }
    }
  ]
}
