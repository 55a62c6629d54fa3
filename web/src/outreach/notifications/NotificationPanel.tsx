import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { notifications } from '@roadshow/contract/outreach/notifications'
import { Link } from '@tanstack/react-router'
import { Drawer } from 'antd'
import { useList } from '../../api/useList.ts'
import { Row } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { MarkAllRead } from './MarkAllRead.tsx'
import { GroupedNotifications, NotificationList } from './NotificationList.tsx'
import styles from './NotificationPanel.module.css'

const LATEST = { page: '1', pageSize: '20' }
const NEEDED = { page: '1', pageSize: '50', unread: 'only' } as const

interface NotificationPanelProps {
  open: boolean
  unread: number
  onClose: () => void
}

/** What needs the user, by groups, then the latest others, with the ways to all of them and to the settings. */
export default function NotificationPanel({ open, unread, onClose }: NotificationPanelProps) {
  const found = useList(notifications.list, LATEST, open)
  const needed = useList(notifications.list, NEEDED, open)
  const rows = found.data?.data
  const others = rows?.filter(({ needsYou }) => !needsYou) ?? []
  const failed = found.isError ? found : needed.isError ? needed : undefined
  const isWaiting = !failed && (!rows || !needed.data)
  return (
    <Drawer
      open={open}
      onClose={onClose}
      size={DRAWER_WIDTH}
      title="Notifications"
      rootClassName="notification-panel"
      styles={{ body: { padding: 0 } }}
      footer={
        <Row as="nav" gap={3} align="center" between className={styles.ways} aria-label="More about notifications">
          <Link to="/notifications" onClick={onClose}>
            All notifications
          </Link>
          <Link to="/notifications/settings" onClick={onClose}>
            Settings
          </Link>
        </Row>
      }
    >
      <Row gap={3} align="center" between className={styles.bar}>
        <span className="figures">
          {unread === 0 ? 'Nothing needs you' : `${unread} ${unread === 1 ? 'needs' : 'need'} you`}
        </span>
        <MarkAllRead newest={rows?.[0]?.at} unread={unread} />
      </Row>
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {isWaiting && <SkeletonLines className={styles.waiting ?? ''} />}
      {rows?.length === 0 && <p className={styles.empty}>No notifications yet.</p>}
      {needed.data && <GroupedNotifications rows={needed.data.data} onOpen={onClose} />}
      {others.length > 0 && (
        <section aria-label="For your information">
          <h2 className={styles.others}>For your information</h2>
          <NotificationList rows={others} onOpen={onClose} />
        </section>
      )}
    </Drawer>
  )
}
