import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { payroll } from '@roadshow/contract/pay/payroll'
import type { PayLine } from '@roadshow/contract/pay/payroll'
import { Drawer, Skeleton } from 'antd'
import { useState } from 'react'
import { useMay } from '../../api/user.ts'
import type { RecordFormProps } from '../../ui/OpenForm.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { AddAdjustment, Adjustments } from './Adjustments.tsx'
import { PayLines } from './PayLines.tsx'
import { OverrideForm } from './OverrideForm.tsx'
import { Overtime } from './Overtime.tsx'
import { StatementFiles } from './StatementFiles.tsx'
import { StatementFigures } from './StatementFigures.tsx'
import { AnomalyCount } from './payColumns.tsx'
import { PeriodStateTag } from './states.tsx'
import { usePayDays } from './usePayDays.ts'
import { useStatement } from './useStatement.ts'
import styles from './payroll.module.css'
import drawers from '../../ui/FormDrawer.module.css'

/** Everything that makes up one driver's pay of a period, and what can be done about it. */
export default function StatementDrawer({ uid, open, onClose, onClosed }: RecordFormProps) {
  const { from, to, today } = usePayDays()
  const found = useStatement({ from, to }, uid)
  const mayOverride = useMay(payroll.override)
  const mayAdjust = useMay(payroll.adjust)
  /** The shift whose option is being changed, and the one that an adjustment is to correct. */
  const [changed, setChanged] = useState<string>()
  const [corrected, setCorrected] = useState<PayLine>()
  const statement = found.data
  const state = statement?.period?.state ?? 'open'
  // An adjustment stands on a day that is still open: the last of the period, or today.
  const isSettled = (date: string) => statement?.periods.some((each) => each.from <= date && each.to >= date) ?? false
  return (
    <Drawer
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => !isOpen && onClosed()}
      size={LARGE_DRAWER_WIDTH}
      title={statement ? `${statement.driver.name}, ${from} – ${to}` : 'Loading…'}
      rootClassName={drawers.drawer ?? ''}
      data-large
    >
      <div className={drawers.padded}>
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {!statement && !found.isError && <Skeleton active paragraph={{ rows: 8 }} />}
        {statement && (
          <div className={styles.statement}>
            <p className={styles.period}>
              <PeriodStateTag state={state} />
              {statement.driver.payrollId && (
                <span className={styles.soft}>Payroll id {statement.driver.payrollId}</span>
              )}
              <StatementFiles days={{ from, to }} driver={statement.driver.uid} />
            </p>
            <StatementFigures figures={statement.figures} />
            <AnomalyCount count={statement.figures.anomalies} />
            <PayLines
              lines={statement.lines}
              acts={(line) => {
                if (line.period && line.period.state !== 'open') {
                  return mayAdjust && { Correct: () => setCorrected(line) }
                }
                return mayOverride && line.option !== null && { Change: () => setChanged(line.uid) }
              }}
            >
              {(line) =>
                line.uid === changed && (
                  <OverrideForm
                    line={line}
                    onReload={() => void found.refetch()}
                    onClose={() => setChanged(undefined)}
                  />
                )
              }
            </PayLines>
            <Adjustments adjustments={statement.adjustments} mayRemove={({ date }) => mayAdjust && !isSettled(date)}>
              {mayAdjust && (
                <AddAdjustment
                  key={corrected?.uid ?? ''}
                  driverUid={statement.driver.uid}
                  firstDay={corrected || isSettled(to) || to > today ? today : to}
                  corrected={corrected}
                  onClose={() => setCorrected(undefined)}
                />
              )}
            </Adjustments>
            <Overtime weeks={statement.weeks} />
          </div>
        )}
      </div>
    </Drawer>
  )
}
