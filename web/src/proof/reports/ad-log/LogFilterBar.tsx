import { formatClocks, formatTime, formatWeekday } from '@roadshow/contract/platform/dates'
import { readHours } from '@roadshow/contract/platform/typed-time'
import { adLog, ANY_ADDRESS, LISTED_DAYS } from '@roadshow/contract/proof/ad-log'
import type { ReportMarket, ReportProgram } from '@roadshow/contract/proof/report-parts'
import { useCall } from '../../../api/useCall.ts'
import { LazyDayPicker } from '../../../ui/form/LazyDayPicker.tsx'
import { RecordSelect } from '../../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../../ui/form/RecordSelect.tsx'
import { TypedInput } from '../../../ui/form/TypedInput.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { DataRange } from '../DataRange.tsx'
import { LabeledFilter } from '../LabeledFilter.tsx'
import { RemovableChip, ShiftChip } from '../ShiftChip.tsx'
import shared from '../reports.module.css'
import styles from '../filterBar.module.css'
import { hoursOf, NO_ADDRESS } from './useLogFilters.ts'
import type { LogFilterState } from './useLogFilters.ts'

const programs: Lookup<ReportProgram> = {
  list: adLog.programs,
  sort: 'name',
  nameOf: ({ name, client }) => `${name} (${client.name})`,
}
const markets: Lookup<ReportMarket> = { list: adLog.markets, sort: 'name', nameOf: ({ name }) => name }

const clockOf = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`
const hoursText = ({ from, to }: { from: number; to: number }) =>
  formatClocks({ start: clockOf(from), end: clockOf(to) })

/** Program, market, days and hours of the ad log; all of them may stay open. */
export function LogFilterBar({ state }: { state: LogFilterState }) {
  const { filters, from, to, ask, isBackwards } = state
  const listed = (values: string[]) => (values.length > 0 ? values : undefined)
  return (
    <Row as="section" gap={3} lineGap={2} align="end" wrap className={shared.bar} aria-label="Report filters">
      <LabeledFilter label="Program" className={`${styles.field} report-field`}>
        {(id) => (
          <RecordSelect<string[]>
            id={id}
            mode="multiple"
            lookup={programs}
            value={filters.program ?? []}
            placeholder="All programs"
            maxTagCount="responsive"
            popupMatchSelectWidth={false}
            onChange={state.choosePrograms}
          />
        )}
      </LabeledFilter>
      <LabeledFilter label="Market" className={`${styles.field} report-field`}>
        {(id) => (
          <RecordSelect<string[]>
            id={id}
            mode="multiple"
            lookup={markets}
            value={filters.market ?? []}
            placeholder="All markets"
            maxTagCount="responsive"
            popupMatchSelectWidth={false}
            onChange={(values) => ask({ market: listed(values) })}
          />
        )}
      </LabeledFilter>
      {filters.shift && <ShiftChip uid={filters.shift} onRemove={() => ask({ shift: undefined })} />}
      <AddressChip state={state} />
      {from !== undefined && (
        <>
          <LabeledFilter label="First day" className={styles.day}>
            {(id) => <LazyDayPicker id={id} value={from} onChange={(day) => ask({ from: day ?? undefined })} />}
          </LabeledFilter>
          <LabeledFilter label="Last day" className={styles.day}>
            {(id) => (
              <LazyDayPicker
                id={id}
                value={to ?? null}
                placeholder="Today"
                onChange={(day) => ask({ to: day ?? undefined })}
              />
            )}
          </LabeledFilter>
        </>
      )}
      <HoursField state={state} />
      {isBackwards && (
        <p role="alert" className={shared.wrong}>
          The last day can’t be before the first.
        </p>
      )}
      <DaysHint state={state} />
    </Row>
  )
}

/** The SD address that plays were shown for, in words. */
function AddressChip({ state: { filters, isComplete, ask } }: { state: LogFilterState }) {
  const { address, since, until } = filters
  const { data: summary } = useCall(
    adLog.summary,
    { query: filters },
    { enabled: address !== undefined && isComplete, keepsOld: true },
  )
  if (address === undefined) return null
  const zone = summary?.zones[0] ?? 'UTC'
  const name = address === ANY_ADDRESS ? 'any SD address' : (summary?.address?.name ?? 'an SD address')
  const visit = since && until ? `, ${formatTime(since, zone)} – ${formatTime(until, zone)}` : ''
  return (
    <RemovableChip
      name={`Shown for ${name}${visit}`}
      title="Show plays without an SD address too"
      onRemove={() => ask(NO_ADDRESS)}
    />
  )
}

/** Hours of the day, typed as `5-8 PM`. */
function HoursField({ state: { filters, chooseHours } }: { state: LogFilterState }) {
  const hours = hoursOf(filters)
  return (
    <LabeledFilter label="Hours" className={styles.day}>
      {(id) => (
        <TypedInput
          id={id}
          shown={hours ? hoursText(hours) : ''}
          placeholder="All day"
          read={readHours}
          say={hoursText}
          onRead={chooseHours}
          onEmpty={() => chooseHours(undefined)}
        />
      )}
    </LabeledFilter>
  )
}

/** Which days are shown to begin with, and the way to all days of a program. */
function DaysHint({ state: { program, from, to, isWeek, proposeDays } }: { state: LogFilterState }) {
  if (program && from !== undefined && (from !== program.firstDay || to !== program.lastDay))
    return <DataRange days={program} onShowAll={proposeDays} />
  if (!isWeek) return null
  return (
    <Soft as="p" small className={shared.hint}>
      The last {LISTED_DAYS} days, since {formatWeekday(from ?? '')}. Choose an earlier first day for more.
    </Soft>
  )
}
