import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { localZone } from '@roadshow/contract/platform/dates'
import { adLog, hoursOfSpan, LISTED_DAYS } from '@roadshow/contract/proof/ad-log'
import type { ReportProgram } from '@roadshow/contract/proof/report-parts'
import { useList } from '../../../api/useList.ts'
import { useListState } from '../../../ui/useListState.ts'
import type { UrlSearch } from '../../../ui/useListState.ts'
import { textOf, usePropose } from '../propose.ts'

/** Without a program or days, so many are listed. */
const weekBefore = (day: string) => addDays(day, -LISTED_DAYS)
export const firstDayShown = (): string => weekBefore(localDay(localZone()))

const valuesOf = (given: UrlSearch, name: string): string[] => [given[name] ?? []].flat()

/** What plays are filtered by, as the URL has it. Without a list of values a filter leaves all. */
export interface LogFilters extends UrlSearch {
  program?: string[]
  client?: string[]
  market?: string[]
  truck?: string[]
  driver?: string[]
  side?: TruckSide[]
  shift?: string
  from?: string
  to?: string
  /** An SD address, or `any`. */
  address?: string
  since?: string
  until?: string
  fromHour?: string
  toHour?: string
}

const LISTS = ['program', 'client', 'market', 'truck', 'driver', 'side'] as const
const TEXTS = ['shift', 'from', 'to', 'fromHour', 'toHour', 'address', 'since', 'until'] as const

function filtersOf(query: UrlSearch): LogFilters {
  const lists = LISTS.map((name) => [name, valuesOf(query, name)] as const).filter(([, values]) => values.length > 0)
  const texts = TEXTS.flatMap((name) => (textOf(query, name) === undefined ? [] : [[name, textOf(query, name)]]))
  return Object.fromEntries([...lists, ...texts]) as LogFilters
}

/** An SD address is one of its program, and moments are those of a visit to it. */
export const NO_ADDRESS = { address: undefined, since: undefined, until: undefined } as const

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))

/** The span of hours in the URL; undefined for the whole day. */
export function hoursOf(filters: LogFilters): { from: number; to: number } | undefined {
  const span = { fromHour: numberOf(filters.fromHour), toHour: numberOf(filters.toHour) }
  return hoursOfSpan(span) && { from: span.fromHour ?? 0, to: span.toHour ?? 24 }
}

/** What filters ask for that only plays of a shift have, in a word. */
export function shiftWordOf(filters: LogFilters): string | undefined {
  if (filters.shift) return 'one shift'
  if (filters.address) return 'an SD address'
  if (filters.market) return filters.market.length > 1 ? 'some markets' : 'one market'
  if (filters.driver) return 'a driver'
  return hoursOf(filters) ? 'the clocks of markets' : undefined
}

export const asksForShifts = (filters: LogFilters): boolean => shiftWordOf(filters) !== undefined

/** The first and last day with data of the only program that is chosen. */
function useProgramDays(programs: readonly string[]) {
  const [uid, another] = programs
  const only = another === undefined ? uid : undefined
  const found = useList<ReportProgram>(adLog.programs, { uid: only }, only !== undefined)
  const program = found.isPlaceholderData ? undefined : found.data?.data.find((each) => each.uid === only)
  const isPending = only !== undefined && !program && !found.isError && (found.isPending || found.isPlaceholderData)
  return { program: only === undefined ? undefined : program, isPending }
}

/**
 * The filters of the ad log, which live in the URL. Without days those of the chosen program are proposed, and of all
 * programs the last week.
 */
export function useLogFilters() {
  const { query, ask } = useListState(adLog.list)
  const filters = filtersOf(query)
  const { from, to } = filters
  const { program, isPending } = useProgramDays(filters.program ?? [])
  const hasDays = from !== undefined || filters.shift !== undefined
  const week = { from: to === undefined ? firstDayShown() : weekBefore(to) }
  const ofProgram = program && { from: program.firstDay, to: to ?? program.lastDay }
  usePropose(ask, hasDays || isPending ? {} : (ofProgram ?? week))

  const isWeek = from === firstDayShown() && to === undefined
  const isBackwards = from !== undefined && to !== undefined && from > to
  return {
    filters,
    from,
    to,
    program,
    /** The days are those that the ad log begins with. */
    isWeek,
    isBackwards,
    isComplete: hasDays && !isBackwards,
    ask,
    /** A program that was chosen first proposes its own days; days that were chosen stay. */
    choosePrograms: (programs: string[]) =>
      ask({
        program: programs.length > 0 ? programs : undefined,
        truck: undefined,
        ...NO_ADDRESS,
        ...(isWeek && { from: undefined }),
      }),
    chooseHours: (hours: { from: number; to: number } | undefined) =>
      ask({ fromHour: hours && String(hours.from), toHour: hours && String(hours.to) }),
    proposeDays: () => ask({ from: undefined, to: undefined }),
  }
}

export type LogFilterState = ReturnType<typeof useLogFilters>
