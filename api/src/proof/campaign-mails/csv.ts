import { buffer } from 'node:stream/consumers'
import type { PopDay } from '@roadshow/contract'
import { countColumn, dayColumn, hoursColumn, milesColumn } from '../../platform/spreadsheet/columns.ts'
import { exportSheet } from '../../platform/spreadsheet/sheet.ts'
import { occasionText } from './words.ts'
import type { CampaignReport } from './report.ts'

interface Row extends PopDay {
  market: string
}

const hasNoGps = ({ shifts = 0, gaps }: PopDay) => shifts > 0 && gaps?.shiftsWithoutGps === shifts
const isPrinted = ({ shifts = 0, gaps }: PopDay) => shifts > 0 && gaps?.printedShifts === shifts

const sheet = {
  name: 'campaign',
  columns: {
    Day: dayColumn((row: Row) => row.day),
    Market: (row: Row) => row.market,
    Shifts: countColumn((row: Row) => row.shifts ?? null),
    Hours: hoursColumn((row: Row) => (row.seconds === undefined ? null : row.seconds / 60)),
    // What was not recorded is empty, not zero.
    Miles: milesColumn((row: Row) => (hasNoGps(row) ? null : row.metres)),
    Plays: countColumn((row: Row) => (isPrinted(row) ? null : row.plays)),
    'Verified plays': countColumn((row: Row) => (isPrinted(row) ? null : row.verifiedPlays)),
  },
}

/** The days of a report as CSV, one row for each day and market. */
export function reportCsv(report: CampaignReport, now: Date): Promise<Buffer> {
  const rows = report.markets.flatMap(({ name, days }) => days.map((day): Row => ({ ...day, market: name })))
  const ordered = rows.toSorted((one, other) => one.day.localeCompare(other.day))
  const filters = [`program: ${report.program}`, occasionText(report)]
  const { content } = exportSheet('csv', sheet, ordered, { filters, zone: 'UTC', now })
  return buffer(content)
}
