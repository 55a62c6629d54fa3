import { barTop, BAR_HEIGHT, lengthOf, minutesOf } from '../boardModel.ts'
import type { BoardRowModel } from '../boardModel.ts'
import { formatShiftHours } from '../../shiftText.ts'
import type { PlacedShift, Placement, PlacementTarget } from './placement.ts'
import styles from './PlacementLayer.module.css'

interface PlacementLayerProps {
  placement: Placement
  /** The shift that is placed and those that go with it. */
  placed: readonly PlacedShift[]
  rows: readonly BoardRowModel[]
  days: readonly string[]
  byHours: boolean
  clashes: readonly string[]
}

const DAY_MINUTES = 24 * 60

type TargetFrame = Pick<PlacementLayerProps, 'rows' | 'days' | 'byHours'>

/** Where a target stands on the canvas; undefined beyond the shown trucks and days. */
function boxOf(target: PlacementTarget, { rows, days, byHours }: TargetFrame) {
  const row = rows.find(({ truck }) => truck?.uid === target.truckUid)
  const column = days.indexOf(target.date)
  if (!row || column < 0) return undefined
  const start = byHours ? minutesOf(target.start) / DAY_MINUTES : 0
  const length = byHours ? Math.min(1 - start, lengthOf(target) / DAY_MINUTES) : 1
  const left = (column + start) / days.length
  return {
    row,
    style: {
      top: row.top + (byHours ? barTop(0) : 0),
      height: byHours ? BAR_HEIGHT : row.height - 1,
      left: `calc(var(--first) + (100% - var(--first)) * ${left})`,
      width: `calc((100% - var(--first)) * ${length / days.length})`,
    },
  }
}

/** Outlines the targets of the shifts being placed; hatched red where they clash. */
export function PlacementLayer({ placement, placed, clashes, ...frame }: PlacementLayerProps) {
  return placed.map(({ shift, target }, at) => {
    const box = boxOf(target, frame)
    return (
      box && (
        <div key={shift.uid} className={styles.target} data-clash={clashes.length > 0} style={box.style}>
          {at === 0 && (
            <div className={styles.ghost}>
              <span className="figures">
                {placement.copies ? '+ ' : ''}
                {box.row.title} · {formatShiftHours(target)}
                {placed.length > 1 && `, ${placed.length - 1} more`}
              </span>
              {clashes.length > 0 && <span>Clashes with {clashes.join('; ')}</span>}
            </div>
          )}
        </div>
      )
    )
  })
}

interface OffDaysProps {
  days: readonly string[]
  startsOn: string
  endsOn: string
}

/** Days on which a program does not run, shaded from top to bottom. */
export const OffDays = ({ days, startsOn, endsOn }: OffDaysProps) =>
  days.map(
    (day, column) =>
      (day < startsOn || day > endsOn) && (
        <div
          key={day}
          className={styles.off}
          style={{
            left: `calc(var(--first) + (100% - var(--first)) * ${column / days.length})`,
            width: `calc((100% - var(--first)) / ${days.length})`,
          }}
        />
      ),
  )
