import type { ShiftPlanChangeResult } from '@roadshow/contract/planning/shift-plan-changes'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { ShiftBoard, BoardShift } from '@roadshow/contract/planning/shifts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { errorMessage } from '../../../../api/call.ts'
import { keyOf } from '../../../../api/queryClient.ts'
import { formatShiftTime } from '../../shiftText.ts'
import type { BoardIndex } from '../boardModel.ts'
import { clashesAt, instantsAt } from './placement.ts'
import type { PlacedShift, PlacementTarget } from './placement.ts'
import type { PlanChangesControl } from '../changes/usePlanChanges.ts'

/** The cached answer of the board: changed at once, and refetched after every call. */
function useBoardCache(query: object) {
  const queries = useQueryClient()
  const key = keyOf(shifts.board, { query })
  return {
    put: (shift: BoardShift) =>
      queries.setQueryData<{ data: ShiftBoard }>(key, (answer) => {
        if (!answer) return answer
        const shifts = answer.data.shifts.map((each) => (each.uid === shift.uid ? shift : each))
        return { data: { ...answer.data, shifts } }
      }),
    cancelFetch: () => queries.cancelQueries({ queryKey: key }),
  }
}

const targetText = (index: BoardIndex | undefined, target: PlacementTarget) =>
  `${index?.trucks.get(target.truckUid)?.number ?? 'the truck'} · ${formatShiftTime(target)}`

/** Why the only shift of a change was refused. */
const refusalText = ({ refused: [group] }: ShiftPlanChangeResult) =>
  [group?.reason, group?.shifts[0]?.detail].filter(Boolean).join(' ')

const toPlanChange = (kind: 'move' | 'copy', placed: readonly PlacedShift[]) => ({
  kind,
  shifts: placed.map(({ shift: { uid, version }, target }) => ({ uid, version, ...target })),
})

interface PlaceOptions {
  query: object
  index: BoardIndex | undefined
  planChanges: PlanChangesControl
}

/** Moves and copies shifts on the board: a single move is shown at once, and taken back if the server refuses. */
export function usePlaceShift({ query, index, planChanges }: PlaceOptions) {
  const cache = useBoardCache(query)
  const underWay = useRef(new Map<string, Promise<void>>())

  /** Places one shift and says where, or why not. Answers whether it was saved. */
  async function placeOne(kind: 'move' | 'copy', placed: PlacedShift, allowInactiveProgram: boolean) {
    const words = kind === 'move' ? 'Moved' : 'Copied'
    planChanges.dismiss()
    try {
      const result = await planChanges.apply(toPlanChange(kind, [placed]), { allowInactiveProgram })
      if (result.saved) {
        const [late] = result.lateArrivals
        planChanges.finish(result.undoUid, `${words} to ${targetText(index, placed.target)}.`, late?.detail)
        return result
      }
      const again = () => void (kind === 'move' ? move(placed, true) : placeOne(kind, placed, true))
      const label = kind === 'move' ? 'Move anyway' : 'Copy anyway'
      planChanges.say({
        text: refusalText(result),
        isBad: true,
        ...(result.inactive > 0 && { confirm: { label, act: again } }),
      })
    } catch (error) {
      planChanges.say({ text: errorMessage(error), isBad: true })
    }
    planChanges.refetch()
    return undefined
  }

  async function saveMove(board: BoardIndex, placed: PlacedShift, allowInactiveProgram: boolean): Promise<void> {
    const { shift, target } = placed
    const isFree = clashesAt(board, [placed], false).length === 0
    const moved = { ...shift, ...target, ...instantsAt(board, shift, target) }
    await cache.cancelFetch()
    // A move that is known to clash is not shown before the server accepts it.
    if (isFree) cache.put(moved)
    const result = await placeOne('move', placed, allowInactiveProgram)
    if (result) cache.put({ ...moved, version: result.changed[0]?.version ?? shift.version })
    else if (isFree) cache.put(shift)
  }

  function move(placed: PlacedShift, allowInactiveProgram = false): void {
    if (!index) return
    const { uid } = placed.shift
    const moving = saveMove(index, placed, allowInactiveProgram).finally(() => {
      if (underWay.current.get(uid) === moving) underWay.current.delete(uid)
    })
    underWay.current.set(uid, moving)
  }

  return {
    move(placed: readonly PlacedShift[]): void {
      const [only] = placed
      if (only && placed.length === 1) move(only)
      else void planChanges.run(toPlanChange('move', placed))
    },
    copy(placed: readonly PlacedShift[]): void {
      const [only] = placed
      if (only && placed.length === 1) void placeOne('copy', only, false)
      else void planChanges.run(toPlanChange('copy', placed))
    },
    /** Continues once a shift that is being moved is saved; until then the server still has its old place. */
    whenPlaced(uid: string, goOn: (uid: string) => void): void {
      const moving = underWay.current.get(uid)
      if (moving) void moving.then(() => goOn(uid))
      else goOn(uid)
    },
  }
}
