import { Alert } from 'antd'
import { useSyncExternalStore } from 'react'
import { interruption } from '../../api/socket.ts'
import { formatTime, localZone } from '@roadshow/contract/platform/dates'
import styles from './Interruption.module.css'

/** Says since when the live data is not updated. */
export function Interruption() {
  const since = useSyncExternalStore(interruption.subscribe, interruption.since)
  return (
    <div role="status" className={styles.interruption}>
      {since !== undefined && (
        <Alert
          type="warning"
          showIcon
          role="none"
          title={`Live updates stopped at ${formatTime(new Date(since).toISOString(), localZone())}. Reconnecting…`}
        />
      )}
    </div>
  )
}
