import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import type { adLog } from '@roadshow/contract/proof/ad-log'
import type { ReportMarket, ReportProgram } from '@roadshow/contract/proof/report-parts'
import type { sdReport } from '@roadshow/contract/proof/sd-report'
import { useEffect, useEffectEvent } from 'react'
import { useList } from '../../api/useList.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { useListState } from '../../ui/useListState.ts'

export type ReportCalls = typeof sdReport | typeof adLog

/** Complete filters of a report. Days are given unless the report is about one shift, which has its own. */
export interface ReportFilters {
  program: string
  market?: string
  shift?: string
  from?: string
  to?: string
}

/** The filters of the ad log with those of its list that narrow the figures, too. */
export interface PlayFilters extends ReportFilters {
  truck?: string[]
  side?: TruckSide[]
}

export const textOf = (given: UrlSearch, name: string) => (typeof given[name] === 'string' ? given[name] : undefined)

/** The filters of the list below that a new program or market clears. */
const CLEARED = {
  shift: undefined,
  search: undefined,
  truck: undefined,
  side: undefined,
  grade: undefined,
  open: undefined,
}

/** The program and market named in the URL, and the lists they are chosen from. */
function useReportRecords(calls: ReportCalls, needsMarket: boolean, programUid?: string, marketUid?: string) {
  // The same query as the select's: it is sent once.
  const all = { pageSize: String(MAX_PAGE_SIZE), sort: 'name' }
  const programs = useList<ReportProgram>(calls.programs, all)
  const markets = useList<ReportMarket>(
    calls.markets,
    { ...all, program: programUid },
    programUid !== undefined && needsMarket,
  )
  const chosenProgram = useList<ReportProgram>(calls.programs, { uid: programUid }, programUid !== undefined)
  const chosenMarket = useList<ReportMarket>(
    calls.markets,
    { program: programUid, uid: marketUid },
    marketUid !== undefined,
  )
  const program = chosenProgram.data?.data.find(({ uid }) => uid === programUid)
  const market = chosenMarket.data?.data.find(({ uid }) => uid === marketUid)
  const isUnknown =
    (chosenProgram.isSuccess && !chosenProgram.isPlaceholderData && !program && programUid !== undefined) ||
    (chosenMarket.isSuccess && !chosenMarket.isPlaceholderData && !market && marketUid !== undefined)
  const onlyMarket = markets.isPlaceholderData || markets.data?.total !== 1 ? undefined : markets.data.data[0]?.uid
  return {
    program,
    market,
    onlyMarket,
    hasNothing: programs.data?.total === 0 && !programUid,
    isUnknown,
    failed: isUnknown ? undefined : [programs, chosenProgram, markets, chosenMarket].find((each) => each.isError),
    mustChooseMarket: needsMarket && markets.isSuccess && !marketUid && !onlyMarket && !markets.isPlaceholderData,
  }
}

/** Puts proposed filters into the URL once they are known. */
export function usePropose(ask: (changes: UrlSearch, replace?: boolean) => void, proposed: UrlSearch) {
  const propose = useEffectEvent(() => ask(proposed, true))
  const proposal = JSON.stringify(proposed)
  useEffect(() => {
    if (proposal !== '{}') propose()
  }, [proposal])
}

/**
 * Program, market, shift and days of a report, which live in the URL. The days with data are proposed unless a shift is
 * named, and the only market where one is required.
 */
export function useReportFilters(calls: ReportCalls, needsMarket: boolean) {
  const { query, ask } = useListState<unknown>(calls.list)
  const programUid = textOf(query, 'program')
  const marketUid = programUid && textOf(query, 'market')
  const shiftUid = programUid && textOf(query, 'shift')
  const [from, to] = [textOf(query, 'from'), textOf(query, 'to')]
  const records = useReportRecords(calls, needsMarket, programUid, marketUid)
  const { program, market, onlyMarket, isUnknown, failed, mustChooseMarket } = records

  const withData = marketUid ? market : program
  const hasMarket = marketUid || !needsMarket
  usePropose(ask, {
    ...(needsMarket && programUid && !marketUid && onlyMarket && { market: onlyMarket }),
    ...(withData && hasMarket && !shiftUid && !from && { from: withData.firstDay }),
    ...(withData && hasMarket && !shiftUid && !to && { to: withData.lastDay }),
  })

  const isBackwards = from !== undefined && to !== undefined && from > to
  const hasDays = (from && to) || shiftUid
  const isComplete = programUid && hasDays && withData && !isBackwards && hasMarket
  const complete: ReportFilters | undefined = isComplete
    ? {
        program: programUid,
        ...(marketUid && { market: marketUid }),
        ...(shiftUid && { shift: shiftUid }),
        ...(from && { from }),
        ...(to && { to }),
      }
    : undefined
  return {
    given: { program: programUid, market: marketUid, shift: shiftUid, from, to },
    program,
    market,
    /** The filters, once they are complete. */
    complete,
    isBackwards,
    /** No program has data. */
    hasNothing: records.hasNothing,
    /** The URL names a record without data, or one the user may not see. */
    isUnknown,
    failed,
    mustChooseMarket: mustChooseMarket && !isUnknown,
    isSettling: programUid !== undefined && !complete && !isBackwards && !isUnknown && !failed && !mustChooseMarket,
    chooseProgram: (uid: string | undefined) =>
      ask({ ...CLEARED, program: uid, market: undefined, from: undefined, to: undefined }),
    chooseMarket: (uid: string | undefined) => ask({ ...CLEARED, market: uid, from: undefined, to: undefined }),
    /** Shows all shifts again, on the days that are proposed. */
    clearShift: () => ask({ shift: undefined }),
    chooseDays: (days: { from?: string; to?: string }) => ask(days),
    /** Goes back to the days that have data. */
    proposeDays: () => ask({ from: undefined, to: undefined }),
  }
}

export type ReportFilterState = ReturnType<typeof useReportFilters>
