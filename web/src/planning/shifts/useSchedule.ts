import { day } from '@roadshow/contract/platform/common'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { localZone } from '@roadshow/contract/platform/dates'
import { NEW_RECORD, useListState } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'

export const rangeLabel = { day: 'Day', week: 'Week', twoWeeks: 'Two weeks' } as const
export type ScheduleRange = keyof typeof rangeLabel
const daysIn: Record<ScheduleRange, number> = { day: 1, week: 7, twoWeeks: 14 }

export const viewLabel = { board: 'Board', list: 'List' } as const
export type ScheduleView = keyof typeof viewLabel

/** The Monday of a day's week. */
export function mondayOf(date: string): string {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return addDays(date, -((weekday + 6) % 7))
}

/** The filters that board and list share. */
export const scheduleFilterNames = [
  'market',
  'client',
  'program',
  'driver',
  'status',
  'driverAnswer',
  'driverMark',
  'startOutcome',
] as const

/** Where a new shift was requested: the truck, day and time, as far as known. */
export interface NewShiftPlace {
  truckUid?: string | undefined
  date?: string | undefined
  start?: string | undefined
}

/** The place of a new shift in the URL. */
export const newShiftPlaceIn = ({ onTruck, onDay, at }: UrlSearch): NewShiftPlace => ({
  truckUid: typeof onTruck === 'string' ? onTruck : undefined,
  date: day.safeParse(onDay).success ? String(onDay) : undefined,
  start: typeof at === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(at) ? at : undefined,
})

/** The state of the schedule, which lives in the URL: view, range, day, grouping, filters and the open shift. */
export function useSchedule() {
  const search: UrlSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (changes: UrlSearch, replace = false) =>
    void navigate({ to: '.', search: (old: UrlSearch) => ({ ...old, ...changes }), replace, resetScroll: false })

  const view: ScheduleView = search.view === 'list' ? 'list' : 'board'
  const today = localDay(localZone())
  const range: ScheduleRange =
    typeof search.range === 'string' && search.range in rangeLabel ? (search.range as ScheduleRange) : 'week'
  const date = day.safeParse(search.date).success ? String(search.date) : today
  const from = range === 'day' ? date : mondayOf(date)
  const to = addDays(from, daysIn[range] - 1)
  const { query, open } = useListState(shifts.list)
  return {
    view,
    range,
    date,
    today,
    from,
    to,
    grouped: search.group === 'market',
    filters: Object.fromEntries(scheduleFilterNames.map((name) => [name, query[name]])),
    open,
    setRange: (next: ScheduleRange) => go({ range: next === 'week' ? undefined : next }),
    /** A list has its own days, which start as the board's. */
    setView: (next: ScheduleView) =>
      go(
        next === 'list'
          ? { view: 'list', from, to, page: undefined }
          : { view: undefined, from: undefined, to: undefined, page: undefined, search: undefined, sort: undefined },
      ),
    setGrouped: (grouped: boolean) => go({ group: grouped ? 'market' : undefined }),
    setFilters: (changes: UrlSearch) => go(changes),
    goTo: (next: string | undefined) => go({ date: next }),
    /** Shows some days on the board: one week, or two where one is too short. */
    showDays: (first: string, last: string) =>
      go({ date: first, view: undefined, range: last > addDays(mondayOf(first), 6) ? 'twoWeeks' : undefined }),
    step: (direction: 1 | -1) => go({ date: addDays(from, direction * daysIn[range]) }),
    /** Opens a shift, on one of its tabs if one is named. */
    show: (uid: string | undefined, tab?: string) =>
      go({ open: uid, tab, ...(uid === undefined && { onTruck: undefined, onDay: undefined, at: undefined }) }),
    create: ({ truckUid, date: onDay, start }: NewShiftPlace = {}) =>
      go({ open: NEW_RECORD, onTruck: truckUid, onDay, at: start }),
  }
}
