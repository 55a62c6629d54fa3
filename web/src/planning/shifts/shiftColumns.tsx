import { localDay } from '@roadshow/contract/planning/shift-time'
import { adLog } from '@roadshow/contract/proof/ad-log'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { clients } from '@roadshow/contract/catalog/clients'
import { markets } from '@roadshow/contract/catalog/markets'
import { programs, programStatusLabel } from '@roadshow/contract/catalog/programs'
import { shiftDrivers } from '@roadshow/contract/live/shift-driver'
import {
  driverMarkLabel,
  payOptionLabel,
  shifts,
  shiftStatusLabel,
  startOutcomeLabel,
} from '@roadshow/contract/planning/shifts'
import type { Shift } from '@roadshow/contract/planning/shifts'
import type { RowOf } from '@roadshow/contract/platform/endpoint'
import { formatMinutes, formatFullDay, zoneName } from '@roadshow/contract/platform/dates'
import { formatMiles } from '@roadshow/contract/platform/geo'
import { useIsOutsider, useMay } from '../../api/user.ts'
import { clientLookup } from '../../catalog/lookups/clientLookup.ts'
import { marketLookup } from '../../catalog/lookups/marketLookup.ts'
import { programLookup } from '../../catalog/lookups/programLookup.ts'
import type { Column } from '../../ui/rows/columns.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { driverLookup } from './shiftLookups.ts'
import { DriverCell } from './DriverSigns.tsx'
import { formatListedTime } from './shiftText.ts'
import { ShiftStatusTag } from './ShiftStatusTag.tsx'

type ShiftDetails = RowOf<typeof shifts.details>

/** Marks a shift whose program is not active. */
export const ProgramStatusTag = ({ status }: { status: Shift['programStatus'] }) =>
  status !== 'active' && <StateTag tone="warn">{`Program ${programStatusLabel[status].toLowerCase()}`}</StateTag>

export const shiftListColumns: Column<Shift>[] = [
  {
    key: 'localStart',
    title: 'Shift',
    width: 330,
    render: (shift) => (
      <span className="figures" title={formatFullDay(shift.date)}>
        {formatListedTime(shift, localDay(shift.zone))} {zoneName(shift.zone, shift.startsAt)}
      </span>
    ),
  },
  { key: 'truck', title: 'Truck', width: 100, render: ({ truck }) => truck.name },
  {
    key: 'driver',
    title: 'Driver',
    width: 240,
    render: (shift) => <DriverCell shift={shift} />,
  },
  {
    key: 'program',
    title: 'Program',
    // A past shift is not in question because its program has ended.
    render: ({ program, programStatus, status }) => (
      <>
        {program.name} {status === 'planned' && <ProgramStatusTag status={programStatus} />}
      </>
    ),
  },
  { key: 'client', title: 'Client', width: 160, secondary: true, render: ({ client }) => client.name },
  { key: 'market', title: 'Market', width: 140, render: ({ market }) => market.name },
  { key: 'status', title: 'Status', width: 120, render: ({ status }) => <ShiftStatusTag status={status} /> },
  {
    key: 'payOption',
    title: 'Pay',
    width: 112,
    secondary: true,
    render: ({ payOption }) => payOption && payOptionLabel[payOption],
  },
]

/** The columns without those that clients get no values for. */
export function useColumnsForUser<Row>(columns: Column<Row>[]): Column<Row>[] {
  const isOutside = useIsOutsider()
  return isOutside ? columns.filter(({ key }) => key !== 'driver' && key !== 'payOption') : columns
}

const workedMinutes = ({ actualMinutes, plannedMinutes }: ShiftDetails) => actualMinutes ?? plannedMinutes

/** Shifts that took place, with what POPs count of them. */
export const workedShiftColumns: Column<ShiftDetails>[] = [
  ...shiftListColumns.filter(({ key }) => !['client', 'payOption'].includes(key)),
  {
    key: 'distance',
    title: 'Miles',
    width: 110,
    align: 'right',
    render: ({ distance }) => (distance ? formatMiles(distance.metres) : 'No GPS data'),
  },
  {
    key: 'minutes',
    title: 'Hours',
    width: 110,
    align: 'right',
    render: (shift) => formatMinutes(workedMinutes(shift)),
  },
  {
    key: 'plays',
    title: 'Plays',
    width: 110,
    align: 'right',
    render: ({ uid, program, plays }) =>
      plays.count > 0 ? (
        <FigureLink list={adLog.list} to="/ad-log" search={{ program: program.uid, shift: uid }}>
          {formatCount(plays.count)}
        </FigureLink>
      ) : (
        'No play log'
      ),
  },
]

const answerLabel = { confirmed: 'Confirmed', declined: 'Declined', none: 'No answer' }

/** What drivers say is for dispatch alone. */
const driverFilters: Filter[] = [
  { key: 'driverAnswer', label: 'Driver answer', words: answerLabel, inMenu: true },
  { key: 'driverMark', label: 'Driver alerts', words: driverMarkLabel, inMenu: true },
  { key: 'startOutcome', label: 'Start', words: startOutcomeLabel, inMenu: true },
]

/** The filters of board and list that the user may choose from: a driver has no clients to look up. */
export function useShiftFilters(): Filter[] {
  const may = {
    market: useMay(markets.list),
    client: useMay(clients.list),
    program: useMay(programs.list),
    driver: useMay(shifts.drivers),
  }
  const maySeeDrivers = useMay(shiftDrivers.get)
  const lookups = { market: marketLookup, client: clientLookup, program: programLookup, driver: driverLookup }
  const labels = { market: 'Market', client: 'Client', program: 'Program', driver: 'Driver' }
  const names = ['market', 'client', 'program', 'driver'] as const
  return [
    ...names.filter((name) => may[name]).map((key) => ({ key, label: labels[key], lookup: lookups[key] })),
    { key: 'status', label: 'Status', words: shiftStatusLabel, inMenu: true as const },
    ...(maySeeDrivers ? driverFilters : []),
  ]
}
