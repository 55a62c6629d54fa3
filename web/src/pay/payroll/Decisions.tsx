import { formatClocks, formatMinutes, formatWeekday } from '@roadshow/contract/platform/dates'
import { countOf, formatDollars } from '@roadshow/contract/platform/figures'
import { evidenceGapLabel, evidenceGaps, payReview } from '@roadshow/contract/pay/pay-review'
import type { EvidenceGap, UndecidedShift } from '@roadshow/contract/pay/pay-review'
import { payOptionLabel } from '@roadshow/contract/planning/shifts'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { useDecide } from './useDecide.ts'
import type { PayDateRange } from './usePayDays.ts'
import styles from './Decisions.module.css'

const inSentence = (label: string) => `${label.slice(0, 1).toLowerCase()}${label.slice(1)}`
const whenOf = ({ line }: UndecidedShift) => `${formatWeekday(line.date)}, ${formatClocks(line)}`
const centsOf = (shifts: readonly UndecidedShift[]) =>
  shifts.reduce((sum, { asPlanned }) => sum + (asPlanned.cents ?? 0), 0)

const columns: FactColumn<UndecidedShift>[] = [
  { title: 'Shift', render: whenOf },
  {
    title: 'Driver',
    render: ({ driver }) => (
      <Link to="." search={(old: UrlSearch) => ({ ...old, open: driver.uid, lines: 'undecided' })}>
        {driver.name}
      </Link>
    ),
  },
  { title: 'Truck', from: 'desktop', render: ({ line }) => line.truck },
  { title: 'Problem', render: ({ gap }) => evidenceGapLabel[gap] },
  {
    title: 'Hours',
    from: 'tablet',
    render: ({ line: { actualMinutes, plannedMinutes } }) =>
      `${actualMinutes === null ? 'Unknown' : formatMinutes(actualMinutes)} of ${formatMinutes(plannedMinutes)}`,
  },
  {
    title: 'As planned',
    isNumber: true,
    render: ({ asPlanned: { option, cents } }) => (
      <>
        <Soft>{payOptionLabel[option]}</Soft> {cents === null ? 'no rate' : formatDollars(cents)}
      </>
    ),
  },
]

/** The shifts of a period that need a decision: each by itself, or all that lack the same. */
export function Decisions({ days: { from, to } }: { days: PayDateRange }) {
  const days = { from, to }
  const found = useCall(payReview.undecided, { query: days }, { keepsOld: true })
  const mayDecide = useMay(payReview.decide)
  const { decide, isBusy: isSaving, decidedAt } = useDecide(days)
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines rows={3} />
  const shifts = found.data
  // Until the decided shifts are gone: buttons move as they go, and a click would meet another one.
  const isBusy = isSaving || (found.dataUpdatedAt < decidedAt && !found.isError)
  const lacking = (gap: EvidenceGap) => shifts.filter((each) => each.gap === gap)
  const buttons: FactColumn<UndecidedShift> = {
    title: 'Decision',
    render: (shift) => (
      <Row gap={2} right>
        <Button
          size="small"
          disabled={isBusy}
          onClick={() => void decide([shift], 'pay')}
          aria-label={`Pay as planned, ${shift.driver.name}, ${whenOf(shift)}`}
        >
          Pay as planned
        </Button>
        <Button
          size="small"
          disabled={isBusy}
          onClick={() => void decide([shift], 'doNotPay')}
          aria-label={`Don’t pay, ${shift.driver.name}, ${whenOf(shift)}`}
        >
          Don’t pay
        </Button>
      </Row>
    ),
  }
  if (shifts.length === 0) return null
  return (
    <Stack as="section" gap={2} aria-labelledby="to-decide" className={styles.decisions}>
      <Row gap={3} lineGap={2} align="center" wrap>
        <h2 id="to-decide">{countOf(shifts.length, 'shift')} to decide</h2>
        {mayDecide &&
          evidenceGaps
            .filter((gap) => lacking(gap).length > 1)
            .map((gap) => (
              <Button
                key={gap}
                size="small"
                className={styles.all ?? ''}
                disabled={isBusy}
                onClick={() => void decide(lacking(gap), 'pay')}
              >
                Pay all {lacking(gap).length} as planned: {inSentence(evidenceGapLabel[gap])},{' '}
                {formatDollars(centsOf(lacking(gap)))}
              </Button>
            ))}
      </Row>
      <FactTable
        label="Shifts to decide"
        columns={mayDecide ? [...columns, buttons] : columns}
        rows={shifts}
        rowKey={({ line }) => line.uid}
        isFramed
        isWide
      />
    </Stack>
  )
}
