import { notificationGroups, notificationKindOf } from '@roadshow/contract/outreach/notification-kinds'
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
  onOpen?: (() => void) | undefined
}

/** Notifications as links to what they are about. Opening one marks it as read. */
export function NotificationList({ rows, onOpen }: NotificationListProps) {
  const markRead = useSave(notifications.markRead)
  return (
    <List className={styles.rows}>
      {rows.map((row) => (
        <li key={row.uid} data-unread={row.needsYou}>
          <PathLink
            path={row.path}
            onClick={() => !row.readAt && markRead.mutate({ body: { uids: [row.uid] } })}
            onOpen={onOpen}
          >
            <Row as="span" gap={2} align="baseline" className={styles.head}>
              {row.needsYou && <span className={styles.mark}>Needs you</span>}
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

/** Notifications under the headings of their groups, with how many each has. */
export const GroupedNotifications = ({ rows, onOpen }: NotificationListProps) =>
  notificationGroups.map((group) => {
    const ofGroup = rows.filter(({ kind }) => notificationKindOf(kind).group === group)
    return (
      ofGroup.length > 0 && (
        <section key={group} aria-label={group}>
          <Row as="h2" gap={2} align="baseline" className={styles.group}>
            {group}
            <Soft small className="figures">
              {ofGroup.length}
            </Soft>
          </Row>
          <NotificationList rows={ofGroup} onOpen={onOpen} />
        </section>
      )
    )
  })
