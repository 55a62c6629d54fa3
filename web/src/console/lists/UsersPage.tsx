import { users } from '@roadshow/contract/catalog/users'
import type { User } from '@roadshow/contract/catalog/users'
import { listFacts } from '@roadshow/contract/console/list-facts'
import { Navigate, useSearch } from '@tanstack/react-router'
import { UserBulkBar } from '../../catalog/users/UserBulkBar.tsx'
import { userColumns, userFilters } from '../../catalog/users/userColumns.tsx'
import { useMay } from '../../api/user.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { ViewLinks } from '../../ui/list/ViewLinks.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { driverListColumns } from './userListColumns.tsx'

const UserForm = lazyForm(() => import('../../catalog/users/UserForm.tsx'))

const views = { drivers: 'Drivers', all: 'All users' }

/** Lists that were tabs of this screen have screens of their own; links to the tabs lead there. */
const MOVED = ['api-keys', 'webhooks', 'webhook-log', 'messages', 'web-log', 'audit-log']

const filterNames = ['search', ...userFilters.map(({ key }) => key)]
const isNarrowed = (search: UrlSearch) => filterNames.some((name) => search[name] !== undefined)

const create = {
  nouns: ['user', 'users'],
  list: users.list,
  create: users.create,
  form: UserForm,
  imports: 'users',
  empty: 'No users yet. Everyone who signs in stands here: the office, drivers and people at clients.',
} as const

const bulkActs = { nameOf: ({ name }: User) => name, bar: UserBulkBar }

/** Drivers with their week, and beside them everyone who can sign in, whom a search or a filter is about. */
export default function UsersPage() {
  const { view, ...search }: UrlSearch = useSearch({ strict: false })
  const bulk = useMay(users.sendInvitations) ? bulkActs : undefined
  if (typeof view === 'string' && MOVED.includes(view))
    return <Navigate to={`/system/${view}`} search={search} replace />
  const current = view === 'all' || (view !== 'drivers' && isNarrowed(search)) ? 'all' : 'drivers'
  return (
    <>
      <ViewLinks label="Drivers and all users" views={views} current={current} />
      {current === 'drivers' ? (
        <DataTable
          {...create}
          bulk={bulk}
          startsWith={() => ({ role: 'driver' })}
          facts={{ call: listFacts.users, of: 'user' }}
          columns={driverListColumns}
          empty="No drivers yet. Drivers see their shifts on a phone, report from the truck, and are paid by their rates."
        />
      ) : (
        <DataTable {...create} bulk={bulk} columns={userColumns} filters={userFilters} />
      )}
    </>
  )
}
