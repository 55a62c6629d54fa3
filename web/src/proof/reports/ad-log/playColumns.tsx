import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import { popGradeLabel } from '@roadshow/contract/proof/pop-document'
import { playReasonLabel, playVerifierLabel } from '@roadshow/contract/proof/ad-log'
import type { AdLogSummary, LoggedPlay } from '@roadshow/contract/proof/ad-log'
import { GradeTag } from '../../photos/photoTags.tsx'
import { Link } from '@tanstack/react-router'
import type { Column } from '../../../ui/rows/columns.ts'
import type { Filter } from '../../../ui/list/FilterChips.tsx'
import { StateTag } from '../../../ui/text/StateTag.tsx'
import { formatWeekday, timestamp, zoneName } from '@roadshow/contract/platform/dates'
import { upToOneDigit } from '@roadshow/contract/platform/figures'
import { EM_DASH } from '../../../ui/text/dash.ts'
import { Soft } from '../../../ui/layout.tsx'
import { mapUrl, placeText, positionOf } from './playPlace.ts'
import { playTimeText } from '../reportNumbers.ts'
import styles from './playColumns.module.css'

const seconds = (ms: number) => upToOneDigit(ms / 1000)

type TimedPlay = Pick<LoggedPlay, 'startedAt' | 'day' | 'zone'>

interface PlayedAtProps {
  play: TimedPlay
  dayWord: string
  /** Names the zone, where plays of several are listed. */
  hasZone?: boolean
}

/** When a play began; after midnight in a night shift, it names the day that it counts for. */
function PlayedAt({ play: { startedAt, day, zone }, dayWord, hasZone = false }: PlayedAtProps) {
  const time = timestamp(startedAt, zone)
  const note = time.startsWith(day) ? undefined : `${dayWord} ${formatWeekday(day)}`
  return (
    <>
      {time} {hasZone && <small className={styles.note}>{zoneName(zone, startedAt)} </small>}
      {note && <small className={styles.note}>{note}</small>}
    </>
  )
}

interface PlayLinkProps extends PlayedAtProps {
  /** What is replayed: the shift, or the truck. */
  of: { shift: string } | { truck: string }
}

/** The time of a play, which leads to its minute. */
export const PlayLink = ({ of, ...played }: PlayLinkProps) => (
  <Link to="/replay" search={{ ...of, at: played.play.startedAt }} title="Replay this minute">
    <PlayedAt {...played} />
  </Link>
)

type GradedPlay = Pick<LoggedPlay, 'grade' | 'reason' | 'verifiedBy'>

/** The grade of a play, and why it is not verified, or what verified it where no tracker did. */
function GradeAndReason({ grade, reason, verifiedBy }: GradedPlay) {
  const why = reason ? playReasonLabel[reason] : verifiedBy ? playVerifierLabel[verifiedBy] : undefined
  return (
    <span title={why}>
      <GradeTag grade={grade} /> {why && <small className={styles.note}>{why}</small>}
    </span>
  )
}

/** Where a play was shown, with the way to a map. */
function Place({ play }: { play: LoggedPlay }) {
  const [at, text] = [positionOf(play), placeText(play)]
  if (!at) return text ?? <Soft>No position</Soft>
  return (
    <a href={mapUrl(at)} target="_blank" rel="noreferrer" title={`${at.latitude}, ${at.longitude} on a map`}>
      {text}
    </a>
  )
}

const programColumn: Column<LoggedPlay> = { key: 'program', title: 'Program', render: ({ program }) => program.name }

interface PlayColumnsProps {
  /** Plays of several programs are listed. */
  hasProgram: boolean
  /** Plays of several zones are listed. */
  hasZone: boolean
}

/** The columns of the plays, each in the zone of its market. */
export const playColumns = ({ hasProgram, hasZone }: PlayColumnsProps): Column<LoggedPlay>[] => [
  {
    key: 'startedAt',
    title: 'Played',
    width: 190,
    render: (play) => <PlayLink of={{ shift: play.shiftUid }} play={play} dayWord="shift of" hasZone={hasZone} />,
  },
  ...(hasProgram ? [programColumn] : []),
  { key: 'market', title: 'Market', width: 120, render: ({ market }) => market.name },
  { key: 'truck', title: 'Truck', width: 84, render: ({ truck }) => truck.name },
  { key: 'side', title: 'Side', width: 140, render: ({ side }) => truckSideLabel[side] },
  { key: 'artwork', title: 'Artwork', render: ({ artwork }) => artwork.name },
  { key: 'durationMs', title: 'Seconds', width: 84, align: 'right', render: ({ durationMs }) => seconds(durationMs) },
  { key: 'place', title: 'Place', width: 190, render: (play) => <Place play={play} /> },
  { key: 'grade', title: 'Grade', width: 190, render: (play) => <GradeAndReason {...play} /> },
  { key: 'address', title: 'For SD address', secondary: true, render: ({ address }) => address?.name ?? EM_DASH },
  {
    key: 'receivedAt',
    title: 'Received',
    width: 150,
    secondary: true,
    render: ({ startedAt, receivedAt, zone, isLate }) => {
      const after = playTimeText((Date.parse(receivedAt) - Date.parse(startedAt)) / 1000)
      return (
        <span title={timestamp(receivedAt, zone)}>
          {isLate ? <StateTag tone="warn">{`late, ${after}`}</StateTag> : `after ${after}`}
        </span>
      )
    },
  },
]

/** The trucks of the report, which every reader of it may filter by. */
export const truckFilter = (trucks: AdLogSummary['trucks']): Filter => ({
  key: 'truck',
  label: 'Truck',
  words: Object.fromEntries(trucks.map(({ truck }) => [truck.uid, truck.name])),
  inMenu: true,
})

export const playFilters = (trucks: AdLogSummary['trucks'], people: readonly Filter[]): Filter[] => [
  truckFilter(trucks),
  ...people,
  { key: 'side', label: 'Side', words: truckSideLabel },
  { key: 'grade', label: 'Grade', words: popGradeLabel },
]
