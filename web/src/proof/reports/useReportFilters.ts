import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import type { adLog, ReportMarket, ReportProgram, sdReport } from '@roadshow/contract/proof/reports'
import { useEffect, useEffectEvent } from 'react'
import { useList } from '../../api/useList.ts'
import type { Given } from '../../ui/useListState.ts'
import { useListState } from '../../ui/useListState.ts'

export type ReportCalls = typeof sdReport | typeof adLog

/** What a report is about, complete enough to be answered. */
export interface ReportFilters {
  program: string
  market?: string
  from: string
  to: string
}

const textOf = (given: Given, name: string) => (typeof given[name] === 'string' ? given[name] : undefined)

/** What of the question the list below remembers beside it, and what a new question leaves behind. */
const ANEW = { search: undefined, truck: undefined, side: undefined, grade: undefined, open: undefined }

/**
 * Program, market and days of a report, which live in the address. The days with data are proposed, and the only market
 * where one has to be chosen.
 */
export function useReportFilters(calls: ReportCalls, needsMarket: boolean) {
  const { query, ask } = useListState<unknown>(calls.list)
  const programUid = textOf(query, 'program')
  const marketUid = programUid && textOf(query, 'market')
  const [from, to] = [textOf(query, 'from'), textOf(query, 'to')]

  // The same question as the box asks for what to choose from: it is sent once.
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
  const isThis = (uid: string | undefined) => (each: { uid: string }) => each.uid === uid
  const program = chosenProgram.data?.data.find(isThis(programUid))
  const market = chosenMarket.data?.data.find(isThis(marketUid))

  const withData = marketUid ? market : program
  const onlyMarket = markets.isPlaceholderData || markets.data?.total !== 1 ? undefined : markets.data.data[0]?.uid
  const proposed: Given = {
    ...(needsMarket && programUid && !marketUid && onlyMarket && { market: onlyMarket }),
    ...(withData && (marketUid || !needsMarket) && !from && { from: withData.firstDay }),
    ...(withData && (marketUid || !needsMarket) && !to && { to: withData.lastDay }),
  }
  const propose = useEffectEvent(() => ask(proposed, true))
  const proposal = JSON.stringify(proposed)
  useEffect(() => {
    if (proposal !== '{}') propose()
  }, [proposal])

  const isBackwards = from !== undefined && to !== undefined && from > to
  const isWhole = programUid && from && to && withData && !isBackwards && (marketUid || !needsMarket)
  const asked: ReportFilters | undefined = isWhole
    ? { program: programUid, ...(marketUid && { market: marketUid }), from, to }
    : undefined
  const isUnknown =
    (chosenProgram.isSuccess && !chosenProgram.isPlaceholderData && !program && programUid !== undefined) ||
    (chosenMarket.isSuccess && !chosenMarket.isPlaceholderData && !market && marketUid !== undefined)
  const failed = isUnknown ? undefined : [programs, chosenProgram, markets, chosenMarket].find((each) => each.isError)
  const mustChooseMarket = needsMarket && markets.isSuccess && !marketUid && !onlyMarket && !markets.isPlaceholderData
  return {
    given: { program: programUid, market: marketUid, from, to },
    program,
    market,
    asked,
    isBackwards,
    /** Nothing was ever to be reported. */
    hasNothing: programs.data?.total === 0 && !programUid,
    /** The address names something that has no data, or is not this person's. */
    isUnknown,
    failed,
    mustChooseMarket: mustChooseMarket && !isUnknown,
    isSettling: programUid !== undefined && !asked && !isBackwards && !isUnknown && !failed && !mustChooseMarket,
    chooseProgram: (uid: string | undefined) =>
      ask({ ...ANEW, program: uid, market: undefined, from: undefined, to: undefined }),
    chooseMarket: (uid: string | undefined) => ask({ ...ANEW, market: uid, from: undefined, to: undefined }),
    chooseDays: (days: { from?: string; to?: string }) => ask(days),
    /** Back to the days that there is data of. */
    proposeDays: () => ask({ from: undefined, to: undefined }),
  }
}

export type Question = ReturnType<typeof useReportFilters>
