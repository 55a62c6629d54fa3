import { barTop, BAR_HEIGHT, lengthOf, minutesOf } from './boardModel.ts'
import type { BoardRowModel } from './boardModel.ts'
import { formatShiftHours } from '../shiftText.ts'
import type { Placement } from './placement.ts'
import styles from './PlacementLayer.module.css'

interface PlacementLayerProps {
  placement: Placement
  rows: readonly BoardRowModel[]
  days: readonly string[]
  byHours: boolean
  clashes: readonly string[]
}

const DAY_MINUTES = 24 * 60

/** Outlines the target of the shift being placed; hatched red where it clashes. */
export function PlacementLayer({ placement, rows, days, byHours, clashes }: PlacementLayerProps) {
  const { target, copies } = placement
  const row = rows.find(({ truck }) => truck?.uid === target.truckUid)
  const column = days.indexOf(target.date)
  if (!row || column < 0) return null
  const start = byHours ? minutesOf(target.start) / DAY_MINUTES : 0
  const length = byHours ? Math.min(1 - start, lengthOf(target) / DAY_MINUTES) : 1
  const left = (column + start) / days.length
  return (
    <div
      className={styles.target}
      data-clash={clashes.length > 0}
      style={{
        top: row.top + (byHours ? barTop(0) : 0),
        height: byHours ? BAR_HEIGHT : row.height - 1,
        left: `calc(var(--first) + (100% - var(--first)) * ${left})`,
        width: `calc((100% - var(--first)) * ${length / days.length})`,
      }}
    >
      <div className={styles.ghost}>
        <span className="figures">
          {copies ? '+ ' : ''}
          {row.title} · {formatShiftHours(target)}
        </span>
        {clashes.length > 0 && <span>Clashes with {clashes.join('; ')}</span>}
      </div>
    </div>
  )
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
