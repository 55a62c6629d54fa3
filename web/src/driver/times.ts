import { formatMinutes } from '@roadshow/contract/platform/dates'

/** A span as `1 h 5 min`. */
export function spanText(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  return minutes === 0 ? '0 min' : formatMinutes(minutes)
}
