/** Security rules for JavaScript and TypeScript. */
import type { RuleGroup } from "../../Rule.ts"

export const group: RuleGroup = {
  family: "sast",
  languages: ["javascript", "typescript", "jsx", "tsx"],
  rules: [
    {
      id: "js-eval",
      severity: "error",
      message: "Text that is not constant is run as code.",
      fix: "Parse data with JSON.parse, or choose among functions by name.",
      cwe: "CWE-95",
      tags: ["injection"],
      find: [
        "eval($CODE)",
        "new Function($$$, $CODE)",
        "new Function($CODE)",
        "globalThis.eval($CODE)",
        "window.eval($CODE)"
      ],
      where: { CODE: { constant: false } }
    },
    {
      id: "js-timer-text",
      severity: "warning",
      message: "A timer is given text, which it runs as code.",
      fix: "Give it a function.",
      cwe: "CWE-95",
      tags: ["injection"],
      find: [
        "setTimeout($CODE, $$$)",
        "setInterval($CODE, $$$)",
        "window.setTimeout($CODE, $$$)",
        "window.setInterval($CODE, $$$)"
      ],
      where: { CODE: { kind: "string|template_string|binary_expression" } }
    },
    {
      id: "js-vm-code",
      severity: "error",
      message: "Text that is not constant runs in a vm context, which is no sandbox.",
      fix: "Do not run code of others in this process; use a separate one without rights.",
      cwe: "CWE-94",
      tags: ["injection"],
      find: [
        "vm.runInNewContext($CODE, $$$)",
        "vm.runInThisContext($CODE, $$$)",
        "vm.runInContext($CODE, $$$)",
        "new vm.Script($CODE, $$$)"
      ],
      where: { CODE: { constant: false } }
    },
    {
      id: "js-command",
      severity: "error",
      message: "A shell command is put together from values.",
      fix: "Use execFile or spawn with a list of arguments and no shell.",
      cwe: "CWE-78",
      tags: ["injection"],
      file: "child_process|execa|shelljs|zx",
      find: [
        "exec($CMD, $$$)",
        "execSync($CMD, $$$)",
        "$X.exec($CMD, $$$)",
        "$X.execSync($CMD, $$$)",
        "execAsync($CMD, $$$)",
        "execPromise($CMD, $$$)"
      ],
      where: {
        CMD: { built: true },
        X: {
          not: "[rR]eg|re$|[pP]attern|/|db|conn|pool|sql|client|prisma|queryRunner|redis|docker|container|ssh"
        }
      }
    },
    {
      id: "js-command-request",
      severity: "error",
      message: "Something of a request becomes a command or an argument of one.",
      fix: "Choose the command from a fixed list, and check arguments against one.",
      cwe: "CWE-78",
      tags: ["injection"],
      file: "child_process|execa|shelljs",
      find: [
        "exec($CMD, $$$)",
        "execSync($CMD, $$$)",
        "spawn($CMD, $$$)",
        "spawnSync($CMD, $$$)",
        "$X.exec($CMD, $$$)",
        "$X.spawn($CMD, $$$)",
        "$X.execSync($CMD, $$$)"
      ],
      where: { CMD: { request: true } }
    },
    {
      id: "js-spawn-shell",
      severity: "warning",
      message: "A program is started through a shell with arguments that are not constant.",
      fix: "Leave `shell` out, so that arguments are not read by a shell.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: [
        "spawn($CMD, $ARGS, $OPTIONS)",
        "spawnSync($CMD, $ARGS, $OPTIONS)",
        "execFile($CMD, $ARGS, $OPTIONS)",
        "execFileSync($CMD, $ARGS, $OPTIONS)",
        "$X.spawn($CMD, $ARGS, $OPTIONS)",
        "$X.spawnSync($CMD, $ARGS, $OPTIONS)"
      ],
      where: { OPTIONS: { text: "\\bshell:\\s*(?:true|['\"])" }, ARGS: { constant: false } }
    },
    {
      id: "js-sql-built",
      severity: "error",
      message: "An SQL statement is put together from values.",
      fix: "Use placeholders and pass the values beside the statement.",
      cwe: "CWE-89",
      tags: ["injection"],
      find: [
        "$X.query($SQL, $$$)",
        "$X.execute($SQL, $$$)",
        "$X.raw($SQL, $$$)",
        "$X.$queryRawUnsafe($SQL, $$$)",
        "$X.$executeRawUnsafe($SQL, $$$)",
        "$X.all($SQL, $$$)",
        "$X.run($SQL, $$$)",
        "$X.prepare($SQL)",
        "$X.exec($SQL)",
        "$X.unsafe($SQL, $$$)",
        "$X.whereRaw($SQL, $$$)",
        "$X.orderByRaw($SQL, $$$)"
      ],
      where: {
        SQL: {
          built: true,
          text: "(?i)\\b(?:select\\s|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table|where\\s|order\\s+by)|^\\w+$",
          // Pieces of a statement by name, numbered placeholders, and constants.
          not: "^`[^$]*(?:\\$(?:\\d|\\$\\{[^}]*\\}|\\{(?:\\[?[.\\w]*(?:[fF]ield|[sS]ets?|[cC]ol|[cC]lause|[cC]ondition|[pP]laceholder|[wW]here|[uU]pdate|[aA]ssign|[sS]ql|[tT]able|[oO]rder|[pP]arts)\\w*|\\[?[A-Z][A-Z0-9_]*\\b)[^}]*\\}|[^{\\d$])[^$]*)*`$"
        }
      },
      file: "(?i)(?:select\\s[^]{0,200}\\bfrom\\b|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table)"
    },
    {
      id: "js-nosql-request",
      severity: "error",
      message: "Something of a request is a whole query, so that a caller can send operators.",
      fix: "Take the single values out, and make sure that they are text or numbers.",
      cwe: "CWE-943",
      tags: ["injection"],
      find: [
        "$X.find($Q, $$$)",
        "$X.findOne($Q, $$$)",
        "$X.updateOne($Q, $$$)",
        "$X.updateMany($Q, $$$)",
        "$X.deleteOne($Q, $$$)",
        "$X.deleteMany($Q, $$$)",
        "$X.findOneAndUpdate($Q, $$$)",
        "$X.aggregate($Q, $$$)"
      ],
      where: { Q: { text: "^(?:req|request|ctx)\\.(?:body|query|params)$|\\$where" } }
    },
    {
      id: "js-html-assign",
      severity: "warning",
      message: "Markup is put together from values and assigned to an element.",
      fix: "Assign textContent, build elements, or clean the markup first.",
      cwe: "CWE-79",
      tags: ["xss"],
      find: ["$X.innerHTML = $VALUE", "$X.outerHTML = $VALUE", "$X.innerHTML += $VALUE"],
      where: { VALUE: { built: true, not: "(?i)sanitize|purify|escape|encode" } }
    },
    {
      id: "js-html-request",
      severity: "error",
      message: "Something a caller sends becomes markup of the page.",
      fix: "Assign textContent, or clean the markup first.",
      cwe: "CWE-79",
      tags: ["xss"],
      find: [
        "$X.innerHTML = $VALUE",
        "$X.outerHTML = $VALUE",
        "document.write($VALUE)",
        "document.writeln($VALUE)",
        "$X.insertAdjacentHTML($AT, $VALUE)"
      ],
      where: { VALUE: { request: true, not: "(?i)sanitize|purify|escape|encodeURI" } }
    },
    {
      id: "js-document-write",
      severity: "warning",
      message: "document.write is given text that is not constant.",
      fix: "Build elements and append them.",
      cwe: "CWE-79",
      tags: ["xss"],
      find: ["document.write($VALUE)", "document.writeln($VALUE)"],
      where: { VALUE: { constant: false } }
    },
    {
      id: "js-insert-html",
      severity: "warning",
      message: "Markup is put together from values and inserted.",
      fix: "Use insertAdjacentText, or clean the markup first.",
      cwe: "CWE-79",
      tags: ["xss"],
      find: ["$X.insertAdjacentHTML($AT, $VALUE)", "$X.createContextualFragment($VALUE)"],
      where: { VALUE: { built: true, not: "(?i)sanitize|purify|escape|encode" } }
    },
    {
      id: "js-react-html",
      severity: "warning",
      message: "React is told to take a value for markup.",
      fix: "Render the value as text, or clean it with a sanitizer right here.",
      cwe: "CWE-79",
      tags: ["xss"],
      words: ["dangerouslySetInnerHTML"],
      find: [
        { code: "({ dangerouslySetInnerHTML: $VALUE })", select: "pair" },
        { kind: "jsx_attribute", text: "^dangerouslySetInnerHTML" }
      ],
      not: "[sS]anitize|[pP]urify|[eE]scape|__html:\\s*(?:['\"`][^$]*['\"`]|[A-Z][A-Z0-9_]+)\\s*\\}|JSON\\.stringify"
    },
    {
      id: "js-response-html",
      severity: "error",
      message: "Something of a request is sent back as markup.",
      fix: "Escape it, send JSON, or use a template that escapes.",
      cwe: "CWE-79",
      tags: ["xss", "web"],
      find: [
        "res.send($VALUE)",
        "res.write($VALUE)",
        "res.end($VALUE)",
        "response.send($VALUE)",
        "res.status($$$).send($VALUE)",
        "c.html($VALUE)"
      ],
      where: {
        VALUE: { built: true, request: true, text: "<\\w|^\\w+$", not: "(?i)escape|encode|sanitize" }
      },
      around: "<\\w+"
    },
    {
      id: "js-open-redirect",
      severity: "warning",
      message: "A redirect leads wherever the request says.",
      fix: "Allow paths of this site only, or a list of addresses.",
      cwe: "CWE-601",
      tags: ["web"],
      find: [
        "res.redirect($URL)",
        "res.redirect($CODE, $URL)",
        "response.redirect($URL)",
        "ctx.redirect($URL)",
        "c.redirect($URL, $$$)",
        "reply.redirect($URL)"
      ],
      where: { URL: { request: true, not: "^[`'\"](?:/[^/]|https?://[^$/]+/)|^\\w*[uU]rl\\w*\\(" } },
      around_not: "new URL\\((?:c\\.)?req(?:uest)?\\.url\\)|isSafe|isLocal|[aA]llowed"
    },
    {
      id: "js-location-request",
      severity: "warning",
      message: "The page goes wherever its address says.",
      fix: "Check that the target is a path of this site; `javascript:` addresses run code.",
      cwe: "CWE-601",
      tags: ["web", "xss"],
      find: [
        "window.location = $URL",
        "window.location.href = $URL",
        "location.href = $URL",
        "document.location = $URL",
        "window.location.assign($URL)",
        "location.replace($URL)",
        "window.open($URL, $$$)"
      ],
      where: {
        URL: {
          request: true,
          not: "^[`'\"](?:/[^/]|https?://[^$/]+/|\\?|#)|^(?:window\\.)?location\\.(?:href|pathname)$|location\\.(?:pathname|origin)"
        }
      }
    },
    {
      id: "js-path-request",
      severity: "error",
      message: "A file is opened at a path that a request states.",
      fix: "Resolve the path and check that it stays within a folder, or look the name up in a list.",
      cwe: "CWE-22",
      tags: ["files"],
      find: [
        "fs.readFile($P, $$$)",
        "fs.readFileSync($P, $$$)",
        "fs.createReadStream($P, $$$)",
        "fs.writeFile($P, $$$)",
        "fs.writeFileSync($P, $$$)",
        "fs.unlink($P, $$$)",
        "fs.unlinkSync($P)",
        "readFile($P, $$$)",
        "readFileSync($P, $$$)",
        "createReadStream($P, $$$)",
        "writeFile($P, $$$)",
        "res.sendFile($P, $$$)",
        "res.download($P, $$$)",
        "fs.rm($P, $$$)",
        "fs.promises.readFile($P, $$$)",
        "fs.readdir($P, $$$)"
      ],
      where: { P: { request: true, not: "basename|sanitize|\\bsafe|normalizePath|resolveSafe" } },
      around_not: "\\.startsWith\\(|path\\.relative\\(|basename\\(|isSafe\\w*\\(|\\.test\\("
    },
    {
      id: "js-send-file-root",
      severity: "warning",
      message: "A file is sent by a name that a request states, without a root.",
      fix: "Pass `{ root }`, which keeps the path inside.",
      cwe: "CWE-22",
      tags: ["files", "web"],
      find: ["res.sendFile($P)", "response.sendFile($P)"],
      where: { P: { request: true } }
    },
    {
      id: "js-ssrf-request",
      severity: "error",
      message: "The address of an outgoing request comes from an incoming one.",
      fix: "Choose the host from a list; refuse addresses of the local network.",
      cwe: "CWE-918",
      tags: ["web"],
      find: [
        "fetch($URL, $$$)",
        "axios($URL, $$$)",
        "axios.get($URL, $$$)",
        "axios.post($URL, $$$)",
        "axios.request($URL)",
        "got($URL, $$$)",
        "got.get($URL, $$$)",
        "http.get($URL, $$$)",
        "https.get($URL, $$$)",
        "http.request($URL, $$$)",
        "https.request($URL, $$$)",
        "needle.get($URL, $$$)",
        "undici.request($URL, $$$)"
      ],
      where: {
        URL: {
          request: true,
          not: "^[`'\"](?:/|https?://[^$/'\"]+/)|^new URL\\(|[aA]llowed|[wW]hitelist|location\\.|BASE|_URL\\b|_HOST\\b"
        }
      },
      file_not: "\\bdocument\\.|\\bwindow\\."
    },
    {
      id: "js-require-dynamic",
      severity: "warning",
      message: "A module is loaded whose name comes from a request.",
      fix: "Choose the module from a fixed table.",
      cwe: "CWE-98",
      tags: ["injection"],
      find: ["require($NAME)", "import($NAME)"],
      where: { NAME: { request: true } }
    },
    {
      id: "js-regexp-request",
      severity: "warning",
      message: "A regular expression is made of what a request says, and can be made to take for ever.",
      fix: "Escape the text, or search for it without an expression.",
      cwe: "CWE-1333",
      tags: ["web"],
      find: ["new RegExp($P, $$$)", "RegExp($P, $$$)"],
      where: { P: { request: true, not: "(?i)escape" } }
    },
    {
      id: "js-regexp-backtracking",
      severity: "warning",
      message:
        "A repetition of a repetition: a text that nearly fits takes time that doubles with each character.",
      fix: "Let the inner and the outer repetition not fit the same text.",
      cwe: "CWE-1333",
      tags: [],
      words: ["+)+", "*)*", "+)*", "*)+"],
      find: { kind: "regex", text: "\\((?:\\?:)?(?:\\.|\\\\[wsdSD]|\\[[^\\]]{1,20}\\]|[a-z])[+*]\\)[+*]" }
    },
    {
      id: "js-prototype-pollution",
      severity: "warning",
      message: "Keys of a request are copied into an object by a deep merge, `__proto__` among them.",
      fix: "Check the keys against a schema first, or merge into an object without a prototype.",
      cwe: "CWE-1321",
      tags: ["injection"],
      find: [
        "_.merge($A, $SRC)",
        "_.defaultsDeep($A, $SRC)",
        "lodash.merge($A, $SRC)",
        "merge($A, $SRC)",
        "deepmerge($A, $SRC)",
        "extend(true, $A, $SRC)",
        "$.extend(true, $A, $SRC)",
        "_.set($A, $SRC, $_V)"
      ],
      where: { SRC: { request: true } }
    },
    {
      id: "js-mass-assignment",
      severity: "warning",
      message: "A record is made of a whole request body, whatever fields it has.",
      fix: "Name the fields that callers may set.",
      cwe: "CWE-915",
      tags: ["web"],
      find: [
        "$M.create(req.body)",
        "new $M(req.body)",
        "$M.update(req.body, $$$)",
        "$M.findByIdAndUpdate($ID, req.body, $$$)",
        "$M.updateOne($Q, req.body, $$$)",
        "Object.assign($U, req.body)",
        "$M.insertOne(req.body)",
        "$M.create(request.body)"
      ],
      where: { M: { not: "(?i)^(?:schema|validator|z|joi|error|url|date|request|response|buffer)$" } },
      not: "^new (?:Error|URL|Date|Buffer|Uint8Array|Map|Set)\\b"
    },
    {
      id: "js-deserialize",
      severity: "error",
      message: "A library that runs code found in data reads text that is not constant.",
      fix: "Use JSON.parse.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: [
        "serialize.unserialize($DATA)",
        "unserialize($DATA)",
        "nodeSerialize.unserialize($DATA)",
        "funcster.deepDeserialize($DATA)",
        "cryo.parse($DATA)"
      ],
      where: { DATA: { constant: false } },
      file: "node-serialize|serialize-to-js|funcster|cryo"
    },
    {
      id: "js-yaml-load",
      severity: "warning",
      message: "YAML of others is read with a schema that makes functions.",
      fix: "Use the default schema of js-yaml 4.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: ["yaml.load($DATA, $OPTIONS)", "jsyaml.load($DATA, $OPTIONS)"],
      where: { OPTIONS: { text: "DEFAULT_FULL_SCHEMA|UNSAFE|js-yaml-js-types" } }
    },
    {
      id: "js-xml-entities",
      severity: "warning",
      message: "An XML reader is told to resolve external entities.",
      fix: "Leave `noent` out.",
      cwe: "CWE-611",
      tags: ["web"],
      find: [
        "$X.parseXml($DATA, $OPTIONS)",
        "$X.parseXmlString($DATA, $OPTIONS)",
        "$X.parseXmlAsync($DATA, $OPTIONS)"
      ],
      where: { OPTIONS: { text: "noent:\\s*true|replaceEntities:\\s*true" } }
    },
    {
      id: "js-weak-hash",
      severity: "info",
      message: "A digest that is broken: two texts with the same value can be made.",
      fix: "Use sha256, and for passwords scrypt, bcrypt or argon2.",
      cwe: "CWE-328",
      tags: ["crypto"],
      find: [
        "createHash($NAME, $$$)",
        "$X.createHash($NAME, $$$)",
        "createHmac($NAME, $$$)",
        "$X.createHmac($NAME, $$$)",
        "CryptoJS.MD5($$$)",
        "CryptoJS.SHA1($$$)"
      ],
      where: { NAME: { string: "(?i)^(?:md5|sha-?1|md4|ripemd|rmd160)$" } },
      around_not: "(?i)etag|cache.?key|checksum|fingerprint|git|blob|gravatar"
    },
    {
      id: "js-password-hash",
      severity: "error",
      message: "A password is kept as a digest that is made for speed, so that many can be tried.",
      fix: "Use scrypt, bcrypt or argon2.",
      cwe: "CWE-916",
      tags: ["crypto"],
      find: [
        "createHash($N).update($X)",
        "$C.createHash($N).update($X)",
        "createHash($N).update($X).digest($$$)"
      ],
      where: { X: { text: "(?i)passw|pwd\\b|passphrase" } }
    },
    {
      id: "js-weak-cipher",
      severity: "error",
      message: "A cipher or mode that does not keep what it encrypts secret.",
      fix: "Use aes-256-gcm with a new nonce for each message.",
      cwe: "CWE-327",
      tags: ["crypto"],
      find: [
        "createCipheriv($NAME, $$$)",
        "$X.createCipheriv($NAME, $$$)",
        "createDecipheriv($NAME, $$$)",
        "$X.createDecipheriv($NAME, $$$)"
      ],
      where: { NAME: { string: "(?i)^(?:des|rc4|rc2|bf|blowfish|seed|idea)|ecb" } }
    },
    {
      id: "js-cipher-password",
      severity: "error",
      message: "createCipher makes its key by one round of MD5, without a salt.",
      fix: "Use createCipheriv with a key from scrypt.",
      cwe: "CWE-916",
      tags: ["crypto"],
      find: ["crypto.createCipher($$$)", "crypto.createDecipher($$$)", "createCipher($$$)"]
    },
    {
      id: "js-static-iv",
      severity: "warning",
      message: "A cipher is given a constant nonce.",
      fix: "Make a new one with randomBytes for each message and store it beside the result.",
      cwe: "CWE-329",
      tags: ["crypto"],
      find: ["createCipheriv($NAME, $KEY, $IV, $$$)", "$X.createCipheriv($NAME, $KEY, $IV, $$$)"],
      where: { IV: { constant: true, not: "^(?:null|undefined)$" } }
    },
    {
      id: "js-static-key",
      severity: "error",
      message: "A key is written in the source.",
      fix: "Read it from the environment or a secret store, and replace this one.",
      cwe: "CWE-321",
      tags: ["crypto", "secrets"],
      find: [
        "createCipheriv($NAME, $KEY, $$$)",
        "$X.createCipheriv($NAME, $KEY, $$$)",
        "createHmac($NAME, $KEY, $$$)",
        "$X.createHmac($NAME, $KEY, $$$)"
      ],
      where: { KEY: { constant: true, string: "^.{8,}$" } }
    },
    {
      id: "js-weak-random",
      severity: "warning",
      message: "Math.random makes something that must not be guessed.",
      fix: "Use crypto.randomUUID, randomBytes or getRandomValues.",
      cwe: "CWE-338",
      tags: ["crypto"],
      find: [
        {
          kind: "variable_declarator|assignment_expression|pair",
          text: "(?i)^['\"]?[\\w.]*(?:token|secret|passw|nonce|salt|session_?id|csrf|otp|api_?key|verification_?code|reset_?code)\\w*['\"]?\\s*(?::\\s*string\\s*)?[=:][^]{0,120}Math\\.random\\(\\)"
        }
      ],
      words: ["Math.random"],
      not: "=>|function|\\n[^]*\\n[^]*\\n"
    },
    {
      id: "js-tls-unchecked",
      severity: "error",
      message: "Certificates of the other side are not checked.",
      fix: "Leave `rejectUnauthorized` on, and trust the authority with `ca`.",
      cwe: "CWE-295",
      tags: ["tls"],
      find: [
        { code: "({ rejectUnauthorized: false })", select: "pair" },
        { code: "({ strictSSL: false })", select: "pair" },
        { code: "({ insecureSkipVerify: true })", select: "pair" },
        "process.env.NODE_TLS_REJECT_UNAUTHORIZED = $V",
        'process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = $V'
      ],
      where: { V: { text: "^[\"'`]?0[\"'`]?$" } }
    },
    {
      id: "js-tls-old",
      severity: "warning",
      message: "A version of TLS that is known to be weak is allowed.",
      fix: "Ask for TLSv1.2 at least.",
      cwe: "CWE-326",
      tags: ["tls"],
      find: [
        { code: "({ minVersion: $V })", select: "pair" },
        { code: "({ secureProtocol: $V })", select: "pair" }
      ],
      where: { V: { string: "^(?:TLSv1(?:\\.1)?|SSLv\\w+|TLSv1_method|TLSv1_1_method|SSLv\\d+_method)$" } }
    },
    {
      id: "js-jwt-none",
      severity: "error",
      message: "Tokens without a signature are accepted or made.",
      fix: "State the algorithm that is used, and nothing else.",
      cwe: "CWE-347",
      tags: ["web", "crypto"],
      find: [
        "jwt.verify($T, $K, $OPTIONS)",
        "jwt.sign($T, $K, $OPTIONS)",
        "jwt.verify($T, $K, $OPTIONS, $CB)",
        "jwt.sign($T, $K, $OPTIONS, $CB)"
      ],
      where: { OPTIONS: { text: "(?i)['\"]none['\"]" } }
    },
    {
      id: "js-jwt-decode",
      severity: "warning",
      message: "A token is read without its signature being checked.",
      fix: "Use verify; decode proves nothing about who made the token.",
      cwe: "CWE-347",
      tags: ["web", "crypto"],
      find: ["jwt.decode($T, $$$)", "jsonwebtoken.decode($T, $$$)"],
      file: "jsonwebtoken",
      around_not: "\\.verify\\("
    },
    {
      id: "js-jwt-secret",
      severity: "error",
      message: "The secret that signs tokens is written in the source.",
      fix: "Read it from the environment or a secret store, and replace this one.",
      cwe: "CWE-798",
      tags: ["secrets", "web"],
      find: ["jwt.sign($T, $K, $$$)", "jwt.verify($T, $K, $$$)", "jsonwebtoken.sign($T, $K, $$$)"],
      where: { K: { string: "^[^<]{4,}$", not: "process\\.env" } }
    },
    {
      id: "js-session-secret",
      severity: "error",
      message: "The secret that signs sessions or cookies is written in the source.",
      fix: "Read it from the environment or a secret store, and replace this one.",
      cwe: "CWE-798",
      tags: ["secrets", "web"],
      find: [
        "session($OPTIONS)",
        "cookieSession($OPTIONS)",
        "expressSession($OPTIONS)",
        "cookieParser($KEY)"
      ],
      where: {
        OPTIONS: { text: "\\b(?:secret|keys):\\s*\\[?\\s*['\"][^'\"]{3,}['\"]" },
        KEY: { string: "^.{3,}$" }
      }
    },
    {
      id: "js-cookie-flags",
      severity: "warning",
      message: "A cookie is readable by scripts, or sent without encryption.",
      fix: "Set httpOnly and secure.",
      cwe: "CWE-1004",
      tags: ["web"],
      find: [{ code: "({ httpOnly: false })", select: "pair" }],
      around: "(?i)cookie|session"
    },
    {
      id: "js-cookie-insecure",
      severity: "warning",
      message: "A cookie is sent without encryption as well.",
      fix: "Set `secure` to true wherever the site is served by HTTPS.",
      cwe: "CWE-614",
      tags: ["web"],
      find: [{ code: "({ secure: false })", select: "pair" }],
      inside: [{ kind: "arguments|pair|variable_declarator", text: "(?i)cookie|httpOnly|sameSite|session" }],
      around_not: "(?i)createTransport|smtp"
    },
    {
      id: "js-cors-any",
      severity: "warning",
      message: "Any site may send requests with the user's cookies.",
      fix: "Answer with a list of origins.",
      cwe: "CWE-942",
      tags: ["web"],
      find: ["cors($OPTIONS)", "$X.enableCors($OPTIONS)"],
      where: {
        OPTIONS: {
          text: "origin:\\s*(?:true|['\"]\\*['\"]|\\(\\w+,\\s*\\w+\\)\\s*=>\\s*\\w+\\(null,\\s*true\\))[^]*credentials:\\s*true|credentials:\\s*true[^]*origin:\\s*(?:true|['\"]\\*['\"])"
        }
      }
    },
    {
      id: "js-cors-reflect",
      severity: "warning",
      message: "The origin that asks is the origin that is allowed.",
      fix: "Compare it with a list first.",
      cwe: "CWE-942",
      tags: ["web"],
      words: ["llow-Origin", "llow-origin"],
      find: ["$X.setHeader($NAME, $V)", "$X.header($NAME, $V)", "$X.set($NAME, $V)"],
      where: {
        NAME: { string: "(?i)^access-control-allow-origin$" },
        V: { text: "headers\\.origin|headers\\[['\"]origin|\\.get\\(['\"]origin|header\\(['\"]origin" }
      },
      around_not: "(?i)allow(?:ed|list)|whitelist|includes\\(|\\.has\\("
    },
    {
      id: "js-helmet-off",
      severity: "info",
      message: "A header that protects pages is turned off.",
      fix: "State a policy that fits rather than none.",
      cwe: "CWE-693",
      tags: ["web"],
      find: [
        { code: "({ contentSecurityPolicy: false })", select: "pair" },
        { code: "({ frameguard: false })", select: "pair" },
        { code: "({ hsts: false })", select: "pair" }
      ],
      file: "helmet"
    },
    {
      id: "js-post-message-any",
      severity: "warning",
      message: "A message is sent to whatever page is in the other window.",
      fix: "Name the origin it is meant for.",
      cwe: "CWE-201",
      tags: ["web"],
      find: ["$X.postMessage($DATA, $TARGET)", "$X.postMessage($DATA, $TARGET, $_T)"],
      where: { TARGET: { string: "^\\*$" } }
    },
    {
      id: "js-electron-node",
      severity: "error",
      message: "Pages in this window may use Node, so that a script in one owns the machine.",
      fix: "Leave nodeIntegration off and contextIsolation on; talk through a preload script.",
      cwe: "CWE-250",
      tags: ["configuration"],
      find: [
        { code: "({ nodeIntegration: true })", select: "pair" },
        { code: "({ contextIsolation: false })", select: "pair" },
        { code: "({ webSecurity: false })", select: "pair" }
      ],
      inside: [{ kind: "pair|new_expression|call_expression", text: "webPreferences|BrowserWindow" }]
    },
    {
      id: "js-template-unescaped",
      severity: "warning",
      message: "A template engine is told not to escape.",
      fix: "Leave escaping on and mark the few values that are markup.",
      cwe: "CWE-79",
      tags: ["xss"],
      find: [
        { code: "({ noEscape: true })", select: "pair" },
        { code: "({ autoescape: false })", select: "pair" },
        "Mustache.escape = $_F"
      ]
    },
    {
      id: "js-template-request",
      severity: "error",
      message: "A template itself comes from a request, and templates run code.",
      fix: "Pass what callers send as values of a fixed template.",
      cwe: "CWE-1336",
      tags: ["injection"],
      find: [
        "ejs.render($T, $$$)",
        "pug.compile($T, $$$)",
        "pug.render($T, $$$)",
        "Handlebars.compile($T, $$$)",
        "_.template($T, $$$)",
        "nunjucks.renderString($T, $$$)",
        "Mustache.render($T, $$$)"
      ],
      where: { T: { request: true } }
    },
    {
      id: "js-file-mode",
      severity: "warning",
      message: "Everybody on the machine may write the file.",
      fix: "Give write permission to the owner alone.",
      cwe: "CWE-732",
      tags: ["files"],
      file: "0o?[0-7]?[0-7]?[0-7]{3}\\b",
      find: [
        "$X.chmod($P, $MODE, $$$)",
        "$X.chmodSync($P, $MODE)",
        "chmodSync($P, $MODE)",
        "chmod($P, $MODE, $$$)",
        { code: "({ mode: $MODE })", select: "pair" }
      ],
      where: {
        MODE: {
          text: "^(?:0o?|['\"]0?)[0-7]?[0-7][0-7][2367]['\"]?$"
        }
      }
    },
    {
      id: "js-timing-compare",
      severity: "info",
      message: "A secret is compared character by character, which tells by time how much is right.",
      fix: "Use crypto.timingSafeEqual.",
      cwe: "CWE-208",
      tags: ["crypto"],
      find: ["$A === $B", "$A == $B", "$A !== $B", "$A != $B"],
      where: {
        A: {
          text: "(?i)(?:^|\\.)(?:\\w*(?:signature|hmac|digest|api_?key|secret|csrf_?token))$",
          constant: false
        },
        B: {
          constant: false,
          not: "^(?:undefined|null|this\\b.*|typeof.*|true|false)$",
          kind: "identifier|member_expression|call_expression"
        }
      },
      file: "(?i)createHmac|timingSafe|webhook|x-hub-signature|authorization"
    },
    {
      id: "js-log-secret",
      severity: "warning",
      message: "A secret is written to the log.",
      fix: "Leave it out, or log that it is there.",
      cwe: "CWE-532",
      tags: ["secrets"],
      find: [
        "console.log($$$, $V)",
        "console.info($$$, $V)",
        "console.error($$$, $V)",
        "logger.info($$$, $V)",
        "logger.debug($$$, $V)",
        "console.debug($$$, $V)"
      ],
      where: {
        V: {
          text: "(?i)^(?:[\\w.]+\\.)?(?:password|passwd|secret|api_?key|access_?token|private_?key|client_?secret|auth_?token|credit_?card)$"
        }
      }
    },
    {
      id: "js-graphql-introspection",
      severity: "info",
      message: "The schema of the interface can be read by anybody.",
      fix: "Leave introspection off in production.",
      cwe: "CWE-200",
      tags: ["web", "configuration"],
      find: [{ code: "({ introspection: true })", select: "pair" }],
      file: "(?i)apollo|graphql"
    },
    {
      id: "js-url-credentials",
      severity: "error",
      message: "A user and a password are written in an address.",
      fix: "Read them from the environment or a secret store, and replace these.",
      cwe: "CWE-798",
      tags: ["secrets"],
      words: ["://"],
      find: {
        kind: "string|template_string",
        text: "^['\"`](?:https?|postgres(?:ql)?|mysql|mongodb(?:\\+srv)?|redis|amqps?|ftp|ssh)://[^:/@\\s'\"`$<{*]+:(?!(?:password|pass|pwd|secret|postgres|root|guest|admin|example|user|test|mysecretpassword|x+|\\*+|\\.+)@)[^@/\\s'\"`$<{*%]{5,}@(?!localhost|127\\.|0\\.0|example)[\\w.-]+"
      },
      secret: true
    }
  ]
}
