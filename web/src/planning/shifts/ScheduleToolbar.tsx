import { shifts } from '@roadshow/contract/planning/shifts'
import { Button, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useMay } from '../../api/user.ts'
import { FilterChips } from '../../ui/list/FilterChips.tsx'
import styles from '../../ui/list/FilterChips.module.css'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { useMedia } from '../../ui/useMedia.ts'
import { DateSteps } from './DateSteps.tsx'
import { TomorrowsAnswers } from './TomorrowsAnswers.tsx'
import { useShiftFilters } from './shiftColumns.tsx'
import { scheduleFilterNames, rangeLabel, viewLabel } from './useSchedule.ts'
import type { ScheduleRange, useSchedule, ScheduleView } from './useSchedule.ts'
import shared from './shifts.module.css'

const optionsOf = <Key extends string>(words: Record<Key, string>) =>
  (Object.entries(words) as [Key, string][]).map(([value, label]) => ({ value, label }))

type Schedule = ReturnType<typeof useSchedule>

/** Narrow screens show an agenda instead of the board. */
export const useNarrow = () => useMedia('(max-width: 767px)')

export function ViewSwitch({ schedule }: { schedule: Schedule }) {
  const words = { ...viewLabel, ...(useNarrow() && { board: 'Agenda' }) }
  return (
    <Row gap={3} lineGap={2} align="center" wrap className="outlines-segmented">
      <Segmented<ScheduleView>
        aria-label="View"
        options={optionsOf(words)}
        value={schedule.view}
        onChange={schedule.setView}
      />
    </Row>
  )
}

/** The dates, filters and actions of the board. */
export function Toolbar({ schedule, actions }: { schedule: Schedule; actions: ReactNode }) {
  const { range, grouped, filters } = schedule
  const shown = useShiftFilters()
  const mayPlan = useMay(shifts.create)
  const isNarrow = useNarrow()
  const isNarrowed = scheduleFilterNames.some((name) => filters[name] !== undefined)
  // On a phone the filters are swiped sideways, where other texts would be out of sight.
  const zones = <Soft small>Times are in each market’s time zone.</Soft>
  const answers = <TomorrowsAnswers today={schedule.today} />
  const clear = () => schedule.setFilters(Object.fromEntries(scheduleFilterNames.map((name) => [name, undefined])))
  return (
    <Stack gap={2} role="search" data-print="no">
      <Row gap={3} lineGap={2} align="center" wrap className="outlines-segmented">
        <ViewSwitch schedule={schedule} />
        <Segmented<ScheduleRange>
          aria-label="Range"
          options={optionsOf(rangeLabel)}
          value={range}
          onChange={schedule.setRange}
        />
        <DateSteps schedule={schedule} />
        <div className={shared.actions}>
          {actions}
          {mayPlan && (
            <Button type="primary" aria-keyshortcuts="n" onClick={() => schedule.create()}>
              New shift
            </Button>
          )}
        </div>
      </Row>
      <Row gap={3} lineGap={2} align="center" wrap className={shared.filters}>
        <FilterChips filters={shown} given={filters} onChange={schedule.setFilters} />
        {!isNarrow && (
          <button
            type="button"
            className={styles.chip}
            aria-pressed={grouped}
            onClick={() => schedule.setGrouped(!grouped)}
          >
            Group by market
          </button>
        )}
        {isNarrowed && (
          <Button type="link" size="small" onClick={clear}>
            Clear
          </Button>
        )}
        {!isNarrow && zones}
        {!isNarrow && answers}
      </Row>
      {isNarrow && zones}
      {isNarrow && answers}
    </Stack>
  )
}
