import type { PayPeriodState } from '@roadshow/contract/pay/pay-periods'
import type { PayStatement } from '@roadshow/contract/pay/payroll'
import { Button } from 'antd'
import { Row, Soft } from '../../ui/layout.tsx'
import { formatWeekday } from '@roadshow/contract/platform/dates'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Adjustments } from './Adjustments.tsx'
import { useLineGroup } from './lineGroups.ts'
import { PayLines } from './PayLines.tsx'
import { Overtime } from './Overtime.tsx'
import { StatementFiles } from './StatementFiles.tsx'
import { StatementFigures } from './StatementFigures.tsx'
import { PaySkeleton, PeriodStateTag } from './states.tsx'
import type { PayDays } from './usePayDays.ts'
import { useStatement } from './useStatement.ts'
import shared from './payroll.module.css'
import styles from './OwnPay.module.css'

const meaning: Record<PayPeriodState, string> = {
  open: 'This can change until the period is approved.',
  approved: 'Checked and approved.',
  locked: 'Settled. Corrections are made as adjustments.',
}

/** The state of the period, or of a longer one that contains these days. */
function stateOf({ period, periods, from, to }: PayStatement): PayPeriodState {
  return (period ?? periods.find((each) => each.from <= from && each.to >= to))?.state ?? 'open'
}

/** A driver's own pay, to be read on a phone. */
export default function OwnPay({ days }: { days: PayDays }) {
  const { from, to } = days
  const group = useLineGroup()
  const found = useStatement({ from, to })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <PaySkeleton />
  const { figures, lines, adjustments, weeks } = found.data
  if (lines.length + adjustments.length + weeks.length === 0) {
    return (
      <EmptyState action={<Button onClick={() => days.step(-1)}>Previous period</Button>}>
        {`You had no shifts or adjustments from ${formatWeekday(from)} to ${formatWeekday(to)}.`}
      </EmptyState>
    )
  }
  const state = stateOf(found.data)
  return (
    <div className={styles.own}>
      <StatementFigures figures={figures} />
      <Row as="p" gap={3} lineGap={2} align="center" wrap className={shared.period}>
        <PeriodStateTag state={state} /> <Soft>{meaning[state]}</Soft>
        <StatementFiles days={{ from, to }} />
      </Row>
      <PayLines lines={lines} group={group} />
      {adjustments.length > 0 && <Adjustments adjustments={adjustments} />}
      <Overtime weeks={weeks} />
    </div>
  )
}
