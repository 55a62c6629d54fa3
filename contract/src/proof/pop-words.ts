import { formatClock, formatDay } from '../platform/dates.ts'

// This file has no schemas, so that the public page can use it without loading zod.

/** Says that a photo has no time. */
export const TIME_UNKNOWN = 'Time unknown'

/** When a photo was taken, for people: `2026-07-01 14:03:22` of the document is `Jul 1, 2026, 2:03 PM`. */
export const photoTimeText = (takenAt: string): string =>
  `${formatDay(takenAt.slice(0, 10))}, ${formatClock(takenAt.slice(11, 16))}`
