import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import { popGradeLabel } from '@roadshow/contract/proof/pop-document'
import { playReasonLabel } from '@roadshow/contract/proof/ad-log'
import type { AdLogSummary, LoggedPlay } from '@roadshow/contract/proof/ad-log'
import { GradeTag } from '../../photos/photoTags.tsx'
import type { Column } from '../../../ui/rows/columns.ts'
import type { Filter } from '../../../ui/list/FilterChips.tsx'
import { StateTag } from '../../../ui/text/StateTag.tsx'
import { formatWeekday, timestamp } from '@roadshow/contract/platform/dates'
import { upToOneDigit } from '@roadshow/contract/platform/figures'
import { EM_DASH } from '../../../ui/text/dash.ts'
import { playTimeText } from '../reportNumbers.ts'
import styles from './playColumns.module.css'

const seconds = (ms: number) => upToOneDigit(ms / 1000)

type TimedPlay = Pick<LoggedPlay, 'startedAt' | 'day' | 'zone'>

/** When a play began; after midnight in a night shift, it names the day that it counts for. */
export function PlayedAt({ play: { startedAt, day, zone }, dayWord }: { play: TimedPlay; dayWord: string }) {
  const time = timestamp(startedAt, zone)
  const note = time.startsWith(day) ? undefined : `${dayWord} ${formatWeekday(day)}`
  return (
    <>
      {time} {note && <small className={styles.note}>{note}</small>}
    </>
  )
}

/** The grade of a play, and why it is not verified. */
function GradeAndReason({ grade, reason }: Pick<LoggedPlay, 'grade' | 'reason'>) {
  const why = reason ? playReasonLabel[reason] : undefined
  return (
    <span title={why}>
      <GradeTag grade={grade} /> {why && <small className={styles.note}>{why}</small>}
    </span>
  )
}

const marketColumn: Column<LoggedPlay> = {
  key: 'market',
  title: 'Market',
  width: 120,
  render: ({ market }) => market.name,
}

/** The columns of the plays, each in the zone of its market, which is named where there may be several. */
export const playColumns = (isOneMarket: boolean): Column<LoggedPlay>[] => [
  {
    key: 'startedAt',
    title: 'Played',
    width: 190,
    render: (play) => <PlayedAt play={play} dayWord="shift of" />,
  },
  ...(isOneMarket ? [] : [marketColumn]),
  { key: 'truck', title: 'Truck', width: 84, render: ({ truck }) => truck.name },
  { key: 'side', title: 'Side', width: 140, render: ({ side }) => truckSideLabel[side] },
  { key: 'artwork', title: 'Artwork', render: ({ artwork }) => artwork.name },
  { key: 'durationMs', title: 'Seconds', width: 84, align: 'right', render: ({ durationMs }) => seconds(durationMs) },
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

export const playFilters = (trucks: AdLogSummary['trucks']): Filter[] => [
  truckFilter(trucks),
  { key: 'side', label: 'Side', words: truckSideLabel },
  { key: 'grade', label: 'Grade', words: popGradeLabel },
]
