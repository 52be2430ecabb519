/** Security rules for Java. */
import type { RuleGroup } from "../../Rule.ts"

export const group: RuleGroup = {
  family: "sast",
  languages: ["java"],
  rules: [
    {
      id: "java-command",
      severity: "error",
      message: "A command is put together from values.",
      fix: "Use ProcessBuilder with a list of arguments.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: [
        "Runtime.getRuntime().exec($CMD, $$$)",
        "$RT.exec($CMD)",
        "new ProcessBuilder($CMD)",
        "new ProcessBuilder($SH, $FLAG, $CMD)"
      ],
      where: { CMD: { built: true }, RT: { text: "(?i)runtime|^rt$" } }
    },
    {
      id: "java-command-request",
      severity: "error",
      message: "Something of a request becomes a command or an argument of one.",
      fix: "Choose the command from a fixed list, and check arguments against one.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: [
        "Runtime.getRuntime().exec($CMD, $$$)",
        "new ProcessBuilder($$$, $CMD)",
        "new ProcessBuilder($CMD)"
      ],
      where: { CMD: { request: true } }
    },
    {
      id: "java-sql-built",
      severity: "error",
      message: "An SQL statement is put together from values.",
      fix: "Use a PreparedStatement with placeholders.",
      cwe: "CWE-89",
      tags: ["injection"],
      find: [
        "$X.executeQuery($SQL)",
        "$X.executeUpdate($SQL)",
        "$X.execute($SQL)",
        "$X.prepareStatement($SQL, $$$)",
        "$X.createQuery($SQL, $$$)",
        "$X.createNativeQuery($SQL, $$$)",
        "$X.queryForObject($SQL, $$$)",
        "$X.queryForList($SQL, $$$)",
        "$X.query($SQL, $$$)",
        "$X.update($SQL, $$$)",
        "$X.addBatch($SQL)",
        "$X.createSQLQuery($SQL)"
      ],
      where: {
        SQL: {
          built: true,
          text: "(?i)\\b(?:select\\s|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table|from\\s+\\w|where\\s|order\\s+by)|^\\w+$"
        }
      },
      file: "(?i)(?:select\\s[^]{0,300}\\bfrom\\b|\\bfrom\\s+\\w+\\s+where|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table)"
    },
    {
      id: "java-deserialize",
      severity: "error",
      message: "Objects are made out of bytes, of whatever class they name.",
      fix: "Set an ObjectInputFilter, or use JSON.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: ["new ObjectInputStream($S)", "new XMLDecoder($$$)", "SerializationUtils.deserialize($D)"],
      around_not: "setObjectInputFilter|ValidatingObjectInputStream"
    },
    {
      id: "java-yaml-load",
      severity: "error",
      message: "SnakeYAML makes any class that the text names.",
      fix: "Use new Yaml(new SafeConstructor(new LoaderOptions())).",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: ["new Yaml()", "new Yaml(new Constructor($$$))"],
      file: "snakeyaml"
    },
    {
      id: "java-jackson-typing",
      severity: "error",
      message: "Jackson makes the classes that the JSON names.",
      fix: "Use activateDefaultTyping with a validator that knows the few classes, or @JsonTypeInfo by name.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      words: ["DefaultTyping", "JsonTypeInfo"],
      find: [
        "$M.enableDefaultTyping($$$)",
        "$M.activateDefaultTyping(LaissezFaireSubTypeValidator.instance, $$$)",
        { kind: "annotation", text: "^@JsonTypeInfo\\([^)]*Id\\.(?:CLASS|MINIMAL_CLASS)" }
      ]
    },
    {
      id: "java-xxe",
      severity: "error",
      message: "An XML parser reads external entities.",
      fix: 'Set the feature disallow-doctype-decl, or ACCESS_EXTERNAL_DTD to "".',
      cwe: "CWE-611",
      tags: ["web"],
      find: [
        "DocumentBuilderFactory.newInstance()",
        "SAXParserFactory.newInstance()",
        "XMLInputFactory.newInstance()",
        "XMLInputFactory.newFactory()",
        "new SAXReader()",
        "new SAXBuilder()",
        "XMLReaderFactory.createXMLReader()"
      ],
      around_not:
        "disallow-doctype-decl|external-general-entities|ACCESS_EXTERNAL_DTD|SUPPORT_DTD|IS_SUPPORTING_EXTERNAL_ENTITIES|FEATURE_SECURE_PROCESSING|setExpandEntityReferences"
    },
    {
      id: "java-weak-hash",
      severity: "info",
      message: "A digest that is broken: two texts with the same value can be made.",
      fix: "Use SHA-256, and for passwords bcrypt, scrypt or argon2.",
      cwe: "CWE-328",
      tags: ["crypto"],
      find: [
        "MessageDigest.getInstance($NAME, $$$)",
        "DigestUtils.md5Hex($X)",
        "DigestUtils.sha1Hex($X)",
        "Hashing.md5()",
        "Hashing.sha1()"
      ],
      where: { NAME: { string: "(?i)^(?:md5|md4|md2|sha-?1|sha)$" } },
      around_not: "(?i)etag|cacheKey|checksum|fingerprint|gravatar"
    },
    {
      id: "java-password-hash",
      severity: "error",
      message: "A password is kept as a digest that is made for speed, so that many can be tried.",
      fix: "Use bcrypt, scrypt or argon2.",
      cwe: "CWE-916",
      tags: ["crypto"],
      find: [
        "DigestUtils.md5Hex($X)",
        "DigestUtils.sha1Hex($X)",
        "DigestUtils.sha256Hex($X)",
        "$D.digest($X)"
      ],
      where: { X: { text: "(?i)passw|pwd\\b|passphrase" }, D: { text: "(?i)digest|^md$|sha|md5" } }
    },
    {
      id: "java-weak-cipher",
      severity: "error",
      message: "A cipher or mode that does not keep what it encrypts secret.",
      fix: "Use AES/GCM/NoPadding.",
      cwe: "CWE-327",
      tags: ["crypto"],
      find: [
        "Cipher.getInstance($NAME, $$$)",
        "KeyGenerator.getInstance($NAME, $$$)",
        "SecretKeyFactory.getInstance($NAME)"
      ],
      where: { NAME: { string: "(?i)^(?:des|desede|rc2|rc4|arcfour|blowfish)(?:/|$)|/ecb/|^aes$" } },
      not: '^(?:KeyGenerator|SecretKeyFactory)\\.getInstance\\("[aA][eE][sS]"|^KeyGenerator\\.getInstance\\("AES"'
    },
    {
      id: "java-static-iv",
      severity: "warning",
      message: "A cipher is given a constant nonce.",
      fix: "Make a new one with SecureRandom for each message.",
      cwe: "CWE-329",
      tags: ["crypto"],
      find: ["new IvParameterSpec($IV)", "new GCMParameterSpec($N, $IV)"],
      where: { IV: { text: '"\\.getBytes\\(|^new byte\\[\\d*\\]|^[A-Z][A-Z0-9_]+$' } }
    },
    {
      id: "java-static-key",
      severity: "error",
      message: "A key is written in the source.",
      fix: "Read it from the environment or a key store, and replace this one.",
      cwe: "CWE-321",
      tags: ["crypto", "secrets"],
      find: [
        "new SecretKeySpec($K, $A)",
        "Keys.hmacShaKeyFor($K)",
        "$J.setSigningKey($K)",
        "$J.signWith($A, $K)",
        "Algorithm.HMAC256($K)",
        "Algorithm.HMAC512($K)"
      ],
      where: { K: { text: '^"[^"]{4,}"(?:\\.getBytes\\([^)]*\\))?$' } }
    },
    {
      id: "java-short-key",
      severity: "warning",
      message: "The key is too short to last.",
      fix: "Use at least 2048 bits for RSA, 3072 for new keys.",
      cwe: "CWE-326",
      tags: ["crypto"],
      find: ["$G.initialize($BITS)", "$G.initialize($BITS, $R)"],
      where: { BITS: { text: "^(?:512|768|1024)$" } },
      around: "KeyPairGenerator"
    },
    {
      id: "java-weak-random",
      severity: "warning",
      message: "A random number that can be guessed is used where it must not be.",
      fix: "Use SecureRandom.",
      cwe: "CWE-338",
      tags: ["crypto"],
      find: [
        "new Random($$$)",
        "Math.random()",
        "ThreadLocalRandom.current()",
        "RandomStringUtils.randomAlphanumeric($N)"
      ],
      around: "(?i)^[^{]*(?:token|secret|passw|nonce|salt|session|csrf|otp|apikey|captcha)"
    },
    {
      id: "java-tls-unchecked",
      severity: "error",
      message: "Every certificate or host name is accepted.",
      fix: "Use the default trust manager, with a key store for authorities of your own.",
      cwe: "CWE-295",
      tags: ["tls"],
      words: [
        "checkServerTrusted",
        "SSLSession",
        "HostnameVerifier",
        "HOSTNAME_VERIFIER",
        "hostnameVerifier"
      ],
      find: [
        {
          kind: "method_declaration",
          text: "\\bcheckServerTrusted\\s*\\([^)]*\\)[^{]*\\{\\s*(?:(?://[^\\n]*|return;)\\s*)*\\}$"
        },
        {
          kind: "method_declaration",
          text: "\\bboolean verify\\s*\\(\\s*(?:final )?String \\w+,\\s*(?:final )?SSLSession \\w+\\)[^{]*\\{\\s*return true;\\s*\\}$"
        },
        "new NoopHostnameVerifier()",
        "NoopHostnameVerifier.INSTANCE",
        "SSLConnectionSocketFactory.ALLOW_ALL_HOSTNAME_VERIFIER",
        "$X.setHostnameVerifier(($H, $S) -> true)",
        "$X.hostnameVerifier(($H, $S) -> true)"
      ]
    },
    {
      id: "java-tls-old",
      severity: "warning",
      message: "A version of TLS that is known to be weak is used.",
      fix: "Use TLSv1.2 or TLSv1.3.",
      cwe: "CWE-326",
      tags: ["tls"],
      find: "SSLContext.getInstance($V)",
      where: { V: { string: "^(?:SSL|SSLv2|SSLv3|TLSv1|TLSv1\\.1)$" } }
    },
    {
      id: "java-path-request",
      severity: "error",
      message: "A file is opened at a path that a request states.",
      fix: "Normalize the path and check that it starts with the folder.",
      cwe: "CWE-22",
      tags: ["files"],
      find: [
        "new File($P)",
        "new File($DIR, $P)",
        "new FileInputStream($P)",
        "new FileOutputStream($P)",
        "Paths.get($P)",
        "Paths.get($DIR, $P)",
        "Path.of($P)",
        "Path.of($DIR, $P)",
        "new FileReader($P)",
        "new FileWriter($P)"
      ],
      where: { P: { request: true, not: "FilenameUtils\\.getName" } },
      around_not: "normalize\\(\\)|getCanonicalPath|FilenameUtils\\.getName|startsWith\\(|toRealPath"
    },
    {
      id: "java-zip-path",
      severity: "warning",
      message: "A file is made at the path an archive's entry states.",
      fix: "Normalize the path and check that it stays in the folder.",
      cwe: "CWE-22",
      tags: ["files"],
      find: ["new File($DIR, $E.getName())", "$DIR.resolve($E.getName())"],
      around: "Zip(?:Entry|InputStream|File)|TarArchive|JarEntry",
      around_not: 'normalize\\(\\)|getCanonicalPath|startsWith\\(|"\\.\\."'
    },
    {
      id: "java-ssrf-request",
      severity: "error",
      message: "The address of an outgoing request comes from an incoming one.",
      fix: "Choose the host from a list; refuse addresses of the local network.",
      cwe: "CWE-918",
      tags: ["web"],
      find: [
        "new URL($URL)",
        "URI.create($URL)",
        "$REST.getForObject($URL, $$$)",
        "$REST.getForEntity($URL, $$$)",
        "$REST.exchange($URL, $$$)"
      ],
      where: { URL: { request: true, not: '^"https?://[^/"]+/' } },
      around: "open(?:Connection|Stream)\\(|HttpClient|HttpRequest|[rR]estTemplate|WebClient"
    },
    {
      id: "java-open-redirect",
      severity: "warning",
      message: "A redirect leads wherever the request says.",
      fix: "Allow paths of this site only.",
      cwe: "CWE-601",
      tags: ["web"],
      find: ["$RES.sendRedirect($URL)", "new RedirectView($URL)", "return $URL"],
      where: {
        URL: { request: true, not: '^"/[^/"]|getContextPath|\\.getRequestURI|"redirect:/' },
        RES: { text: "(?i)res" }
      },
      text: 'sendRedirect|RedirectView|"redirect:"'
    },
    {
      id: "java-response-html",
      severity: "error",
      message: "Something of a request is written back as it came.",
      fix: "Escape it, for example with Encode.forHtml.",
      cwe: "CWE-79",
      tags: ["xss", "web"],
      find: [
        "$RES.getWriter().write($V)",
        "$RES.getWriter().println($V)",
        "$RES.getWriter().print($V)",
        "$OUT.println($V)",
        "$OUT.print($V)",
        "$OUT.write($V)"
      ],
      where: { V: { request: true, not: "(?i)encode|escape" }, OUT: { text: "^(?:out|writer|pw)$" } },
      around: "HttpServletResponse"
    },
    {
      id: "java-spel-request",
      severity: "error",
      message: "An expression of a request is evaluated.",
      fix: "Use a SimpleEvaluationContext and fixed expressions.",
      cwe: "CWE-917",
      tags: ["injection"],
      find: [
        "$P.parseExpression($E)",
        "$ENGINE.eval($E)",
        "Ognl.getValue($E, $$$)",
        "MVEL.eval($E, $$$)",
        "new GroovyShell().evaluate($E)"
      ],
      where: { E: { constant: false } },
      file: "SpelExpressionParser|ScriptEngine|ognl|mvel|GroovyShell"
    },
    {
      id: "java-reflection-request",
      severity: "warning",
      message: "A class is chosen by what a request says.",
      fix: "Choose it from a fixed table.",
      cwe: "CWE-470",
      tags: ["injection"],
      find: ["Class.forName($NAME)", "$L.loadClass($NAME)"],
      where: { NAME: { request: true } }
    },
    {
      id: "java-ldap-built",
      severity: "warning",
      message: "An LDAP filter is put together from values.",
      fix: "Use the search with arguments, or escape the values.",
      cwe: "CWE-90",
      tags: ["injection"],
      find: ["$CTX.search($BASE, $FILTER, $$$)"],
      where: { FILTER: { built: true } },
      file: "javax\\.naming|DirContext|LdapTemplate"
    },
    {
      id: "java-xpath-built",
      severity: "warning",
      message: "An XPath expression is put together from values.",
      fix: "Set the values with an XPathVariableResolver.",
      cwe: "CWE-643",
      tags: ["injection"],
      find: ["$X.compile($Q)", "$X.evaluate($Q, $$$)"],
      where: { Q: { built: true } },
      file: "javax\\.xml\\.xpath"
    },
    {
      id: "java-cookie-flags",
      severity: "warning",
      message: "A cookie is readable by scripts, or sent without encryption.",
      fix: "Set both to true.",
      cwe: "CWE-1004",
      tags: ["web"],
      find: ["$C.setHttpOnly(false)", "$C.setSecure(false)", "$C.httpOnly(false)"]
    },
    {
      id: "java-csrf-off",
      severity: "warning",
      message: "Spring's protection against requests of other sites is turned off.",
      fix: "Keep it, unless nothing a browser sends by itself authenticates.",
      cwe: "CWE-352",
      tags: ["web"],
      find: [
        "$X.csrf().disable()",
        "$X.csrf($C -> $C.disable())",
        "$X.csrf(AbstractHttpConfigurer::disable)",
        "$X.csrf(CsrfConfigurer::disable)"
      ]
    },
    {
      id: "java-cors-any",
      severity: "warning",
      message: "Any site may send requests to this service.",
      fix: "Name the origins.",
      cwe: "CWE-942",
      tags: ["web"],
      words: ["CrossOrigin", "addAllowedOrigin", "allowedOriginPatterns"],
      find: [
        { kind: "annotation", text: '^@CrossOrigin\\([^)]*"\\*"' },
        '$X.addAllowedOrigin("*")',
        '$X.allowedOriginPatterns("*")'
      ]
    },
    {
      id: "java-permit-all",
      severity: "info",
      message: "Every request is allowed without asking who sends it.",
      fix: "Allow single paths, and ask for authentication of the rest.",
      cwe: "CWE-862",
      tags: ["web"],
      find: ["$X.anyRequest().permitAll()"]
    },
    {
      id: "java-temp-file",
      severity: "info",
      message: "A file for everybody to read in the folder for temporary files.",
      fix: "Use Files.createTempFile, which only the owner can read.",
      cwe: "CWE-377",
      tags: ["files"],
      find: ["File.createTempFile($$$)"]
    },
    {
      id: "java-file-mode",
      severity: "warning",
      message: "Everybody on the machine may write the file.",
      fix: "Give write permission to the owner alone.",
      cwe: "CWE-732",
      tags: ["files"],
      find: [
        "$F.setWritable(true, false)",
        "$F.setExecutable(true, false)",
        "PosixFilePermissions.fromString($P)"
      ],
      where: { P: { string: "w.$" } }
    },
    {
      id: "java-password",
      severity: "error",
      message: "A password is written in the source.",
      fix: "Read it from the environment or a secret store, and replace this one.",
      cwe: "CWE-798",
      tags: ["secrets"],
      find: [
        "DriverManager.getConnection($URL, $USER, $PASSWORD)",
        "$DS.setPassword($PASSWORD)",
        "new PasswordAuthentication($USER, $PASSWORD)"
      ],
      where: { PASSWORD: { string: "^.{1,}$" } },
      secret: true
    },
    {
      id: "java-log-secret",
      severity: "warning",
      message: "A secret is written to the log.",
      fix: "Leave it out, or log that it is there.",
      cwe: "CWE-532",
      tags: ["secrets"],
      find: ["$L.info($$$, $V)", "$L.debug($$$, $V)", "System.out.println($V)"],
      where: {
        V: {
          text: "(?i)(?:^|\\+\\s*|\\.get)(?:password|passwd|secret|apiKey|accessToken|privateKey|clientSecret|authToken)(?:\\(\\))?$"
        },
        L: { text: "(?i)^(?:log|logger)$" }
      }
    }
  ]
}
