import { ApiError } from '../../../api/call.ts'
import { PasskeyError } from '../../../api/passkey.ts'
import type { Words } from '../../words/index.ts'

/** What a driver gives as a proof. */
export type ProofField = 'password' | 'code' | 'recoveryCode'

const ofPasskey = {
  exists: 'passkeyExists',
  unused: 'passkeyUnused',
  unusable: 'passkeyUnusable',
} as const satisfies Record<PasskeyError['reason'], keyof Words>

const ofProof = {
  password: 'wrongPassword',
  code: 'wrongCode',
  recoveryCode: 'wrongRecoveryCode',
  passkey: 'wrongPasskey',
} as const satisfies Record<ProofField | 'passkey', keyof Words>

const ofCode: Partial<Record<string, keyof Words>> = {
  tooMany: 'tooManyTries',
  lastFactor: 'factorLast',
  setupExpired: 'setupTookLong',
  passkeyRefused: 'wrongPasskey',
}

/** The word for what went wrong, on the phone or on the server. */
export function problemWord(error: unknown, proof?: ProofField | 'passkey'): keyof Words {
  if (error instanceof PasskeyError) return ofPasskey[error.reason]
  if (!(error instanceof ApiError)) return 'didNotWork'
  if (error.status === 0) return 'needsSignal'
  if (error.status === 401) return 'sessionEnded'
  if (proof && (error.code === 'proofWrong' || error.code === 'badInput')) return ofProof[proof]
  if (error.fields['code'] !== undefined) return 'wrongFirstCode'
  return ofCode[error.code ?? ''] ?? 'didNotWork'
}

/** What a driver can type as a proof: without a second step only the password is left. */
export function proofField(
  { passkeys, codeApp }: { passkeys: readonly unknown[]; codeApp: unknown },
  isRecovering: boolean,
): ProofField | undefined {
  if (codeApp === null && passkeys.length === 0) return 'password'
  if (isRecovering) return 'recoveryCode'
  return codeApp === null ? undefined : 'code'
}

/** A key in groups of four, as people read it. */
export const keyInGroups = (key: string): string => key.replaceAll(/(.{4})(?=.)/g, '$1 ')
