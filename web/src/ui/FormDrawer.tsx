import { DRAWER_WIDTH, LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Drawer, Skeleton } from 'antd'
import { useRecord } from '../api/useRecord.ts'
import { RecordForm } from './RecordForm.tsx'
import type { FormDrawerProps, Saved } from './records.ts'
import { ErrorState } from './states.tsx'
import styles from './FormDrawer.module.css'

/** The drawer of one record: opened by the address, with its form, its history and whatever else it has. */
export function FormDrawer<Row extends Saved, Input extends object>(props: FormDrawerProps<Row, Input>) {
  const { uid, open, onClose, onClosed, noun, calls, nameOf, large = false } = props
  const record = useRecord(calls.get, uid)
  const isLoaded = uid === undefined || (record.data !== undefined && record.isFetchedAfterMount)
  return (
    <Drawer
      open={open}
      onClose={onClose}
      // The form of a new record focuses its first field; taking the focus from there would mark it as left empty.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={uid !== undefined}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => !isOpen && onClosed()}
      size={large ? LARGE_DRAWER_WIDTH : DRAWER_WIDTH}
      title={record.data ? nameOf(record.data) : uid === undefined ? `New ${noun}` : 'Loading…'}
      rootClassName={styles.drawer ?? ''}
      data-large={large}
    >
      {record.isError && !isLoaded && (
        <div className={styles.padded}>
          <ErrorState error={record.error} onRetry={() => void record.refetch()} />
        </div>
      )}
      {!isLoaded && !record.isError && (
        <div className={styles.padded}>
          <Skeleton active paragraph={{ rows: 8 }} />
        </div>
      )}
      {isLoaded && <RecordForm {...props} opened={record.data} />}
    </Drawer>
  )
}
