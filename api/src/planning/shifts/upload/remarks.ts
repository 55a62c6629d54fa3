import { payOptionLabel, type ShiftUploadColumn } from '@roadshow/contract'
import type { Cells } from './drafts.ts'
import type { UploadInput, SavedShift } from './saved.ts'

const COLUMNS = {
  driverUid: 'driver',
  programUid: 'program',
  marketUid: 'market',
  end: 'end',
  artworkSetUid: 'artworkSet',
  addressSetUid: 'addressSet',
  payOption: 'payOption',
  note: 'note',
} as const satisfies Partial<Record<keyof UploadInput, ShiftUploadColumn>>

type Field = keyof typeof COLUMNS

const HOUR = 3_600_000

/** What is worth knowing of a good row: what it changes, and that its end lies on the next day. */
export function remarksOf(input: UploadInput, saved: SavedShift | undefined, lengthMs: number): Cells {
  const remarks: Cells = {}
  if (input.end <= input.start) {
    const hours = Math.round((lengthMs / HOUR) * 10) / 10
    remarks.end = `On the next day, after ${hours} hours.`
  }
  if (!saved) return remarks
  for (const [field, column] of Object.entries(COLUMNS) as [Field, (typeof COLUMNS)[Field]][]) {
    if (input[field] === saved[field]) continue
    remarks[column] = [`Was ${wordOf(saved, column)}.`, remarks[column]].filter(Boolean).join(' ')
  }
  return remarks
}

function wordOf(saved: SavedShift, column: (typeof COLUMNS)[Field]): string {
  const word = saved[column]
  return (column === 'payOption' && saved.payOption ? payOptionLabel[saved.payOption] : word) || 'empty'
}
