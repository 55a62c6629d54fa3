import { liveStateLabel } from '@roadshow/contract/live/fleet'
import type { LiveTruck } from '@roadshow/contract/live/fleet'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { SkeletonLine } from '../../ui/states.tsx'
import { LiveStateTag } from './truckState.tsx'
import styles from './TruckList.module.css'

const ROW_PX = 36
// Rows drawn beyond the edge on either side.
const BEYOND = 6
// Where nothing is laid out yet, this many are in sight.
const USUAL_PX = 260

interface TruckListProps {
  trucks: readonly LiveTruck[] | undefined
  chosen: string | undefined
  onChoose: (uid: string) => void
}

const countText = (count: number) =>
  count === 0 ? 'No truck matches.' : `${count.toLocaleString('en-US')} ${count === 1 ? 'truck' : 'trucks'}`

const matches = (words: readonly string[], { number, state, shift }: LiveTruck) => {
  const text = [number, liveStateLabel[state], shift?.program, shift?.driver, shift?.market].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Every truck of the map as a list: the arrow keys move through it, Enter shows a truck. Only what is in sight is drawn. */
export default function TruckList({ trucks, chosen, onChoose }: TruckListProps) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState<string>()
  const [sight, setSight] = useState({ top: 0, height: USUAL_PX })
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length > 0 ? trucks?.filter((truck) => matches(words, truck)) : trucks

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const observer = new ResizeObserver(() => setSight((now) => ({ ...now, height: element.clientHeight || USUAL_PX })))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const rows = found ?? []
  const at = rows.findIndex(({ uid }) => uid === (active ?? chosen))
  const goTo = (index: number) => {
    const truck = rows[Math.min(Math.max(index, 0), rows.length - 1)]
    const element = scroller.current
    if (!truck || !element) return
    const top = rows.indexOf(truck) * ROW_PX
    setActive(truck.uid)
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_PX > element.scrollTop + element.clientHeight)
      element.scrollTop = top + ROW_PX - element.clientHeight
    setSight((now) => ({ ...now, top: element.scrollTop }))
  }
  const page = Math.max(1, Math.floor(sight.height / ROW_PX) - 1)
  const keys: Record<string, () => void> = {
    ArrowDown: () => goTo(at + 1),
    ArrowUp: () => goTo(at - 1),
    PageDown: () => goTo(at + page),
    PageUp: () => goTo(at - page),
    Home: () => goTo(0),
    End: () => goTo(rows.length - 1),
    Enter: () => rows[at] && onChoose(rows[at].uid),
    ' ': () => rows[at] && onChoose(rows[at].uid),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  const first = Math.max(0, Math.floor(sight.top / ROW_PX) - BEYOND)
  const last = Math.ceil((sight.top + sight.height) / ROW_PX) + BEYOND
  const optionId = (uid: string) => `${id}-${uid}`
  return (
    <div className={styles.list}>
      <SearchInput
        small
        label="Find a truck"
        placeholder="Number, state, program, driver, market"
        value={typed}
        onChange={setTyped}
      />
      <div
        ref={scroller}
        className={styles.rows}
        role="listbox"
        tabIndex={0}
        aria-label="Trucks"
        aria-busy={!trucks}
        aria-activedescendant={rows[at] && at >= first && at < last ? optionId(rows[at].uid) : undefined}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => setSight((now) => ({ ...now, top: currentTarget.scrollTop }))}
      >
        <div role="presentation" style={{ height: rows.length * ROW_PX }}>
          {rows.slice(first, last).map((truck, index) => (
            <div
              key={truck.uid}
              id={optionId(truck.uid)}
              role="option"
              tabIndex={-1}
              className={styles.row}
              aria-selected={truck.uid === chosen}
              aria-setsize={rows.length}
              aria-posinset={first + index + 1}
              data-active={first + index === at}
              style={{ top: (first + index) * ROW_PX, height: ROW_PX }}
              onClick={() => {
                setActive(truck.uid)
                onChoose(truck.uid)
              }}
              onKeyDown={onKeyDown}
            >
              <strong>{truck.number}</strong>
              <LiveStateTag state={truck.state} />
              <span className={styles.market}>{truck.shift?.market}</span>
            </div>
          ))}
        </div>
        {!trucks && <SkeletonLine />}
      </div>
      <p role="status" className={styles.count}>
        {found && countText(found.length)}
      </p>
    </div>
  )
}
