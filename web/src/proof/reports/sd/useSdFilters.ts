import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { localZone } from '@roadshow/contract/platform/dates'
import type { ReportMarket, ReportProgram } from '@roadshow/contract/proof/report-parts'
import { RANKED_DAYS, sdReport } from '@roadshow/contract/proof/sd-report'
import { useList } from '../../../api/useList.ts'
import { useListState } from '../../../ui/useListState.ts'
import type { UrlSearch } from '../../../ui/useListState.ts'
import { textOf, usePropose } from '../propose.ts'

/** The filters of the report of a program. Without a market, all of its markets count. */
export interface SdFilters {
  program: string
  market?: string
  from: string
  to: string
}

/** The state of the lists below that another program or market clears. */
const CLEARED = { search: undefined, sort: undefined, open: undefined }

/** The days of the ranking that the report opens with. */
function rankedDays() {
  const today = localDay(localZone())
  return { from: addDays(today, -RANKED_DAYS), to: today }
}

/** The program and market named in the URL. */
function useNamedRecords(programUid: string | undefined, marketUid: string | undefined) {
  const programs = useList<ReportProgram>(sdReport.programs, { uid: programUid }, programUid !== undefined)
  const markets = useList<ReportMarket>(
    sdReport.markets,
    { ...(programUid && { program: programUid }), uid: marketUid },
    marketUid !== undefined,
  )
  const program = programs.data?.data.find(({ uid }) => uid === programUid)
  const market = markets.data?.data.find(({ uid }) => uid === marketUid)
  const isUnknown =
    programUid !== undefined &&
    ((programs.isSuccess && !programs.isPlaceholderData && !program) ||
      (marketUid !== undefined && markets.isSuccess && !markets.isPlaceholderData && !market))
  return {
    program,
    market,
    isUnknown,
    failed: isUnknown ? undefined : [programs, markets].find((each) => each.isError),
  }
}

/** What the URL leaves open: the days with data of the program or market, or those of the ranking. */
function proposedDays({ from, to }: UrlSearch, withData: { firstDay: string; lastDay: string } | undefined) {
  if (from !== undefined && to !== undefined) return {}
  if (!withData) return {}
  return { ...(from === undefined && { from: withData.firstDay }), ...(to === undefined && { to: withData.lastDay }) }
}

/** Program, market and days of the SD report, which live in the URL. Without a program all are ranked. */
export function useSdFilters() {
  const { query, ask } = useListState<unknown>(sdReport.list)
  const [program, market] = [textOf(query, 'program'), textOf(query, 'market')]
  const [from, to] = [textOf(query, 'from'), textOf(query, 'to')]
  const named = useNamedRecords(program, market)
  const ranked = rankedDays()
  const withData = market === undefined ? named.program : named.market
  usePropose(
    ask,
    proposedDays({ from, to }, program === undefined ? { firstDay: ranked.from, lastDay: ranked.to } : withData),
  )
  const isBackwards = from !== undefined && to !== undefined && from > to
  const hasDays = from !== undefined && to !== undefined && !isBackwards
  const complete: SdFilters | undefined =
    program !== undefined && hasDays && withData ? { program, ...(market && { market }), from, to } : undefined
  return {
    given: { program, market, from, to },
    named,
    /** The days with data of what is chosen. */
    withData: program === undefined ? undefined : withData,
    /** The filters of a program's report, once they are complete. */
    complete,
    isRankingReady: program === undefined && hasDays,
    isRankedDays: program === undefined && from === ranked.from && to === ranked.to,
    isBackwards,
    isSettling: program !== undefined && !complete && !isBackwards && !named.isUnknown && !named.failed,
    chooseProgram: (uid: string | undefined) =>
      ask({ ...CLEARED, program: uid, market: undefined, from: undefined, to: undefined }),
    chooseMarket: (uid: string | undefined) => ask({ ...CLEARED, market: uid }),
    chooseDays: (days: { from?: string; to?: string }) => ask(days),
    /** Goes back to the days that are proposed. */
    proposeDays: () => ask({ from: undefined, to: undefined }),
  }
}

export type SdFilterState = ReturnType<typeof useSdFilters>
