import { formatDays } from '@roadshow/contract/platform/dates'
import type { ReportMarket, ReportProgram } from '@roadshow/contract/proof/report-parts'
import { Button } from 'antd'
import { useId } from 'react'
import { RecordSelect } from '../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { ShiftChip } from './ShiftChip.tsx'
import type { ReportCalls, ReportFilterState } from './useReportFilters.ts'
import shared from './reports.module.css'
import styles from './ReportFilterBar.module.css'
import { LazyDayPicker } from '../../ui/form/LazyDayPicker.tsx'

const daysText = ({ firstDay, lastDay }: { firstDay: string; lastDay: string }) => formatDays(firstDay, lastDay)

const programsOf = (calls: ReportCalls): Lookup<ReportProgram> => ({
  list: calls.programs,
  sort: 'name',
  nameOf: (program) => `${program.name} (${program.client.name}), ${daysText(program)}`,
})
const marketsOf = (calls: ReportCalls, program: string): Lookup<ReportMarket> => ({
  list: calls.markets,
  sort: 'name',
  nameOf: (market) => `${market.name}, ${daysText(market)}`,
  given: { program },
})

interface ReportFilterBarProps {
  calls: ReportCalls
  filters: ReportFilterState
  /** The meaning of an empty market. */
  anyMarket: string
}

/** The filters of a report: program, then market, then days; and the shift that a link named. */
export function ReportFilterBar({ calls, filters, anyMarket }: ReportFilterBarProps) {
  const { given, isBackwards } = filters
  const [programId, marketId] = [useId(), useId()]
  return (
    <Row as="section" gap={3} lineGap={2} align="end" wrap className={shared.bar} aria-label="Report filters">
      <div className={`${styles.wide} report-field`}>
        <label htmlFor={programId}>Program</label>
        <RecordSelect
          id={programId}
          lookup={programsOf(calls)}
          value={given.program ?? ''}
          placeholder="Choose a program"
          popupMatchSelectWidth={false}
          onChange={(uid: string | undefined) => filters.chooseProgram(uid)}
        />
      </div>
      {given.program && (
        <div className={`${styles.field} report-field`}>
          <label htmlFor={marketId}>Market</label>
          <RecordSelect
            // The text typed for one program finds nothing in another.
            key={given.program}
            id={marketId}
            lookup={marketsOf(calls, given.program)}
            value={given.market ?? ''}
            placeholder={anyMarket}
            popupMatchSelectWidth={false}
            onChange={(uid: string | undefined) => filters.chooseMarket(uid)}
          />
        </div>
      )}
      {given.shift && <ShiftChip uid={given.shift} onRemove={filters.clearShift} />}
      {given.from && given.to && (
        <>
          <DayField label="First day" name="from" filters={filters} />
          <DayField label="Last day" name="to" filters={filters} />
        </>
      )}
      {isBackwards && (
        <p role="alert" className={shared.wrong}>
          The last day can’t be before the first.
        </p>
      )}
      <DataRange filters={filters} />
    </Row>
  )
}

interface DayFieldProps {
  label: string
  name: 'from' | 'to'
  filters: ReportFilterState
}

function DayField({ label, name, filters }: DayFieldProps) {
  const id = useId()
  return (
    <div className={styles.day}>
      <label htmlFor={id}>{label}</label>
      <LazyDayPicker
        id={id}
        value={filters.given[name] ?? null}
        onChange={(day) => (day ? filters.chooseDays({ [name]: day }) : filters.proposeDays())}
      />
    </div>
  )
}

/** The days that have data, and a button that shows all of them. */
function DataRange({ filters: { given, program, market, proposeDays } }: { filters: ReportFilterState }) {
  const withData = market ?? program
  const isEverything = given.from === withData?.firstDay && given.to === withData?.lastDay
  if (!withData || !given.from || isEverything) return null
  return (
    <Soft as="p" small className={shared.hint}>
      Data available: {daysText(withData)}.{' '}
      <Button type="link" size="small" onClick={proposeDays}>
        Show all
      </Button>
    </Soft>
  )
}
