import { readFileSync } from 'node:fs'
import { StartError } from './platform/runtime/start-error.ts'

/** Settings that hold a password or key. Each may come from a file, which its name with _FILE names. */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'SMTP_URL',
  'AZURE_STORAGE_CONNECTION_STRING',
  'GEOTAB_PASSWORD',
  'SECRET_KEY',
  'BACKUP_PASSPHRASE',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
] as const

type Given = Record<string, string | undefined>

function readSecret(setting: string, file: string): string {
  try {
    // Editors and `echo` end a file with a newline, which belongs to no secret.
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new StartError(`The file of the setting ${setting} cannot be read: ${(error as Error).message}.`)
  }
}

/** The settings with the secrets that files hold. */
export function withSecretFiles(given: Given): Given {
  const read: Given = {}
  for (const name of SECRET_SETTINGS) {
    const setting = `${name}_FILE`
    const file = given[setting]
    if (file === undefined) continue
    if (given[name] !== undefined) throw new StartError(`Set ${name} or ${setting}, not both.`)
    const secret = readSecret(setting, file)
    if (secret === '') throw new StartError(`The file of the setting ${setting} is empty: ${file}.`)
    read[name] = secret
  }
  return { ...given, ...read }
}
