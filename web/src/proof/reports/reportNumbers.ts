import { formatDistance } from '@roadshow/contract/platform/geo'
import { formatCount, formatPercent } from '@roadshow/contract/platform/figures'
import { EM_DASH } from '../../ui/text/dash.ts'

/** A distance, or a dash where it is unknown. */
export const distanceText = (meters: number | null): string => (meters === null ? EM_DASH : formatDistance(meters))

const two = (number: number) => String(number).padStart(2, '0')

/** Seconds as hours, minutes and seconds: 26:03:09. */
export const playTimeText = (seconds: number): string =>
  `${formatCount(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(Math.floor(seconds) % 60)}`

/** A share in percent. Only the whole reads 100%, and only nothing reads 0%. */
export function shareText(part: number, whole: number): string {
  return whole === 0 ? EM_DASH : formatPercent(part / whole, 1)
}
