import { describeJump, unstoredKindLabel } from '@roadshow/contract/proof/ad-log'
import type { UnstoredNumbers } from '@roadshow/contract/proof/ad-log'
import type { Column } from '../../../ui/rows/columns.ts'
import { formatCount } from '@roadshow/contract/platform/figures'
import { RowLink } from '../../../ui/rows/RowLink.tsx'
import { formatMoment, formatWeekday } from '@roadshow/contract/platform/dates'
import { EM_DASH } from '../../../ui/text/dash.ts'
import { Stack } from '../../../ui/layout.tsx'
import { JumpQuestion } from './JumpQuestion.tsx'

/** `7–8`, or one number. */
const numbersText = ({ from, to }: UnstoredNumbers) =>
  from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)}`

const reasonText = { missing: 'Never arrived', rejected: EM_DASH, duplicate: EM_DASH } as const

const Jump = ({ row: { deviceUid, truck, from, to } }: { row: UnstoredNumbers }) => (
  <Stack gap={1}>
    <span>{describeJump(truck.name, { from, to })}.</span>
    <JumpQuestion deviceUid={deviceUid} from={from} to={to} />
  </Stack>
)

export const unstoredColumns: Column<UnstoredNumbers>[] = [
  { key: 'day', title: 'Day', width: 130, render: ({ day }) => formatWeekday(day) },
  { key: 'at', title: 'Around', width: 230, render: ({ at, zone }) => formatMoment(at, zone) },
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
    render: ({ kind, from, to }) => (kind === 'jump' ? EM_DASH : formatCount(to - from + 1)),
  },
  { key: 'numbers', title: 'Numbers of the player', width: 190, align: 'right', render: numbersText },
  {
    key: 'reason',
    title: 'Reason',
    render: (row) => (row.kind === 'jump' ? <Jump row={row} /> : (row.reason ?? reasonText[row.kind])),
  },
]
