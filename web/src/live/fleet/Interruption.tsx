import { Alert } from 'antd'
import { useSyncExternalStore } from 'react'
import { interruption } from '../../api/socket.ts'
import { timestamp } from '../../ui/time.ts'
import styles from './Interruption.module.css'

const clock = (moment: number) => timestamp(new Date(moment).toISOString()).slice(11, 16)

/** Says that what is shown no longer moves by itself, and since when. */
export function Interruption() {
  const since = useSyncExternalStore(interruption.subscribe, interruption.since)
  return (
    <div role="status" className={styles.interruption}>
      {since !== undefined && (
        <Alert
          type="warning"
          showIcon
          role="none"
          title={`Live updates are interrupted since ${clock(since)}, trying again…`}
        />
      )}
    </div>
  )
}
