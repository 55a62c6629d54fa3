import { shifts } from '@roadshow/contract/planning/shifts'
import type { ShiftBoard, BoardShift, Shift } from '@roadshow/contract/planning/shifts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { ApiError, call, errorMessage } from '../../../api/call.ts'
import { keyOf, recordsOf } from '../../../api/queryClient.ts'
import type { BoardIndex } from './boardModel.ts'
import { clashesAt, instantsAt, targetOf } from './placement.ts'
import type { PlacementTarget } from './placement.ts'
import { formatShiftTime } from '../shiftText.ts'
import { shiftInputOf } from '../shiftInput.ts'

/** The message after a shift was moved or copied. */
export interface PlacementOutcome {
  text: string
  isBad: boolean
  undo?: () => void
  /** Answers the question that the refusal asks, such as about a paused program. */
  confirm?: { label: string; act: () => void }
}

const boardShiftOf = ({ truck, driver, program, market, ...rest }: Shift): BoardShift => ({
  uid: rest.uid,
  version: rest.version,
  truckUid: truck.uid,
  driverUid: driver?.uid ?? null,
  programUid: program.uid,
  marketUid: market.uid,
  date: rest.date,
  start: rest.start,
  end: rest.end,
  startsAt: rest.startsAt,
  endsAt: rest.endsAt,
  status: rest.status,
  shortRestHours: rest.shortRestHours,
  driverAnswer: rest.driverAnswer,
  declineReason: rest.declineReason,
  requestedTruck: rest.requestedTruck,
  driverMarks: rest.driverMarks,
})

/** The cached answer of the board: changed at once, and refetched after every call. */
function useBoardCache(query: object) {
  const queries = useQueryClient()
  const key = keyOf(shifts.board, query)
  const change = (replace: (known: BoardShift[]) => BoardShift[]) =>
    queries.setQueryData<ShiftBoard>(key, (board) => board && { ...board, shifts: replace(board.shifts) })
  return {
    put: (shift: BoardShift) => change((known) => known.map((each) => (each.uid === shift.uid ? shift : each))),
    add: (shift: BoardShift) => change((known) => [...known, shift]),
    remove: (uid: string) => change((known) => known.filter((each) => each.uid !== uid)),
    cancelFetch: () => queries.cancelQueries({ queryKey: key }),
    refetch: () => void queries.invalidateQueries({ queryKey: [recordsOf(shifts.board), shifts.board.path] }),
  }
}

/** What to do when the server refuses: take the change back, or confirm it. */
interface Refusal {
  onRefused?: () => void
  confirm?: NonNullable<PlacementOutcome['confirm']>
}

/** Runs changes one by one: the message of the change, or of its refusal, is shown, and the board is refetched. */
function useOutcome(refetch: () => void) {
  const [outcome, setOutcome] = useState<PlacementOutcome>()
  return {
    outcome,
    dismiss: useCallback(() => setOutcome(undefined), []),
    run: async (work: () => Promise<PlacementOutcome>, { onRefused, confirm }: Refusal = {}): Promise<void> => {
      try {
        setOutcome(await work())
      } catch (error) {
        onRefused?.()
        const asks = confirm && error instanceof ApiError && error.code === 'programInactive'
        setOutcome({ text: errorMessage(error), isBad: true, ...(asks && { confirm }) })
      }
      refetch()
    },
  }
}

const targetText = (index: BoardIndex | undefined, target: PlacementTarget) =>
  `${index?.trucks.get(target.truckUid)?.number ?? 'the truck'} · ${formatShiftTime(target)}`

/** Saves a shift at another place, on top of the version that was on the screen: an unseen change is not overwritten. */
async function saveAt(shift: BoardShift, target: PlacementTarget, allowInactiveProgram: boolean): Promise<BoardShift> {
  const { data: saved } = await call(shifts.get, { params: { uid: shift.uid } })
  const { data: moved } = await call(shifts.update, {
    body: { ...shiftInputOf(saved), ...target, uid: shift.uid, version: shift.version, allowInactiveProgram },
  })
  return boardShiftOf(moved)
}

/** A move asks about a paused program once; a confirmed one and an undo do not ask. */
type MoveKind = 'first' | 'confirmed' | 'undo'

/** Moves and copies shifts on the board: shown at once, and undone with the server's message if it refuses. */
export function usePlaceShift(query: object, index: BoardIndex | undefined) {
  const cache = useBoardCache(query)
  const { run, dismiss, outcome } = useOutcome(cache.refetch)
  const underWay = useRef(new Map<string, Promise<void>>())

  async function saveMove(board: BoardIndex, shift: BoardShift, target: PlacementTarget, kind: MoveKind) {
    dismiss()
    const isFree = clashesAt(board, { shift, copies: false, target }).length === 0
    await cache.cancelFetch()
    // A move that is known to clash is not shown before the server accepts it.
    if (isFree) cache.put({ ...shift, ...target, ...instantsAt(board, shift, target) })
    const work = async () => {
      const now = await saveAt(shift, target, kind !== 'first')
      cache.put(now)
      if (kind === 'undo') return { text: `Moved back to ${targetText(index, target)}.`, isBad: false }
      return {
        text: `Moved to ${targetText(index, target)}.`,
        isBad: false,
        undo: () => move(now, targetOf(shift), 'undo'),
      }
    }
    await run(work, {
      onRefused: () => isFree && cache.put(shift),
      confirm: { label: 'Move anyway', act: () => move(shift, target, 'confirmed') },
    })
  }

  function move(shift: BoardShift, target: PlacementTarget, kind: MoveKind = 'first'): void {
    if (!index) return
    const moving = saveMove(index, shift, target, kind).finally(() => {
      if (underWay.current.get(shift.uid) === moving) underWay.current.delete(shift.uid)
    })
    underWay.current.set(shift.uid, moving)
  }

  /** Continues once a shift that is being moved is saved; until then the server still has its old place. */
  function whenPlaced(uid: string, goOn: (uid: string) => void): void {
    const moving = underWay.current.get(uid)
    if (moving) void moving.then(() => goOn(uid))
    else goOn(uid)
  }

  function copy(shift: BoardShift, target: PlacementTarget, allowInactiveProgram = false): Promise<void> {
    dismiss()
    const work = async () => {
      const { data: saved } = await call(shifts.get, { params: { uid: shift.uid } })
      const { data: made } = await call(shifts.create, {
        body: { ...shiftInputOf(saved), ...target, allowInactiveProgram },
      })
      cache.add(boardShiftOf(made))
      return { text: `Copied to ${targetText(index, target)}.`, isBad: false, undo: () => void removeCopy(made) }
    }
    return run(work, { confirm: { label: 'Copy anyway', act: () => void copy(shift, target, true) } })
  }

  const removeCopy = ({ uid }: Shift) =>
    run(async () => {
      await call(shifts.remove, { params: { uid } })
      cache.remove(uid)
      return { text: 'Copy deleted.', isBad: false }
    })

  return { move, copy, whenPlaced, outcome, dismiss }
}
