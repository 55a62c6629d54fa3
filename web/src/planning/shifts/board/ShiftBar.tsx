import { formatClocks, formatShortClocks } from '@roadshow/contract/platform/dates'
import { programStatusLabel } from '@roadshow/contract/catalog/programs'
import { shiftStatusLabel } from '@roadshow/contract/planning/shifts'
import type { DriverMark, ShiftStatus } from '@roadshow/contract/planning/shifts'
import { BAR_HEIGHT, barTop, boardShiftName, driverName, shortName } from './boardModel.ts'
import type { Bar, BoardIndex } from './boardModel.ts'
import { CONFIRMED_TEXT, driverMarkTexts, isConfirmed, restText } from '../shiftText.ts'
import { programColor } from '../programColor.ts'
import styles from './ShiftBar.module.css'

// A shape for each status beside its word: the color of a bar is its program's.
const mark: Record<ShiftStatus, string> = { planned: '', out: '▶', completed: '✓', cancelled: '✕', noShow: '⊘' }

// Signs beside their sentences, which the name of the bar says.
const signOf: Record<DriverMark, string> = {
  declined: '☒',
  otherTruck: '⇄',
  unanswered: '?',
  notStarted: '◔',
  startedLate: '◔',
  phoneOffline: '☏',
}

interface ShiftBarProps {
  bar: Bar
  index: BoardIndex
  isTabStop: boolean
  isLeaving: boolean
  isSelected: boolean
  /** The filters or a search look for others. */
  isFaded: boolean
  byHours: boolean
  /** There is only room for shapes, not for words. */
  isTight: boolean
}

/** One shift on the board. The board handles its events. */
export function ShiftBar({ bar, index, isTabStop, byHours, isTight, ...is }: ShiftBarProps) {
  const { shift, lane, from, to } = bar
  const { status } = shift
  const rest = restText(shift) ?? ''
  const driver = driverName(index, shift) ?? ''
  const market = index.markets.get(shift.marketUid)?.name ?? ''
  const programStatus = index.programs.get(shift.programUid)?.status ?? 'active'
  const inactive = programStatus === 'active' ? '' : `Program ${programStatusLabel[programStatus].toLowerCase()}.`
  const ofDriver = driverMarkTexts(shift)
  const confirmed = isConfirmed(shift) ? CONFIRMED_TEXT : ''
  const name = `${boardShiftName(index, shift)} · ${market}. ${shiftStatusLabel[status]}.`
  const selected = is.isSelected ? 'Selected.' : ''
  const words = [selected, name, confirmed, ...ofDriver.map(({ text }) => text), rest, inactive]
    .filter(Boolean)
    .join(' ')
  const signs = confirmed || ofDriver.length > 0 || rest || inactive || (isTight && status !== 'planned')
  const marks = signs && (
    <span className={styles.marks}>
      {isTight && mark[status]}
      {confirmed && <span>☑</span>}
      {ofDriver.map((each) => (
        <span key={each.mark} className={each.mark === 'startedLate' ? undefined : styles.rest}>
          {signOf[each.mark]}
        </span>
      ))}
      {rest && <span className={styles.rest}>!</span>}
      {inactive && <span className={styles.rest}>⏸</span>}
    </span>
  )
  return (
    <button
      type="button"
      className={styles.bar}
      data-shift={shift.uid}
      data-status={status}
      data-leaving={is.isLeaving}
      data-selected={is.isSelected}
      data-faded={is.isFaded}
      data-hours={byHours}
      data-tight={isTight}
      data-cut-start={bar.cutStart}
      data-cut-end={bar.cutEnd}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={words}
      title={words}
      style={{
        top: barTop(lane),
        height: BAR_HEIGHT,
        left: `calc(${from * 100}% + 2px)`,
        width: `calc(${(to - from) * 100}% - 4px)`,
        ['--program' as string]: programColor(shift.programUid),
      }}
    >
      {/* Few elements: the board draws hundreds of bars. */}
      <span className={`${styles.line} ${styles.first}`}>
        {/* The time and the mark stand first: a word that finds no room is left out, not cut. */}
        <span className={styles.time}>{isTight ? formatShortClocks(shift) : formatClocks(shift)}</span>
        {!isTight && status !== 'planned' && (
          <>
            {`\u00A0${mark[status]} `}
            <span className={styles.word}>{shiftStatusLabel[status]}</span>
          </>
        )}
      </span>
      <span className={styles.line}>
        {marks}
        {driver && <b>{shortName(driver)}</b>}
        {index.programs.get(shift.programUid)?.name}
      </span>
    </button>
  )
}
