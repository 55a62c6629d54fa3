import { motionOf } from '@roadshow/contract/live/fleet'
import type { LiveTruck } from '@roadshow/contract/live/fleet'
import { startedLateMinutes } from '@roadshow/contract/planning/driver-marks'
import { formatMinutes, formatWeekday } from '@roadshow/contract/platform/dates'
import { trucks as truckCalls } from '@roadshow/contract/catalog/trucks'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { useMay } from '../../api/user.ts'
import { ReplayLink } from '../../planning/shifts/ReplayLink.tsx'
import { Row } from '../../ui/layout.tsx'
import { useNow } from '../../ui/useNow.ts'
import { EM_DASH } from '../../ui/text/dash.ts'
import { FactList } from '../facts/FactList.tsx'
import { ageText, agoText } from '../facts/ages.ts'
import { distanceText } from '../facts/distanceText.ts'
import { LiveStateTag, speedText } from './truckState.tsx'
import styles from './TruckCard.module.css'

/** What a truck has driven on its present day: a night shift belongs to the day on which it began. */
export interface DrivenToday {
  day: string
  isToday: boolean
  /** Null without data. */
  metres: number | null
}

const drivenText = (driven: DrivenToday | undefined): string => {
  if (!driven) return EM_DASH
  return distanceText(driven.metres)
}

interface TruckCardProps {
  truck: LiveTruck
  driven: DrivenToday | undefined
  isFollowing: boolean
  onFollow: (isOn: boolean) => void
  onClose: () => void
}

/** The current facts of one truck. */
export function TruckCard({ truck, driven, isFollowing, onFollow, onClose }: TruckCardProps) {
  const mayOpen = useMay(truckCalls.get)
  return (
    <section className={styles.card} aria-label={`Truck ${truck.number}`}>
      <header>
        <h2>{mayOpen ? <TruckLink truck={truck} /> : truck.number}</h2>
        <button type="button" className={styles.close} onClick={onClose} aria-label="Close">
          ×
        </button>
      </header>
      <LiveStateTag state={truck.state} />
      <TruckFacts truck={truck} driven={driven} />
      <Row gap={2} align="center" wrap>
        <Button
          size="small"
          aria-pressed={isFollowing}
          disabled={truck.latitude === null}
          onClick={() => onFollow(!isFollowing)}
        >
          {isFollowing ? 'Stop following' : 'Follow'}
        </Button>
        {/* A client's truck is on the client's shift. */}
        <ReplayLink search={truck.shift ? { shift: truck.shift.uid } : { truck: truck.uid, day: driven?.day }} />
      </Row>
    </section>
  )
}

const TruckLink = ({ truck: { uid, number } }: { truck: LiveTruck }) => (
  <Link to="/trucks" search={{ open: uid }}>
    {number}
  </Link>
)

const SECOND_MS = 1_000

/** The ages of a truck's three clocks, and its shift. */
export function TruckFacts({ truck, driven }: Pick<TruckCardProps, 'truck' | 'driven'>) {
  const now = useNow(SECOND_MS)
  const { shift, speedKmh, offShift } = truck
  const facts: [string, string][] = [
    ['Position', agoText(truck.positionAt, now)],
    ['Player', agoText(truck.playerAt, now)],
    ['Shift', shiftText(shift, now)],
    ['Speed', motionOf(truck) !== 'silent' && speedKmh !== null ? speedText(speedKmh) : EM_DASH],
    [driven && !driven.isToday ? formatWeekday(driven.day) : 'Today', drivenText(driven)],
    ...(shift
      ? ([
          ['Program', shift.program],
          ...(shift.driver === null ? [] : [['Driver', shift.driver]]),
          ...(shift.phoneOfflineSince
            ? [['Driver’s phone', `offline for ${ageText(shift.phoneOfflineSince, now)}`]]
            : []),
          ['Market', shift.market],
        ] as [string, string][])
      : []),
    ...(offShift
      ? ([
          ['Off shift', `for ${ageText(offShift.since, now)}`],
          ['Place', offShift.place || EM_DASH],
          ['Last driver', offShift.driver ?? 'none'],
        ] as [string, string][])
      : []),
  ]
  return <FactList facts={facts} />
}

function shiftText(shift: LiveTruck['shift'], now: number): string {
  if (!shift) return 'none'
  if (shift.startedAt && Date.parse(shift.endsAt) <= now) return `running over for ${ageText(shift.endsAt, now)}`
  const late = startedLateMinutes(shift)
  const started = late > 0 ? `, started ${formatMinutes(late)} late` : ''
  if (shift.startedAt) return `out for ${ageText(shift.startedAt, now)}${started}`
  return `due ${ageText(shift.startsAt, now)} ago, not started`
}
