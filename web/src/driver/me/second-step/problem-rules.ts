import { ApiError } from '../../../api/call.ts'
import type { ProofField } from '../../../api/factor-rules.ts'
import { PasskeyError } from '../../../api/passkey.ts'
import type { Words } from '../../words/index.ts'

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
