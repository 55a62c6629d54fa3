import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { Dropdown } from 'antd'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { BoardHead } from './BoardHead.tsx'
import { boardRows, boardShiftName, timeOf } from './boardModel.ts'
import type { BoardIndex } from './boardModel.ts'
import { BoardRow, tabStopKey } from './BoardRow.tsx'
import { nextTabStop, resolveTabStop } from './tabStops.ts'
import type { TabStop } from './tabStops.ts'
import { clashesAt, isSameTarget, nudgeTarget, targetOf } from './placement.ts'
import type { Placement, PlacementTarget } from './placement.ts'
import { OffDays, PlacingLayer } from './PlacementLayer.tsx'
import { FIRST_COLUMN, useDrag } from './useDrag.ts'
import type { NewShiftPlace } from '../useSchedule.ts'
import { useVisibleRows } from './useVisibleRows.ts'
import styles from './board.module.css'

interface BoardGridProps {
  index: BoardIndex
  days: readonly string[]
  today: string
  byHours: boolean
  groupByMarket: boolean
  /** The one program that is looked at: days on which it does not run are shaded. */
  onlyProgram: string | undefined
  mayPlan: boolean
  onOpen: (uid: string) => void
  onCreate: (place: NewShiftPlace) => void
  onMove: (shift: BoardShift, target: PlacementTarget) => void
  onCopy: (shift: BoardShift, target: PlacementTarget) => void
}

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const menuItems = (mayMove: boolean) => [
  { key: 'open', label: 'Open' },
  { key: 'move', label: 'Move… (M)', disabled: !mayMove },
  { key: 'copy', label: 'Copy… (C)' },
]

/** Trucks down, days or hours across. Only rows in sight are drawn; pointer and keys are heard here, not by each bar. */
export function BoardGrid(props: BoardGridProps) {
  const { index, days, today, byHours, groupByMarket, onlyProgram, mayPlan } = props
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const hadFocus = useRef(false)
  const wantsFocus = useRef(false)
  const [stop, setStop] = useState<TabStop>()
  const [placing, setPlacing] = useState<Placement>()
  const [menu, setMenu] = useState<{ shift: BoardShift; x: number; y: number }>()
  const [hovered, setHovered] = useState<{ shift: BoardShift; right: number; top: number }>()

  const rows = useMemo(() => boardRows(index, { days, byHours, groupByMarket }), [index, days, byHours, groupByMarket])
  const ground = { rows, days }
  const visible = useVisibleRows(scroller, rows, days)
  const current = resolveTabStop(stop, ground, index, today)
  const clashes = useMemo(() => (placing ? clashesAt(index, placing) : []), [index, placing])
  const last = rows.at(-1)

  const shiftOf = (element: Element) => index.shifts.get(element.getAttribute('data-shift') ?? '')
  const mayMove = (shift: BoardShift) => mayPlan && shift.status === 'planned'

  const drop = ({ shift, copies, target }: Placement) => {
    setPlacing(undefined)
    if (copies) props.onCopy(shift, target)
    else if (!isSameTarget(target, shift)) props.onMove(shift, target)
  }
  const drag = useDrag({
    scroller,
    canvas,
    rows,
    days,
    byHours,
    shiftOf,
    placing,
    mayMove,
    onPlacing: setPlacing,
    onDrop: drop,
  })
  const begin = (shift: BoardShift, copies: boolean) => {
    if (!mayPlan || (!copies && !mayMove(shift))) return
    wantsFocus.current = true
    setStop({ truckUid: shift.truckUid, day: shift.date, shiftUid: shift.uid })
    setPlacing({ shift, copies, by: 'keys', target: targetOf(shift) })
  }

  // The bar that has the focus may be drawn elsewhere, or come into sight only now.
  useLayoutEffect(() => {
    const isLost = hadFocus.current && document.activeElement === document.body
    if ((!wantsFocus.current && !isLost) || !current || !canvas.current) return
    const { shiftUid, truckUid, day } = current
    const found = canvas.current.querySelector<HTMLElement>(
      shiftUid ? `[data-shift="${shiftUid}"]` : `[data-truck="${truckUid}"][data-day="${day}"]`,
    )
    found?.focus({ preventScroll: true })
    if (wantsFocus.current) found?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    wantsFocus.current = false
  }, [current])

  const placeKey = (event: KeyboardEvent, now: Placement) => {
    event.preventDefault()
    if (event.key === 'Escape') setPlacing(undefined)
    else if (event.key === 'Enter') {
      wantsFocus.current = true
      drop(now)
    } else if (ARROWS.includes(event.key)) {
      const target = nudgeTarget(now.target, event.key, event.shiftKey, { ...ground, byHours })
      setPlacing({ ...now, target })
      const row = rows.find(({ truck }) => truck?.uid === target.truckUid)
      const element = scroller.current
      if (!row || !element) return
      const room = element.clientHeight - row.height - 40
      if (row.top < element.scrollTop) element.scrollTop = row.top
      else if (row.top > element.scrollTop + room) element.scrollTop = row.top - room
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (placing?.by === 'keys' && event.key !== 'Tab') return placeKey(event, placing)
    if (!current) return
    const shift = current.shiftUid ? index.shifts.get(current.shiftUid) : undefined
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const to = nextTabStop(current, key, ground, byHours)
    if (to) {
      wantsFocus.current = true
      setStop(to)
    } else if (mayPlan && (key === 'n' || (key === 'Enter' && !shift))) {
      props.onCreate({ truckUid: current.truckUid, date: current.day })
    } else if (mayPlan && shift && (key === 'm' || key === 'c')) begin(shift, key === 'c')
    else return
    event.preventDefault()
  }

  const onClick = (event: MouseEvent) => {
    if (drag.takeDrop()) return
    const target = event.target as Element
    const cell = target.closest<HTMLElement>('[data-day]')
    const { truck: truckUid = '', day: date = '' } = cell?.dataset ?? {}
    if (placing?.by === 'keys')
      return cell ? drop({ ...placing, target: { ...placing.target, truckUid, date } }) : undefined
    const bar = target.closest('[data-shift]')
    const shift = bar && shiftOf(bar)
    if (shift) return props.onOpen(shift.uid)
    if (!cell || !mayPlan) return
    const { left, width } = cell.getBoundingClientRect()
    const hour = Math.floor(((event.clientX - left) / Math.max(1, width)) * 24)
    props.onCreate({ truckUid, date, ...(byHours && { start: timeOf(hour * 60) }) })
  }

  const onContextMenu = (event: MouseEvent) => {
    const bar = (event.target as Element).closest('[data-shift]')
    const shift = bar && shiftOf(bar)
    if (!shift || !mayPlan) return
    event.preventDefault()
    const { left, bottom } = bar.getBoundingClientRect()
    // Opened by a key, the event has no place of its own.
    setMenu({ shift, x: event.clientX || left, y: event.clientY || bottom })
  }

  const onHover = (event: MouseEvent) => {
    const bar = (event.target as Element).closest<HTMLElement>('[data-shift]')
    const shift = bar ? shiftOf(bar) : undefined
    if (!shift || !mayPlan || !canvas.current || placing) return setHovered(undefined)
    const { right, top } = bar?.getBoundingClientRect() ?? { right: 0, top: 0 }
    const around = canvas.current.getBoundingClientRect()
    setHovered({ shift, right: around.right - right, top: top - around.top })
  }

  const program = index.programs.get(placing?.shift.programUid ?? onlyProgram ?? '')
  const said = placing?.by === 'keys' ? saying(index, placing, clashes) : ''
  const shownRows = rows.flatMap((row, place) =>
    (place >= visible.first && place <= visible.last) || row.truck?.uid === current?.truckUid ? [{ row, place }] : [],
  )

  return (
    <>
      <div
        ref={scroller}
        className={styles.scroller}
        data-placing={placing?.by}
        {...drag.handlers}
        onPointerLeave={() => setHovered(undefined)}
      >
        <div className={styles.sheet} style={{ minWidth: FIRST_COLUMN + days.length * (byHours ? 960 : 86) }}>
          {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its cells and bars take the focus */}
          <div
            role="grid"
            aria-label="Shifts by truck and day"
            aria-rowcount={rows.length + 1}
            aria-colcount={days.length + 1}
            style={{ ['--days' as string]: days.length }}
            onClick={onClick}
            onKeyDown={onKeyDown}
            onContextMenu={onContextMenu}
            onMouseOver={onHover}
            onFocus={({ target }) => {
              hadFocus.current = true
              const bar = target.closest('[data-shift]')
              const { truck: truckUid, day } = target.closest<HTMLElement>('[data-day]')?.dataset ?? {}
              if (truckUid && day) setStop({ truckUid, day, shiftUid: bar?.getAttribute('data-shift') ?? undefined })
            }}
            onBlur={({ relatedTarget }) => {
              if (relatedTarget) hadFocus.current = false
            }}
          >
            <BoardHead days={days} today={today} byHours={byHours} />
            <div
              role="rowgroup"
              ref={canvas}
              className={styles.canvas}
              style={{ height: last ? last.top + last.height : 0 }}
            >
              {shownRows.map(({ row, place }) => (
                <BoardRow
                  key={row.key}
                  row={row}
                  place={place}
                  days={days}
                  today={today}
                  byHours={byHours}
                  index={index}
                  stop={
                    row.truck && row.truck.uid === current?.truckUid
                      ? tabStopKey(current.day, current.shiftUid)
                      : undefined
                  }
                  leaving={
                    placing && !placing.copies && placing.shift.truckUid === row.key ? placing.shift.uid : undefined
                  }
                />
              ))}
            </div>
          </div>
          <div className={styles.layer}>
            {program && <OffDays days={days} startsOn={program.startsOn} endsOn={program.endsOn} />}
            {placing && <PlacingLayer placing={placing} rows={rows} days={days} byHours={byHours} clashes={clashes} />}
            {hovered && !placing && (
              <button
                type="button"
                tabIndex={-1}
                className={styles.more}
                aria-label={`Actions of ${boardShiftName(index, hovered.shift)}`}
                style={{ right: hovered.right + 2, top: hovered.top + 2 }}
                onClick={({ clientX, clientY }) => setMenu({ shift: hovered.shift, x: clientX, y: clientY })}
              >
                ⋯
              </button>
            )}
          </div>
        </div>
      </div>
      <p role="status" className={styles.said}>
        {said}
      </p>
      {menu && (
        <Dropdown
          open
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu that was asked for takes the keys
          autoFocus
          trigger={['click']}
          onOpenChange={(isOpen) => !isOpen && setMenu(undefined)}
          menu={{
            items: menuItems(mayMove(menu.shift)),
            onClick: ({ key }) => {
              setMenu(undefined)
              if (key === 'open') props.onOpen(menu.shift.uid)
              else begin(menu.shift, key === 'copy')
            },
          }}
        >
          <span className={styles.anchor} style={{ left: menu.x, top: menu.y }} />
        </Dropdown>
      )}
    </>
  )
}

/** What those hear who place a shift by the keys; the others read it below the board. */
function saying(index: BoardIndex, { copies, target }: Placement, clashes: readonly string[]): string {
  const where = `${index.trucks.get(target.truckUid)?.number ?? ''}, ${target.date} ${target.start}–${target.end}`
  const problem = clashes.length > 0 ? ` Clashes with ${clashes.join('; ')}.` : ''
  return `${copies ? 'Copying' : 'Moving'} to ${where}.${problem} Arrow keys choose the place, Enter drops, Escape cancels.`
}
