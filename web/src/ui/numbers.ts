import { toMiles } from '@roadshow/contract/platform/geo'

/** `1,234` */
export const formatCount = (number: number): string => number.toLocaleString('en-US')

/** `1 photo`, `1,234 photos` */
export const countOf = (number: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(number)} ${number === 1 ? noun : plural}`

/** `1,234`: miles for totals, which are no more exact. */
export const wholeMiles = (metres: number): string => formatCount(Math.round(toMiles(metres)))
