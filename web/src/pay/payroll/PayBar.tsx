import { Segmented } from 'antd'
import { useId } from 'react'
import { DateSteps } from '../../planning/shifts/DateSteps.tsx'
import { DayPicker } from '../../ui/DayPicker.tsx'
import { payRangeLabel } from './usePayDays.ts'
import type { PayDays, PayRange } from './usePayDays.ts'
import shared from '../../planning/shifts/shifts.module.css'
import common from './payroll.module.css'
import styles from './PayBar.module.css'

const rangeOptions = (Object.entries(payRangeLabel) as [PayRange, string][]).map(([value, label]) => ({ value, label }))

/** Which days are paid. */
export function PayBar({ days }: { days: PayDays }) {
  const { range, from, to, problem, setDays } = days
  const [fromId, toId] = [useId(), useId()]
  return (
    <div className={shared.toolbar} role="group" aria-label="Period">
      <div className={`${shared.line} outlines-segmented`}>
        <Segmented<PayRange> aria-label="Range" options={rangeOptions} value={range} onChange={days.setRange} />
        <DateSteps schedule={days} hasPicker={range !== 'free'} />
        {range === 'free' && (
          <div className={`${styles.free} pay-days`}>
            <label htmlFor={fromId}>First day</label>
            <DayPicker id={fromId} value={from} onChange={(day) => day && setDays({ from: day })} />
            <label htmlFor={toId}>Last day</label>
            <DayPicker id={toId} value={to} onChange={(day) => day && setDays({ to: day })} />
          </div>
        )}
      </div>
      {problem && (
        <p role="alert" className={common.wrong}>
          {problem}
        </p>
      )}
    </div>
  )
}
