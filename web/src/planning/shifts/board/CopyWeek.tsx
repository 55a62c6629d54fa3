import { addDays } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Modal, Skeleton } from 'antd'
import { useId, useState } from 'react'
import { call, errorMessage } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { DayPicker } from '../../../ui/DayPicker.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import type { Given } from '../../../ui/useListState.ts'
import { mondayOf } from '../useSchedule.ts'
import type { useSchedule } from '../useSchedule.ts'
import styles from '../shifts.module.css'

interface CopyWeekProps {
  schedule: ReturnType<typeof useSchedule>
  onClose: () => void
}

const several = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'shift' : 'shifts'}`
const listOf = (given: Given[string]): string[] => [given ?? []].flat()

/** Copies a week to another one: first what would be copied and what not, then on request for good. */
export default function CopyWeek({ schedule, onClose }: CopyWeekProps) {
  const { date, filters, goTo } = schedule
  const [from, setFrom] = useState(mondayOf(date))
  const [onto, setOnto] = useState(addDays(mondayOf(date), 7))
  const notice = useNotice()
  const copy = useSave(shifts.copy)
  const [fromId, ontoId] = [useId(), useId()]
  const body = {
    from,
    to: addDays(from, 6),
    onto,
    market: listOf(filters.market),
    client: listOf(filters.client),
    program: listOf(filters.program),
    driver: listOf(filters.driver),
  }
  const mayAsk = from !== onto
  const preview = useQuery({
    queryKey: ['copy-week', body],
    queryFn: async ({ signal }) => (await call(shifts.copy, { body: { ...body, save: false } }, { signal })).data,
    enabled: mayAsk,
    gcTime: 0,
  })
  const isNarrowed = [body.market, body.client, body.program, body.driver].some((uids) => uids.length > 0)
  const copied = preview.data?.copied ?? 0

  const save = async () => {
    try {
      const { data } = await copy.mutateAsync({ body: { ...body, save: true } })
      notice(`${several(data.copied)} copied to the week of ${onto}.`)
      onClose()
      goTo(onto)
    } catch {
      // Stands in the dialog.
    }
  }

  return (
    <Modal
      open
      title="Copy week"
      okText={copied > 0 ? `Copy ${several(copied)}` : 'Copy'}
      okButtonProps={{ disabled: copied === 0 || preview.isFetching || !mayAsk }}
      confirmLoading={copy.isPending}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <div className={styles.choice}>
        <label htmlFor={fromId}>Shifts of the week of</label>
        <DayPicker id={fromId} value={from} onChange={(day) => day && setFrom(mondayOf(day))} />
      </div>
      <div className={styles.choice}>
        <label htmlFor={ontoId}>To the week of</label>
        <DayPicker id={ontoId} value={onto} onChange={(day) => day && setOnto(mondayOf(day))} />
      </div>
      {isNarrowed && <p>Only shifts that the filters for market, client, program and driver let through.</p>}
      {!mayAsk && <Alert type="warning" title="Choose another week." />}
      {copy.isError && <Alert type="error" role="alert" title={errorMessage(copy.error)} />}
      {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {mayAsk && preview.isPending && <Skeleton active paragraph={{ rows: 2 }} />}
      {mayAsk && preview.data && (
        <>
          <p role="status">
            {several(copied)} will be copied
            {preview.data.skipped.length > 0 && `, ${preview.data.skipped.length} left out`}.
          </p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long list is scrolled by the keys */}
          <ul className={styles.skipped} aria-label="Left out" tabIndex={0} hidden={preview.data.skipped.length === 0}>
            {preview.data.skipped.map(({ name, reason }) => (
              <li key={`${name} ${reason}`}>
                {name} <span className={styles.soft}>{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Modal>
  )
}
