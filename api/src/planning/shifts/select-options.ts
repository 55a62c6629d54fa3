import type { QueryOf, RowOf, shifts } from '@roadshow/contract'
import { noOwnRows, records } from '../../platform/db/records/records.ts'

type Query = QueryOf<typeof shifts.drivers>
const filters = { uid: 't.uid = any(?)' }

/** The trucks that a planner can choose, even without the Trucks module. */
export const truckOptions = records<'truck', RowOf<typeof shifts.trucks>, Query>({
  table: 'truck',
  columns: { uid: 't.uid', name: 't.number', state: 't.state' },
  sorts: { name: 't.number' },
  filters,
  own: noOwnRows,
  only: `t.state <> 'retired'`,
})

/** The programs that a planner can choose, even without the Clients module. */
export const programOptions = records<'client_program', RowOf<typeof shifts.programs>, Query>({
  table: 'client_program',
  joins: 'join client c on c.uid = t.client_uid',
  columns: {
    uid: 't.uid',
    name: 't.name',
    client: 'c.name',
    markets: `coalesce((
      select json_agg(json_build_object('uid', m.uid, 'name', m.name) order by pm.position)
        from program_market pm join market m on m.uid = pm.market_uid where pm.program_uid = t.uid), '[]')`,
  },
  sorts: { name: 't.name' },
  filters,
  own: noOwnRows,
})

/** The drivers that a planner can choose, even without the Users module. */
export const driverOptions = records<'user_account', RowOf<typeof shifts.drivers>, Query>({
  table: 'user_account',
  columns: { uid: 't.uid', name: 't.name' },
  sorts: { name: 't.name' },
  filters,
  own: noOwnRows,
  only: `t.role = 'driver'`,
})
