import { payAnomalyLabel, payDecisionLabel, payroll } from '@roadshow/contract/pay/payroll'
import type { PayAdjustment, PayDecision, PayLine } from '@roadshow/contract/pay/payroll'
import { payOptionLabel, shiftStatusLabel } from '@roadshow/contract/planning/shifts'
import type { PayOption } from '@roadshow/contract/planning/shifts'
import { call } from '../api/call.ts'
import { useMay } from '../api/user.ts'
import type { PayDateRange } from '../pay/payroll/usePayDays.ts'
import { useStatement } from '../pay/payroll/useStatement.ts'
import { Soft, Stack } from '../ui/layout.tsx'
import { formatDollars } from '@roadshow/contract/platform/figures'
import { ErrorState, SkeletonLines } from '../ui/states.tsx'
import { ClassicTable } from './table/ClassicTable.tsx'
import type { ClassicColumn, CellEdit } from './table/columns.ts'
import type { LineChanges } from './table/editsStore.ts'
import { fewOf } from './table/useAll.ts'
import shared from './oldPages.module.css'
import { formatClock, formatClocks, formatDays, formatMinutes, formatWeekday } from '@roadshow/contract/platform/dates'

const isOpen = (line: PayLine | undefined) => !line || line.period === null || line.period.state === 'open'

// A shift that did not take place has no option, and a settled one is corrected with an adjustment.
const whenCompleted = (edit: CellEdit) => (line: PayLine | undefined) =>
  line?.status === 'completed' && isOpen(line) ? edit : undefined

const payWord = ({ cents, unpaid, needsDecision }: PayLine) => {
  if (needsDecision) return 'Not paid: needs a decision'
  return unpaid ? 'Not paid' : formatDollars(cents)
}

const columns: ClassicColumn<PayLine>[] = [
  { key: 'date', label: 'Date', width: 140, text: ({ date }) => formatWeekday(date) },
  { key: 'hours', label: 'Shift', width: 150, text: formatClocks },
  { key: 'truck', label: 'Truck', width: 80, text: ({ truck }) => truck },
  { key: 'program', label: 'Program', width: 170, text: ({ program }) => program },
  {
    key: 'planned',
    label: 'Planned',
    width: 92,
    align: 'right',
    text: ({ plannedMinutes }) => formatMinutes(plannedMinutes),
  },
  {
    key: 'actual',
    label: 'Actual',
    width: 92,
    align: 'right',
    text: ({ actualMinutes }) => (actualMinutes === null ? '' : formatMinutes(actualMinutes)),
  },
  {
    key: 'option',
    label: 'Pay option',
    width: 110,
    text: ({ option }) => (option ? payOptionLabel[option] : ''),
    edit: whenCompleted(fewOf(payOptionLabel, 'pay option')),
  },
  {
    key: 'decision',
    label: 'Decision',
    width: 104,
    text: ({ override }) => (override?.decision ? payDecisionLabel[override.decision] : ''),
    edit: whenCompleted({ ...fewOf(payDecisionLabel, 'decision'), isOptional: true }),
  },
  {
    key: 'note',
    label: 'Reason',
    width: 170,
    text: ({ override }) => override?.note ?? '',
    edit: whenCompleted({ kind: 'text' }),
  },
  {
    key: 'cents',
    label: 'Pay',
    width: 180,
    align: 'right',
    text: payWord,
  },
  {
    key: 'anomalies',
    label: 'Problems',
    width: 190,
    text: ({ anomalies }) => anomalies.map(({ kind }) => payAnomalyLabel[kind]).join(', '),
  },
  { key: 'proposed', label: 'Proposed', width: 104, text: ({ proposed }) => payOptionLabel[proposed] },
  { key: 'market', label: 'Market', width: 110, text: ({ market }) => market },
  { key: 'status', label: 'Status', width: 86, text: ({ status }) => shiftStatusLabel[status] },
]

const adjustmentColumns: ClassicColumn<PayAdjustment>[] = [
  { key: 'date', label: 'Date', width: 140, text: ({ date }) => formatWeekday(date) },
  { key: 'cents', label: 'Adjustment', width: 110, align: 'right', text: ({ cents }) => formatDollars(cents) },
  { key: 'note', label: 'Note', width: 320, text: ({ note }) => note },
  { key: 'by', label: 'By', width: 160, text: ({ by }) => by },
]

const rowKey = ({ uid }: { uid: string }) => uid

interface OldPayLinesProps {
  days: PayDateRange
  /** The user's own pay, if empty. */
  driver?: string
  onSaved?: () => void
}

/** The shifts and adjustments of a driver's pay; the pay option can be edited. */
export function OldPayLines({ days: { from, to }, driver, onSaved }: OldPayLinesProps) {
  const found = useStatement({ from, to }, driver)
  const mayOverride = useMay(payroll.override)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines rows={3} />
  const { lines, adjustments, figures, driver: whose } = found.data
  const save = async (line: PayLine | undefined, changes: LineChanges) => {
    if (!line) return
    const option = (changes.option ?? line.option) as PayOption | null
    const decision = (
      changes.decision === undefined ? (line.override?.decision ?? null) : changes.decision || null
    ) as PayDecision | null
    const note = typeof changes.note === 'string' ? changes.note : (line.override?.note ?? '')
    await call(payroll.override, {
      body: { shiftUid: line.uid, version: line.override?.version ?? null, option, decision, note },
    })
    onSaved?.()
  }
  return (
    <Stack gap={2} className={shared.part}>
      {lines.length + adjustments.length === 0 && (
        <Soft as="p">{`No shifts or adjustments on ${formatDays(from, to)}.`}</Soft>
      )}
      {lines.length > 0 && (
        <ClassicTable
          isInner
          label={`Shifts of ${whose.name}`}
          columns={columns}
          rows={lines}
          rowKey={rowKey}
          nameOf={({ date, start }) => `${formatWeekday(date)}, ${formatClock(start)}`}
          reload={async () => (await found.refetch()).data?.lines ?? []}
          save={mayOverride && lines.some(isOpen) ? save : undefined}
        />
      )}
      {adjustments.length > 0 && (
        <ClassicTable
          label={`Adjustments of ${whose.name}`}
          columns={adjustmentColumns}
          rows={adjustments}
          rowKey={rowKey}
          nameOf={({ date, note }) => `${formatWeekday(date)}, ${note}`}
          reload={async () => (await found.refetch()).data?.adjustments ?? []}
        />
      )}
      <p className="figures">
        Shifts {formatDollars(figures.shiftCents)}, adjustments {formatDollars(figures.adjustmentCents)}, total{' '}
        <strong>{formatDollars(figures.cents)}</strong>
      </p>
    </Stack>
  )
}
