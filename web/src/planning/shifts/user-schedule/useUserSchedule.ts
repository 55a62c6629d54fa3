import { addDays, daysBetween } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import { useUser } from '../../../api/user.ts'
import { useListState } from '../../../ui/useListState.ts'
import type { UrlSearch } from '../../../ui/useListState.ts'
import { useMedia } from '../../../ui/useMedia.ts'
import { useSchedule } from '../useSchedule.ts'

export const userScheduleFilterNames = ['market', 'program', 'driver'] as const
const asked = ['page', 'pageSize', 'search', ...userScheduleFilterNames] as const

/** The state of the user schedule, which lives in the address: range, day, filters, search and page. */
export function useUserSchedule() {
  const { range, date, today, setRange, goTo, ...board } = useSchedule()
  const { query: given, ask } = useListState(shifts.byDriver)
  const isNarrow = useMedia('(max-width: 767px)')
  const { role } = useUser()
  const isOwn = role === 'driver'
  const isAgenda = isOwn || isNarrow
  const length = daysBetween(board.from, board.to) + 1
  // An agenda starts with the chosen day; weeks of the table start on Monday.
  const from = isAgenda ? date : board.from
  const query: UrlSearch = isOwn ? {} : Object.fromEntries(asked.map((name) => [name, given[name]]))
  return {
    isOwn,
    isAgenda,
    range,
    date,
    today,
    from,
    to: addDays(from, length - 1),
    days: Array.from({ length }, (_, at) => addDays(from, at)),
    query,
    isNarrowed: ['search', ...userScheduleFilterNames].some((name) => query[name] !== undefined),
    setRange,
    goTo,
    step: (direction: 1 | -1) => goTo(addDays(from, direction * length)),
    ask,
    clear: () => ask({ search: undefined, market: undefined, program: undefined, driver: undefined }),
  }
}
export type UserSchedule = ReturnType<typeof useUserSchedule>
