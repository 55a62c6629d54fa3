import { useSearch } from '@tanstack/react-router'
import { lazy } from 'react'
import { UserList } from '../../catalog/users/UserList.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { ViewLinks } from '../../ui/ViewLinks.tsx'

const ApiKeyList = lazy(() => import('../../accounts/api-keys/ApiKeyList.tsx'))
const AuditLog = lazy(() => import('../../accounts/audit-log/AuditLog.tsx'))
const WebLog = lazy(() => import('../web-log/WebLog.tsx'))

const API_KEYS = 'api-keys'
const WEB_LOG = 'web-log'
const AUDIT_LOG = 'audit-log'
const views = { users: 'Users', [API_KEYS]: 'API keys', [WEB_LOG]: 'Web log', [AUDIT_LOG]: 'Audit log' }

/** The users, the keys of programs, and the logs of what they did and what went wrong in their browsers. */
export default function UsersPage() {
  const { view }: UrlSearch = useSearch({ strict: false })
  const current = view === API_KEYS || view === WEB_LOG || view === AUDIT_LOG ? view : 'users'
  return (
    <>
      <ViewLinks label="Users, keys and logs" views={views} current={current} />
      {current === API_KEYS && <ApiKeyList />}
      {current === WEB_LOG && <WebLog />}
      {current === AUDIT_LOG && <AuditLog />}
      {current === 'users' && <UserList />}
    </>
  )
}
