import { timingSafeEqual } from 'node:crypto'
import { AppError } from '../../platform/runtime/app-error.ts'

const NO_HASH = Buffer.alloc(32)

/** Compares two SHA-256 hashes in constant time; a missing hash equals none. */
export const isSameHash = (stored: Buffer | null | undefined, given: Buffer): boolean =>
  timingSafeEqual(stored ?? NO_HASH, given) && stored !== null && stored !== undefined

interface StoredCode {
  code_hash: Buffer | null
  /** Whether the code has not expired yet. */
  code_counts: boolean
}

/** Whether a code can be exchanged for a key. */
export const isCodeAccepted = (stored: StoredCode | undefined, codeHash: Buffer): boolean =>
  isSameHash(stored?.code_hash, codeHash) && stored?.code_counts === true

interface StoredKey {
  key_hash: Buffer | null
  revoked_at: string | Date | null
}

/** Why a key does not authenticate a device. A device learns the reason, because only its key grants access. */
export function keyProblem(stored: StoredKey | undefined, keyHash: Buffer): AppError | undefined {
  if (!stored) return new AppError('deviceUnknown')
  if (isSameHash(stored.key_hash, keyHash)) return undefined
  return new AppError(stored.key_hash === null && stored.revoked_at !== null ? 'deviceRevoked' : 'deviceKey')
}
