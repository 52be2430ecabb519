/** Security rules for Python. */
import type { RuleGroup } from "../../Rule.ts"

export const group: RuleGroup = {
  family: "sast",
  languages: ["python"],
  rules: [
    {
      id: "py-eval",
      severity: "error",
      message: "Text that is not constant is run as code.",
      fix: "Use ast.literal_eval for data, or choose among functions by name.",
      cwe: "CWE-95",
      tags: ["injection"],
      find: ["eval($CODE)", "exec($CODE)", "eval($CODE, $$$)", "exec($CODE, $$$)"],
      where: { CODE: { constant: false, not: "^compile\\(" } }
    },
    {
      id: "py-command",
      severity: "error",
      message: "A command that is not constant runs through a shell.",
      fix: "Use subprocess.run with a list of arguments.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: [
        "os.system($CMD)",
        "os.popen($CMD, $$$)",
        "commands.getoutput($CMD)",
        "subprocess.getoutput($CMD)",
        "subprocess.getstatusoutput($CMD)",
        "asyncio.create_subprocess_shell($CMD, $$$)"
      ],
      where: { CMD: { constant: false } }
    },
    {
      id: "py-subprocess-shell",
      severity: "error",
      message: "A subprocess runs a command that is not constant through a shell.",
      fix: "Leave `shell=True` out and pass a list of arguments.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: [
        "subprocess.run($CMD, $$$, shell=True, $$$)",
        "subprocess.call($CMD, $$$, shell=True, $$$)",
        "subprocess.Popen($CMD, $$$, shell=True, $$$)",
        "subprocess.check_output($CMD, $$$, shell=True, $$$)",
        "subprocess.check_call($CMD, $$$, shell=True, $$$)",
        "run($CMD, $$$, shell=True, $$$)",
        "Popen($CMD, $$$, shell=True, $$$)",
        "check_output($CMD, $$$, shell=True, $$$)"
      ],
      where: { CMD: { constant: false } }
    },
    {
      id: "py-paramiko-exec",
      severity: "warning",
      message: "A command for another machine is put together from values.",
      fix: "Quote each value with shlex.quote.",
      cwe: "CWE-78",
      tags: ["injection"],
      find: "$X.exec_command($CMD, $$$)",
      where: { CMD: { built: true, not: "shlex|quote\\(" } }
    },
    {
      id: "py-sql-built",
      severity: "error",
      message: "An SQL statement is put together from values.",
      fix: "Use placeholders and pass the values beside the statement.",
      cwe: "CWE-89",
      tags: ["injection"],
      find: [
        "$X.execute($SQL, $$$)",
        "$X.executemany($SQL, $$$)",
        "$X.executescript($SQL)",
        "$X.raw($SQL, $$$)",
        "$X.fetch($SQL, $$$)",
        "$X.fetchrow($SQL, $$$)",
        "$X.read_sql($SQL, $$$)",
        "$X.extra(where=[$SQL])",
        "text($SQL)"
      ],
      where: {
        SQL: {
          built: true,
          text: "(?i)\\b(?:select\\s|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table|where\\s|order\\s+by)|^\\w+$"
        }
      },
      file: "(?i)(?:select\\s[^]{0,300}\\bfrom\\b|insert\\s+into|update\\s+\\S+\\s+set|delete\\s+from|drop\\s+table|alter\\s+table)"
    },
    {
      id: "py-django-raw",
      severity: "warning",
      message: "Django is given a piece of SQL that is put together from values.",
      fix: "Use the query API, or pass `params`.",
      cwe: "CWE-89",
      tags: ["injection"],
      find: ["RawSQL($SQL, $$$)", "$X.objects.raw($SQL, $$$)", "$X.extra($$$, select=$SQL, $$$)"],
      where: { SQL: { built: true } }
    },
    {
      id: "py-pickle",
      severity: "warning",
      message: "Unpickling runs whatever the bytes say.",
      fix: "Use JSON, or check a signature first.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: [
        "pickle.loads($DATA)",
        "pickle.load($DATA)",
        "cPickle.loads($DATA)",
        "dill.loads($DATA)",
        "dill.load($DATA)",
        "cloudpickle.loads($DATA)",
        "shelve.open($DATA, $$$)",
        "jsonpickle.decode($DATA)",
        "marshal.loads($DATA)",
        "pandas.read_pickle($DATA)",
        "pd.read_pickle($DATA)"
      ],
      where: { DATA: { constant: false, not: "^pickle\\.dumps\\(" } }
    },
    {
      id: "py-yaml-load",
      severity: "error",
      message: "yaml.load makes any object that the text names.",
      fix: "Use yaml.safe_load.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: [
        "yaml.load($DATA)",
        "yaml.load($DATA, Loader=$L)",
        "yaml.load($DATA, $L)",
        "yaml.unsafe_load($DATA)",
        "yaml.load_all($DATA)",
        "yaml.full_load($DATA)"
      ],
      where: { L: { not: "Safe|BaseLoader" }, DATA: { constant: false } }
    },
    {
      id: "py-torch-load",
      severity: "info",
      message: "torch.load unpickles, which runs whatever the file says.",
      fix: "Pass weights_only=True.",
      cwe: "CWE-502",
      tags: ["deserialization"],
      find: "torch.load($$$)",
      not: "weights_only\\s*=\\s*True"
    },
    {
      id: "py-xml-entities",
      severity: "warning",
      message: "A standard XML parser reads data of others; entities in it can fill the memory.",
      fix: "Use defusedxml.",
      cwe: "CWE-611",
      tags: ["web"],
      find: [
        "etree.parse($DATA)",
        "etree.fromstring($DATA)",
        "ET.parse($DATA)",
        "ET.fromstring($DATA)",
        "ElementTree.parse($DATA)",
        "ElementTree.fromstring($DATA)",
        "minidom.parseString($DATA)",
        "minidom.parse($DATA)",
        "xml.sax.parseString($DATA, $$$)",
        "xml.sax.parse($DATA, $$$)"
      ],
      where: { DATA: { constant: false } },
      file_not: "defusedxml",
      file: "(?:from|import)\\s+xml\\b|from xml\\."
    },
    {
      id: "py-lxml-entities",
      severity: "warning",
      message: "lxml is told to resolve entities or to load documents by network.",
      fix: "Use resolve_entities=False and no_network=True.",
      cwe: "CWE-611",
      tags: ["web"],
      find: "$X.XMLParser($$$)",
      text: "resolve_entities\\s*=\\s*True|no_network\\s*=\\s*False|load_dtd\\s*=\\s*True"
    },
    {
      id: "py-weak-hash",
      severity: "info",
      message: "A digest that is broken: two texts with the same value can be made.",
      fix: "Use sha256, and for passwords scrypt, bcrypt or argon2; say usedforsecurity=False where it is none of that.",
      cwe: "CWE-328",
      tags: ["crypto"],
      find: [
        "hashlib.md5($$$)",
        "hashlib.sha1($$$)",
        "hashlib.new($NAME, $$$)",
        "MD5.new($$$)",
        "SHA1.new($$$)",
        "hashes.MD5()",
        "hashes.SHA1()"
      ],
      where: { NAME: { string: "(?i)^(?:md5|md4|sha-?1|ripemd160)$" } },
      not: "usedforsecurity\\s*=\\s*False",
      around_not: "(?i)etag|cache_?key|checksum|fingerprint|gravatar|sha1sum|md5sum"
    },
    {
      id: "py-password-hash",
      severity: "error",
      message: "A password is kept as a digest that is made for speed, so that many can be tried.",
      fix: "Use hashlib.scrypt, bcrypt or argon2.",
      cwe: "CWE-916",
      tags: ["crypto"],
      find: ["hashlib.md5($X)", "hashlib.sha1($X)", "hashlib.sha256($X)", "hashlib.sha512($X)"],
      where: { X: { text: "(?i)passw|pwd\\b|passphrase" } }
    },
    {
      id: "py-weak-cipher",
      severity: "error",
      message: "A cipher or mode that does not keep what it encrypts secret.",
      fix: "Use AES in GCM mode, or Fernet.",
      cwe: "CWE-327",
      tags: ["crypto"],
      find: [
        "DES.new($$$)",
        "DES3.new($$$)",
        "ARC4.new($$$)",
        "ARC2.new($$$)",
        "Blowfish.new($$$)",
        "algorithms.ARC4($$$)",
        "algorithms.Blowfish($$$)",
        "algorithms.TripleDES($$$)",
        "algorithms.IDEA($$$)",
        "modes.ECB()",
        "AES.MODE_ECB"
      ]
    },
    {
      id: "py-short-key",
      severity: "warning",
      message: "The key is too short to last.",
      fix: "Use at least 2048 bits, 3072 for new keys.",
      cwe: "CWE-326",
      tags: ["crypto"],
      find: [
        "RSA.generate($BITS, $$$)",
        "DSA.generate($BITS, $$$)",
        "rsa.generate_private_key($$$, key_size=$BITS, $$$)",
        "dsa.generate_private_key($$$, key_size=$BITS, $$$)"
      ],
      where: { BITS: { text: "^(?:512|768|1024)$" } }
    },
    {
      id: "py-weak-random",
      severity: "warning",
      message: "The random module makes something that must not be guessed.",
      fix: "Use the secrets module.",
      cwe: "CWE-338",
      tags: ["crypto"],
      words: ["random."],
      find: {
        kind: "assignment|keyword_argument",
        text: "(?i)^[\\w.]*(?:token|secret|passw|nonce|salt|session_?id|csrf|otp|api_?key|reset_?code|verification)\\w*\\s*=[^]*\\brandom\\.(?:random|randint|choice|choices|randrange|sample|getrandbits)\\("
      },
      not: "SystemRandom|\\n[^]*\\n[^]*\\n[^]*\\n"
    },
    {
      id: "py-tls-unchecked",
      severity: "error",
      message: "Certificates of the other side are not checked.",
      fix: "Leave `verify` on, and name the authority's file where it is not a public one.",
      cwe: "CWE-295",
      tags: ["tls"],
      find: [
        { code: "f(verify=False)", select: "keyword_argument" },
        "ssl._create_unverified_context($$$)",
        "ssl._create_default_https_context = ssl._create_unverified_context",
        { code: "f(cert_reqs=ssl.CERT_NONE)", select: "keyword_argument" },
        { code: "f(cert_reqs='CERT_NONE')", select: "keyword_argument" },
        { code: "f(verify_ssl=False)", select: "keyword_argument" },
        "$X.verify_mode = ssl.CERT_NONE",
        "$X.check_hostname = False"
      ],
      not_inside: [{ kind: "call", text: "^(?:jwt|jose)\\." }]
    },
    {
      id: "py-tls-old",
      severity: "warning",
      message: "A version of TLS that is known to be weak is used.",
      fix: "Use ssl.create_default_context.",
      cwe: "CWE-326",
      tags: ["tls"],
      find: [
        "ssl.PROTOCOL_SSLv2",
        "ssl.PROTOCOL_SSLv3",
        "ssl.PROTOCOL_TLSv1",
        "ssl.PROTOCOL_TLSv1_1",
        "SSL.SSLv3_METHOD",
        "SSL.TLSv1_METHOD",
        "ssl.TLSVersion.TLSv1",
        "ssl.TLSVersion.SSLv3",
        "ssl.TLSVersion.TLSv1_1"
      ]
    },
    {
      id: "py-ssh-host-key",
      severity: "warning",
      message: "Whatever key an SSH server shows is accepted.",
      fix: "Load the known hosts and use RejectPolicy.",
      cwe: "CWE-295",
      tags: ["tls"],
      find: ["$X.set_missing_host_key_policy($P)"],
      where: { P: { text: "AutoAddPolicy|WarningPolicy" } }
    },
    {
      id: "py-plain-protocol",
      severity: "info",
      message: "A protocol that sends passwords as plain text.",
      fix: "Use SFTP or FTP over TLS, SSH in place of telnet, and SMTP with starttls.",
      cwe: "CWE-319",
      tags: ["tls"],
      find: ["ftplib.FTP($$$)", "telnetlib.Telnet($$$)"]
    },
    {
      id: "py-jwt-unverified",
      severity: "error",
      message: "A token is read without its signature being checked.",
      fix: "Pass the key and `algorithms`.",
      cwe: "CWE-347",
      tags: ["web", "crypto"],
      find: ["jwt.decode($$$)"],
      text: "verify\\s*=\\s*False|['\"]verify_signature['\"]\\s*:\\s*False|algorithms\\s*=\\s*\\[[^\\]]*['\"]none"
    },
    {
      id: "py-jwt-secret",
      severity: "error",
      message: "The secret that signs tokens is written in the source.",
      fix: "Read it from the environment or a secret store, and replace this one.",
      cwe: "CWE-798",
      tags: ["secrets", "web"],
      find: ["jwt.encode($P, $K, $$$)", "jwt.decode($P, $K, $$$)"],
      where: { K: { string: "^.{4,}$" } }
    },
    {
      id: "py-flask-debug",
      severity: "error",
      message: "The debugger of Flask runs code for whoever reaches the page.",
      fix: "Leave `debug` out, or set it from the environment.",
      cwe: "CWE-489",
      tags: ["web", "configuration"],
      find: ["$APP.run($$$, debug=True, $$$)", "$APP.config['DEBUG'] = True"],
      file: "(?i)flask|quart"
    },
    {
      id: "py-django-debug",
      severity: "warning",
      message: "Django's settings turn debugging on.",
      fix: "Set it from the environment.",
      cwe: "CWE-489",
      tags: ["web", "configuration"],
      find: ["DEBUG = True"],
      path: "settings(?:/\\w+)?\\.py$",
      path_not: "(?i)dev|local|test"
    },
    {
      id: "py-secret-key",
      severity: "error",
      message: "The key that signs sessions is written in the source.",
      fix: "Read it from the environment or a secret store, and replace this one.",
      cwe: "CWE-798",
      tags: ["secrets", "web"],
      find: [
        "SECRET_KEY = $K",
        "$APP.secret_key = $K",
        "$APP.config['SECRET_KEY'] = $K",
        "$APP.config['JWT_SECRET_KEY'] = $K"
      ],
      where: { K: { string: "(?i)^(?!.*(?:changeme|your|<)).{6,}$" } }
    },
    {
      id: "py-hosts-any",
      severity: "info",
      message: "Django answers for any host name.",
      fix: "Name the hosts.",
      cwe: "CWE-16",
      tags: ["web", "configuration"],
      find: "ALLOWED_HOSTS = ['*']"
    },
    {
      id: "py-cors-any",
      severity: "warning",
      message: "Any site may send requests with the user's cookies.",
      fix: "Name the origins.",
      cwe: "CWE-942",
      tags: ["web"],
      find: [
        "CORS_ALLOW_ALL_ORIGINS = True",
        "CORS_ORIGIN_ALLOW_ALL = True",
        "$APP.add_middleware(CORSMiddleware, $$$)",
        "CORS($$$)"
      ],
      not: "^(?:CORS|\\w+\\.add_middleware)\\((?![^]*(?:['\"]\\*['\"][^]*(?:allow|supports)_credentials\\s*=\\s*True|(?:allow|supports)_credentials\\s*=\\s*True[^]*['\"]\\*['\"]))"
    },
    {
      id: "py-csrf-off",
      severity: "warning",
      message: "A view takes requests that other sites make in the user's name.",
      fix: "Keep the check, or authenticate by something a browser does not send by itself.",
      cwe: "CWE-352",
      tags: ["web"],
      words: ["csrf_exempt", "WTF_CSRF_ENABLED"],
      find: [
        { kind: "decorator", text: "^@csrf_exempt\\b" },
        "WTF_CSRF_ENABLED = False",
        "$APP.config['WTF_CSRF_ENABLED'] = False"
      ]
    },
    {
      id: "py-cookie-flags",
      severity: "warning",
      message: "A cookie is readable by scripts, or sent without encryption.",
      fix: "Set secure and httponly.",
      cwe: "CWE-1004",
      tags: ["web"],
      find: [
        "$R.set_cookie($$$, httponly=False, $$$)",
        "$R.set_cookie($$$, secure=False, $$$)",
        "SESSION_COOKIE_SECURE = False",
        "SESSION_COOKIE_HTTPONLY = False",
        "CSRF_COOKIE_SECURE = False"
      ],
      path_not: "(?i)dev|local|test"
    },
    {
      id: "py-template-unescaped",
      severity: "warning",
      message: "Jinja does not escape what templates show.",
      fix: "Pass autoescape=select_autoescape().",
      cwe: "CWE-79",
      tags: ["xss"],
      find: ["jinja2.Environment($$$)", "Environment($$$)"],
      file: "jinja2",
      not: "autoescape\\s*=\\s*(?:True|select_autoescape|jinja2\\.select)",
      around: "(?i)html|request|response"
    },
    {
      id: "py-mark-safe",
      severity: "warning",
      message: "Text put together from values is declared to be safe markup.",
      fix: "Use format_html, which escapes the values.",
      cwe: "CWE-79",
      tags: ["xss"],
      find: ["mark_safe($V)", "Markup($V)", "SafeString($V)"],
      where: { V: { built: true, not: "escape" } }
    },
    {
      id: "py-template-request",
      severity: "error",
      message: "A template is put together from values, and templates run code.",
      fix: "Pass the values to a fixed template.",
      cwe: "CWE-1336",
      tags: ["injection"],
      find: ["render_template_string($T, $$$)", "Template($T).render($$$)", "$ENV.from_string($T)"],
      where: { T: { built: true } }
    },
    {
      id: "py-response-html",
      severity: "error",
      message: "Something of a request is sent back as markup.",
      fix: "Escape it, or use a template.",
      cwe: "CWE-79",
      tags: ["xss", "web"],
      find: ["return $V", "HttpResponse($V)", "make_response($V)", "HTMLResponse($V)"],
      where: { V: { built: true, request: true, text: "<\\w", not: "escape" } }
    },
    {
      id: "py-open-redirect",
      severity: "warning",
      message: "A redirect leads wherever the request says.",
      fix: "Use url_has_allowed_host_and_scheme, or allow paths of this site only.",
      cwe: "CWE-601",
      tags: ["web"],
      find: [
        "redirect($URL)",
        "HttpResponseRedirect($URL)",
        "RedirectResponse($URL)",
        "flask.redirect($URL)"
      ],
      where: { URL: { request: true, not: "^f?['\"]/(?!/)|url_for\\(|reverse\\(" } },
      around_not: "is_safe|url_has_allowed|urlparse"
    },
    {
      id: "py-path-request",
      severity: "error",
      message: "A file is opened at a path that a request states.",
      fix: "Use send_from_directory or safe_join, or look the name up in a list.",
      cwe: "CWE-22",
      tags: ["files"],
      find: [
        "open($P, $$$)",
        "send_file($P, $$$)",
        "FileResponse($P, $$$)",
        "os.remove($P)",
        "os.unlink($P)",
        "shutil.rmtree($P)",
        "Path($P).read_text()",
        "os.listdir($P)"
      ],
      where: { P: { request: true, not: "safe_join|secure_filename|basename" } },
      around_not: "secure_filename|safe_join|\\.resolve\\(|realpath|commonpath|is_relative_to"
    },
    {
      id: "py-archive-extract",
      severity: "warning",
      message: "An archive is unpacked wherever its entries say.",
      fix: 'Pass filter="data", or check each name.',
      cwe: "CWE-22",
      tags: ["files"],
      find: ["$X.extractall($$$)"],
      file: "tarfile|tar\\.",
      not: "filter\\s*=|members\\s*="
    },
    {
      id: "py-ssrf-request",
      severity: "error",
      message: "The address of an outgoing request comes from an incoming one.",
      fix: "Choose the host from a list; refuse addresses of the local network.",
      cwe: "CWE-918",
      tags: ["web"],
      find: [
        "requests.get($URL, $$$)",
        "requests.post($URL, $$$)",
        "requests.request($M, $URL, $$$)",
        "httpx.get($URL, $$$)",
        "urllib.request.urlopen($URL, $$$)",
        "urlopen($URL, $$$)",
        "$S.get($URL)",
        "aiohttp.request($M, $URL, $$$)"
      ],
      where: {
        URL: { request: true, not: "^f?['\"]https?://[^{/'\"]+/" },
        S: { text: "^(?:session|client|http)$" }
      }
    },
    {
      id: "py-tempfile-name",
      severity: "warning",
      message: "Between choosing the name and opening the file somebody else can make it.",
      fix: "Use NamedTemporaryFile or mkstemp.",
      cwe: "CWE-377",
      tags: ["files"],
      find: ["tempfile.mktemp($$$)", "os.tempnam($$$)", "os.tmpnam()"]
    },
    {
      id: "py-file-mode",
      severity: "warning",
      message: "Everybody on the machine may write the file.",
      fix: "Give write permission to the owner alone.",
      cwe: "CWE-732",
      tags: ["files"],
      find: ["os.chmod($P, $MODE)", "$X.chmod($MODE)", "os.umask($MASK)"],
      where: {
        MODE: { text: "^0o?[0-7]?[0-7][0-7][2367]$|S_IWOTH|S_IRWXO" },
        MASK: { text: "^0(?:o?0*)$" }
      }
    },
    {
      id: "py-bind-all",
      severity: "info",
      message: "The server listens on every interface.",
      fix: "Listen on 127.0.0.1 unless others are meant to reach it.",
      cwe: "CWE-668",
      tags: ["web", "configuration"],
      find: ["$X.bind(('0.0.0.0', $PORT))", "$X.bind(('', $PORT))", "$X.run($$$, host='0.0.0.0', $$$)"]
    },
    {
      id: "py-assert-check",
      severity: "info",
      message: "A permission is checked by assert, which `python -O` leaves out.",
      fix: "Raise an exception.",
      cwe: "CWE-617",
      owasp: "A04:2021",
      tags: ["web"],
      words: ["assert"],
      find: {
        kind: "assert_statement",
        text: "(?i)\\b(?:is_authenticated|is_admin|is_staff|is_superuser|has_perm\\w*|authorized|permission)\\b"
      }
    },
    {
      id: "py-import-request",
      severity: "info",
      message: "A module or attribute is chosen by what a request says.",
      fix: "Choose it from a fixed table.",
      cwe: "CWE-470",
      tags: ["injection"],
      find: ["importlib.import_module($NAME, $$$)", "__import__($NAME, $$$)", "getattr($OBJECT, $NAME)"],
      where: { NAME: { request: true } }
    },
    {
      id: "py-ldap-built",
      severity: "warning",
      message: "An LDAP filter is put together from values.",
      fix: "Escape them with escape_filter_chars.",
      cwe: "CWE-90",
      tags: ["injection"],
      find: [
        "$X.search_s($BASE, $SCOPE, $FILTER, $$$)",
        "$X.search($BASE, $FILTER, $$$)",
        "$X.search_ext($BASE, $SCOPE, $FILTER, $$$)"
      ],
      where: { FILTER: { built: true, not: "escape" } },
      file: "ldap"
    },
    {
      id: "py-xpath-built",
      severity: "warning",
      message: "An XPath expression is put together from values.",
      fix: "Pass the values as variables.",
      cwe: "CWE-643",
      tags: ["injection"],
      find: ["$X.xpath($Q)", "$X.xpath($Q, $$$)"],
      where: { Q: { built: true, request: true } }
    },
    {
      id: "py-password-default",
      severity: "warning",
      message: "A password is written in the source.",
      fix: "Read it from the environment or a secret store, and replace this one.",
      cwe: "CWE-798",
      tags: ["secrets"],
      find: [{ code: "f($NAME=$V)", select: "keyword_argument" }],
      where: {
        NAME: { text: "(?i)^(?:\\w*_)?(?:password|passwd|secret|api_key|access_token|auth_token)$" },
        V: {
          kind: "string",
          string:
            "(?i)^(?!.*(?:changeme|your|example|placeholder|password|secret|test|dummy|<|\\{|\\*\\*\\*))\\S{6,}$"
        }
      },
      not_inside: [{ kind: "call", text: "^\\w*(?:[fF]ield|Column|Form|help|argument|Query|Depends)\\b" }],
      secret: true
    },
    {
      id: "py-log-secret",
      severity: "warning",
      message: "A secret is written to the log.",
      fix: "Leave it out, or log that it is there.",
      cwe: "CWE-532",
      tags: ["secrets"],
      find: [
        "print($$$, $V)",
        "logging.info($$$, $V)",
        "logger.info($$$, $V)",
        "logger.debug($$$, $V)",
        "log.info($$$, $V)",
        "log.debug($$$, $V)"
      ],
      where: {
        V: {
          text: "(?i)^(?:[\\w.]+\\.)?(?:password|passwd|secret|api_?key|access_?token|private_?key|client_?secret|auth_?token)$"
        }
      }
    }
  ]
}
