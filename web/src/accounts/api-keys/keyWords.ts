import { DAY_MS } from '@roadshow/contract/platform/durations'
import type { ApiKey, ApiKeyAccess, ApiKeyState } from '@roadshow/contract/accounts/api-keys'
import type { Tone } from '../../ui/text/StateTag.tsx'

export const accessWord: Record<ApiKeyAccess, string> = { read: 'Read', write: 'Read and write' }

export const stateTone: Record<ApiKeyState, Tone> = { open: 'driving', expired: 'silent', ended: 'parked' }

/** From this many days before its end a key should be replaced. */
const WARN_DAYS = 14

/** Whole days until an instant; 0 on the last one. */
const daysUntil = (instant: string, now: number) => Math.floor((Date.parse(instant) - now) / DAY_MS)

/** A warning for a key that ends soon, or undefined. */
export function expiryWarning({ state, expiresAt }: Pick<ApiKey, 'state' | 'expiresAt'>, now: number) {
  const days = daysUntil(expiresAt, now)
  if (state !== 'open' || days >= WARN_DAYS) return undefined
  if (days < 1) return 'Expires today'
  return `Expires in ${days} ${days === 1 ? 'day' : 'days'}`
}
