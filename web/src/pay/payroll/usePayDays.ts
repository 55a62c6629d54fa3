import { day } from '@roadshow/contract/platform/common'
import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { MAX_PAY_DAYS } from '@roadshow/contract/pay/pay-periods'
import { payReview } from '@roadshow/contract/pay/pay-review'
import { payroll } from '@roadshow/contract/pay/payroll'
import { addDays, daysBetween } from '@roadshow/contract/planning/shift-time'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useCall } from '../../api/useCall.ts'
import { validSearch } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'

export const payRangeLabel = { period: 'Pay period', free: 'Custom' } as const
export type PayRange = keyof typeof payRangeLabel

export interface PayDateRange {
  from: string
  to: string
}

/** The search parameters of a pay period. */
export const payPeriodSearch = ({ from }: PayDateRange): UrlSearch => ({
  range: undefined,
  date: from,
  from: undefined,
  to: undefined,
})

/** Why these days cannot be shown. */
function problemOf({ from, to }: PayDateRange): string | undefined {
  if (from > to) return 'The last day can’t be before the first.'
  return daysBetween(from, to) >= MAX_PAY_DAYS ? `Choose at most ${MAX_PAY_DAYS} days.` : undefined
}

const isDay = (given: UrlSearch[string]): given is string => day.safeParse(given).success

type Calendar = ReplyOf<typeof payReview.calendar>['data']

/** The pay period or the days that the address names; without any, the period that the server proposes. */
export function usePayDays() {
  const search: UrlSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const date = isDay(search.date) ? search.date : undefined
  const free =
    search.range === 'free' && isDay(search.from) && isDay(search.to) ? { from: search.from, to: search.to } : undefined
  const found = useCall(payReview.calendar, { query: date ? { date } : {} }, { keepsOld: true })
  const ask = (changes: UrlSearch, replace = false) =>
    void navigate({
      to: '.',
      search: (old: UrlSearch) => ({ ...old, page: undefined, ...changes }),
      replace,
      resetScroll: false,
    })
  const query = validSearch(payroll.list.query, search)
  return {
    found,
    days: found.data && daysOf(found.data, { free, query, ask }),
    isNamed: date !== undefined || free !== undefined,
  }
}

interface Asked {
  free: PayDateRange | undefined
  query: UrlSearch
  ask: (changes: UrlSearch, replace?: boolean) => undefined
}

function daysOf(calendar: Calendar, { free, query, ask }: Asked) {
  const days = free ?? { from: calendar.from, to: calendar.to }
  const { from, to } = days
  const range: PayRange = free ? 'free' : 'period'
  const show = (period: PayDateRange, replace = false) => ask(payPeriodSearch(period), replace)
  return {
    range,
    date: from,
    from,
    to,
    today: calendar.today,
    kind: calendar.payCalendar,
    /** The oldest period that needs work, if it is another one. */
    oldest: calendar.oldest && calendar.oldest.from !== from ? calendar.oldest : undefined,
    problem: problemOf(days),
    /** Includes search, filters and sort. */
    query: { ...query, from, to } as UrlSearch & PayDateRange,
    ask,
    show,
    step(by: 1 | -1) {
      const length = daysBetween(from, to) + 1
      if (free) ask({ from: addDays(from, by * length), to: addDays(to, by * length) })
      else show(by === 1 ? calendar.next : calendar.previous)
    },
    goTo: (next: string | undefined) => show(next === undefined ? calendar.current : { from: next, to: next }),
    setRange: (next: PayRange) =>
      next === 'free' ? ask({ range: next, date: undefined, from, to }) : show({ from: to, to }),
    setDays: (changes: Partial<PayDateRange>) => ask(changes),
  }
}
export type PayDays = ReturnType<typeof daysOf>

/** Names the proposed period in the address: it stays on the screen while its steps are taken. */
export function useNamedPeriod({ days, isNamed }: Pick<ReturnType<typeof usePayDays>, 'days' | 'isNamed'>): void {
  const name = useEffectEvent(() => days?.show(days, true))
  const isProposed = days !== undefined && !isNamed
  useEffect(() => {
    if (isProposed) name()
  }, [isProposed])
}
