import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { useMemo, useRef, useState } from 'react'
import type { NewShiftPlace } from '../useSchedule.ts'
import { BoardHead } from './BoardHead.tsx'
import { boardRows, boardShiftName } from './boardModel.ts'
import type { BoardIndex } from './boardModel.ts'
import { BoardRows } from './BoardRows.tsx'
import { HoverActions } from './HoverActions.tsx'
import { targetOf } from './placement.ts'
import type { PlacementTarget } from './placement.ts'
import { OffDays, PlacementLayer } from './PlacementLayer.tsx'
import { PlacementStatus } from './PlacementStatus.tsx'
import { ShiftMenu } from './ShiftMenu.tsx'
import type { OpenShiftMenu } from './ShiftMenu.tsx'
import { useBoardClicks } from './useBoardClicks.ts'
import { useBoardFocus } from './useBoardFocus.ts'
import { useBoardKeys } from './useBoardKeys.ts'
import { FIRST_COLUMN, useDrag } from './useDrag.ts'
import { useHoveredBar } from './useHoveredBar.ts'
import { usePlacement } from './usePlacement.ts'
import { useVisibleRows } from './useVisibleRows.ts'
import styles from './BoardGrid.module.css'

interface BoardGridProps {
  index: BoardIndex
  days: readonly string[]
  today: string
  byHours: boolean
  groupByMarket: boolean
  /** The only program shown: days on which it does not run are shaded. */
  onlyProgram: string | undefined
  mayPlan: boolean
  onOpen: (uid: string) => void
  onCreate: (place: NewShiftPlace) => void
  onMove: (shift: BoardShift, target: PlacementTarget) => void
  onCopy: (shift: BoardShift, target: PlacementTarget) => void
}

const DAY_MIN_WIDTH = 86
const HOURS_MIN_WIDTH = 960

/** Trucks down, days or hours across. It draws visible rows only, and handles pointer and keys for all bars. */
export function BoardGrid(props: BoardGridProps) {
  const { index, days, today, byHours, onlyProgram } = props
  const board = useBoard(props)
  const { rows, scroller, canvas, focus, placement, menu, setMenu } = board
  const { hovered, clear: clearHovered } = board.hover
  const program = index.programs.get(placement.current?.shift.programUid ?? onlyProgram ?? '')
  const shown = { rows, days, today, byHours, index }
  const minWidth = FIRST_COLUMN + days.length * (byHours ? HOURS_MIN_WIDTH : DAY_MIN_WIDTH)
  const layer = placement.current && { placement: placement.current, rows, days, byHours, clashes: placement.clashes }
  return (
    <>
      <div
        ref={scroller}
        className={styles.scroller}
        data-placing={placement.current?.by}
        {...board.drag.handlers}
        onPointerLeave={clearHovered}
      >
        <div className={styles.sheet} style={{ minWidth }}>
          {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its cells and bars take the focus */}
          <div
            role="grid"
            aria-label="Shifts by truck and day"
            aria-rowcount={rows.length + 1}
            aria-colcount={days.length + 1}
            style={{ ['--days' as string]: days.length }}
            {...board.handlers}
          >
            <BoardHead days={days} today={today} byHours={byHours} />
            <BoardRows
              {...shown}
              canvas={canvas}
              visible={board.visible}
              tabStop={focus.current}
              placement={placement.current}
            />
          </div>
          <div className={styles.layer}>
            {program && <OffDays days={days} startsOn={program.startsOn} endsOn={program.endsOn} />}
            {layer && <PlacementLayer {...layer} />}
            {hovered && !layer && (
              <HoverActions bar={hovered} name={boardShiftName(index, hovered.shift)} onMenu={setMenu} />
            )}
          </div>
        </div>
      </div>
      <PlacementStatus index={index} placement={placement.current} clashes={placement.clashes} />
      {menu && (
        <ShiftMenu
          menu={menu}
          canMove={placement.canMove(menu.shift)}
          onClose={() => setMenu(undefined)}
          onOpen={props.onOpen}
          onLift={board.lift}
        />
      )}
    </>
  )
}

/** The state of the board, and the handlers of its grid. */
function useBoard({ index, days, today, byHours, groupByMarket, mayPlan, ...on }: BoardGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<OpenShiftMenu>()
  const rows = useMemo(() => boardRows(index, { days, byHours, groupByMarket }), [index, days, byHours, groupByMarket])
  const frame = { rows, days, byHours }
  const visible = useVisibleRows(scroller, rows, days)
  const focus = useBoardFocus({ canvas, index, rows, days, today })
  const placement = usePlacement({ index, mayPlan, onMove: on.onMove, onCopy: on.onCopy })
  const shiftOf = (bar: Element) => index.shifts.get(bar.getAttribute('data-shift') ?? '')
  const hover = useHoveredBar({ canvas, shiftOf, isEnabled: mayPlan && !placement.current })
  const drag = useDrag({ scroller, canvas, frame, shiftOf, placement })

  /** Starts to move or copy a shift with the keys. */
  const lift = (shift: BoardShift, copies: boolean) => {
    if (!mayPlan || (!copies && !placement.canMove(shift))) return
    focus.goTo({ truckUid: shift.truckUid, day: shift.date, shiftUid: shift.uid })
    placement.set({ shift, copies, by: 'keys', target: targetOf(shift) })
  }
  const onKeyDown = useBoardKeys({
    scroller,
    frame,
    index,
    mayPlan,
    focus,
    placement,
    onLift: lift,
    onCreate: on.onCreate,
  })
  const clicks = useBoardClicks({
    byHours,
    mayPlan,
    shiftOf,
    placement,
    takeDrop: drag.takeDrop,
    onMenu: setMenu,
    onOpen: on.onOpen,
    onCreate: on.onCreate,
  })
  const handlers = { ...clicks, ...focus.handlers, onKeyDown, onMouseOver: hover.onMouseOver }
  return { scroller, canvas, rows, visible, focus, placement, hover, drag, menu, setMenu, lift, handlers }
}
