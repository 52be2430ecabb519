/** Security rules for files of settings: images, clusters, pipelines, infrastructure, shells. */
import type { RuleGroup } from "../../Rule.ts"

const tags = ["configuration"]

const dockerfile: RuleGroup = {
  family: "sast",
  languages: ["dockerfile"],
  rules: [
    {
      id: "docker-root",
      severity: "warning",
      message: "The container is told to run as root.",
      fix: "Name a user without rights.",
      cwe: "CWE-250",
      tags,
      line: "^USER\\s+(?:root|0)(?::\\w+)?\\s*$"
    },
    {
      id: "docker-latest",
      severity: "info",
      message: "The base image is whatever is newest.",
      fix: "Name a version, best by digest.",
      cwe: "CWE-829",
      tags,
      line: "^FROM\\s+(?:--\\S+\\s+)?[\\w./-]+:latest\\b"
    },
    {
      id: "docker-secret",
      severity: "error",
      message: "A secret becomes a part of the image.",
      fix: "Use a build secret, or set it when the container starts.",
      cwe: "CWE-798",
      tags: ["configuration", "secrets"],
      line: "^(?:ENV|ARG)\\s+\\w*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_KEY)\\w*(?:=|\\s+)[\"']?(?![$\"'\\s])(?!changeme|<)[^\\s\"']{4,}",
      secret: true
    },
    {
      id: "docker-remote-add",
      severity: "warning",
      message: "A file is taken from the network without a check of what it is.",
      fix: "Use ADD with --checksum, or check a digest.",
      cwe: "CWE-494",
      tags,
      line: "^ADD\\s+(?!--checksum)https?://"
    },
    {
      id: "docker-pipe-shell",
      severity: "warning",
      message: "What a server sends runs at once.",
      fix: "Download it, check a digest, then run it.",
      cwe: "CWE-494",
      tags,
      line: "\\b(?:curl|wget)\\b[^|\\n]*\\|\\s*(?:sudo\\s+)?(?:ba|z|da)?sh\\b"
    },
    {
      id: "docker-unchecked-download",
      severity: "warning",
      message: "A download does not check who answers.",
      fix: "Leave the check of certificates on.",
      cwe: "CWE-295",
      tags: ["configuration", "tls"],
      line: "\\bcurl\\b[^\\n|&;]*\\s(?:-k\\b|--insecure\\b)|\\bwget\\b[^\\n|&;]*--no-check-certificate|--trusted-host\\b|strict-ssl\\s+false"
    },
    {
      id: "docker-sudo",
      severity: "info",
      message: "The image can give rights back to a user that gave them up.",
      fix: "Leave sudo out of the image.",
      cwe: "CWE-250",
      tags,
      line: "^RUN\\s+sudo\\s"
    },
    {
      id: "docker-chmod-all",
      severity: "warning",
      message: "Everybody in the container may write the files.",
      fix: "Give write permission to the user that needs it.",
      cwe: "CWE-732",
      tags: ["configuration", "files"],
      line: "\\bchmod\\s+(?:-R\\s+)?(?:0?777|a\\+rwx)\\b"
    }
  ]
}

const yaml: RuleGroup = {
  family: "sast",
  languages: ["yaml"],
  rules: [
    {
      id: "k8s-privileged",
      severity: "error",
      message: "A container has all rights of the machine.",
      fix: "Leave privileged out, and add the single capabilities it needs.",
      cwe: "CWE-250",
      tags,
      line: "^\\s*(?:-\\s*)?privileged:\\s*true\\b"
    },
    {
      id: "k8s-host",
      severity: "warning",
      message: "A pod shares the network, the processes or the memory of the machine.",
      fix: "Leave it out.",
      cwe: "CWE-250",
      tags,
      line: "^\\s*host(?:Network|PID|IPC):\\s*true\\b"
    },
    {
      id: "k8s-escalation",
      severity: "warning",
      message: "A process in the container may get more rights than it began with.",
      fix: "Set allowPrivilegeEscalation to false.",
      cwe: "CWE-269",
      tags,
      line: "^\\s*allowPrivilegeEscalation:\\s*true\\b"
    },
    {
      id: "k8s-run-as-root",
      severity: "warning",
      message: "A container runs as root.",
      fix: "Set runAsNonRoot, and a user.",
      cwe: "CWE-250",
      tags,
      line: "^\\s*(?:runAsUser:\\s*0\\b|runAsNonRoot:\\s*false\\b)"
    },
    {
      id: "k8s-docker-socket",
      severity: "error",
      message: "A container can start any other one, as root of the machine.",
      fix: "Leave the socket out.",
      cwe: "CWE-250",
      tags,
      line: "/var/run/docker\\.sock"
    },
    {
      id: "k8s-capabilities",
      severity: "warning",
      message: "A container gets a capability that is nearly root.",
      fix: "Add only what it needs.",
      cwe: "CWE-250",
      tags,
      line: "^\\s*-\\s*[\"']?(?:CAP_)?(?:SYS_ADMIN|ALL|NET_ADMIN|SYS_PTRACE|SYS_MODULE)[\"']?\\s*$",
      file: "(?:add|cap_add):\\s*(?:\\n|\\[)"
    },
    {
      id: "k8s-wildcard-role",
      severity: "warning",
      message: "A role may do everything to everything.",
      fix: "Name the resources and the verbs.",
      cwe: "CWE-269",
      tags,
      line: "^\\s*-?\\s*(?:verbs|resources):\\s*\\[\\s*[\"']\\*[\"']\\s*\\]",
      file: "kind:\\s*(?:Cluster)?Role\\b"
    },
    {
      id: "actions-injection",
      severity: "error",
      message: "What somebody writes in a title or a branch name becomes a part of the script.",
      fix: "Put it into an environment variable and use that in the script.",
      cwe: "CWE-78",
      tags: ["configuration", "injection"],
      path: "\\.github/(?:workflows|actions)/",
      line: "^(?!\\s*(?:-\\s*)?(?:if|name|[A-Z_]+|\\w+-\\w+|ref|title|body|key|group|run-name):\\s).*\\$\\{\\{\\s*github\\.(?:event\\.(?:issue\\.title|issue\\.body|pull_request\\.title|pull_request\\.body|pull_request\\.head\\.ref|comment\\.body|review\\.body|head_commit\\.message|discussion\\.\\w+)|head_ref)\\s*\\}\\}"
    },
    {
      id: "actions-target-checkout",
      severity: "error",
      message: "Code of a stranger's pull request runs with the secrets of this repository.",
      fix: "Use the pull_request event, or do not check that code out.",
      cwe: "CWE-829",
      tags,
      path: "\\.github/workflows/",
      file: "pull_request_target",
      line: "^\\s*ref:\\s*\\$\\{\\{\\s*github\\.(?:event\\.pull_request\\.head\\.(?:sha|ref)|head_ref)"
    },
    {
      id: "actions-unpinned",
      severity: "info",
      message: "A step of somebody else is taken by a name that can be moved.",
      fix: "Name it by commit.",
      cwe: "CWE-829",
      tags,
      path: "\\.github/(?:workflows|actions)/",
      line: "^\\s*(?:-\\s*)?uses:\\s*[\"']?(?!actions/|github/|\\./|docker://)[\\w.-]+/[\\w./-]+@(?![0-9a-f]{40}\\b)[\\w.-]+"
    },
    {
      id: "actions-write-all",
      severity: "warning",
      message: "The token of the workflow may write everything.",
      fix: "Name the permissions that are needed.",
      cwe: "CWE-269",
      tags,
      path: "\\.github/workflows/",
      line: "^\\s*permissions:\\s*write-all\\b"
    },
    {
      id: "compose-secret",
      severity: "warning",
      message: "A password is written in a file of settings.",
      fix: "Use a secret, or a variable of the environment.",
      cwe: "CWE-798",
      tags: ["configuration", "secrets"],
      path_not: "(?i)test|example|sample|dev|local|\\.github/|ci",
      line: "^\\s*-?\\s*[\"']?[A-Z_]*(?:PASSWORD|SECRET_KEY|API_KEY|AUTH_TOKEN|ACCESS_KEY)[\"']?\\s*[:=]\\s*[\"']?(?!\\s*$)(?![\"']?(?:\\$|<|\\{|!|\\*|true|false|null|none|password|secret|changeme|change_me|example|postgres|root|admin|your))[A-Za-z0-9+/_@!%^&.-]{6,}[\"']?\\s*$",
      secret: true
    }
  ]
}

const terraform: RuleGroup = {
  family: "sast",
  languages: ["terraform"],
  rules: [
    {
      id: "tf-open-ingress",
      severity: "warning",
      message: "The whole internet may connect.",
      fix: "Name the networks that need to.",
      cwe: "CWE-284",
      tags,
      line: '^\\s*(?:cidr_blocks|source_ranges|source_address_prefix)\\s*=\\s*\\[?\\s*"(?:0\\.0\\.0\\.0/0|\\*|::/0)"',
      file: 'ingress|direction\\s*=\\s*"?[iI]n|google_compute_firewall|type\\s*=\\s*"ingress"'
    },
    {
      id: "tf-public-bucket",
      severity: "error",
      message: "Everybody may read or write the bucket.",
      fix: "Use private, and grant single readers.",
      cwe: "CWE-732",
      tags,
      line: '^\\s*acl\\s*=\\s*"public-read(?:-write)?"|^\\s*(?:block_public_acls|block_public_policy|restrict_public_buckets)\\s*=\\s*false|"allUsers"'
    },
    {
      id: "tf-unencrypted",
      severity: "warning",
      message: "What is stored is not encrypted.",
      fix: "Turn encryption on.",
      cwe: "CWE-311",
      tags,
      line: "^\\s*(?:storage_encrypted|encrypted|encryption_at_rest_enabled|kms_encrypted|enable_https_traffic_only)\\s*=\\s*false\\b"
    },
    {
      id: "tf-public-database",
      severity: "error",
      message: "The database can be reached from the internet.",
      fix: "Set it to false.",
      cwe: "CWE-284",
      tags,
      line: "^\\s*(?:publicly_accessible|public_network_access_enabled)\\s*=\\s*true\\b"
    },
    {
      id: "tf-wildcard-policy",
      severity: "warning",
      message: "A policy allows every action.",
      fix: "Name the actions.",
      cwe: "CWE-269",
      tags,
      line: '^\\s*"?(?:Action|actions)"?\\s*[:=]\\s*\\[?\\s*"\\*"'
    },
    {
      id: "tf-secret",
      severity: "error",
      message: "A password is written in the infrastructure's source.",
      fix: "Use a variable that is marked sensitive, or a secret store.",
      cwe: "CWE-798",
      tags: ["configuration", "secrets"],
      line: '^\\s*(?:\\w*_)?(?:password|secret|secret_key|api_key|access_key|auth_token)\\s*=\\s*"(?!\\$\\{|<|changeme|your|var\\.)[^"$]{6,}"',
      secret: true
    },
    {
      id: "tf-skip-verify",
      severity: "warning",
      message: "A provider does not check who answers.",
      fix: "Leave the check of certificates on.",
      cwe: "CWE-295",
      tags: ["configuration", "tls"],
      line: "^\\s*(?:insecure|skip_tls_verify|insecure_skip_verify|skip_cert_verification)\\s*=\\s*true\\b"
    }
  ]
}

const bash: RuleGroup = {
  family: "sast",
  languages: ["bash"],
  rules: [
    {
      id: "sh-eval",
      severity: "warning",
      message: "Text that is not constant is run as code.",
      fix: "Use an array for the command.",
      cwe: "CWE-95",
      tags: ["injection"],
      line: '^\\s*eval\\s+["\']?(?!"?\\$\\((?:ssh-agent|\\S*brew|direnv|pyenv|rbenv|nodenv|opam|starship|zoxide|dircolors|minikube|docker-machine)\\b)[^#\\n]*\\$'
    },
    {
      id: "sh-pipe-shell",
      severity: "warning",
      message: "What a server sends runs at once.",
      fix: "Download it, check a digest, then run it.",
      cwe: "CWE-494",
      tags: ["configuration"],
      line: "^[^#\\n\"']*\\b(?:curl|wget)\\b[^|\\n]*\\|\\s*(?:sudo\\s+)?(?:-E\\s+)?(?:ba|z|da)?sh\\b"
    },
    {
      id: "sh-unchecked-download",
      severity: "warning",
      message: "A download does not check who answers.",
      fix: "Leave the check of certificates on.",
      cwe: "CWE-295",
      tags: ["tls"],
      line: "^[^#\\n]*(?:\\bcurl\\b[^\\n|&;]*\\s(?:-\\w*k\\b|--insecure\\b)|\\bwget\\b[^\\n|&;]*--no-check-certificate|StrictHostKeyChecking[= ]no)"
    },
    {
      id: "sh-chmod-all",
      severity: "warning",
      message: "Everybody on the machine may write the files.",
      fix: "Give write permission to the owner alone.",
      cwe: "CWE-732",
      tags: ["files"],
      line: "^[^#\\n]*\\bchmod\\s+(?:-R\\s+)?(?:0?777|a\\+rwx|ugo\\+rwx)\\b"
    },
    {
      id: "sh-temp-name",
      severity: "info",
      message: "A file of a name that can be guessed in the folder for temporary files.",
      fix: "Use mktemp.",
      cwe: "CWE-377",
      tags: ["files"],
      line: "^[^#\\n]*(?:>|tee\\s+|=)\\s*[\"']?/tmp/[\\w.-]*\\$\\$"
    }
  ]
}

export const groups: ReadonlyArray<RuleGroup> = [bash, dockerfile, terraform, yaml]
