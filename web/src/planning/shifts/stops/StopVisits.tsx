import { fleet } from '@roadshow/contract/live/fleet'
import type { shifts } from '@roadshow/contract/planning/shifts'
import { formatTimeOnly, formatMinutes } from '@roadshow/contract/platform/dates'
import { dwellText, stopStateLabel, windowText } from '@roadshow/contract/planning/stop-words'
import type { StopState } from '@roadshow/contract/planning/stop-words'
import type { RowOf } from '@roadshow/contract/platform/endpoint'
import type { Point } from '@roadshow/contract/platform/geo'
import { useCall } from '../../../api/useCall.ts'
import { useMay } from '../../../api/user.ts'
import { EM_DASH } from '../../../ui/text/dash.ts'
import { FactTable } from '../../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../../ui/rows/FactTable.tsx'
import { PlaceMap } from '../../../ui/map/PlaceMap.tsx'
import type { MapPlace } from '../../../ui/map/places.ts'
import { StateTag } from '../../../ui/text/StateTag.tsx'
import type { Tone } from '../../../ui/text/StateTag.tsx'
import { Soft, Stack } from '../../../ui/layout.tsx'
import styles from './stops.module.css'

type Details = RowOf<typeof shifts.details>
type Visit = Details['stops'][number]

const toneOf: Record<StopState, Tone> = {
  upcoming: 'parked',
  onTime: 'driving',
  late: 'warn',
  missed: 'bad',
  noData: 'silent',
}

/** How long the truck was there, and whether that was long enough. */
function stayText({ dwellMinutes, minMinutes, isShort }: Visit): string {
  if (dwellMinutes === null) return EM_DASH
  const stay = dwellText(dwellMinutes)
  return isShort && minMinutes !== null ? `${stay}, planned at least ${formatMinutes(minMinutes)}` : stay
}

/** Where a visit stands in its times. */
function leftText({ arrivedAt, leftAt }: Visit, zone: string): string {
  if (arrivedAt === null) return EM_DASH
  return leftAt === null ? 'Still there' : formatTimeOnly(leftAt, zone)
}

/** The planned stops of a shift with what the track says about them, as a table and on a map. */
export function StopVisits({ shift }: { shift: Details }) {
  const { stops, zone } = shift
  if (stops.length === 0) return null
  return (
    <Stack as="section" gap={3} above={6} className={styles.visits} aria-label="Planned stops">
      <h2>Planned stops</h2>
      <FactTable
        label="Planned stops"
        isWide
        columns={visitColumns(zone)}
        rows={stops}
        // Two stops may have the same name and window.
        rowKey={(_, index) => index}
        className={styles.table ?? ''}
      />
      <VisitsMap shift={shift} />
    </Stack>
  )
}

const visitColumns = (zone: string): FactColumn<Visit>[] => [
  {
    title: 'Stop',
    render: ({ name, note }) => (
      <>
        {name}
        {note && <Soft as="div">{note}</Soft>}
      </>
    ),
  },
  { title: 'Window', render: windowText },
  {
    title: 'State',
    render: ({ state }) => (state ? <StateTag tone={toneOf[state]}>{stopStateLabel[state]}</StateTag> : EM_DASH),
  },
  { title: 'Arrived', render: ({ arrivedAt }) => (arrivedAt === null ? EM_DASH : formatTimeOnly(arrivedAt, zone)) },
  { title: 'Left', render: (visit) => leftText(visit, zone) },
  { title: 'Stay', render: stayText },
]

/** The track of the truck within the hours of the shift, for those who may see tracks. */
function useShiftTrack({ truck, date, startsAt, endsAt, startedAt, stoppedAt, stops }: Details): Point[] {
  const mayAsk = useMay(fleet.track)
  const isDriven = stops.some(({ state }) => state !== null && state !== 'upcoming')
  const request = { params: { uid: truck.uid }, query: { day: date } }
  const { data } = useCall(fleet.track, request, { enabled: mayAsk && isDriven })
  const [from, to] = [Date.parse(startedAt ?? startsAt), Date.parse(stoppedAt ?? endsAt)]
  return (data?.points ?? [])
    .filter(([, , at]) => Date.parse(at) >= from && Date.parse(at) <= to)
    .map(([latitude, longitude]) => ({ latitude, longitude }))
}

function VisitsMap({ shift }: { shift: Details }) {
  const track = useShiftTrack(shift)
  const places = shift.stops.map(({ name, latitude, longitude, radiusM, state }, index): MapPlace => ({
    id: String(index),
    name,
    latitude,
    longitude,
    radiusM,
    tone: state ? toneOf[state] : 'parked',
  }))
  return <PlaceMap label="Map of the planned stops and the track" places={places} line={track} />
}
