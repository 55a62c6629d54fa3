import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { useMemo, useRef, useState } from 'react'
import type { BoardIndex, BoardRowModel } from './boardModel.ts'

const NONE: ReadonlySet<string> = new Set()

/** The bars of a rectangle: from one to another, by rows and columns. */
function barsBetween(rows: readonly BoardRowModel[], from: string, to: string): string[] {
  const places = rows.flatMap(({ bars }, row) => bars.map(({ shift, column }) => ({ uid: shift.uid, row, column })))
  const [one, other] = [from, to].map((uid) => places.find((place) => place.uid === uid))
  if (!one || !other) return [to]
  const isBetween = (at: number, a: number, b: number) => at >= Math.min(a, b) && at <= Math.max(a, b)
  return places
    .filter(({ row, column }) => isBetween(row, one.row, other.row) && isBetween(column, one.column, other.column))
    .map(({ uid }) => uid)
}

/** The bars that are chosen together: with Ctrl or Shift and a click, with the space bar, or by tapping. */
export function useSelection(index: BoardIndex, rows: readonly BoardRowModel[]) {
  const [uids, setUids] = useState(NONE)
  const [isSelecting, setSelecting] = useState(false)
  const anchor = useRef('')
  // A shift that someone deleted is no longer chosen.
  const shifts = useMemo(() => [...uids].flatMap((uid) => index.shifts.get(uid) ?? []), [uids, index])
  const clear = () => {
    setUids(NONE)
    setSelecting(false)
  }
  return {
    shifts,
    isSelecting,
    has: (uid: string) => uids.has(uid),
    /** The chosen shifts of a row as one text, which is equal while they are the same. */
    inRow: ({ bars }: BoardRowModel) =>
      uids.size === 0 ? '' : bars.flatMap(({ shift }) => (uids.has(shift.uid) ? [shift.uid] : [])).join(' '),
    toggle({ uid }: BoardShift) {
      anchor.current = uid
      setUids((before) => {
        const after = new Set(before)
        if (!after.delete(uid)) after.add(uid)
        return after
      })
    },
    extendTo({ uid }: BoardShift) {
      const found = barsBetween(rows, anchor.current || uid, uid)
      anchor.current ||= uid
      setUids((before) => new Set([...before, ...found]))
    },
    /** Every shift on the board that the filters find. */
    selectAll: () =>
      setUids(new Set(rows.flatMap(({ bars }) => bars.flatMap(({ shift }) => (shift.isMatch ? [shift.uid] : []))))),
    /** The shifts of a truck; all of them chosen already, none of them. */
    toggleRow(truckUid: string) {
      const own = rows.find(({ key }) => key === truckUid)?.bars.map(({ shift }) => shift.uid) ?? []
      setUids((before) => {
        const isWhole = own.every((uid) => before.has(uid))
        return new Set(isWhole ? [...before].filter((uid) => !own.includes(uid)) : [...before, ...own])
      })
    },
    setSelecting(on: boolean) {
      if (on) setSelecting(true)
      else clear()
    },
    clear,
  }
}
export type BoardSelection = ReturnType<typeof useSelection>
