import { DRAWER_WIDTH, LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { useSearch } from '@tanstack/react-router'
import { Drawer } from 'antd'
import { useState } from 'react'
import { useRecord } from '../../api/useRecord.ts'
import { RecordForm } from './RecordForm.tsx'
import { RecordPage } from './RecordPage.tsx'
import type { FormDrawerProps, RecordTab, SavedRecord } from './records.ts'
import { useSlot } from '../slots.tsx'
import type { SlotPart } from '../slots.tsx'
import { ErrorState, SkeletonLines } from '../states.tsx'
import type { UrlSearch } from '../useListState.ts'
import styles from './FormDrawer.module.css'

const tabsFrom = <Row,>(parts: readonly SlotPart<{ record: Row }>[], record: Row): RecordTab[] =>
  parts
    .filter(({ isShown }) => isShown?.({ record }) !== false)
    .map(({ label, Content }) => ({ label, content: <Content record={record} /> }))

/** The drawer of one record, or its page: opened by the address, with its form, its history and whatever else it has. */
export function FormDrawer<Row extends SavedRecord, Input extends object>(props: FormDrawerProps<Row, Input>) {
  const { uid, open, frame, onClose, onClosed, noun, calls, nameOf, blank, prefill, large = false } = props
  const search: UrlSearch = useSearch({ strict: false })
  const [start] = useState(() => ({ ...blank, ...prefill?.(search) }))
  const record = useRecord(calls.get, uid)
  const parts = useSlot(props.slot) as readonly SlotPart<{ record: Row }>[] | undefined
  const isFetched = record.data !== undefined && record.isFetchedAfterMount
  const isLoaded = uid === undefined || (isFetched && parts !== undefined)
  const tabs = (row: Row, follow: () => Promise<void>): RecordTab[] => [
    ...(props.tabs?.(row, follow) ?? []),
    ...tabsFrom(parts ?? [], row),
  ]
  const title = record.data && parts ? nameOf(record.data) : uid === undefined ? `New ${noun}` : 'Loading…'
  const content = (
    <>
      {record.isError && !isLoaded && (
        <div className={styles.padded}>
          <ErrorState error={record.error} onRetry={() => void record.refetch()} />
        </div>
      )}
      {!isLoaded && !record.isError && (
        <div className={styles.padded}>
          <SkeletonLines rows={9} />
        </div>
      )}
      {isLoaded && <RecordForm {...props} blank={start} tabs={tabs} opened={record.data} />}
    </>
  )
  if (frame === 'page') {
    const { several = `${noun}s`, summary } = props
    return (
      <RecordPage several={several} title={title} large={large} summary={record.data && summary?.(record.data)}>
        {content}
      </RecordPage>
    )
  }
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
      title={title}
      rootClassName="form-drawer"
      data-large={large}
    >
      {content}
    </Drawer>
  )
}
