import type { Bar, BoardIndex, BoardRowModel } from './boardModel.ts'

/** Where the keyboard focus is on the board: a truck's day, and a shift on it if there is one. */
export interface TabStop {
  truckUid: string
  day: string
  shiftUid?: string | undefined
}

export interface BoardFrame {
  rows: readonly BoardRowModel[]
  days: readonly string[]
}

const barsIn = (row: BoardRowModel | undefined, column: number): Bar[] =>
  (row?.bars ?? []).filter((bar) => bar.column === column)

const stopIn = (row: BoardRowModel, day: string, bar: Bar | undefined): TabStop => ({
  truckUid: row.truck?.uid ?? '',
  day,
  shiftUid: bar?.shift.uid,
})

/** Resolves a stop against the current board: its shift may have moved or gone, its truck may be hidden. */
export function resolveTabStop(
  stop: TabStop | undefined,
  { rows, days }: BoardFrame,
  index: BoardIndex,
  today: string,
) {
  const shift = stop?.shiftUid ? index.shifts.get(stop.shiftUid) : undefined
  const truckUid = shift?.truckUid ?? stop?.truckUid
  const row = rows.find(({ truck }) => truck && truck.uid === truckUid) ?? rows.find(({ truck }) => truck)
  if (!row) return undefined
  const own = shift && row.bars.find((bar) => bar.shift.uid === shift.uid)
  const fallback = days.includes(today) ? today : (days[0] ?? '')
  const day = own ? (days[own.column] ?? fallback) : stop && days.includes(stop.day) ? stop.day : fallback
  return stopIn(row, day, own ?? barsIn(row, days.indexOf(day))[0])
}

const PAGE = 8

/** The stop a key leads to; undefined for keys that do not move the focus. */
export function nextTabStop(
  stop: TabStop,
  key: string,
  { rows, days }: BoardFrame,
  byHours: boolean,
): TabStop | undefined {
  const trucks = rows.filter(({ truck }) => truck)
  const at = trucks.findIndex(({ truck }) => truck?.uid === stop.truckUid)
  const row = trucks[at]
  if (!row) return undefined
  const column = Math.max(0, days.indexOf(stop.day))
  const bars = barsIn(row, column)
  const lane = Math.max(
    0,
    bars.findIndex((bar) => bar.shift.uid === stop.shiftUid),
  )
  const inRow = (place: number, end: 'first' | 'last' = 'first') => {
    const to = trucks[Math.min(trucks.length - 1, Math.max(0, place))] ?? row
    return stopIn(to, days[column] ?? stop.day, barsIn(to, column).at(end === 'first' ? 0 : -1))
  }
  const inColumn = (to: number) => {
    const day = days[Math.min(days.length - 1, Math.max(0, to))] ?? stop.day
    const there = barsIn(row, days.indexOf(day))
    return stopIn(row, day, there[lane] ?? there[0])
  }
  const along = (way: 1 | -1) => stopIn(row, stop.day, bars[lane + way] ?? bars[lane])
  switch (key) {
    case 'ArrowLeft':
      return byHours ? along(-1) : inColumn(column - 1)
    case 'ArrowRight':
      return byHours ? along(1) : inColumn(column + 1)
    case 'ArrowUp':
      return !byHours && lane > 0 ? along(-1) : at === 0 ? stop : inRow(at - 1, byHours ? 'first' : 'last')
    case 'ArrowDown':
      return !byHours && lane + 1 < bars.length ? along(1) : at === trucks.length - 1 ? stop : inRow(at + 1)
    case 'Home':
      return inColumn(0)
    case 'End':
      return inColumn(days.length - 1)
    case 'PageUp':
      return inRow(at - PAGE)
    case 'PageDown':
      return inRow(at + PAGE)
    default:
      return undefined
  }
}
