import { addDays } from '@roadshow/contract'

/** The last month that is over. */
export const lastMonth = (today: string): string => addDays(`${today.slice(0, 8)}01`, -1).slice(0, 7)

/** The days of a month. */
export function daysOfMonth(month: string): { from: string; to: string } {
  const from = `${month}-01`
  return { from, to: addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1) }
}
