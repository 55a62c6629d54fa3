import { addDays, daysBetween } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { call } from '../../../api/call.ts'
import { keyOf } from '../../../api/queryClient.ts'
import { useMay } from '../../../api/user.ts'
import { EmptyState, ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { Agenda } from './Agenda.tsx'
import { BoardGrid } from './BoardGrid.tsx'
import { indexBoard } from './boardModel.ts'
import { useLiveShifts } from '../useLiveShifts.ts'
import { useNarrow } from '../ScheduleToolbar.tsx'
import { usePlaceShift } from './usePlaceShift.ts'
import type { PlacementOutcome } from './usePlaceShift.ts'
import type { useSchedule } from '../useSchedule.ts'
import styles from './ScheduleBoard.module.css'
import notices from '../../../ui/notices.module.css'

type Schedule = ReturnType<typeof useSchedule>

/** The board of the shown days, and one day around them: night shifts reach into the shown days and can clash. */
function useBoardShifts({ from, to, filters }: Schedule) {
  const query = { from: addDays(from, -1), to: addDays(to, 1), ...filters }
  const found = useQuery({
    queryKey: keyOf(shifts.board, query),
    queryFn: async ({ signal }) => (await call(shifts.board, { query }, { signal })).data,
    placeholderData: keepPreviousData,
  })
  useLiveShifts(query.from, query.to)
  // Thousands of shifts are drawn in the background, so that typing and scrolling do not wait.
  const data = useDeferredValue(found.data)
  const index = useMemo(() => data && indexBoard(data), [data])
  return { query, found, index }
}

/** The days and grouping to draw, deferred like the shifts. */
function useShownDays({ from, to, range, grouped }: Schedule) {
  const wanted = useMemo(
    () => ({
      days: Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => addDays(from, at)),
      range,
      grouped,
    }),
    [from, to, range, grouped],
  )
  return useDeferredValue(wanted)
}

/** The shown days as a board, or as an agenda where there is little room. */
export function ScheduleBoard({ schedule }: { schedule: Schedule }) {
  const { today, filters } = schedule
  const mayPlan = useMay(shifts.create)
  const isNarrow = useNarrow()
  const { query, found, index } = useBoardShifts(schedule)
  const shown = useShownDays(schedule)
  const place = usePlaceShift(query, index)
  const { program } = filters

  if (found.isError && !index) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!index) {
    return (
      <div className={styles.skeleton} aria-busy>
        <SkeletonLines rows={11} />
      </div>
    )
  }
  if (isNarrow) return <Agenda index={index} days={shown.days} today={today} onOpen={schedule.show} />
  if (index.trucks.size === 0) {
    const isFiltered = Object.values(filters).some((value) => value !== undefined)
    return (
      <EmptyState action={mayPlan && <Button onClick={() => schedule.create()}>New shift</Button>}>
        {isFiltered ? 'No shifts match the filters on these days.' : 'No shifts on these days.'}
      </EmptyState>
    )
  }
  return (
    <div className={styles.board} data-range={shown.range} aria-busy={found.isPlaceholderData}>
      <BoardGrid
        index={index}
        days={shown.days}
        today={today}
        byHours={shown.range === 'day'}
        groupByMarket={shown.grouped}
        onlyProgram={typeof program === 'string' ? program : undefined}
        mayPlan={mayPlan}
        onOpen={(uid) => place.whenPlaced(uid, schedule.show)}
        onCreate={schedule.create}
        onMove={(shift, target) => place.move(shift, target)}
        onCopy={(shift, target) => void place.copy(shift, target)}
      />
      <Toast outcome={place.outcome} onDone={place.dismiss} />
    </div>
  )
}

const SHOWN_MS = 8_000

/** The result of a move, with Undo; a refusal stays until it is closed. */
function Toast({ outcome, onDone }: { outcome: PlacementOutcome | undefined; onDone: () => void }) {
  useEffect(() => {
    if (!outcome || outcome.isBad) return
    const timer = setTimeout(onDone, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome, onDone])
  return (
    <div role={outcome?.isBad ? 'alert' : 'status'} className={notices.place}>
      {outcome && (
        <div className={`${notices.notice} ${styles.toast}`} data-kind={outcome.isBad ? 'bad' : 'done'}>
          {outcome.text}
          {outcome.undo && (
            <button type="button" onClick={outcome.undo}>
              Undo
            </button>
          )}
          {outcome.confirm && (
            <button type="button" onClick={outcome.confirm.act}>
              {outcome.confirm.label}
            </button>
          )}
          {outcome.isBad && (
            <button type="button" onClick={onDone}>
              Close
            </button>
          )}
        </div>
      )}
    </div>
  )
}
