import { day } from '@roadshow/contract/platform/common'
import { MAX_PAY_DAYS } from '@roadshow/contract/pay/pay-periods'
import { payroll } from '@roadshow/contract/pay/payroll'
import { addDays, localDay, daysBetween, workweekOf } from '@roadshow/contract/planning/shift-time'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { localZone } from '@roadshow/contract/platform/dates'
import { validSearch } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'

export const payRangeLabel = { week: 'Week', twoWeeks: 'Two weeks', month: 'Month', free: 'Custom' } as const
export type PayRange = keyof typeof payRangeLabel

export interface PayDateRange {
  from: string
  to: string
}

const firstOfMonth = (date: string) => `${date.slice(0, 8)}01`

/** The days of the range that contains a day. Two weeks end with that day's week. */
function daysOf(range: Exclude<PayRange, 'free'>, date: string): PayDateRange {
  if (range === 'month') {
    const from = firstOfMonth(date)
    return { from, to: addDays(firstOfMonth(addDays(from, 31)), -1) }
  }
  const monday = workweekOf(date)
  return { from: range === 'week' ? monday : addDays(monday, -7), to: addDays(monday, 6) }
}

/** The search parameters of some days: a range, or first and last day. */
export function payDatesSearch({ from, to }: PayDateRange): UrlSearch {
  const range = (['week', 'twoWeeks', 'month'] as const).find((each) => {
    const days = daysOf(each, to)
    return days.from === from && days.to === to
  })
  return range
    ? { range: range === 'week' ? undefined : range, date: to, from: undefined, to: undefined }
    : { range: 'free', date: undefined, from, to }
}

/** Why these days cannot be shown. */
function problemOf({ from, to }: PayDateRange): string | undefined {
  if (from > to) return 'The last day can’t be before the first.'
  return daysBetween(from, to) >= MAX_PAY_DAYS ? `Choose at most ${MAX_PAY_DAYS} days.` : undefined
}

const isDay = (given: UrlSearch[string]): given is string => day.safeParse(given).success

/** The pay dates and the filters of the list, which live in the URL. */
export function usePayDays() {
  const search: UrlSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const ask = (changes: UrlSearch, replace = false) =>
    void navigate({
      to: '.',
      search: (old: UrlSearch) => ({ ...old, page: undefined, ...changes }),
      replace,
      resetScroll: false,
    })

  const today = localDay(localZone())
  const date = isDay(search.date) ? search.date : today
  const given = typeof search.range === 'string' && search.range in payRangeLabel ? (search.range as PayRange) : 'week'
  const free = isDay(search.from) && isDay(search.to) ? { from: search.from, to: search.to } : undefined
  const range: PayRange = given === 'free' && !free ? 'week' : given
  const days = range === 'free' && free ? free : daysOf(range === 'free' ? 'week' : range, date)
  const { from, to } = days
  const query = validSearch(payroll.list.query, search)

  const step = (by: 1 | -1) => {
    const length = daysBetween(from, to) + 1
    if (range === 'free') return ask({ from: addDays(from, by * length), to: addDays(to, by * length) })
    if (range === 'month') return ask({ date: by === 1 ? addDays(to, 1) : firstOfMonth(addDays(from, -1)) })
    ask({ date: addDays(date, by * length) })
  }
  return {
    range,
    date,
    today,
    from,
    to,
    problem: problemOf(days),
    /** Includes search, filters and sort. */
    query: { ...query, from, to } as UrlSearch & PayDateRange,
    ask,
    step,
    goTo: (next: string | undefined) =>
      ask({ date: next, from: undefined, to: undefined, ...(range === 'free' && { range: undefined }) }),
    setRange: (next: PayRange) =>
      ask(
        next === 'free'
          ? { range: next, from, to }
          : // Another range starts where the current one ends.
            {
              range: next === 'week' ? undefined : next,
              date: to > today && from <= today ? undefined : to,
              from: undefined,
              to: undefined,
            },
      ),
    setDays: (changes: Partial<PayDateRange>) => ask(changes),
  }
}
export type PayDays = ReturnType<typeof usePayDays>
