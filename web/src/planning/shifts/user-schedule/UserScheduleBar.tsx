import { outOfServices } from '@roadshow/contract/planning/out-of-service'
import { Button, Segmented } from 'antd'
import { useIsOutsider, useMay } from '../../../api/user.ts'
import { FilterChips } from '../../../ui/list/FilterChips.tsx'
import { ListSearch } from '../../../ui/list/ListSearch.tsx'
import { Row, Soft, Stack } from '../../../ui/layout.tsx'
import { DateSteps } from '../DateSteps.tsx'
import { useShiftFilters } from '../shiftColumns.tsx'
import { rangeLabel } from '../useSchedule.ts'
import type { ScheduleRange } from '../useSchedule.ts'
import { useOutOfServiceParam } from '../out-of-service/useOutOfServiceParam.ts'
import { CalendarLink } from './CalendarLink.tsx'
import { userScheduleFilterNames } from './useUserSchedule.ts'
import type { UserSchedule } from './useUserSchedule.ts'
import shared from '../shifts.module.css'
import styles from './userSchedule.module.css'

const rangeOptions = (Object.entries(rangeLabel) as [ScheduleRange, string][]).map(([value, label]) => ({
  value,
  label,
}))
const isOurs = (key: string) => userScheduleFilterNames.some((name) => name === key)

/** Which days are shown, and of whom. */
export function UserScheduleBar({ schedule }: { schedule: UserSchedule }) {
  const { range, query, isOwn, isAgenda, isNarrowed } = schedule
  const mayPlan = useMay(outOfServices.create)
  const [, ask] = useOutOfServiceParam()
  const isOutside = useIsOutsider()
  const filters = useShiftFilters().filter(({ key }) => isOurs(key))
  return (
    <Stack gap={2} role="search">
      <Row gap={3} lineGap={2} align="center" wrap className="outlines-segmented">
        <Segmented<ScheduleRange>
          aria-label="Range"
          options={rangeOptions}
          value={range}
          onChange={(next) => schedule.setRange(next)}
        />
        <DateSteps schedule={schedule} hasPicker={!isAgenda} />
        {mayPlan && !isOwn && (
          <div className={shared.actions}>
            <Button onClick={() => ask({ over: 'driver', from: schedule.date })}>Time off</Button>
          </div>
        )}
        {isOwn && (
          <div className={shared.actions}>
            <CalendarLink />
          </div>
        )}
      </Row>
      {!isOwn && (
        <Row gap={3} lineGap={2} align="center" wrap className={shared.filters}>
          <div className={styles.search}>
            <ListSearch noun={isOutside ? 'shifts' : 'drivers'} query={query} ask={schedule.ask} />
          </div>
          <FilterChips filters={filters} given={query} onChange={schedule.ask} />
          {isNarrowed && (
            <Button type="link" size="small" onClick={schedule.clear}>
              Clear
            </Button>
          )}
          <Soft small>Times are in each market’s time zone.</Soft>
        </Row>
      )}
    </Stack>
  )
}
