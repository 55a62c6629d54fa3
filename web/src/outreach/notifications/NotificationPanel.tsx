import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { notifications } from '@roadshow/contract/outreach/notifications'
import { Link } from '@tanstack/react-router'
import { Drawer } from 'antd'
import { useList } from '../../api/useList.ts'
import { Row } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { MarkAllRead } from './MarkAllRead.tsx'
import { NotificationList } from './NotificationList.tsx'
import styles from './NotificationPanel.module.css'

const LATEST = { page: '1', pageSize: '20' }

interface NotificationPanelProps {
  open: boolean
  unread: number
  onClose: () => void
}

/** The latest notifications beside the screen, with the ways to all of them and to the settings. */
export default function NotificationPanel({ open, unread, onClose }: NotificationPanelProps) {
  const found = useList(notifications.list, LATEST, open)
  const rows = found.data?.data
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
      <div className={styles.bar}>
        <span className="figures">{unread === 0 ? 'Nothing unread' : `${unread} unread`}</span>
        <MarkAllRead newest={rows?.[0]?.at} unread={unread} />
      </div>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!rows && !found.isError && <SkeletonLines className={styles.waiting ?? ''} />}
      {rows?.length === 0 && <p className={styles.empty}>No notifications yet.</p>}
      {rows && <NotificationList rows={rows} onOpen={onClose} />}
    </Drawer>
  )
}
