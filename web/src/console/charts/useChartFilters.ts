import { CHART_WEEKS, charts, MAX_CHART_WEEKS } from '@roadshow/contract/console/charts'
import { addDays, daysBetween, localDay, workweekOf } from '@roadshow/contract/planning/shift-time'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { localZone } from '@roadshow/contract/platform/dates'
import { validSearch } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import type { ChartFilters } from './chartWeeks.ts'

const listOf = (given: UrlSearch, name: 'market' | 'client' | 'program') =>
  given[name] === undefined ? {} : { [name]: [given[name]].flat() }

/** Whole weeks and records, which live in the address. Without days, this week and those before it. */
export function useChartFilters() {
  const search: UrlSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const given = validSearch(charts.utilization.query, search)
  const lastDay = typeof given.to === 'string' ? given.to : localDay(localZone())
  const to = addDays(workweekOf(lastDay), 6)
  const from = typeof given.from === 'string' ? workweekOf(given.from) : addDays(to, 1 - 7 * CHART_WEEKS)
  const filters: ChartFilters = {
    from,
    to,
    ...listOf(given, 'market'),
    ...listOf(given, 'client'),
    ...listOf(given, 'program'),
  }
  const problem =
    from > to
      ? 'The last week can’t be before the first.'
      : daysBetween(from, to) >= 7 * MAX_CHART_WEEKS
        ? `Choose at most ${MAX_CHART_WEEKS} weeks.`
        : undefined
  return {
    filters,
    given,
    /** Why these weeks can't be shown. */
    problem,
    ask: (changes: UrlSearch) =>
      void navigate({ to: '.', search: (old: UrlSearch) => ({ ...old, ...changes }), resetScroll: false }),
  }
}
