import { shifts } from '@roadshow/contract/planning/shifts'
import type { ShiftBoard, BoardShift, Shift } from '@roadshow/contract/planning/shifts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { call, errorMessage } from '../../../api/call.ts'
import { keyOf, recordsOf } from '../../../api/queryClient.ts'
import type { BoardIndex } from './boardModel.ts'
import { clashesAt, instantsAt, targetOf } from './placement.ts'
import type { PlacementTarget } from './placement.ts'
import { shiftInputOf } from '../shiftInput.ts'

/** What the board says after a shift was moved or copied. */
export interface PlacementOutcome {
  text: string
  isBad: boolean
  undo?: () => void
}

const boardShiftOf = ({ truck, driver, program, market, ...rest }: Shift): BoardShift => ({
  uid: rest.uid,
  version: rest.version,
  truckUid: truck.uid,
  driverUid: driver.uid,
  programUid: program.uid,
  marketUid: market.uid,
  date: rest.date,
  start: rest.start,
  end: rest.end,
  startsAt: rest.startsAt,
  endsAt: rest.endsAt,
  status: rest.status,
  shortRestHours: rest.shortRestHours,
})

/** Moves and copies shifts on the board: shown at once, taken back with the server's sentence when it is refused. */
export function usePlaceShift(query: object, index: BoardIndex | undefined) {
  const queries = useQueryClient()
  const [outcome, setOutcome] = useState<PlacementOutcome>()
  const underWay = useRef(new Map<string, Promise<void>>())
  const key = keyOf(shifts.board, query)

  const change = (replace: (known: BoardShift[]) => BoardShift[]) =>
    queries.setQueryData<ShiftBoard>(key, (board) => board && { ...board, shifts: replace(board.shifts) })
  const put = (shift: BoardShift) => change((known) => known.map((each) => (each.uid === shift.uid ? shift : each)))
  const fetchAnew = () => void queries.invalidateQueries({ queryKey: [recordsOf(shifts.board), shifts.board.path] })

  const whereOf = ({ truckUid, date, start, end }: PlacementTarget) =>
    `${index?.trucks.get(truckUid)?.number ?? 'the truck'}, ${date} ${start}–${end}`

  function move(shift: BoardShift, target: PlacementTarget, isUndo = false): void {
    const moving = save(shift, target, isUndo).finally(() => {
      if (underWay.current.get(shift.uid) === moving) underWay.current.delete(shift.uid)
    })
    underWay.current.set(shift.uid, moving)
  }

  /** Goes on once a shift that is being moved is saved: before that, the server tells of its old place. */
  function whenPlaced(uid: string, goOn: (uid: string) => void): void {
    const moving = underWay.current.get(uid)
    if (moving) void moving.then(() => goOn(uid))
    else goOn(uid)
  }

  async function save(shift: BoardShift, target: PlacementTarget, isUndo: boolean): Promise<void> {
    if (!index) return
    setOutcome(undefined)
    const isFree = clashesAt(index, { shift, copies: false, target }).length === 0
    await queries.cancelQueries({ queryKey: key })
    // What is known to be in the way is not shown as if it were moved.
    if (isFree) put({ ...shift, ...target, ...instantsAt(index, shift, target) })
    try {
      const { data: saved } = await call(shifts.get, { params: { uid: shift.uid } })
      const { data: moved } = await call(shifts.update, {
        // The version that was on the screen: a change that nobody here has seen is not overwritten.
        body: { ...shiftInputOf(saved), ...target, uid: shift.uid, version: shift.version },
      })
      const now = boardShiftOf(moved)
      put(now)
      setOutcome({
        text: isUndo ? `Moved back to ${whereOf(target)}.` : `Moved to ${whereOf(target)}.`,
        isBad: false,
        ...(!isUndo && { undo: () => move(now, targetOf(shift), true) }),
      })
    } catch (error) {
      if (isFree) put(shift)
      setOutcome({ text: errorMessage(error), isBad: true })
    }
    fetchAnew()
  }

  async function copy(shift: BoardShift, target: PlacementTarget): Promise<void> {
    setOutcome(undefined)
    try {
      const { data: saved } = await call(shifts.get, { params: { uid: shift.uid } })
      const { data: made } = await call(shifts.create, { body: { ...shiftInputOf(saved), ...target } })
      change((known) => [...known, boardShiftOf(made)])
      setOutcome({
        text: `Copied to ${whereOf(target)}.`,
        isBad: false,
        undo: () => void removeCopy(made),
      })
    } catch (error) {
      setOutcome({ text: errorMessage(error), isBad: true })
    }
    fetchAnew()
  }

  async function removeCopy({ uid }: Shift): Promise<void> {
    try {
      await call(shifts.remove, { params: { uid } })
      change((known) => known.filter((each) => each.uid !== uid))
      setOutcome({ text: 'The copy is deleted.', isBad: false })
    } catch (error) {
      setOutcome({ text: errorMessage(error), isBad: true })
    }
    fetchAnew()
  }

  return { move, copy, whenPlaced, outcome, dismiss: useCallback(() => setOutcome(undefined), []) }
}
