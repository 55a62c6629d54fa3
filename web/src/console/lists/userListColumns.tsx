import type { User } from '@roadshow/contract/catalog/users'
import type { UserFacts } from '@roadshow/contract/console/list-facts'
import { formatMinutes } from '@roadshow/contract/platform/dates'
import { userColumns } from '../../catalog/users/userColumns.tsx'
import type { Column, WithFacts } from '../../ui/rows/columns.ts'
import { nextShiftText } from './shared.tsx'

type Row = WithFacts<User, UserFacts>

const answers: Column<Row>[] = [
  {
    key: 'weekHours',
    title: 'Hours this week',
    width: 130,
    align: 'right',
    render: ({ facts }) => facts && (facts.weekMinutes === null ? '–' : formatMinutes(facts.weekMinutes)),
  },
  {
    key: 'nextShift',
    title: 'Next shift',
    width: 292,
    render: ({ facts }) =>
      facts && <span className="figures">{facts.nextShift ? nextShiftText(facts.nextShift) : 'None planned'}</span>,
  },
  { key: 'nextTruck', title: 'Truck', width: 84, render: ({ facts }) => facts?.nextShift?.truck.name },
]

const [name, ...others] = userColumns
const OF_DRIVERS = ['phone', 'email', 'state', 'lastSeen']

/** Drivers with their week in front. */
export const driverListColumns: readonly Column<Row>[] = [
  ...(name ? [name] : []),
  ...answers,
  ...OF_DRIVERS.flatMap((key) => others.find((column) => column.key === key) ?? []).map(
    ({ secondary: _secondary, ...column }): Column<Row> =>
      ['phone', 'state'].includes(column.key) ? column : { ...column, secondary: true },
  ),
]
