import { formatMileCount } from '@roadshow/contract/platform/distance'
import type { OverviewShift, Readiness } from '@roadshow/contract/live/fleet'
import { shifts } from '@roadshow/contract/planning/shifts'
import { adLog } from '@roadshow/contract/proof/ad-log'
import { DriverCell } from '../../planning/shifts/DriverSigns.tsx'
import { ShiftStatusTag } from '../../planning/shifts/ShiftStatusTag.tsx'
import { withoutPlaysText } from '../../planning/shifts/shiftText.ts'
import type { Column } from '../../ui/rows/columns.ts'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { zoneName, formatClocks } from '@roadshow/contract/platform/dates'
import { LiveStateTag } from './truckState.tsx'
import styles from './overview.module.css'

const parts: Record<keyof Readiness, string> = { artwork: 'Artwork', clock: 'Clock', gps: 'GPS', player: 'Player' }

const signs = { yes: '✓', no: '✗', unknown: '?' }
const words = { yes: 'ready', no: 'not ready', unknown: 'unknown' }

/** Whether a truck is ready to leave: four marks with their words. */
const ReadinessMarks = ({ ready }: { ready: Readiness }) => (
  <ul className={styles.ready} aria-label="Readiness">
    {(Object.keys(parts) as (keyof Readiness)[]).map((part) => {
      const is = ready[part] === null ? 'unknown' : ready[part] ? 'yes' : 'no'
      return (
        <li key={part} data-is={is} title={`${parts[part]}: ${words[is]}`}>
          <span aria-hidden>{signs[is]}</span> {parts[part]}
          <span className={styles.heard}>: {words[is]}</span>
        </li>
      )
    })}
  </ul>
)

export const shiftOfDayColumns: Column<OverviewShift>[] = [
  {
    key: 'startsAt',
    title: 'Shift',
    width: 196,
    render: ({ start, end, zone, startsAt }) => (
      <span className="figures">
        {formatClocks({ start, end })} {zoneName(zone, startsAt)}
      </span>
    ),
  },
  { key: 'truck', title: 'Truck', width: 80, render: ({ truck }) => truck.name },
  {
    key: 'driver',
    title: 'Driver',
    width: 160,
    render: (shift) => <DriverCell shift={shift} except={['notStarted']} />,
  },
  { key: 'program', title: 'Program', render: ({ program }) => program.name },
  { key: 'market', title: 'Market', width: 130, secondary: true, render: ({ market }) => market.name },
  {
    key: 'status',
    title: 'Status',
    width: 130,
    render: ({ status, isLate }) =>
      isLate ? <StateTag tone="warn">Late</StateTag> : <ShiftStatusTag status={status} />,
  },
  {
    key: 'state',
    title: 'Truck now, or readiness',
    width: 310,
    render: ({ state, ready, isWithoutPlays, metres }) => {
      if (isWithoutPlays && metres !== null) return <StateTag tone="bad">{withoutPlaysText(metres)}</StateTag>
      if (ready && (state === null || state === 'parked' || state === 'silent')) return <ReadinessMarks ready={ready} />
      return state && <LiveStateTag state={state} />
    },
  },
  {
    key: 'metres',
    title: 'Miles',
    width: 90,
    align: 'right',
    render: ({ uid, metres }) =>
      metres !== null && (
        <FigureLink list={shifts.details} to="/schedule/program-schedule" search={{ open: uid, tab: 'details' }}>
          {formatMileCount(metres)}
        </FigureLink>
      ),
  },
  {
    key: 'plays',
    title: 'Plays',
    width: 80,
    align: 'right',
    render: ({ uid, program, plays }) => (
      <FigureLink list={adLog.list} to="/ad-log" search={{ program: program.uid, shift: uid }}>
        {formatCount(plays)}
      </FigureLink>
    ),
  },
]
