import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../platform/runtime/app-error.ts'
import { formsToMeasure, MIN_SCORE, ownWordsOf } from './rules.ts'
import { measureStrength } from './strength.ts'

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

interface PasswordOwner {
  name: string
  email: string
  /** The hash of the current password; null before the first one. */
  password_hash: string | null
}

const refusePassword = (password: string) => new AppError('badInput', { fields: { password } })

/** Refuses a new password that is easy to guess for someone who knows its owner, and the current one. */
export async function refuseWeakPassword(password: string, owner: PasswordOwner, brand: string): Promise<void> {
  if (await verifyPassword(owner.password_hash, password)) {
    throw refusePassword('This is your current password. Please choose a different one.')
  }
  const ownWords = ownWordsOf(owner, brand)
  const score = await measureStrength({ passwords: formsToMeasure(password, ownWords), ownWords })
  if (score === undefined) throw refusePassword('This password could not be checked. Please choose a different one.')
  if (score < MIN_SCORE) {
    throw refusePassword('Too easy to guess. Use three or four unrelated words, or let a password manager choose one.')
  }
}
