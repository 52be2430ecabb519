/** Security rules for Ruby. */
import type { RuleGroup } from "../../Rule.ts"

export const group: RuleGroup = {
  family: "sast",
  languages: ["ruby"],
  rules: [
    {
      id: "rb-eval",
      severity: "error",
      message: "Text that is not constant is run as code.",
      fix: "Use public_send with a name from a list.",
      cwe: "CWE-95",
      tags: ["injection"],
      find: [
        "eval($CODE)",
        "$X.instance_eval($CODE)",
        "$X.class_eval($CODE)",
        "$X.module_eval($CODE)",
        "Kernel.eval($CODE)",
        "eval($CODE, $B)"
      ],
      where: { CODE: { constant: false, not: "<<" } }
    },
    {
      id: "rb-command",
      severity: "error",
      message: "A shell command is put together from values.",
      fix: "Pass the program and its arguments one by one.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: [
        "system($CMD)",
        "exec($CMD)",
        "spawn($CMD)",
        "IO.popen($CMD)",
        "Open3.capture2($CMD)",
        "Open3.capture3($CMD)",
        "Open3.popen3($CMD)",
        "Kernel.system($CMD)"
      ],
      where: { CMD: { built: true, not: "shellescape|Shellwords" } }
    },
    {
      id: "rb-backticks",
      severity: "warning",
      message: "A shell command between backticks holds values.",
      fix: "Use Open3.capture2 with a list of arguments, or Shellwords.escape.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: { kind: "subshell", text: "#\\{" },
      not: "shellescape|Shellwords|^[^#]*(?:#\\{[A-Z][A-Z_:]+\\}[^#]*)+$"
    },
    {
      id: "rb-command-request",
      severity: "error",
      message: "Something of a request becomes a command.",
      fix: "Choose the command from a fixed list.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: ["system($CMD)", "exec($CMD)", "spawn($CMD)", "open($CMD)", "IO.popen($CMD)"],
      where: { CMD: { request: true } }
    },
    {
      id: "rb-sql-built",
      severity: "error",
      message: "A condition or statement in SQL is put together from values.",
      fix: "Use a hash, or placeholders.",
      cwe: "CWE-89",
      tags: ["injection"],
      find: [
        "$X.where($SQL)",
        "$X.find_by_sql($SQL)",
        "$X.execute($SQL)",
        "$X.exec_query($SQL)",
        "$X.order($SQL)",
        "$X.group($SQL)",
        "$X.joins($SQL)",
        "$X.having($SQL)",
        "$X.select($SQL)",
        "$X.from($SQL)",
        "$X.pluck($SQL)",
        "$X.select_all($SQL)",
        "$X.update_all($SQL)",
        "$X.delete_all($SQL)",
        "$X.count_by_sql($SQL)"
      ],
      where: {
        SQL: {
          built: true,
          text: "(?i)=|<|>|\\b(?:select|from|like|asc|desc|in|and|or)\\b|^\\w+$",
          not: "sanitize_sql|\\.quote|quoted_"
        }
      }
    },
    {
      id: "rb-deserialize",
      severity: "error",
      message: "Objects are made out of bytes, of whatever class they name.",
      fix: "Use JSON.parse, or YAML.safe_load.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: [
        "Marshal.load($D)",
        "Marshal.restore($D)",
        "YAML.unsafe_load($D)",
        "Oj.object_load($D)",
        "YAML.load($D)",
        "Psych.load($D)"
      ],
      where: { D: { constant: false, not: "Marshal\\.dump|File\\.(?:read|open)|IO\\.read|__dir__|read$" } }
    },
    {
      id: "rb-send-request",
      severity: "error",
      message: "A method is called whose name comes from a request.",
      fix: "Choose it from a list, and use public_send.",
      cwe: "CWE-470",
      tags: ["injection"],
      find: [
        "$X.send($M, $$$)",
        "$X.public_send($M, $$$)",
        "$X.constantize",
        "Object.const_get($M)",
        "$X.__send__($M, $$$)"
      ],
      where: { M: { request: true }, X: { text: "^[^]+$" } },
      text: "params|cookies|request"
    },
    {
      id: "rb-html-safe",
      severity: "warning",
      message: "Text put together from values is declared to be safe markup.",
      fix: "Use content_tag or safe_join, which escape.",
      cwe: "CWE-79",
      tags: ["xss"],
      find: ["$V.html_safe", "raw($V)"],
      where: { V: { built: true, not: "(?i)sanitize|escape|\\bh\\(" } }
    },
    {
      id: "rb-html-request",
      severity: "error",
      message: "Something of a request is written into the page as it came.",
      fix: "Leave escaping on.",
      cwe: "CWE-79",
      tags: ["xss", "web"],
      find: ["$V.html_safe", "raw($V)", "render(html: $V)", "render(inline: $V)", "render(inline: $V, $$$)"],
      where: { V: { request: true, not: "(?i)sanitize|escape|\\bh\\(" } }
    },
    {
      id: "rb-open-redirect",
      severity: "warning",
      message: "A redirect leads wherever the request says.",
      fix: "Use url_from, or allow paths of this site only.",
      cwe: "CWE-601",
      tags: ["web"],
      find: ["redirect_to($URL)", "redirect_to($URL, $$$)", "redirect($URL)"],
      where: { URL: { request: true, not: "_path|_url\\(|url_from|only_path|action:|^\\{|\\.find" } }
    },
    {
      id: "rb-path-request",
      severity: "error",
      message: "A file is opened at a path that a request states.",
      fix: "Use File.basename, or look the name up in a list.",
      cwe: "CWE-22",
      tags: ["files"],
      find: [
        "File.open($P, $$$)",
        "File.read($P)",
        "send_file($P, $$$)",
        "File.delete($P)",
        "IO.read($P)",
        "File.new($P, $$$)",
        "FileUtils.rm_rf($P)",
        "render(file: $P)"
      ],
      where: { P: { request: true, not: "basename" } },
      around_not: "File\\.basename|expand_path|start_with\\?|cleanpath"
    },
    {
      id: "rb-ssrf-request",
      severity: "error",
      message: "The address of an outgoing request comes from an incoming one.",
      fix: "Choose the host from a list; refuse addresses of the local network.",
      cwe: "CWE-918",
      tags: ["web"],
      find: [
        "Net::HTTP.get($URL, $$$)",
        "URI.open($URL, $$$)",
        "open($URL)",
        "HTTParty.get($URL, $$$)",
        "Faraday.get($URL, $$$)",
        "RestClient.get($URL, $$$)",
        "URI.parse($URL)",
        "Net::HTTP.get_response($URL)"
      ],
      where: { URL: { request: true, not: '^"https?://[^#/"]+/' } }
    },
    {
      id: "rb-mass-assignment",
      severity: "warning",
      message: "A record takes every field that a request names.",
      fix: "Use permit with the fields that callers may set.",
      cwe: "CWE-915",
      tags: ["web"],
      words: ["params", "permit!", "to_unsafe_h"],
      find: [
        "$X.permit!",
        "$X.to_unsafe_h",
        "$M.new(params)",
        "$M.create(params)",
        "$M.update(params)",
        "$M.create!(params)",
        "$M.new(params[$K])",
        "$M.create(params[$K])"
      ],
      not: "ActionController|OpenStruct|^Hash"
    },
    {
      id: "rb-csrf-off",
      severity: "warning",
      message: "A controller takes requests that other sites make in the user's name.",
      fix: "Keep the check, unless nothing a browser sends by itself authenticates.",
      cwe: "CWE-352",
      tags: ["web"],
      find: [
        "skip_before_action(:verify_authenticity_token)",
        "skip_before_action(:verify_authenticity_token, $$$)",
        "protect_from_forgery(with: :null_session)",
        "skip_forgery_protection"
      ],
      path_not: "/api/|webhook"
    },
    {
      id: "rb-tls-unchecked",
      severity: "error",
      message: "Certificates of the other side are not checked.",
      fix: "Leave VERIFY_PEER on.",
      cwe: "CWE-295",
      tags: ["tls"],
      words: ["VERIFY_NONE", "verify"],
      find: [
        "OpenSSL::SSL::VERIFY_NONE",
        { kind: "pair", text: "^:?(?:verify|verify_ssl|ssl_verify_peer)(?::|\\s*=>)\\s*false$" }
      ]
    },
    {
      id: "rb-weak-hash",
      severity: "info",
      message: "A digest that is broken: two texts with the same value can be made.",
      fix: "Use SHA256, and for passwords bcrypt or argon2.",
      cwe: "CWE-328",
      tags: ["crypto"],
      find: [
        "Digest::MD5.hexdigest($X)",
        "Digest::SHA1.hexdigest($X)",
        "Digest::MD5.digest($X)",
        "Digest::SHA1.digest($X)",
        "OpenSSL::Digest::MD5.new",
        "OpenSSL::Digest::SHA1.new",
        "Digest::MD5.new",
        "Digest::SHA1.new"
      ],
      around_not: "(?i)etag|cache_?key|checksum|fingerprint|gravatar"
    },
    {
      id: "rb-password-hash",
      severity: "error",
      message: "A password is kept as a digest that is made for speed, so that many can be tried.",
      fix: "Use bcrypt or argon2.",
      cwe: "CWE-916",
      tags: ["crypto"],
      find: [
        "Digest::MD5.hexdigest($X)",
        "Digest::SHA1.hexdigest($X)",
        "Digest::SHA256.hexdigest($X)",
        "Digest::SHA512.hexdigest($X)"
      ],
      where: { X: { text: "(?i)passw|pwd\\b|passphrase" } }
    },
    {
      id: "rb-weak-cipher",
      severity: "error",
      message: "A cipher or mode that does not keep what it encrypts secret.",
      fix: "Use aes-256-gcm.",
      cwe: "CWE-327",
      tags: ["crypto"],
      find: ["OpenSSL::Cipher.new($N)", "OpenSSL::Cipher::Cipher.new($N)"],
      where: { N: { string: "(?i)^(?:des|rc4|rc2|bf)|ecb" } }
    },
    {
      id: "rb-weak-random",
      severity: "warning",
      message: "A number that can be guessed is used where it must not be.",
      fix: "Use SecureRandom.",
      cwe: "CWE-338",
      tags: ["crypto"],
      words: ["rand"],
      find: {
        kind: "assignment",
        text: "(?i)^[\\w.@]*(?:token|secret|passw|nonce|salt|session|csrf|otp|api_?key)\\w*\\s*=[^\\n]*\\b(?:rand|Random\\.rand|Random\\.new)\\b"
      },
      not: "SecureRandom"
    },
    {
      id: "rb-jwt-none",
      severity: "error",
      message: "A token is read without its signature being checked, or made without one.",
      fix: "Pass the key, true and the algorithm.",
      cwe: "CWE-347",
      tags: ["web", "crypto"],
      find: [
        "JWT.decode($T, $K, false, $$$)",
        "JWT.decode($T, $K, false)",
        "JWT.encode($P, $K, 'none')",
        "JWT.encode($P, nil, $A)"
      ]
    },
    {
      id: "rb-secret",
      severity: "error",
      message: "A key is written in the source.",
      fix: "Read it from the credentials or the environment, and replace this one.",
      cwe: "CWE-798",
      tags: ["secrets"],
      find: [
        "JWT.encode($P, $K, $$$)",
        "JWT.encode($P, $K)",
        "$X.secret_key_base = $K",
        "$X.secret_token = $K"
      ],
      where: { K: { string: "^.{4,}$" } },
      secret: true
    },
    {
      id: "rb-basic-auth",
      severity: "error",
      message: "A user and a password are written in the source.",
      fix: "Read them from the credentials or the environment.",
      cwe: "CWE-798",
      tags: ["secrets", "web"],
      find: ["http_basic_authenticate_with($$$)"],
      text: "password:\\s*['\"]",
      secret: true
    },
    {
      id: "rb-regexp-line",
      severity: "warning",
      message: "^ and $ are the ends of a line in Ruby, so a text of two lines passes.",
      fix: "Use \\A and \\z.",
      cwe: "CWE-20",
      tags: ["web"],
      words: ["format"],
      find: [
        "validates_format_of($$$)",
        { kind: "pair", text: "^(?:format:|:format\\s*=>)" },
        { code: "f(with: $R)", select: "pair" }
      ],
      where: { R: { kind: "regex", text: "^/\\^[^]*\\$/" } },
      text: "with(?::|\\s*=>)\\s*/\\^[^/\\n]*\\$/"
    },
    {
      id: "rb-file-mode",
      severity: "warning",
      message: "Everybody on the machine may write the file.",
      fix: "Give write permission to the owner alone.",
      cwe: "CWE-732",
      tags: ["files"],
      find: ["File.chmod($MODE, $$$)", "FileUtils.chmod($MODE, $$$)", "$F.chmod($MODE)"],
      where: { MODE: { text: "^0o?[0-7]?[0-7][0-7][2367]$" } }
    },
    {
      id: "rb-cookie-flags",
      severity: "warning",
      message: "A cookie is readable by scripts, or sent without encryption.",
      fix: "Set secure and httponly.",
      cwe: "CWE-1004",
      tags: ["web"],
      words: ["httponly", "secure"],
      find: [{ kind: "pair", text: "^:?(?:httponly|secure)(?::|\\s*=>)\\s*false$" }],
      inside: [{ kind: "call|assignment", text: "(?i)cookie|session" }]
    },
    {
      id: "rb-xxe",
      severity: "warning",
      message: "Nokogiri is told to resolve entities or to load documents.",
      fix: "Leave the options at their defaults.",
      cwe: "CWE-611",
      tags: ["web"],
      words: ["noent", "dtdload", "NOENT", "DTDLOAD"],
      find: [
        {
          kind: "call|scope_resolution",
          text: "^(?:config|options|\\w+)\\.(?:noent|dtdload)$|ParseOptions::(?:NOENT|DTDLOAD)$"
        }
      ]
    },
    {
      id: "rb-regexp-request",
      severity: "warning",
      message: "A regular expression is made of what a request says, and can be made to take for ever.",
      fix: "Use Regexp.escape.",
      cwe: "CWE-1333",
      tags: ["web"],
      words: ["params", "Regexp"],
      find: ["Regexp.new($P)", "Regexp.new($P, $$$)", { kind: "regex", text: "#\\{params" }],
      where: { P: { request: true, not: "escape" } },
      text: "params|request|cookies|^Regexp"
    }
  ]
}
