import { useSearch } from '@tanstack/react-router'
import { lazy } from 'react'
import { UserList } from '../../catalog/users/UserList.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { ViewLinks } from '../../ui/ViewLinks.tsx'

const ApiKeyList = lazy(() => import('../../accounts/api-keys/ApiKeyList.tsx'))
const AuditLog = lazy(() => import('../../accounts/audit-log/AuditLog.tsx'))
const MessageList = lazy(() => import('../../outreach/messages/MessageList.tsx'))
const WebLog = lazy(() => import('../web-log/WebLog.tsx'))

const API_KEYS = 'api-keys'
const WEB_LOG = 'web-log'
const AUDIT_LOG = 'audit-log'
const MESSAGES = 'messages'
const views = {
  users: 'Users',
  [API_KEYS]: 'API keys',
  [MESSAGES]: 'Messages',
  [WEB_LOG]: 'Web log',
  [AUDIT_LOG]: 'Audit log',
}
const isView = (view: unknown): view is keyof typeof views => typeof view === 'string' && view in views

/** The users, the keys of programs, the messages sent, and the logs of what users did and what went wrong in their browsers. */
export default function UsersPage() {
  const { view }: UrlSearch = useSearch({ strict: false })
  const current = isView(view) ? view : 'users'
  return (
    <>
      <ViewLinks label="Users, keys, messages and logs" views={views} current={current} />
      {current === API_KEYS && <ApiKeyList />}
      {current === MESSAGES && <MessageList />}
      {current === WEB_LOG && <WebLog />}
      {current === AUDIT_LOG && <AuditLog />}
      {current === 'users' && <UserList />}
    </>
  )
}
