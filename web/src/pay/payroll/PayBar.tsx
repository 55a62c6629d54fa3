import { formatDays } from '@roadshow/contract/platform/dates'
import { payCalendarLabel } from '@roadshow/contract/catalog/pay-calendars'
import { Button, Segmented } from 'antd'
import { useId } from 'react'
import { DateSteps } from '../../planning/shifts/DateSteps.tsx'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { payRangeLabel } from './usePayDays.ts'
import type { PayDays, PayRange } from './usePayDays.ts'
import common from './payroll.module.css'
import styles from './PayBar.module.css'

const rangeOptions = (Object.entries(payRangeLabel) as [PayRange, string][]).map(([value, label]) => ({ value, label }))

/** Which days are paid. */
export function PayBar({ days }: { days: PayDays }) {
  const { range, from, to, problem, kind, oldest, setDays } = days
  const [fromId, toId] = [useId(), useId()]
  return (
    <Stack gap={2} role="group" aria-label="Period">
      <Row gap={3} lineGap={2} align="center" wrap className="outlines-segmented">
        <Segmented<PayRange>
          data-print="no"
          aria-label="Range"
          options={rangeOptions}
          value={range}
          onChange={days.setRange}
        />
        <DateSteps schedule={days} hasPicker={range !== 'free'} />
        {range !== 'free' && <Soft>{payCalendarLabel[kind]}</Soft>}
        {oldest && (
          <Button data-print="no" type="link" onClick={() => days.show(oldest)}>
            Oldest to work on: {formatDays(oldest.from, oldest.to)}
          </Button>
        )}
        {range === 'free' && (
          <Row gap={3} lineGap={2} align="center" wrap className={`${styles.free} pay-days`} data-print="no">
            <label htmlFor={fromId}>First day</label>
            <DayPicker id={fromId} value={from} onChange={(day) => day && setDays({ from: day })} />
            <label htmlFor={toId}>Last day</label>
            <DayPicker id={toId} value={to} onChange={(day) => day && setDays({ to: day })} />
          </Row>
        )}
      </Row>
      {problem && (
        <p role="alert" className={common.wrong}>
          {problem}
        </p>
      )}
    </Stack>
  )
}
