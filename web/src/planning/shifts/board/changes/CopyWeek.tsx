import { addDays } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { RefusalGroup } from '@roadshow/contract/planning/shifts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Checkbox, Modal } from 'antd'
import { useId, useState } from 'react'
import { call, errorMessage } from '../../../../api/call.ts'
import { useSave } from '../../../../api/useSave.ts'
import { DayPicker } from '../../../../ui/form/DayPicker.tsx'
import { Stack } from '../../../../ui/layout.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { formatWeekday } from '@roadshow/contract/platform/dates'
import { ErrorState, SkeletonLines } from '../../../../ui/states.tsx'
import type { UrlSearch } from '../../../../ui/useListState.ts'
import { mondayOf } from '../../useSchedule.ts'
import { LateArrivals, refusedCount, RefusalGroups } from './RefusalGroups.tsx'
import type { PlanChangesControl } from './usePlanChanges.ts'
import type { useSchedule } from '../../useSchedule.ts'

interface CopyWeekProps {
  schedule: ReturnType<typeof useSchedule>
  planChanges: PlanChangesControl
  onClose: () => void
}

const listOf = (given: UrlSearch[string]): string[] => [given ?? []].flat()

/** The copy of one week to another: first as a preview, then saved. */
function useWeekCopy({ date, filters }: CopyWeekProps['schedule']) {
  const [from, setFrom] = useState(mondayOf(date))
  const [onto, setOnto] = useState(addDays(mondayOf(date), 7))
  const [allowInactiveProgram, setAllowed] = useState(false)
  const copy = useSave(shifts.copy)
  const body = {
    from,
    to: addDays(from, 6),
    onto,
    market: listOf(filters.market),
    client: listOf(filters.client),
    program: listOf(filters.program),
    driver: listOf(filters.driver),
    allowInactiveProgram,
  }
  const isOtherWeek = from !== onto
  const preview = useQuery({
    queryKey: ['copy-week', body],
    queryFn: async ({ signal }) => (await call(shifts.copy, { body: { ...body, save: false } }, { signal })).data,
    enabled: isOtherWeek,
    gcTime: 0,
  })
  return {
    from,
    setFrom,
    onto,
    setOnto,
    isOtherWeek,
    allowInactiveProgram,
    setAllowed,
    isFiltered: [body.market, body.client, body.program, body.driver].some((uids) => uids.length > 0),
    preview,
    copy,
    save: async () => (await copy.mutateAsync({ body: { ...body, save: true } })).data,
  }
}

/** Copies a week of shifts to another week, after a preview of the shifts that can and cannot be copied. */
export default function CopyWeek({ schedule, planChanges, onClose }: CopyWeekProps) {
  const { from, onto, isOtherWeek, preview, copy, ...week } = useWeekCopy(schedule)
  const copied = preview.data?.copied ?? 0

  const save = async () => {
    try {
      const saved = await week.save()
      planChanges.finish(
        saved.undoUid,
        `${countOf(saved.copied, 'shift')} copied to the week of ${formatWeekday(onto)}.`,
      )
      onClose()
      schedule.goTo(onto)
    } catch {
      // The dialog shows the error.
    }
  }

  return (
    <Modal
      open
      title="Copy week"
      okText={copied > 0 ? `Copy ${countOf(copied, 'shift')}` : 'Copy'}
      okButtonProps={{ disabled: copied === 0 || preview.isFetching || !isOtherWeek }}
      confirmLoading={copy.isPending}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <WeekField label="From the week of" value={from} onChange={week.setFrom} />
      <WeekField label="To the week of" value={onto} onChange={week.setOnto} />
      {week.isFiltered && <p>Only shifts that match the current market, client, program and driver filters.</p>}
      {!isOtherWeek && <Alert type="warning" title="Choose another week." />}
      {copy.isError && <Alert type="error" role="alert" title={errorMessage(copy.error)} />}
      {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {isOtherWeek && preview.isPending && <SkeletonLines rows={3} />}
      {isOtherWeek && (preview.data?.inactive ?? 0) > 0 && (
        <Checkbox checked={week.allowInactiveProgram} onChange={({ target }) => week.setAllowed(target.checked)}>
          Also copy {countOf(preview.data?.inactive ?? 0, 'shift')} of draft and paused programs
        </Checkbox>
      )}
      {isOtherWeek && preview.data && <CopyPreview {...preview.data} />}
    </Modal>
  )
}

interface WeekFieldProps {
  label: string
  value: string
  onChange: (monday: string) => void
}

function WeekField({ label, value, onChange }: WeekFieldProps) {
  const id = useId()
  return (
    <Stack below={3}>
      <label htmlFor={id}>{label}</label>
      <DayPicker id={id} value={value} onChange={(day) => day && onChange(mondayOf(day))} />
    </Stack>
  )
}

interface CopyPreviewProps {
  copied: number
  refused: readonly RefusalGroup[]
  lateArrivals: RefusalGroup['shifts']
}

const CopyPreview = ({ copied, refused, lateArrivals }: CopyPreviewProps) => (
  <>
    <p role="status">
      {countOf(copied, 'shift')} will be copied
      {refused.length > 0 && `, ${refusedCount(refused)} skipped`}.
    </p>
    <RefusalGroups label="Skipped" groups={refused} />
    <LateArrivals shifts={lateArrivals} />
  </>
)
