import { formatMinutes } from '@roadshow/contract/platform/dates'
import type { RowOf } from '@roadshow/contract/platform/endpoint'
import { formatMiles } from '@roadshow/contract/platform/geo'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import { shifts } from '@roadshow/contract/planning/shifts'
import { Skeleton } from 'antd'
import { useList } from '../../api/useList.ts'
import { SlotParts } from '../../ui/slots.tsx'
import { EM_DASH } from '../../ui/words.ts'
import { ErrorState } from '../../ui/states.tsx'
import { formatDayTime, timestamp } from '../../ui/time.ts'
import { withoutPlaysText } from './shiftText.ts'
import shared from './shifts.module.css'
import styles from './DetailsTab.module.css'

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

const percent = (share: number) => `${Math.round(share * 100)}%`

function playsNote({ plays: { count, verified, conflict }, isWithoutPlays, distance }: Details): string {
  if (isWithoutPlays && distance) return withoutPlaysText(distance.metres)
  if (count === 0) return ''
  const doubt = conflict > 0 ? `, ${conflict.toLocaleString('en-US')} conflict with the GPS track` : ''
  return `${percent(verified / count)} verified${doubt}`
}

function distanceNote(distance: Details['distance']): string {
  if (!distance) return 'No GPS data from this truck'
  const { source, coverage, estimatedMetres } = distance
  const guess = estimatedMetres > 0 ? `, ${formatMiles(estimatedMetres)} estimated` : ''
  return `from ${source === 'gps' ? 'GPS' : 'the odometer'}, ${percent(coverage)} coverage${guess}`
}

/** The plan beside the actual times, and the results of the shift. */
export function DetailsTab({ uid }: { uid: string }) {
  const found = useList(shifts.details, { uid })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const shift = found.data?.data[0]
  if (!shift) return <Skeleton active />
  const { zone } = shift
  const at = (instant: string | null) => (instant ? timestamp(instant, zone) : EM_DASH)
  const rows = [
    ['Start', at(shift.startsAt), at(shift.startedAt)],
    ['End', at(shift.endsAt), at(shift.stoppedAt)],
    ['Length', hours(shift.plannedMinutes), hours(shift.actualMinutes)],
    ['Punctuality', EM_DASH, lateness(shift.lateMinutes)],
  ]
  const results = [
    ['Plays', shift.plays.count.toLocaleString('en-US'), playsNote(shift)],
    ['Miles', shift.distance ? formatMiles(shift.distance.metres) : EM_DASH, distanceNote(shift.distance)],
    ['Photos', shift.photos.toLocaleString('en-US'), ''],
    ['Issues', shift.issues.length.toLocaleString('en-US'), ''],
  ]
  return (
    <>
      <p className={shared.soft}>Times are in {zone}.</p>
      <Facts head={['Time', 'Planned', 'Actual']} rows={rows} />
      {shift.timesReason && <p>Times corrected: {shift.timesReason}</p>}
      <Reports shift={shift} />
      <Facts head={['Result', 'Count', 'Verification']} rows={results} />
      {shift.issues.length > 0 && (
        <ul className={styles.issues} aria-label="Issues of this shift">
          {shift.issues.map(({ uid: issue, kind, status, openedAt }) => (
            <li key={issue}>
              {issueKindLabel[kind]}, {at(openedAt)} <span className={shared.soft}>{issueStatusLabel[status]}</span>
            </li>
          ))}
        </ul>
      )}
      <SlotParts name="shiftDetails" props={{ uid, photos: shift.photos }} />
    </>
  )
}

const reportWord = { start: 'Start', stop: 'Stop' } as const

/** What the driver's app reported, and why a report does not count: `Stop reported at 6:02 PM, no start`. */
const Reports = ({ shift: { reports, zone } }: { shift: Details }) =>
  reports.length > 0 && (
    <ul className={styles.issues} aria-label="Reports of the driver">
      {reports.map(({ kind, at, note }) => (
        <li key={`${kind} ${at}`}>
          {reportWord[kind]} reported {formatDayTime(at, zone)}
          {note && <span className={shared.soft}>, {note}</span>}
        </li>
      ))}
    </ul>
  )

function Facts({ head, rows }: { head: string[]; rows: string[][] }) {
  return (
    <table className={`figures ${styles.facts}`}>
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, ...cells]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {cells.map((cell, column) => (
              <td key={head[column + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
