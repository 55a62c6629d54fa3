import type { ShiftPlanChangeKind } from '@roadshow/contract/planning/shift-plan-changes'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { useMemo, useRef, useState } from 'react'
import { GhostLayer } from '../fill/GhostLayer.tsx'
import type { NewShiftPlace } from '../useSchedule.ts'
import { BoardHead } from './BoardHead.tsx'
import { boardRows, boardShiftName } from './boardModel.ts'
import type { BoardIndex } from './boardModel.ts'
import { BoardRows } from './BoardRows.tsx'
import { BoardTools } from './BoardTools.tsx'
import { HoverActions } from './HoverActions.tsx'
import { targetOf } from './placement/placement.ts'
import type { PlacedShift } from './placement/placement.ts'
import { OffDays, PlacementLayer } from './placement/PlacementLayer.tsx'
import { PlacementStatus } from './placement/PlacementStatus.tsx'
import { ShiftMenu } from './ShiftMenu.tsx'
import type { OpenShiftMenu } from './ShiftMenu.tsx'
import { useBoardClicks } from './useBoardClicks.ts'
import { useBoardFocus } from './useBoardFocus.ts'
import { useBoardKeys } from './useBoardKeys.ts'
import { FIRST_COLUMN, useDrag } from './placement/useDrag.ts'
import { useHoveredBar } from './useHoveredBar.ts'
import { bothHandlers, useLongPress } from './useLongPress.ts'
import { usePlacement } from './placement/usePlacement.ts'
import { useSelection } from './useSelection.ts'
import { useTruckSearch } from './useTruckSearch.ts'
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
  onOpen: (uid: string, tab?: string) => void
  onCreate: (place: NewShiftPlace) => void
  onMove: (placed: readonly PlacedShift[]) => void
  onCopy: (placed: readonly PlacedShift[]) => void
  /** Asks for a change on shifts; `onDone` is called after it is saved. */
  onChangePlan: (kind: ShiftPlanChangeKind, shifts: readonly BoardShift[], onDone: () => void) => void
}

const DAY_MIN_WIDTH = 86
const HOURS_MIN_WIDTH = 960

/** Trucks down, days or hours across. It draws visible rows only, and handles pointer and keys for all bars. */
export function BoardGrid(props: BoardGridProps) {
  const { index, days, today, byHours, onlyProgram } = props
  const board = useBoard(props)
  const { rows, scroller, canvas, focus, placement, selection, search, menu, setMenu } = board
  const { hovered, clear: clearHovered } = board.hover
  const program = index.programs.get(placement.current?.shift.programUid ?? onlyProgram ?? '')
  const shown = { rows, days, today, byHours, index }
  const minWidth = FIRST_COLUMN + days.length * (byHours ? HOURS_MIN_WIDTH : DAY_MIN_WIDTH)
  const { placed, clashes } = placement
  const layer = placement.current && { placement: placement.current, placed, clashes, rows, days, byHours }
  return (
    <>
      <BoardTools search={search} selection={selection} mayPlan={props.mayPlan} onChangePlan={board.changePlan} />
      <div
        ref={scroller}
        className={styles.scroller}
        data-placing={placement.current?.by}
        {...board.pointer}
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
              placement={placement}
              selection={selection}
              isFaded={search.isFaded}
            />
          </div>
          <div className={styles.layer}>
            {program && <OffDays days={days} startsOn={program.startsOn} endsOn={program.endsOn} />}
            <GhostLayer rows={rows} days={days} byHours={byHours} />
            {layer && <PlacementLayer {...layer} />}
            {hovered && !layer && (
              <HoverActions bar={hovered} name={boardShiftName(index, hovered.shift)} onMenu={setMenu} />
            )}
          </div>
        </div>
      </div>
      <PlacementStatus index={index} placement={placement.current} count={placed.length} clashes={clashes} />
      {menu && (
        <ShiftMenu
          menu={menu}
          shifts={selection.has(menu.shift.uid) ? selection.shifts : [menu.shift]}
          mayPlan={props.mayPlan}
          canMove={placement.canMove(menu.shift)}
          onClose={() => setMenu(undefined)}
          onOpen={props.onOpen}
          onLift={board.lift}
          onToggle={(shift) => selection.toggle(shift)}
          onChangePlan={board.changePlan}
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
  const selection = useSelection(index, rows)
  const search = useTruckSearch(scroller, rows)
  const { onMove, onCopy } = on
  const placement = usePlacement({ index, mayPlan, selected: selection.shifts, onMove, onCopy })
  const shiftOf = (bar: Element) => index.shifts.get(bar.getAttribute('data-shift') ?? '')
  const hover = useHoveredBar({ canvas, shiftOf, isEnabled: mayPlan && !placement.current })
  const drag = useDrag({ scroller, canvas, frame, shiftOf, placement })
  const press = useLongPress({ shiftOf, onMenu: setMenu })
  const changePlan = (kind: ShiftPlanChangeKind, shifts: readonly BoardShift[]) =>
    on.onChangePlan(kind, shifts, selection.clear)

  /** Starts to move or copy a shift with the keys. */
  const lift = (shift: BoardShift, copies: boolean) => {
    if (!mayPlan || (!copies && !placement.canMove(shift))) return
    focus.goTo({ truckUid: shift.truckUid, day: shift.date, shiftUid: shift.uid })
    placement.set({ shift, copies, by: 'keys', target: targetOf(shift) })
  }
  const keys = useBoardKeys({
    scroller,
    frame,
    index,
    mayPlan,
    focus,
    placement,
    selection,
    onLift: lift,
    onCreate: on.onCreate,
    onChangePlan: changePlan,
  })
  const clicks = useBoardClicks({
    byHours,
    mayPlan,
    shiftOf,
    placement,
    selection,
    takeDrop: () => drag.takeDrop() || press.takePress(),
    onMenu: setMenu,
    onOpen: on.onOpen,
    onCreate: on.onCreate,
  })
  const handlers = { ...clicks, ...focus.handlers, ...keys, onMouseOver: hover.onMouseOver }
  const pointer = bothHandlers(drag.handlers, press.handlers)
  return {
    scroller,
    canvas,
    rows,
    visible,
    focus,
    placement,
    selection,
    search,
    hover,
    menu,
    setMenu,
    lift,
    changePlan,
    handlers,
    pointer,
  }
}
