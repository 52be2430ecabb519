/** Keys and tokens that have a shape of their own, in any text. */
import type { RuleGroup } from "../../Rule.ts"

const common = {
  severity: "error",
  fix: "Take it out, replace it with the issuer, and read it from the environment or a secret store.",
  cwe: "CWE-798",
  tags: ["secrets"],
  secret: true
} as const

/** Keys that documents use for examples. */
const examples = "(?!\\w*(?:EXAMPLE|example|XXXX|xxxx))"

export const group: RuleGroup = {
  family: "sast",
  languages: ["*"],
  rules: [
    {
      ...common,
      id: "secret-private-key",
      message: "A private key.",
      words: ["PRIVATE KEY-----"],
      line: "-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED |PGP )?PRIVATE KEY(?: BLOCK)?-----\\s*(?:\\\\n|[A-Za-z0-9+/=:, -]{16,}|$)"
    },
    {
      ...common,
      id: "secret-aws-key",
      message: "An access key of AWS.",
      words: ["AKIA", "ASIA"],
      line: `\\b${examples}(?:AKIA|ASIA)[A-Z2-7]{16}\\b`
    },
    {
      ...common,
      id: "secret-aws-secret",
      message: "A secret key of AWS.",
      words: ["aws", "AWS"],
      ignore_case: true,
      line: `aws_?secret_?(?:access_?)?key\\W{1,6}${examples}[A-Za-z0-9/+]{40}\\b(?!\\w*EXAMPLE)`
    },
    {
      ...common,
      id: "secret-github-token",
      message: "A token of GitHub.",
      words: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
      line: `\\b(?:gh[pousr]_${examples}[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})\\b`
    },
    {
      ...common,
      id: "secret-gitlab-token",
      message: "A token of GitLab.",
      words: ["glpat-"],
      line: "\\bglpat-[A-Za-z0-9_-]{20,}\\b"
    },
    {
      ...common,
      id: "secret-slack-token",
      message: "A token or address of Slack.",
      words: ["xox", "hooks.slack.com"],
      line: `\\bxox[abeoprs]-(?:\\d{8,}-)${examples}[A-Za-z0-9-]{20,}|hooks\\.slack\\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{24}`
    },
    {
      ...common,
      id: "secret-stripe-key",
      message: "A key of Stripe that moves money.",
      words: ["sk_live_", "rk_live_"],
      line: `\\b[sr]k_live_${examples}[A-Za-z0-9]{20,}\\b`
    },
    {
      ...common,
      id: "secret-google-key",
      message: "A key of Google.",
      words: ["AIza"],
      line: `\\bAIza${examples}[A-Za-z0-9_-]{35}\\b`
    },
    {
      ...common,
      id: "secret-google-service",
      message: "The key file of a Google service account.",
      words: ["service_account"],
      line: '"type"\\s*:\\s*"service_account"',
      file: '"private_key"\\s*:\\s*"-----BEGIN'
    },
    {
      ...common,
      id: "secret-npm-token",
      message: "A token of npm.",
      words: ["npm_", "_authToken"],
      line: `\\bnpm_${examples}[A-Za-z0-9]{36}\\b|:_authToken\\s*=\\s*(?!\\$)[A-Za-z0-9-]{30,}`
    },
    {
      ...common,
      id: "secret-pypi-token",
      message: "A token of PyPI.",
      words: ["pypi-AgEI"],
      line: "\\bpypi-AgEI[A-Za-z0-9_-]{50,}"
    },
    {
      ...common,
      id: "secret-sendgrid-key",
      message: "A key of SendGrid.",
      words: ["SG."],
      line: "\\bSG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}\\b"
    },
    {
      ...common,
      id: "secret-twilio-key",
      message: "A key of Twilio.",
      words: ["twilio", "Twilio", "TWILIO"],
      line: "\\bSK[0-9a-f]{32}\\b"
    },
    {
      ...common,
      id: "secret-model-key",
      message: "A key of a model provider.",
      words: ["sk-ant-", "sk-proj-", "T3BlbkFJ"],
      line: `\\bsk-(?:ant-(?:api|admin)\\d\\d-${examples}[A-Za-z0-9_-]{80,}|(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,})`
    },
    {
      ...common,
      id: "secret-azure-storage",
      message: "The key of an Azure storage account.",
      words: ["AccountKey="],
      line: "AccountKey=(?!Eby8vdM02xNO)[A-Za-z0-9+/]{86}=="
    },
    {
      ...common,
      id: "secret-telegram-token",
      message: "A token of a Telegram bot.",
      words: [":AA"],
      line: "\\b\\d{8,10}:AA[A-Za-z0-9_-]{33}\\b"
    },
    {
      ...common,
      id: "secret-jwt",
      severity: "warning",
      message: "A signed token.",
      words: ["eyJ"],
      line: "\\beyJ[A-Za-z0-9_-]{15,}\\.eyJ[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{20,}",
      path_not: "(?i)\\.(?:md|mdx|rst|txt|html|ipynb|snap)$|doc|example|test"
    },
    {
      ...common,
      id: "secret-assigned",
      severity: "warning",
      message: "A password or key is assigned in a file of settings.",
      words: [
        "password",
        "passwd",
        "secret",
        "token",
        "api_key",
        "apikey",
        "PASSWORD",
        "SECRET",
        "TOKEN",
        "API_KEY"
      ],
      path: "(?:^|/)(?:\\.env(?:\\.\\w+)?|[^/]*\\.(?:properties|ini|cfg|conf|tfvars))$",
      path_not: "example|sample|template|test|\\.dist$|docs?/",
      line: "^\\s*(?:export\\s+)?[\\w.-]*(?:password|passwd|secret|api[_-]?key|access[_-]?token|auth[_-]?token)[\\w-]*\\s*[=:]\\s*[\"']?(?!\\s*$)(?![\"']?(?:\\$|<|%|\\{|your|change|example|xxx|\\*|true|false|none|null|todo|test|dummy|placeholder|env:))[^\\s\"'#$<{]{8,}",
      ignore_case: true
    }
  ]
}
