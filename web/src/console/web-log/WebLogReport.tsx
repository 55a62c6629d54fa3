import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { weblog } from '@roadshow/contract/console/web-log'
import { Descriptions, Drawer } from 'antd'
import { useRecord } from '../../api/useRecord.ts'
import type { RecordFormProps } from '../../ui/RecordDrawer.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { localZone, timestamp } from '../../ui/time.ts'
import styles from './WebLogReport.module.css'

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** One report of the web log in full. */
export function WebLogReport({ uid, open, onClose, onClosed }: RecordFormProps) {
  const report = useRecord(weblog.get, uid)
  return (
    <Drawer
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => !isOpen && onClosed()}
      size={LARGE_DRAWER_WIDTH}
      title={report.data?.errorOrigin ?? 'Report'}
    >
      {report.isError && <ErrorState error={report.error} onRetry={() => void report.refetch()} />}
      {report.isPending && <SkeletonLines />}
      {report.data && (
        <>
          <Descriptions
            column={1}
            size="small"
            items={[
              { key: 'at', label: `When (${localZone()})`, children: timestamp(report.data.at) },
              { key: 'user', label: 'User', children: report.data.user?.name ?? 'Not signed in' },
              { key: 'address', label: 'Address', children: report.data.address },
              { key: 'userAgent', label: 'Browser', children: report.data.userAgent },
            ]}
          />
          <h3>Error</h3>
          <pre className={styles.report}>{plain(report.data.error)}</pre>
          <h3>Page</h3>
          <pre className={styles.report}>{plain(report.data.meta)}</pre>
        </>
      )}
    </Drawer>
  )
}
