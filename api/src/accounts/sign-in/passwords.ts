import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../platform/runtime/app-error.ts'
import { isWeakPassword } from './rules.ts'

// OWASP's first recommendation for Argon2id.
const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, strength)

// The password of an unknown account is compared with this hash, so that the answer takes as long as for a known one.
const UNKNOWN_ACCOUNT = hashPassword('the password of no account')

/** Whether the password is correct. Takes the same time for an unknown account. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const isCorrect = await verify(stored ?? (await UNKNOWN_ACCOUNT), password)
  return isCorrect && typeof stored === 'string'
}

let commonPasswords: Promise<Set<string>> | undefined

async function readCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

/** Refuses a new password that is easy to guess. */
export async function refuseWeakPassword(password: string, email: string): Promise<void> {
  if (isWeakPassword(password, email, await (commonPasswords ??= readCommonPasswords()))) {
    throw new AppError('badInput', { fields: { password: 'Too easy to guess. Please choose another.' } })
  }
}
