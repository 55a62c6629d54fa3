import { unstoredKindLabel } from '@roadshow/contract/proof/ad-log'
import type { UnstoredNumbers } from '@roadshow/contract/proof/ad-log'
import type { Column } from '../../ui/columns.ts'
import { formatCount } from '../../ui/numbers.ts'
import { RowLink } from '../../ui/RowLink.tsx'
import { formatDayTime, formatWeekday } from '../../ui/time.ts'
import { EM_DASH } from '../../ui/dash.ts'

/** `7–8`, or one number. */
const numbersText = ({ from, to }: UnstoredNumbers) =>
  from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`

export const unstoredColumns: Column<UnstoredNumbers>[] = [
  { key: 'day', title: 'Day', width: 130, render: ({ day }) => formatWeekday(day) },
  { key: 'at', title: 'Around', width: 230, render: ({ at, zone }) => formatDayTime(at, zone) },
  {
    key: 'truck',
    title: 'Truck',
    width: 110,
    render: ({ truck }) => (
      <RowLink to="/trucks" uid={truck.uid}>
        {truck.name}
      </RowLink>
    ),
  },
  { key: 'kind', title: 'Type', width: 110, render: ({ kind }) => unstoredKindLabel[kind] },
  {
    key: 'count',
    title: 'Plays',
    width: 90,
    align: 'right',
    render: ({ from, to }) => formatCount(to - from + 1),
  },
  { key: 'numbers', title: 'Numbers of the player', width: 190, align: 'right', render: numbersText },
  {
    key: 'reason',
    title: 'Reason',
    render: ({ kind, reason }) => reason ?? (kind === 'missing' ? 'Never arrived' : EM_DASH),
  },
]
