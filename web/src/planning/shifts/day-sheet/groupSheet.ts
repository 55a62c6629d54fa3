import type { SheetShift } from '@roadshow/contract/planning/day-sheet'
import { formatPhone } from '@roadshow/contract/platform/figures'

export type SheetGrouping = 'market' | 'driver'

interface Sheet {
  key: string
  name: string
  detail: string
  shifts: SheetShift[]
}

/** The sheets of a day, by name: one for each market or driver. */
export function groupSheet(shifts: readonly SheetShift[], grouping: SheetGrouping): Sheet[] {
  const sheets = new Map<string, Sheet>()
  for (const shift of shifts) {
    const { uid, name } = shift[grouping]
    const detail = grouping === 'driver' && shift.driver.phone ? formatPhone(shift.driver.phone) : ''
    const sheet = sheets.get(uid) ?? { key: uid, name, detail, shifts: [] }
    sheet.shifts.push(shift)
    sheets.set(uid, sheet)
  }
  return [...sheets.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}
