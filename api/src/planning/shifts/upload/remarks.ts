import { formatMinutes, payOptionLabel, type ShiftUploadColumn, type ImportRow } from '@roadshow/contract'
import type { Cells } from './draft-rows.ts'
import type { ShiftValues } from '../rules.ts'
import { stopsText } from '../stop-cells.ts'
import type { SavedShift } from './saved-shifts.ts'

const COLUMNS = {
  driverUid: 'driver',
  programUid: 'program',
  marketUid: 'market',
  end: 'end',
  artworkSetUid: 'artworkSet',
  addressSetUid: 'addressSet',
  payOption: 'payOption',
  note: 'note',
  stops: 'stops',
} as const satisfies Partial<Record<keyof ShiftValues, ShiftUploadColumn>>

type Field = keyof typeof COLUMNS

const MINUTE = 60_000

/** Remarks on a good row: the old values, and that the shift ends on the next day. */
export function remarksOf(input: ShiftValues, saved: SavedShift | undefined, lengthMs: number): Cells {
  const remarks: Cells = {}
  if (input.end <= input.start) {
    remarks.end = `Ends the next day, after ${formatMinutes(lengthMs / MINUTE)}.`
  }
  if (!saved) return remarks
  for (const [field, column] of Object.entries(COLUMNS) as [Field, (typeof COLUMNS)[Field]][]) {
    if (input[field] === saved[field]) continue
    remarks[column] = [`Was ${formatValue(saved, column)}.`, remarks[column]].filter(Boolean).join(' ')
  }
  return remarks
}

/** A row with a further remark on one of its cells. */
export const withRemark = (row: ImportRow, column: ShiftUploadColumn, text: string): ImportRow => ({
  ...row,
  remarks: { ...row.remarks, [column]: [row.remarks[column], text].filter(Boolean).join(' ') },
})

function formatValue(saved: SavedShift, column: (typeof COLUMNS)[Field]): string {
  if (column === 'stops') return stopsText(saved.stops ?? []) || 'empty'
  const word = saved[column]
  return (column === 'payOption' && saved.payOption ? payOptionLabel[saved.payOption] : word) || 'empty'
}
