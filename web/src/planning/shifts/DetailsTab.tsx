import { formatMinutes, formatMoment } from '@roadshow/contract/platform/dates'
import type { RowOf } from '@roadshow/contract/platform/endpoint'
import { formatMiles } from '@roadshow/contract/platform/geo'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import { fleet } from '@roadshow/contract/live/fleet'
import { issueWork } from '@roadshow/contract/live/issue-work'
import { describeTimeSource, shifts, type TimeSetBy } from '@roadshow/contract/planning/shifts'
import { adLog } from '@roadshow/contract/proof/ad-log'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useList } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { formatCount, formatPercent } from '@roadshow/contract/platform/figures'
import { SlotParts } from '../../ui/slots.tsx'
import { EM_DASH } from '../../ui/text/dash.ts'
import { List, Row, Soft } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { NEW_RECORD } from '../../ui/useListState.ts'
import { useNow } from '../../ui/useNow.ts'
import { LoopDelivery } from '../rotation/LoopDelivery.tsx'
import { ShiftLoop } from '../rotation/ShiftLoop.tsx'
import { playsRotation, showsRotation } from '../rotation/useRotation.ts'
import { ReplayLink } from './ReplayLink.tsx'
import { withoutPlaysText } from './shiftText.ts'
import { TimeQuestions } from './TimeQuestions.tsx'
import { StopVisits } from './stops/StopVisits.tsx'
import styles from './shiftTabs.module.css'

declare module '../../ui/slots.tsx' {
  interface SlotProps {
    shiftDetails: { uid: string; photos: number }
  }
}

const hours = (minutes: number | null) => (minutes === null ? EM_DASH : formatMinutes(minutes))

function lateness(minutes: number | null): string {
  if (minutes === null) return EM_DASH
  if (minutes === 0) return 'on time'
  return `${Math.abs(minutes)} min ${minutes > 0 ? 'late' : 'early'}`
}

type Details = RowOf<typeof shifts.details>

/** The plays of a shift, and those in doubt; each count leads to its plays. */
const PlaysLink = ({ shift, grade, children }: { shift: Details; grade?: 'conflict'; children: ReactNode }) => (
  <FigureLink
    list={adLog.list}
    to="/ad-log"
    search={{ program: shift.program.uid, shift: shift.uid, ...(grade && { grade }) }}
  >
    {children}
  </FigureLink>
)

function PlaysNote({ shift }: { shift: Details }) {
  const { plays, isWithoutPlays, distance } = shift
  const { count, verified, conflict } = plays
  if (isWithoutPlays && distance) return withoutPlaysText(distance.metres)
  if (count === 0) return null
  return (
    <>
      {formatPercent(verified / count)} verified
      {conflict > 0 && (
        <>
          {', '}
          <PlaysLink shift={shift} grade="conflict">
            {formatCount(conflict)}
          </PlaysLink>{' '}
          in conflict
        </>
      )}
    </>
  )
}

function distanceNote(distance: Details['distance']): string {
  if (!distance) return 'No GPS data from this truck'
  const { source, coverage, estimatedMetres } = distance
  const guess = estimatedMetres > 0 ? `, ${formatMiles(estimatedMetres)} estimated` : ''
  return `from ${source === 'gps' ? 'GPS' : 'the odometer'}, ${formatPercent(coverage)} coverage${guess}`
}

const ALL_ISSUES = ['open', 'inProgress', 'resolved']
/** The photos of the shift, below its figures. */
const PHOTOS = 'photos-of-shift'

/** A line of a table: its label and two cells. */
interface FactRow {
  label: string
  first: ReactNode
  second: ReactNode
}

/** The results of a shift; each figure leads to the rows it came from. */
const resultsOf = (shift: Details): FactRow[] => [
  {
    label: 'Plays',
    first: <PlaysLink shift={shift}>{formatCount(shift.plays.count)}</PlaysLink>,
    second: <PlaysNote shift={shift} />,
  },
  {
    label: 'Miles',
    first: shift.distance ? <MilesLink shift={shift} metres={shift.distance.metres} /> : EM_DASH,
    second: distanceNote(shift.distance),
  },
  {
    label: 'Photos',
    first: shift.photos > 0 ? <a href={`#${PHOTOS}`}>{formatCount(shift.photos)}</a> : '0',
    second: '',
  },
  {
    label: 'Issues',
    first: (
      <FigureLink
        list={fleet.issues}
        to="/overview"
        search={{ shift: shift.uid, status: ALL_ISSUES }}
        hash="truck-issues"
      >
        {formatCount(shift.issues.length)}
      </FigureLink>
    ),
    second: <RaiseIssueLink shift={shift} />,
  },
]

/** Leads to the form of a new issue of the shift's truck. */
const RaiseIssueLink = ({ shift }: { shift: Details }) =>
  useMay(issueWork.raise) && (
    <Link to="/overview" search={{ truck: shift.truck.uid, shift: shift.uid, open: NEW_RECORD }}>
      Report an issue
    </Link>
  )

/** The day of its truck on which the miles of a shift stand, beside its other shifts and what belongs to none. */
const MilesLink = ({ shift, metres }: { shift: Details; metres: number }) => (
  <FigureLink
    list={fleet.truckDays}
    to="/trucks"
    search={{ open: shift.truck.uid, tab: 'miles-by-day', day: shift.date }}
  >
    {formatMiles(metres)}
  </FigureLink>
)

interface DetailsTabProps {
  uid: string
  /** The actual times were corrected; the form beside may have edits. */
  onCorrected: () => Promise<void>
}

/** The plan beside the actual times, and the results of the shift. */
export function DetailsTab({ uid, onCorrected }: DetailsTabProps) {
  const now = useNow()
  const found = useList(shifts.details, { uid })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const shift = found.data?.data[0]
  if (!shift) return <SkeletonLines />
  const { zone } = shift
  const at = (instant: string | null) => (instant ? formatMoment(instant, zone) : EM_DASH)
  const actual = (instant: string | null, setBy: TimeSetBy | null) => (
    <>
      {at(instant)} {setBy && <Soft>{describeTimeSource(setBy)}</Soft>}
    </>
  )
  const rows: FactRow[] = [
    { label: 'Start', first: at(shift.startsAt), second: actual(shift.startedAt, shift.startSetBy) },
    { label: 'End', first: at(shift.endsAt), second: actual(shift.stoppedAt, shift.stopSetBy) },
    { label: 'Length', first: hours(shift.plannedMinutes), second: hours(shift.actualMinutes) },
    { label: 'Punctuality', first: EM_DASH, second: lateness(shift.lateMinutes) },
  ]
  return (
    <>
      <Row as="p" gap={3} align="center" wrap between>
        <Soft>Times are in {zone}.</Soft>
        <ReplayLink search={{ shift: uid }} />
      </Row>
      <Facts head={['Time', 'Planned', 'Actual']} rows={rows} />
      <TimeQuestions shift={shift} onCorrected={onCorrected} />
      {shift.timesReason && <p>Times corrected: {shift.timesReason}</p>}
      <DriverEvents shift={shift} />
      <Facts head={['Result', 'Count', 'Verification']} rows={resultsOf(shift)} />
      <StopVisits shift={shift} />
      {showsRotation(shift) && <ShiftLoop shift={shift} />}
      {playsRotation(shift, now) && <LoopDelivery shift={shift} />}
      {shift.issues.length > 0 && (
        <List gap={1} above={3} aria-label="Issues of this shift">
          {shift.issues.map(({ uid: issue, kind, status, openedAt }) => (
            <li key={issue}>
              {issueKindLabel[kind]}, {at(openedAt)} <Soft>{issueStatusLabel[status]}</Soft>
            </li>
          ))}
        </List>
      )}
      <div id={PHOTOS}>
        <SlotParts name="shiftDetails" props={{ uid, photos: shift.photos }} />
      </div>
    </>
  )
}

const eventWord = { start: 'Start', stop: 'Stop' } as const

/** What the driver's app reported, and why an event does not count: `Stop reported at 6:02 PM, no start`. */
const DriverEvents = ({ shift: { reports, zone } }: { shift: Details }) =>
  reports.length > 0 && (
    <List gap={1} above={3} aria-label="Reports of the driver">
      {reports.map(({ kind, at, note }) => (
        <li key={`${kind} ${at}`}>
          {eventWord[kind]} reported {formatMoment(at, zone)}
          {note && <Soft>, {note}</Soft>}
        </li>
      ))}
    </List>
  )

function Facts({ head, rows }: { head: readonly [string, string, string]; rows: readonly FactRow[] }) {
  const columns: FactColumn<FactRow>[] = [
    { title: head[0], render: ({ label }) => <Soft>{label}</Soft> },
    { title: head[1], render: ({ first }) => first },
    { title: head[2], render: ({ second }) => second },
  ]
  return <FactTable columns={columns} rows={rows} rowKey={({ label }) => label} className={styles.facts ?? ''} />
}
