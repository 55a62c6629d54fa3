import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import { popGradeLabel } from '@roadshow/contract/proof/pop-document'
import type { AdLogSummary, LoggedPlay } from '@roadshow/contract/proof/reports'
import { GradeTag } from '../photos/photoTags.tsx'
import type { Column } from '../../ui/columns.ts'
import type { Filter } from '../../ui/FilterChips.tsx'
import { StateTag } from '../../ui/StateTag.tsx'
import { timestamp } from '../../ui/time.ts'
import { EM_DASH } from '../../ui/words.ts'
import { playTimeText } from './reportNumbers.ts'

const seconds = (ms: number) => (ms / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 })

/** The columns of the plays, each in the zone of its market, which is named where there may be several. */
export const playColumns = (isOneMarket: boolean): Column<LoggedPlay>[] => [
  {
    key: 'startedAt',
    title: 'Played',
    width: 190,
    render: ({ startedAt, zone }) => timestamp(startedAt, zone),
  },
  ...(isOneMarket
    ? []
    : [
        {
          key: 'market',
          title: 'Market',
          width: 120,
          render: ({ market }: LoggedPlay) => market.name,
        },
      ]),
  { key: 'truck', title: 'Truck', width: 84, render: ({ truck }) => truck.name },
  { key: 'side', title: 'Side', width: 140, render: ({ side }) => truckSideLabel[side] },
  { key: 'artwork', title: 'Artwork', render: ({ artwork }) => artwork.name },
  { key: 'durationMs', title: 'Seconds', width: 84, align: 'right', render: ({ durationMs }) => seconds(durationMs) },
  { key: 'grade', title: 'Grade', width: 124, render: ({ grade }) => <GradeTag grade={grade} /> },
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
export const playFilters = (trucks: AdLogSummary['trucks']): Filter[] => [
  {
    key: 'truck',
    label: 'Truck',
    words: Object.fromEntries(trucks.map(({ truck }) => [truck.uid, truck.name])),
    inMenu: true,
  },
  { key: 'side', label: 'Side', words: truckSideLabel },
  { key: 'grade', label: 'Grade', words: popGradeLabel },
]
