import { notificationKindOf } from '@roadshow/contract/outreach/notification-kinds'
import { notifications } from '@roadshow/contract/outreach/notifications'
import type { Notification } from '@roadshow/contract/outreach/notifications'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useSave } from '../../api/useSave.ts'
import { List, Row, Soft } from '../../ui/layout.tsx'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import styles from './NotificationList.module.css'

interface NotificationListProps {
  rows: readonly Notification[]
  /** One was opened. */
  onOpen?: () => void
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)

/** Notifications as links to what they are about. Opening one marks it as read. */
export function NotificationList({ rows, onOpen }: NotificationListProps) {
  const router = useRouter()
  const markRead = useSave(notifications.markRead)
  const open = (event: MouseEvent, { uid, path, readAt }: Notification) => {
    if (!readAt) markRead.mutate({ body: { uids: [uid] } })
    // A click with a key opens a tab of its own, which the browser does by itself.
    if (!isPlainClick(event)) return
    event.preventDefault()
    onOpen?.()
    router.history.push(path)
  }
  return (
    <List className={styles.rows}>
      {rows.map((row) => (
        <li key={row.uid} data-unread={row.readAt === null}>
          <a href={row.path} onClick={(event) => open(event, row)}>
            <Row as="span" gap={2} align="baseline" className={styles.head}>
              {row.readAt === null && <span className={styles.mark}>Unread</span>}
              <strong>{row.subject}</strong>
            </Row>
            {row.text && <span className={styles.text}>{row.text}</span>}
            <Soft small className="figures">
              {notificationKindOf(row.kind).label} · {formatMoment(row.at, localZone())}
            </Soft>
          </a>
        </li>
      ))}
    </List>
  )
}
