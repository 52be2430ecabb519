/** Files that only hold secrets, and text that stands for a secret that was masked when it was read. */
import { isConfigLike } from "../files/Secrets.ts"

const secretName =
  /^(?:\.env(?:\..+)?|.+\.env|\.envrc|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.pypirc|\.dockercfg|\.dockerconfigjson|\.s3cfg|\.boto|kubeconfig|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.+\.(?:pem|key|ppk|p12|pfx|jks|keystore|kdbx|secrets?|credentials|tfstate))$/i

const exampleName = /(?:^|[._-])(?:example|sample|template|dist|schema|defaults?|tmpl|tpl)(?:[._-]|$)/i

/** Places under which a plain name is a credential store. */
const secretPath =
  /(?:^|\/)(?:\.ssh\/(?!config$|known_hosts)|\.aws\/credentials$|\.gnupg\/|\.kube\/config$|\.docker\/config\.json$)/i

/**
 * Whether a root-relative path names a store of secrets: private keys, credential files, environment files. Examples and
 * templates of them do not count.
 */
export const isSecretStore = (path: string): boolean => {
  if (secretPath.test(path)) return true
  const name = path.slice(path.lastIndexOf("/") + 1)
  return secretName.test(name) && !exampleName.test(name)
}

const marker = /\[redacted:(?:private_key|known_token|url_password|named_value)\]/

/** Whether writing this text to this path would put the mask of a secret where the secret was. */
export const writesRedaction = (path: string, text: string): boolean =>
  isConfigLike(path) && marker.test(text)
