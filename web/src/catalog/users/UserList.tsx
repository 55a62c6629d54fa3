import { users } from '@roadshow/contract/catalog/users'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { userColumns, userFilters } from './userColumns.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const UserForm = lazyForm(() => import('./UserForm.tsx'))

export const UserList = () => (
  <DataTable
    nouns={['user', 'users']}
    list={users.list}
    columns={userColumns}
    filters={userFilters}
    create={users.create}
    form={UserForm}
    empty="No users yet. Add the first one so that they can sign in."
  />
)
