import { formatDays } from '@roadshow/contract/platform/dates'
import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { payroll } from '@roadshow/contract/pay/payroll'
import type { PayLine, PayStatement } from '@roadshow/contract/pay/payroll'
import { Drawer } from 'antd'
import { useState } from 'react'
import { useMay } from '../../api/user.ts'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { AddAdjustment } from './AddAdjustment.tsx'
import { Adjustments } from './Adjustments.tsx'
import { LineGroupLink } from './LineGroupLink.tsx'
import { useLineGroup } from './lineGroups.ts'
import { PayLines } from './PayLines.tsx'
import { OverrideForm } from './OverrideForm.tsx'
import { Overtime } from './Overtime.tsx'
import { StatementFiles } from './StatementFiles.tsx'
import { StatementFigures } from './StatementFigures.tsx'
import { AnomalyCount } from './payColumns.tsx'
import { PeriodStateTag } from './states.tsx'
import { usePayDays } from './usePayDays.ts'
import type { PayDateRange } from './usePayDays.ts'
import { useStatement } from './useStatement.ts'
import styles from './payroll.module.css'
import drawers from '../../ui/record/FormDrawer.module.css'
import { Row, Soft, Stack } from '../../ui/layout.tsx'

/** One driver's pay for a period: shifts, adjustments and overtime, with their changes. */
export default function StatementDrawer({ uid, open, onClose, onClosed }: RecordFormProps) {
  const { days } = usePayDays()
  if (!days) return null
  return <OpenStatement uid={uid} open={open} onClose={onClose} onClosed={onClosed} days={days} />
}

type OpenStatementProps = RecordFormProps & { days: PayDateRange & { today: string } }

function OpenStatement({ uid, open, onClose, onClosed, days: { from, to, today } }: OpenStatementProps) {
  const found = useStatement({ from, to }, uid)
  const statement = found.data
  return (
    <Drawer
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => !isOpen && onClosed()}
      size={LARGE_DRAWER_WIDTH}
      title={statement ? `${statement.driver.name}, ${formatDays(from, to)}` : 'Loading…'}
      rootClassName="form-drawer"
      data-large
    >
      <div className={drawers.padded}>
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {!statement && !found.isError && <SkeletonLines rows={9} />}
        {statement && (
          <Statement
            statement={statement}
            days={{ from, to, today }}
            onReload={async () => (await found.refetch()).data}
          />
        )}
      </div>
    </Drawer>
  )
}

interface StatementProps {
  statement: PayStatement
  days: PayDateRange & { today: string }
  onReload: () => Promise<PayStatement | undefined>
}

function Statement({ statement, days: { from, to, today }, onReload }: StatementProps) {
  const { driver, figures, lines, adjustments, deletedAdjustments, weeks, period, periods } = statement
  const group = useLineGroup()
  const mayOverride = useMay(payroll.override)
  const mayAdjust = useMay(payroll.adjust)
  /** The shift whose option is being changed, and the one an adjustment corrects. */
  const [changed, setChanged] = useState<string>()
  const [corrected, setCorrected] = useState<PayLine>()
  const isSettled = (date: string) => periods.some((each) => each.from <= date && each.to >= date)
  const actionsOf = (line: PayLine) => {
    if (line.period && line.period.state !== 'open') return mayAdjust && { Correct: () => setCorrected(line) }
    const isDecidable = mayOverride && line.status === 'completed' && !line.unpaid.startsWith('Already settled')
    return isDecidable && { [line.needsDecision ? 'Decide' : 'Change']: () => setChanged(line.uid) }
  }
  const reloadLine = async (line: PayLine) => (await onReload())?.lines.find(({ uid }) => uid === line.uid) ?? line
  return (
    <Stack gap={4} className={styles.statement}>
      <Row as="p" gap={3} lineGap={2} align="center" wrap className={styles.period}>
        <PeriodStateTag state={period?.state ?? 'open'} />
        {driver.payrollId && <Soft>Payroll ID {driver.payrollId}</Soft>}
        <StatementFiles days={{ from, to }} driver={driver.uid} />
      </Row>
      <StatementFigures figures={figures} />
      {figures.anomalies > figures.undecided && (
        <LineGroupLink group="anomalies">
          <AnomalyCount count={figures.anomalies - figures.undecided} />
        </LineGroupLink>
      )}
      <PayLines lines={lines} group={group} acts={actionsOf}>
        {(line) =>
          line.uid === changed && (
            <OverrideForm line={line} onReload={() => reloadLine(line)} onClose={() => setChanged(undefined)} />
          )
        }
      </PayLines>
      <Adjustments
        adjustments={adjustments}
        deleted={deletedAdjustments}
        mayRemove={({ date }) => mayAdjust && !isSettled(date)}
      >
        {mayAdjust && (
          <AddAdjustment
            key={corrected?.uid ?? ''}
            driverUid={driver.uid}
            // An adjustment needs a day that is still open: the last of the period, or today.
            firstDay={corrected || isSettled(to) || to > today ? today : to}
            corrected={corrected}
            onClose={() => setCorrected(undefined)}
          />
        )}
      </Adjustments>
      <Overtime weeks={weeks} />
    </Stack>
  )
}
