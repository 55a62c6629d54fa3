import type { QueryOf, RowOf, shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import { programText } from '../../catalog/programs/index.ts'
import { truckText } from '../../catalog/trucks/index.ts'
import { userText } from '../../catalog/users/index.ts'
import { noOwnRows, records } from '../../platform/db/records/records.ts'

type Query = QueryOf<typeof shifts.drivers>
const filters = { uid: (uid: string[]) => sql`t.uid = any(${uid})` }

const trucks = {
  table: 'truck' as const,
  columns: { uid: sql`t.uid`, name: sql`t.number`, state: sql`t.state` },
  sorts: { name: sql`t.number` },
  filters,
  searchText: truckText,
  own: noOwnRows,
}

/** The trucks that a planner can choose, even without the Trucks module. */
export const truckOptions = records<'truck', RowOf<typeof shifts.trucks>, Query>({
  ...trucks,
  only: sql`t.state <> 'retired'`,
})

/** Trucks chosen already, such as by a link to the shifts of a truck that has retired since. */
export const chosenTrucks = records<'truck', RowOf<typeof shifts.trucks>, Query>(trucks)

/** The programs that a planner can choose, even without the Clients module. */
export const programOptions = records<'client_program', RowOf<typeof shifts.programs>, Query>({
  table: 'client_program',
  joins: sql`join client c on c.uid = t.client_uid`,
  columns: {
    uid: sql`t.uid`,
    name: sql`t.name`,
    client: sql`c.name`,
    status: sql`t.status`,
    markets: sql`coalesce((
      select json_agg(json_build_object('uid', m.uid, 'name', m.name) order by pm.position)
        from program_market pm join market m on m.uid = pm.market_uid where pm.program_uid = t.uid), '[]')`,
  },
  sorts: { name: sql`t.name` },
  filters,
  searchText: programText,
  own: noOwnRows,
})

/** The drivers that a planner can choose, even without the Users module. */
export const driverOptions = records<'user_account', RowOf<typeof shifts.drivers>, Query>({
  table: 'user_account',
  columns: { uid: sql`t.uid`, name: sql`t.name` },
  sorts: { name: sql`t.name` },
  filters,
  searchText: userText,
  own: noOwnRows,
  only: sql`t.role = 'driver'`,
})
