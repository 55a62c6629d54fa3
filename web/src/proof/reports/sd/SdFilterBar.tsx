import { formatDays } from '@roadshow/contract/platform/dates'
import type { ReportMarket, ReportProgram } from '@roadshow/contract/proof/report-parts'
import { RANKED_DAYS, sdReport } from '@roadshow/contract/proof/sd-report'
import { LazyDayPicker } from '../../../ui/form/LazyDayPicker.tsx'
import { RecordSelect } from '../../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../../ui/form/RecordSelect.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { DataRange } from '../DataRange.tsx'
import { LabeledFilter } from '../LabeledFilter.tsx'
import shared from '../reports.module.css'
import styles from '../filterBar.module.css'
import type { SdFilterState } from './useSdFilters.ts'

const programs: Lookup<ReportProgram> = {
  list: sdReport.programs,
  sort: 'name',
  nameOf: ({ name, client, firstDay, lastDay }) => `${name} (${client.name}), ${formatDays(firstDay, lastDay)}`,
}
const marketsOf = (program: string | undefined): Lookup<ReportMarket> => ({
  list: sdReport.markets,
  sort: 'name',
  nameOf: ({ name, firstDay, lastDay }) => `${name}, ${formatDays(firstDay, lastDay)}`,
  ...(program !== undefined && { given: { program } }),
})

/** Program, market and days of the SD report; without a program, of the ranking of all programs. */
export function SdFilterBar({ filters }: { filters: SdFilterState }) {
  const { given, withData, isBackwards, isRankedDays, proposeDays } = filters
  const isEverything = given.from === withData?.firstDay && given.to === withData?.lastDay
  return (
    <Row as="section" gap={3} lineGap={2} align="end" wrap className={shared.bar} aria-label="Report filters">
      <LabeledFilter label="Program" className={`${styles.wide} report-field`}>
        {(id) => (
          <RecordSelect
            id={id}
            lookup={programs}
            value={given.program ?? ''}
            placeholder="All programs"
            popupMatchSelectWidth={false}
            onChange={(uid: string | undefined) => filters.chooseProgram(uid)}
          />
        )}
      </LabeledFilter>
      <LabeledFilter label="Market" className={`${styles.field} report-field`}>
        {(id) => (
          <RecordSelect
            // The text typed for one program finds nothing in another.
            key={given.program ?? ''}
            id={id}
            lookup={marketsOf(given.program)}
            value={given.market ?? ''}
            placeholder="All markets"
            popupMatchSelectWidth={false}
            onChange={(uid: string | undefined) => filters.chooseMarket(uid)}
          />
        )}
      </LabeledFilter>
      {given.from !== undefined && given.to !== undefined && (
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
      {withData && given.from !== undefined && !isEverything && <DataRange days={withData} onShowAll={proposeDays} />}
      {isRankedDays && (
        <Soft as="p" small className={shared.hint}>
          The last {RANKED_DAYS} days. Choose an earlier first day for more.
        </Soft>
      )}
    </Row>
  )
}

interface DayFieldProps {
  label: string
  name: 'from' | 'to'
  filters: SdFilterState
}

const DayField = ({ label, name, filters }: DayFieldProps) => (
  <LabeledFilter label={label} className={styles.day}>
    {(id) => (
      <LazyDayPicker
        id={id}
        value={filters.given[name] ?? null}
        onChange={(day) => (day ? filters.chooseDays({ [name]: day }) : filters.proposeDays())}
      />
    )}
  </LabeledFilter>
)
