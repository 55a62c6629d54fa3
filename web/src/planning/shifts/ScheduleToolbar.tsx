import { shifts } from '@roadshow/contract/planning/shifts'
import { Button, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useMay } from '../../api/user.ts'
import { FilterChips } from '../../ui/FilterChips.tsx'
import { useMedia } from '../../ui/useMedia.ts'
import { DateSteps } from './DateSteps.tsx'
import { useShiftFilters } from './shiftColumns.tsx'
import { scheduleFilterNames, rangeLabel, viewLabel } from './useSchedule.ts'
import type { ScheduleRange, useSchedule, ScheduleView } from './useSchedule.ts'
import shared from './shifts.module.css'
import styles from './ScheduleToolbar.module.css'

const optionsOf = <Key extends string>(words: Record<Key, string>) =>
  (Object.entries(words) as [Key, string][]).map(([value, label]) => ({ value, label }))

type Schedule = ReturnType<typeof useSchedule>

/** Narrow screens show an agenda instead of the board. */
export const useNarrow = () => useMedia('(max-width: 767px)')

export function ViewSwitch({ schedule }: { schedule: Schedule }) {
  const words = { ...viewLabel, ...(useNarrow() && { board: 'Agenda' }) }
  return (
    <div className={`${shared.line} outlines-segmented`}>
      <Segmented<ScheduleView>
        aria-label="View"
        options={optionsOf(words)}
        value={schedule.view}
        onChange={schedule.setView}
      />
    </div>
  )
}

/** The dates, filters and actions of the board. */
export function Toolbar({ schedule, actions }: { schedule: Schedule; actions: ReactNode }) {
  const { range, grouped, filters } = schedule
  const shown = useShiftFilters()
  const mayPlan = useMay(shifts.create)
  const isNarrow = useNarrow()
  const isNarrowed = scheduleFilterNames.some((name) => filters[name] !== undefined)
  const clear = () => schedule.setFilters(Object.fromEntries(scheduleFilterNames.map((name) => [name, undefined])))
  return (
    <div className={shared.toolbar} role="search">
      <div className={`${shared.line} outlines-segmented`}>
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
            <Button type="primary" onClick={() => schedule.create()}>
              New shift
            </Button>
          )}
        </div>
      </div>
      <div className={shared.filters}>
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
        <span className={shared.zone}>Times are in each market’s time zone.</span>
      </div>
    </div>
  )
}
