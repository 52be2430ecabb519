/** Security rules for C#. */
import type { RuleGroup } from "../../Rule.ts"

export const group: RuleGroup = {
  family: "sast",
  languages: ["csharp"],
  rules: [
    {
      id: "cs-command",
      severity: "error",
      message: "A command or its arguments are put together from values.",
      fix: "Use ProcessStartInfo.ArgumentList, and no shell.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: [
        "Process.Start($CMD)",
        "Process.Start($EXE, $CMD)",
        "new ProcessStartInfo($EXE, $CMD)",
        "$P.Arguments = $CMD"
      ],
      where: { CMD: { built: true }, P: { text: "(?i)info|psi|process" } }
    },
    {
      id: "cs-sql-built",
      severity: "error",
      message: "An SQL statement is put together from values.",
      fix: "Use parameters.",
      cwe: "CWE-89",
      tags: ["injection"],
      find: [
        "new SqlCommand($SQL, $$$)",
        "new SqlCommand($SQL)",
        "new NpgsqlCommand($SQL, $$$)",
        "new MySqlCommand($SQL, $$$)",
        "new SqliteCommand($SQL, $$$)",
        "new OracleCommand($SQL, $$$)",
        "$X.CommandText = $SQL",
        "$X.ExecuteSqlRaw($SQL, $$$)",
        "$X.FromSqlRaw($SQL, $$$)",
        "$X.Query($SQL, $$$)",
        "$X.Execute($SQL, $$$)",
        "new SqlDataAdapter($SQL, $$$)"
      ],
      where: {
        SQL: {
          built: true,
          text: "(?i)\\b(?:select\\s|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table|where\\s|order\\s+by|exec\\s)|^\\w+$"
        }
      },
      file: "(?i)(?:select\\s[^]{0,300}\\bfrom\\b|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table|exec\\s)"
    },
    {
      id: "cs-deserialize",
      severity: "error",
      message: "A formatter that makes whatever types the bytes name.",
      fix: "Use System.Text.Json, or DataContractSerializer with known types.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: [
        "new BinaryFormatter()",
        "new NetDataContractSerializer()",
        "new SoapFormatter()",
        "new LosFormatter()",
        "new ObjectStateFormatter()",
        "new JavaScriptSerializer(new SimpleTypeResolver())"
      ]
    },
    {
      id: "cs-json-typing",
      severity: "error",
      message: "Json.NET makes the types that the text names.",
      fix: "Leave TypeNameHandling at None.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: [
        "TypeNameHandling.All",
        "TypeNameHandling.Auto",
        "TypeNameHandling.Objects",
        "TypeNameHandling.Arrays"
      ]
    },
    {
      id: "cs-xxe",
      severity: "error",
      message: "An XML reader resolves external entities.",
      fix: "Use DtdProcessing.Prohibit and no resolver.",
      cwe: "CWE-611",
      tags: ["web"],
      find: ["$X.XmlResolver = new XmlUrlResolver()", "DtdProcessing.Parse", "$X.ProhibitDtd = false"]
    },
    {
      id: "cs-weak-hash",
      severity: "info",
      message: "A digest that is broken: two texts with the same value can be made.",
      fix: "Use SHA256, and for passwords Rfc2898DeriveBytes or a library for argon2.",
      cwe: "CWE-328",
      tags: ["crypto"],
      find: [
        "MD5.Create($$$)",
        "SHA1.Create($$$)",
        "new MD5CryptoServiceProvider()",
        "new SHA1CryptoServiceProvider()",
        "new SHA1Managed()",
        "MD5.HashData($X)",
        "SHA1.HashData($X)",
        "new HMACMD5($$$)",
        "new HMACSHA1($$$)"
      ],
      around_not: "(?i)etag|cacheKey|checksum|fingerprint|gravatar"
    },
    {
      id: "cs-password-hash",
      severity: "error",
      message: "A password is kept as a digest that is made for speed, so that many can be tried.",
      fix: "Use Rfc2898DeriveBytes.Pbkdf2, or a library for argon2.",
      cwe: "CWE-916",
      tags: ["crypto"],
      find: ["MD5.HashData($X)", "SHA1.HashData($X)", "SHA256.HashData($X)", "$H.ComputeHash($X)"],
      where: { X: { text: "(?i)passw|pwd\\b|passphrase" } }
    },
    {
      id: "cs-weak-cipher",
      severity: "error",
      message: "A cipher or mode that does not keep what it encrypts secret.",
      fix: "Use AesGcm.",
      cwe: "CWE-327",
      tags: ["crypto"],
      find: [
        "DES.Create($$$)",
        "TripleDES.Create($$$)",
        "RC2.Create($$$)",
        "new DESCryptoServiceProvider()",
        "new TripleDESCryptoServiceProvider()",
        "new RC2CryptoServiceProvider()",
        "CipherMode.ECB"
      ]
    },
    {
      id: "cs-weak-random",
      severity: "warning",
      message: "System.Random makes something that must not be guessed.",
      fix: "Use RandomNumberGenerator.",
      cwe: "CWE-338",
      tags: ["crypto"],
      find: ["new Random($$$)", "Random.Shared"],
      around: "(?i)^[^{]*(?:token|secret|passw|nonce|salt|session|csrf|otp|apikey)"
    },
    {
      id: "cs-tls-unchecked",
      severity: "error",
      message: "Every certificate is accepted.",
      fix: "Leave the callback out, or compare the certificate with one you know.",
      cwe: "CWE-295",
      tags: ["tls"],
      find: [
        "$X.ServerCertificateCustomValidationCallback = $F",
        "$X.ServerCertificateValidationCallback = $F",
        "$X.ServerCertificateValidationCallback += $F",
        "HttpClientHandler.DangerousAcceptAnyServerCertificateValidator",
        "$X.CheckCertificateRevocationList = false"
      ],
      where: { F: { text: "=>\\s*(?:\\{\\s*return\\s+)?true|DangerousAcceptAny|return true;?\\s*\\}" } }
    },
    {
      id: "cs-tls-old",
      severity: "warning",
      message: "A version of TLS that is known to be weak is used.",
      fix: "Leave the choice to the system, or use Tls12 and Tls13.",
      cwe: "CWE-326",
      tags: ["tls"],
      find: [
        "SecurityProtocolType.Ssl3",
        "SecurityProtocolType.Tls",
        "SecurityProtocolType.Tls11",
        "SslProtocols.Ssl3",
        "SslProtocols.Tls",
        "SslProtocols.Tls11",
        "SslProtocols.Ssl2"
      ]
    },
    {
      id: "cs-path-request",
      severity: "error",
      message: "A file is opened at a path that a request states.",
      fix: "Use Path.GetFileName, or check that the full path starts with the folder.",
      cwe: "CWE-22",
      tags: ["files"],
      find: [
        "File.ReadAllText($P)",
        "File.ReadAllBytes($P)",
        "File.OpenRead($P)",
        "File.Open($P, $$$)",
        "File.WriteAllText($P, $D)",
        "File.Delete($P)",
        "new FileStream($P, $$$)",
        "new StreamReader($P)",
        "PhysicalFile($P, $T)"
      ],
      where: { P: { request: true, not: "GetFileName\\(" } },
      around_not: "GetFileName\\(|GetFullPath\\(|StartsWith\\("
    },
    {
      id: "cs-open-redirect",
      severity: "warning",
      message: "A redirect leads wherever the request says.",
      fix: "Use LocalRedirect, or check with Url.IsLocalUrl.",
      cwe: "CWE-601",
      tags: ["web"],
      find: ["Redirect($URL)", "Response.Redirect($URL)", "RedirectPermanent($URL)"],
      where: { URL: { request: true } },
      around_not: "IsLocalUrl"
    },
    {
      id: "cs-ssrf-request",
      severity: "error",
      message: "The address of an outgoing request comes from an incoming one.",
      fix: "Choose the host from a list; refuse addresses of the local network.",
      cwe: "CWE-918",
      tags: ["web"],
      find: [
        "$C.GetAsync($URL)",
        "$C.GetStringAsync($URL)",
        "$C.GetByteArrayAsync($URL)",
        "$C.PostAsync($URL, $B)",
        "WebRequest.Create($URL)",
        "$C.DownloadString($URL)"
      ],
      where: { URL: { request: true, not: '^\\$?"https?://[^{/"]+/' } }
    },
    {
      id: "cs-html-raw",
      severity: "warning",
      message: "A value that is not constant is declared to be safe markup.",
      fix: "Let Razor escape it.",
      cwe: "CWE-79",
      tags: ["xss"],
      find: ["Html.Raw($V)", "new HtmlString($V)", "new MarkupString($V)"],
      where: { V: { constant: false, not: "(?i)sanitiz|encode|markdown" } }
    },
    {
      id: "cs-response-html",
      severity: "error",
      message: "Something of a request is written back as it came.",
      fix: "Escape it with HtmlEncoder.",
      cwe: "CWE-79",
      tags: ["xss", "web"],
      find: ["Response.Write($V)", 'Content($V, "text/html")', "$C.Response.WriteAsync($V)"],
      where: { V: { request: true, not: "(?i)encode" } }
    },
    {
      id: "cs-request-validation",
      severity: "warning",
      message: "The check of requests for markup is turned off.",
      fix: "Leave it on, or allow markup for the one field that needs it.",
      cwe: "CWE-20",
      tags: ["web"],
      words: ["ValidateInput", "RequestValidation"],
      find: { kind: "attribute", text: "^ValidateInput\\(false\\)|^RequestValidation\\(false\\)" }
    },
    {
      id: "cs-csrf-off",
      severity: "warning",
      message: "The check against requests of other sites is turned off.",
      fix: "Keep it, unless nothing a browser sends by itself authenticates.",
      cwe: "CWE-352",
      tags: ["web"],
      words: ["IgnoreAntiforgeryToken"],
      find: { kind: "attribute", text: "^IgnoreAntiforgeryToken" }
    },
    {
      id: "cs-cookie-flags",
      severity: "warning",
      message: "A cookie is readable by scripts, or sent without encryption.",
      fix: "Set both to true.",
      cwe: "CWE-1004",
      tags: ["web"],
      find: [
        "$C.HttpOnly = false",
        "$C.Secure = false",
        "HttpOnly = false",
        "Secure = false",
        "$C.Cookie.SecurePolicy = CookieSecurePolicy.None"
      ],
      around: "(?i)cookie"
    },
    {
      id: "cs-cors-any",
      severity: "warning",
      message: "Any site may send requests to this service.",
      fix: "Name the origins.",
      cwe: "CWE-942",
      tags: ["web"],
      find: [
        "$X.AllowAnyOrigin()",
        '$X.WithOrigins("*")',
        "$X.SetIsOriginAllowed($F -> true)",
        "$X.SetIsOriginAllowed($F => true)"
      ]
    },
    {
      id: "cs-jwt-unchecked",
      severity: "error",
      message: "A part of the check of tokens is turned off.",
      fix: "Leave the checks on.",
      cwe: "CWE-347",
      tags: ["web", "crypto"],
      find: [
        "ValidateIssuerSigningKey = false",
        "RequireSignedTokens = false",
        "ValidateLifetime = false",
        "RequireExpirationTime = false",
        "ValidateAudience = false"
      ],
      file: "TokenValidationParameters"
    },
    {
      id: "cs-static-key",
      severity: "error",
      message: "A key is written in the source.",
      fix: "Read it from the configuration or a key store, and replace this one.",
      cwe: "CWE-321",
      tags: ["crypto", "secrets"],
      find: ["new SymmetricSecurityKey($K)", "new HMACSHA256($K)", "new HMACSHA512($K)", "$A.Key = $K"],
      where: { K: { text: 'GetBytes\\(\\s*"[^"]{4,}"\\s*\\)|FromBase64String\\("' } },
      secret: true
    },
    {
      id: "cs-connection-password",
      severity: "error",
      message: "A password is written in a connection string.",
      fix: "Read it from the configuration or a secret store, and replace this one.",
      cwe: "CWE-798",
      tags: ["secrets"],
      words: ["assword=", "Pwd=", "pwd="],
      find: {
        kind: "string_literal|verbatim_string_literal",
        text: '(?i)(?:server|data source|host)\\s*=[^;]+;[^]*(?:password|pwd)\\s*=\\s*(?!\\s*[;"{]|\\*|<)[^;"{]{3,}'
      },
      secret: true
    },
    {
      id: "cs-ldap-built",
      severity: "warning",
      message: "An LDAP filter is put together from values.",
      fix: "Escape the values.",
      cwe: "CWE-90",
      tags: ["injection"],
      find: ["new DirectorySearcher($$$, $F)", "$S.Filter = $F"],
      where: { F: { built: true } },
      file: "DirectorySearcher|DirectoryEntry"
    },
    {
      id: "cs-xpath-built",
      severity: "warning",
      message: "An XPath expression is put together from values.",
      fix: "Compile a fixed one and give it the values as variables.",
      cwe: "CWE-643",
      tags: ["injection"],
      find: ["$X.SelectNodes($Q)", "$X.SelectSingleNode($Q)", "$X.XPathSelectElement($Q)", "$X.Evaluate($Q)"],
      where: { Q: { built: true } }
    },
    {
      id: "cs-script-eval",
      severity: "error",
      message: "Text that is not constant is compiled and run.",
      fix: "Choose among methods by name.",
      cwe: "CWE-94",
      tags: ["injection"],
      find: [
        "CSharpScript.EvaluateAsync($C, $$$)",
        "CSharpScript.RunAsync($C, $$$)",
        "$P.CompileAssemblyFromSource($O, $C)"
      ],
      where: { C: { constant: false } }
    },
    {
      id: "cs-debug-page",
      severity: "info",
      message: "Pages with the source and the stack of errors are shown to everybody.",
      fix: "Show them in development only.",
      cwe: "CWE-489",
      tags: ["configuration"],
      find: ["$APP.UseDeveloperExceptionPage()"],
      around_not: "IsDevelopment\\("
    }
  ]
}
