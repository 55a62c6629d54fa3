import { users } from '@roadshow/contract/catalog/users'
import { useSearch } from '@tanstack/react-router'
import { lazy } from 'react'
import { DataTable } from '../../ui/DataTable.tsx'
import type { Given } from '../../ui/useListState.ts'
import { Views } from '../../ui/Views.tsx'
import { userColumns, userFilters } from './userColumns.tsx'

const AuditLog = lazy(() => import('../../accounts/audit-log/AuditLog.tsx'))
const UserForm = lazy(() => import('./UserForm.tsx'))
const WebLog = lazy(() => import('../../console/web-log/WebLog.tsx'))

const WEB_LOG = 'web-log'
const AUDIT_LOG = 'audit-log'
const views = { users: 'Users', [WEB_LOG]: 'Web log', [AUDIT_LOG]: 'Audit log' }

export default function UsersPage() {
  const { view }: Given = useSearch({ strict: false })
  const current = view === WEB_LOG || view === AUDIT_LOG ? view : 'users'
  return (
    <>
      <Views label="Users and logs" views={views} current={current} />
      {current === WEB_LOG && <WebLog />}
      {current === AUDIT_LOG && <AuditLog />}
      {current === 'users' && (
        <DataTable
          nouns={['user', 'users']}
          list={users.list}
          columns={userColumns}
          filters={userFilters}
          create={users.create}
          form={UserForm}
          empty="No users yet. Add the first one to let somebody in."
        />
      )}
    </>
  )
}
