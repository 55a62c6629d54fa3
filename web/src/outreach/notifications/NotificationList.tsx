import { notificationKindOf } from '@roadshow/contract/outreach/notification-kinds'
import { notifications } from '@roadshow/contract/outreach/notifications'
import type { Notification } from '@roadshow/contract/outreach/notifications'
import { useSave } from '../../api/useSave.ts'
import { PathLink } from '../../ui/rows/PathLink.tsx'
import { List, Row, Soft } from '../../ui/layout.tsx'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import styles from './NotificationList.module.css'

interface NotificationListProps {
  rows: readonly Notification[]
  /** One was opened. */
  onOpen?: () => void
}

/** Notifications as links to what they are about. Opening one marks it as read. */
export function NotificationList({ rows, onOpen }: NotificationListProps) {
  const markRead = useSave(notifications.markRead)
  return (
    <List className={styles.rows}>
      {rows.map((row) => (
        <li key={row.uid} data-unread={row.readAt === null}>
          <PathLink
            path={row.path}
            onClick={() => !row.readAt && markRead.mutate({ body: { uids: [row.uid] } })}
            onOpen={onOpen}
          >
            <Row as="span" gap={2} align="baseline" className={styles.head}>
              {row.readAt === null && <span className={styles.mark}>Unread</span>}
              <strong>{row.subject}</strong>
            </Row>
            {row.text && <span className={styles.text}>{row.text}</span>}
            <Soft small className="figures">
              {notificationKindOf(row.kind).label} · {formatMoment(row.at, localZone())}
            </Soft>
          </PathLink>
        </li>
      ))}
    </List>
  )
}
