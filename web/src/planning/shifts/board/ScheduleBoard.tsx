import { formatDays } from '@roadshow/contract/platform/dates'
import { addDays, daysBetween } from '@roadshow/contract/planning/shift-time'
import type { ShiftPlanChangeKind } from '@roadshow/contract/planning/shift-plan-changes'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { Button } from 'antd'
import { useDeferredValue, useMemo, useState } from 'react'
import { useCall } from '../../../api/useCall.ts'
import { useMay } from '../../../api/user.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { Agenda } from './Agenda.tsx'
import { BoardGrid } from './BoardGrid.tsx'
import { indexBoard } from './boardModel.ts'
import { useNarrow } from '../ScheduleToolbar.tsx'
import { usePlaceShift } from './placement/usePlaceShift.ts'
import type { PlanChangesControl } from './changes/usePlanChanges.ts'
import type { useSchedule } from '../useSchedule.ts'
import styles from './ScheduleBoard.module.css'
import { lazyOverlay } from '../../../ui/lazyPart.tsx'

const PlanChangeDialog = lazyOverlay(() => import('./changes/PlanChangeDialog.tsx'))
const RefusedDialog = lazyOverlay(
  () => import('./changes/RefusedDialog.tsx'),
  ({ planChanges }) => planChanges.setRefused(undefined),
)

type Schedule = ReturnType<typeof useSchedule>

/** The board of the shown days, and one day around them: night shifts reach into the shown days and can clash. */
function useBoardShifts({ from, to, filters }: Schedule) {
  const query = { from: addDays(from, -1), to: addDays(to, 1), ...filters }
  const found = useCall(shifts.board, { query }, { keepsOld: true })
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

/** A change that was asked for, until its dialog is closed. */
interface AskedPlanChange {
  kind: ShiftPlanChangeKind
  shifts: readonly BoardShift[]
  onDone: () => void
}

interface ScheduleBoardProps {
  schedule: Schedule
  planChanges: PlanChangesControl
}

/** The shown days as a board, or as an agenda where there is little room. */
export function ScheduleBoard({ schedule, planChanges }: ScheduleBoardProps) {
  const { today, filters } = schedule
  const mayPlan = useMay(shifts.create)
  const isNarrow = useNarrow()
  const { query, found, index } = useBoardShifts(schedule)
  const shown = useShownDays(schedule)
  const place = usePlaceShift({ query, index, planChanges })
  const [asked, setAsked] = useState<AskedPlanChange>()
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
    return (
      <EmptyState
        action={
          mayPlan && (
            <Button type="primary" onClick={() => schedule.create()}>
              New shift
            </Button>
          )
        }
        imports={{ kind: 'shifts', needs: shifts.create }}
      >
        No trucks to plan and no shifts on these days. The board has a line for each truck.
      </EmptyState>
    )
  }
  return (
    <div className={styles.board} data-range={shown.range} aria-busy={found.isPlaceholderData}>
      <p className={styles.printed}>{formatDays(shown.days[0] ?? today, shown.days.at(-1) ?? today)}</p>
      <BoardGrid
        index={index}
        days={shown.days}
        today={today}
        byHours={shown.range === 'day'}
        groupByMarket={shown.grouped}
        onlyProgram={typeof program === 'string' ? program : undefined}
        mayPlan={mayPlan}
        onOpen={(uid, tab) => place.whenPlaced(uid, () => schedule.show(uid, tab))}
        onCreate={schedule.create}
        onMove={(placed) => place.move(placed)}
        onCopy={(placed) => place.copy(placed)}
        onChangePlan={(kind, some, onDone) => setAsked({ kind, shifts: some, onDone })}
      />
      {asked && (
        <PlanChangeDialog {...asked} index={index} planChanges={planChanges} onClose={() => setAsked(undefined)} />
      )}
      {planChanges.refused && <RefusedDialog refused={planChanges.refused} planChanges={planChanges} />}
    </div>
  )
}
