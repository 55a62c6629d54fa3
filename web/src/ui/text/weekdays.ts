import { weekdayName } from '@roadshow/contract/platform/dates'

/** Monday is 1. */
export const everyDay = [1, 2, 3, 4, 5, 6, 7]

export const weekdayOptions = everyDay.map((value) => ({ value, label: weekdayName(value) }))
