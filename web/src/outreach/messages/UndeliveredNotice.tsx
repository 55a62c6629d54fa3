import { messages } from '@roadshow/contract/outreach/messages'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { useMessageCounts } from './useMessageCounts.ts'
import styles from './messages.module.css'

/** Tells admins in one line that messages could not be delivered. */
export function UndeliveredNotice() {
  const { dead = 0 } = useMessageCounts() ?? {}
  if (dead === 0) return null
  return (
    <p role="status" className={styles.undelivered}>
      {dead === 1 ? '1 message could not be delivered. ' : `${dead} messages could not be delivered. `}
      <FigureLink list={messages.list} to="/system/messages" search={{ state: ['dead'] }}>
        Show
      </FigureLink>
    </p>
  )
}
