import type { issueWork, QueryOf, RowOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { truckText } from '../../catalog/trucks/index.ts'
import { userText } from '../../catalog/users/index.ts'
import { noOwnRows, records } from '../../platform/db/records/records.ts'

type Query = QueryOf<typeof issueWork.assignees>
const filters = { uid: (uid: string[]) => sql`t.uid = any(${uid})` }

/** Staff with the Overview: the users `t` who may see every issue. */
export const MAY_BE_ASSIGNED = sql`t.role in ('admin', 'sales') and 'overview' = any(t.modules)`

/** The users that an issue can be assigned to, even without the Users module. */
export const issueAssignees = records<'user_account', RowOf<typeof issueWork.assignees>, Query>({
  table: 'user_account',
  columns: { uid: sql`t.uid`, name: sql`t.name` },
  sorts: { name: sql`t.name` },
  filters,
  searchText: userText,
  own: noOwnRows,
  only: MAY_BE_ASSIGNED,
})

/** The trucks that an issue can be raised of, even without the Trucks module. */
export const issueTrucks = records<'truck', RowOf<typeof issueWork.trucks>, Query>({
  table: 'truck',
  columns: { uid: sql`t.uid`, name: sql`t.number` },
  sorts: { name: sql`t.number` },
  filters,
  searchText: truckText,
  own: noOwnRows,
  only: sql`t.state <> 'retired'`,
})
