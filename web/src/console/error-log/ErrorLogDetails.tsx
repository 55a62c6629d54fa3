import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { errorLog } from '@roadshow/contract/console/error-log'
import { Descriptions } from 'antd'
import { useDetails } from '../../api/useDetails.ts'
import { DetailsDrawer } from '../../ui/record/DetailsDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { localZone, timestamp } from '@roadshow/contract/platform/dates'
import styles from './ErrorLogDetails.module.css'

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** One report of the web log in full. */
export function ErrorLogDetails(props: RecordFormProps) {
  const report = useDetails(errorLog.get, props.uid)
  return (
    <DetailsDrawer {...props} found={report} size={LARGE_DRAWER_WIDTH} title={report.data?.errorOrigin ?? 'Report'}>
      {report.data && (
        <>
          <Descriptions
            column={1}
            size="small"
            items={[
              { key: 'at', label: `When (${localZone()})`, children: timestamp(report.data.at, localZone()) },
              { key: 'user', label: 'User', children: report.data.user?.name ?? 'Not signed in' },
              { key: 'address', label: 'Address', children: report.data.address },
              { key: 'userAgent', label: 'Browser', children: report.data.userAgent },
            ]}
          />
          <h2>Error</h2>
          <pre className={styles.report}>{plain(report.data.error)}</pre>
          <h2>Page</h2>
          <pre className={styles.report}>{plain(report.data.meta)}</pre>
        </>
      )}
    </DetailsDrawer>
  )
}
