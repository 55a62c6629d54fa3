import { mayReceive, notificationKindOf, notificationKinds } from '@roadshow/contract/outreach/notification-kinds'
import { notifications } from '@roadshow/contract/outreach/notifications'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Button, Pagination, Segmented, Select } from 'antd'
import { useCall } from '../../api/useCall.ts'
import { useList } from '../../api/useList.ts'
import { permissionsOf, useUser } from '../../api/user.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { MarkAllRead } from './MarkAllRead.tsx'
import { NotificationList } from './NotificationList.tsx'
import styles from './NotificationsPage.module.css'

const PAGE_SIZE = 20

interface Filters {
  page?: string | undefined
  unread?: string | undefined
  kind?: string | string[] | undefined
}

/** The filters in the address. */
function useFilters() {
  const search: Filters = useSearch({ strict: false })
  const navigate = useNavigate()
  const ask = (next: Filters) =>
    void navigate({ to: '.', search: (old: Filters) => ({ ...old, page: undefined, ...next }), replace: true })
  return { search, ask }
}

/** All notifications of the user, paged. */
export default function NotificationsPage() {
  const { search, ask } = useFilters()
  const page = Math.max(1, Number(search.page) || 1)
  const found = useList(notifications.list, {
    page: String(page),
    pageSize: String(PAGE_SIZE),
    unread: search.unread === 'only' ? 'only' : undefined,
    kind: search.kind,
  })
  const { data: rows, total = 0 } = found.data ?? {}
  const isNarrowed = search.unread !== undefined || search.kind !== undefined
  return (
    <>
      <Toolbar search={search} ask={ask} newest={page === 1 && !isNarrowed ? rows?.[0]?.at : undefined} />
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!rows && !found.isError && <SkeletonLines rows={9} />}
      {rows?.length === 0 && (
        <EmptyState
          action={isNarrowed && <Button onClick={() => ask({ unread: undefined, kind: undefined })}>Show all</Button>}
          next={
            isNarrowed
              ? undefined
              : {
                  label: 'Choose what reaches you',
                  needs: notifications.list,
                  to: '/notifications/settings',
                  search: {},
                }
          }
        >
          {isNarrowed
            ? 'No notifications match these filters.'
            : 'No notifications yet. What happens that you should know appears here.'}
        </EmptyState>
      )}
      {rows && rows.length > 0 && (
        <div className={styles.list} aria-busy={found.isPlaceholderData}>
          <NotificationList rows={rows} />
        </div>
      )}
      {total > PAGE_SIZE && (
        <Pagination
          current={page}
          pageSize={PAGE_SIZE}
          total={total}
          showSizeChanger={false}
          onChange={(next) => ask({ page: String(next) })}
        />
      )}
    </>
  )
}

interface ToolbarProps {
  search: Filters
  ask: (next: Filters) => void
  newest: string | undefined
}

function Toolbar({ search, ask, newest }: ToolbarProps) {
  const user = permissionsOf(useUser())
  const unread = useCall(notifications.unread).data?.unread ?? 0
  const kinds = notificationKinds
    .filter((kind) => mayReceive(user, kind))
    .map((kind) => ({ value: kind as string, label: notificationKindOf(kind).label }))
  return (
    <div className={styles.bar}>
      <Segmented
        aria-label="Which notifications"
        value={search.unread === 'only' ? 'only' : 'all'}
        options={[
          { value: 'all', label: 'All' },
          { value: 'only', label: `Needs you (${unread})` },
        ]}
        onChange={(next) => ask({ unread: next === 'only' ? 'only' : undefined })}
      />
      <Select
        className={styles.kinds ?? ''}
        mode="multiple"
        allowClear
        aria-label="Kinds"
        placeholder="All types"
        optionFilterProp="label"
        maxTagCount="responsive"
        value={search.kind === undefined ? [] : [search.kind].flat()}
        options={kinds}
        onChange={(next: string[]) => ask({ kind: next.length === 0 ? undefined : next })}
      />
      <span className={styles.space} />
      <MarkAllRead newest={newest} unread={unread} />
      <Link to="/notifications/settings">Settings</Link>
    </div>
  )
}
