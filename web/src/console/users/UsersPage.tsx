import { useSearch } from '@tanstack/react-router'
import { UserList } from '../../catalog/users/UserList.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { ViewLinks } from '../../ui/list/ViewLinks.tsx'
import { SkeletonLines } from '../../ui/states.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'

const waiting = { waiting: () => <SkeletonLines rows={9} /> }
const ApiKeyList = lazyPart(() => import('../../accounts/api-keys/ApiKeyList.tsx'), waiting)
const AuditLog = lazyPart(() => import('../../accounts/audit-log/AuditLog.tsx'), waiting)
const MessageList = lazyPart(() => import('../../outreach/messages/MessageList.tsx'), waiting)
const WebhookList = lazyPart(() => import('../../outreach/webhooks/WebhookList.tsx'), waiting)
const DeliveryList = lazyPart(() => import('../../outreach/webhooks/DeliveryList.tsx'), waiting)
const ErrorLog = lazyPart(() => import('../error-log/ErrorLog.tsx'), waiting)

const lists = {
  users: UserList,
  'api-keys': ApiKeyList,
  webhooks: WebhookList,
  'webhook-log': DeliveryList,
  messages: MessageList,
  'web-log': ErrorLog,
  'audit-log': AuditLog,
}
const views: Record<keyof typeof lists, string> = {
  users: 'Users',
  'api-keys': 'API keys',
  webhooks: 'Webhooks',
  'webhook-log': 'Webhook log',
  messages: 'Messages',
  'web-log': 'Web log',
  'audit-log': 'Audit log',
}

const isView = (view: unknown): view is keyof typeof lists => typeof view === 'string' && Object.hasOwn(lists, view)

/** The users, the keys and webhooks of programs, the messages sent, and the logs of what users did and what went wrong in their browsers. */
export default function UsersPage() {
  const { view }: UrlSearch = useSearch({ strict: false })
  const current = isView(view) ? view : 'users'
  const List = lists[current]
  return (
    <>
      <ViewLinks label="Users, keys, messages and logs" views={views} current={current} />
      <List />
    </>
  )
}
