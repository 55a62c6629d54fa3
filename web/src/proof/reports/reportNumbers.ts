import { METERS_PER_MILE, formatMiles } from '@roadshow/contract/platform/geo'
import { formatCount } from '../../ui/numbers.ts'
import { EM_DASH } from '../../ui/words.ts'

const FEET_PER_MILE = 5280
const FEW_FEET = 1000

/** A short distance: in feet, where hundredths of a mile would look alike. */
export function distanceText(metres: number | null): string {
  if (metres === null) return EM_DASH
  const feet = Math.round((metres / METERS_PER_MILE) * FEET_PER_MILE)
  return feet < FEW_FEET ? `${formatCount(feet)} ft` : formatMiles(metres)
}

const two = (number: number) => String(number).padStart(2, '0')

/** Seconds as hours, minutes and seconds: 26:03:09. */
export const playTimeText = (seconds: number): string =>
  `${formatCount(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(Math.floor(seconds) % 60)}`

/** A share in percent. Only the whole reads 100%, and only nothing reads 0%. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return EM_DASH
  const share = (part / whole) * 100
  const shown = part === whole || part === 0 ? share : Math.min(99.9, Math.max(0.1, share))
  return `${shown.toLocaleString('en-US', { maximumFractionDigits: 1 })}%`
}
