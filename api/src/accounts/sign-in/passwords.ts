import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../platform/runtime/app-error.ts'

// OWASP's first choice for Argon2id.
const strength = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, strength)

// What an unknown account's password is compared with, so that the answer takes as long as for a known one.
const NOBODY = hashPassword('nobody has this password')

/** Whether the password is the right one; takes the same time when there is no such account. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const right = await verify(stored ?? (await NOBODY), password)
  return right && typeof stored === 'string'
}

let common: Promise<Set<string>> | undefined

async function readCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

/** Refuses a new password that is among the commonest, or is the account's own email address. */
export async function refuseWeakPassword(password: string, email: string): Promise<void> {
  const lower = password.toLowerCase()
  const isCommon = (await (common ??= readCommon())).has(lower)
  if (isCommon || lower === email.toLowerCase()) {
    throw new AppError('badInput', { fields: { password: 'Too easy to guess. Please choose another.' } })
  }
}
