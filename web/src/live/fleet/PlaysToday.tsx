import { fleet } from '@roadshow/contract/live/fleet'
import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { adLog } from '@roadshow/contract/proof/ad-log'
import { useCall } from '../../api/useCall.ts'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { ErrorState, SkeletonLine } from '../../ui/states.tsx'
import { formatWeekday } from '@roadshow/contract/platform/dates'
import shared from './overview.module.css'

const columns: FactColumn<ReplyOf<typeof fleet.playsToday>['data'][number]>[] = [
  { title: 'Program', render: ({ program }) => program.name },
  { title: 'Market', render: ({ market }) => market.name },
  {
    title: 'Plays',
    isNumber: true,
    render: ({ program, market, day, plays }) => (
      <FigureLink
        list={adLog.list}
        to="/ad-log"
        search={{ program: program.uid, market: market.uid, from: day, to: day }}
      >
        {formatCount(plays)}
      </FigureLink>
    ),
  },
]

/** The plays of the day of the figures by program and market; each count leads to its plays. */
export default function PlaysToday({ day }: { day: string }) {
  const found = useCall(fleet.playsToday)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLine />
  if (found.data.length === 0) return <p className={shared.calm}>No plays on {formatWeekday(day)}.</p>
  return (
    <FactTable
      label={`Plays of ${formatWeekday(day)}`}
      isFramed
      columns={columns}
      rows={found.data}
      rowKey={({ program, market }) => `${program.uid} ${market.uid}`}
    />
  )
}
