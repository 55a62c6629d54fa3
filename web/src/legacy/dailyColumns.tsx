import type { DailyDetails, DailyShift } from '@roadshow/contract/legacy'
import { programStatusLabel } from '@roadshow/contract/catalog/programs'
import { formatMileCount } from '@roadshow/contract/platform/distance'
import { formatCount } from '@roadshow/contract/platform/figures'
import { payOptionLabel, shiftStatusLabel } from '@roadshow/contract/planning/shifts'
import type { shifts } from '@roadshow/contract/planning/shifts'
import type { RowOf } from '@roadshow/contract/platform/endpoint'
import { truckStateLabel } from '@roadshow/contract/catalog/trucks'
import { ShiftStatusTag } from '../planning/shifts/ShiftStatusTag.tsx'
import { formatClock, formatTimeOnly } from '@roadshow/contract/platform/dates'
import type { ClassicColumn, CellEdit } from './table/columns.ts'
import type { ClassicLine } from './table/editsStore.ts'
import { fewOf } from './table/useAll.ts'

/** A shift of the day; results are present only in the details. */
export type DailyRow = DailyShift & Partial<DailyDetails>

export type DailyChoices = Record<'truck' | 'driver' | 'program' | 'market', CellEdit | undefined>

/** The day's shifts as they are planned: each cell can be typed over. */
export const dailyPlanColumns = ({ truck, driver, program, market }: DailyChoices): ClassicColumn<DailyRow>[] => [
  { key: 'truckUid', label: 'Truck', width: 140, text: ({ truckNumber }) => truckNumber, edit: truck },
  { key: 'driverUid', label: 'Driver', width: 150, text: ({ driverName }) => driverName ?? '', edit: driver },
  { key: 'programUid', label: 'Program', width: 190, text: ({ programName }) => programName, edit: program },
  { key: 'marketUid', label: 'Market', width: 130, text: ({ marketName }) => marketName, edit: market },
  { key: 'start', label: 'Start', width: 92, text: ({ start }) => formatClock(start), edit: { kind: 'clock' } },
  { key: 'end', label: 'End', width: 92, text: ({ end }) => formatClock(end), edit: { kind: 'clock' } },
  {
    key: 'payOption',
    label: 'Pay option',
    width: 110,
    text: ({ payOption }) => (payOption ? payOptionLabel[payOption] : ''),
    edit: { ...fewOf(payOptionLabel, 'pay option'), isOptional: true },
  },
  { key: 'note', label: 'Note', width: 160, text: ({ note }) => note, edit: { kind: 'lines' } },
  {
    key: 'status',
    label: 'Status',
    width: 128,
    text: ({ status }) => shiftStatusLabel[status],
    show: ({ status }) => <ShiftStatusTag status={status} />,
  },
  {
    key: 'programStatus',
    label: 'Program status',
    width: 110,
    text: ({ programStatus }) => programStatusLabel[programStatus],
  },
  { key: 'clientName', label: 'Client', width: 140, text: ({ clientName }) => clientName },
  { key: 'artworkSetName', label: 'Artwork set', width: 140, text: ({ artworkSetName }) => artworkSetName ?? '' },
  { key: 'addressSetName', label: 'SD addresses', width: 120, text: ({ addressSetName }) => addressSetName ?? '' },
  { key: 'zone', label: 'Zone', width: 184, text: ({ zone }) => zone },
]

const figure = (number: number | null | undefined) => (typeof number === 'number' ? formatCount(number) : '')

const clock = (instant: string | null, zone: string) => (instant ? formatTimeOnly(instant, zone) : '')

/** The actual times and results. */
export const dailyActualColumns: ClassicColumn<DailyRow>[] = [
  { key: 'startedAt', label: 'Started', width: 84, text: ({ startedAt, zone }) => clock(startedAt, zone) },
  { key: 'stoppedAt', label: 'Stopped', width: 84, text: ({ stoppedAt, zone }) => clock(stoppedAt, zone) },
  { key: 'late', label: 'Late min', width: 66, align: 'right', text: ({ lateMinutes }) => figure(lateMinutes) },
  {
    key: 'planned',
    label: 'Planned min',
    width: 86,
    align: 'right',
    text: ({ plannedMinutes }) => figure(plannedMinutes),
  },
  { key: 'actual', label: 'Actual min', width: 78, align: 'right', text: ({ actualMinutes }) => figure(actualMinutes) },
  {
    key: 'miles',
    label: 'Miles',
    width: 60,
    align: 'right',
    text: ({ metres }) => (typeof metres === 'number' ? formatMileCount(metres) : ''),
  },
  { key: 'plays', label: 'Plays', width: 60, align: 'right', text: ({ plays }) => figure(plays) },
  { key: 'photos', label: 'Photos', width: 56, align: 'right', text: ({ photos }) => figure(photos) },
  { key: 'issues', label: 'Issues', width: 56, align: 'right', text: ({ issues }) => figure(issues) },
]

const inOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const truckOf = ({ row, preset }: ClassicLine<DailyRow>) => row?.truckNumber ?? preset.truckUid ?? ''

/** Shifts by truck, and each truck that has none as a line to fill in. */
export function dailyLines(
  rows: readonly DailyRow[],
  trucks: readonly RowOf<typeof shifts.trucks>[] | undefined,
): ClassicLine<DailyRow>[] {
  const taken = new Set(rows.map(({ truckUid }) => truckUid))
  const free = (trucks ?? []).filter(({ uid }) => !taken.has(uid))
  return [
    ...rows.map((row): ClassicLine<DailyRow> => ({ key: row.uid, row, preset: {} })),
    ...free.map(({ uid, name, state }): ClassicLine<DailyRow> => {
      const status = state === 'active' ? 'No shift' : truckStateLabel[state]
      return { key: `truck-${uid}`, row: undefined, preset: { truckUid: name, status } }
    }),
  ].toSorted(
    (one, other) =>
      inOrder.compare(truckOf(one), truckOf(other)) ||
      (one.row?.startsAt ?? '').localeCompare(other.row?.startsAt ?? ''),
  )
}
