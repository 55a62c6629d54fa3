import { liveStateLabel } from '@roadshow/contract/live/fleet'
import type { LiveTruck } from '@roadshow/contract/live/fleet'
import { useId, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { countOf } from '@roadshow/contract/platform/figures'
import { SearchInput } from '../../ui/list/SearchInput.tsx'
import { Soft } from '../../ui/layout.tsx'
import { SkeletonLine } from '../../ui/states.tsx'
import { useVirtualRows } from '../../ui/rows/useVirtualRows.ts'
import { LiveStateTag } from './truckState.tsx'
import styles from './TruckList.module.css'

const ROW_PX = 36
const SIZES = { rowPx: ROW_PX, placePx: 260, overscan: 6 }

interface TruckListProps {
  trucks: readonly LiveTruck[] | undefined
  chosen: string | undefined
  onChoose: (uid: string) => void
}

const countText = (count: number) => (count === 0 ? 'No trucks match.' : countOf(count, 'truck'))

const matches = (words: readonly string[], { number, state, shift }: LiveTruck) => {
  const text = [number, liveStateLabel[state], shift?.program, shift?.driver, shift?.market].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

interface ListKeys {
  rows: readonly LiveTruck[]
  /** The index of the active row, or -1. */
  at: number
  pageSize: number
  onActive: (index: number) => void
  onChoose: (uid: string) => void
}

/** The keys of a list box. */
const listKeys = ({ rows, at, pageSize, onActive, onChoose }: ListKeys) => {
  const goTo = (index: number) => onActive(Math.min(Math.max(index, 0), rows.length - 1))
  const choose = () => rows[at] && onChoose(rows[at].uid)
  const keys: Record<string, () => void> = {
    ArrowDown: () => goTo(at + 1),
    ArrowUp: () => goTo(at - 1),
    PageDown: () => goTo(at + pageSize),
    PageUp: () => goTo(at - pageSize),
    Home: () => goTo(0),
    End: () => goTo(rows.length - 1),
    Enter: choose,
    ' ': choose,
  }
  return (event: KeyboardEvent) => {
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
}

/** Every truck of the map as a list: arrow keys move, Enter shows a truck. Only visible rows are drawn. */
export default function TruckList({ trucks, chosen, onChoose }: TruckListProps) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState<string>()
  const id = useId()
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length > 0 ? trucks?.filter((truck) => matches(words, truck)) : trucks
  const rows = found ?? []
  const { place, height, first, last, reveal } = useVirtualRows(rows.length, SIZES)
  const at = rows.findIndex(({ uid }) => uid === (active ?? chosen))
  const pageSize = Math.max(1, Math.floor(height / ROW_PX) - 1)
  const onActive = (index: number) => {
    if (!rows[index]) return
    setActive(rows[index].uid)
    reveal(index)
  }
  const onKeyDown = listKeys({ rows, at, pageSize, onActive, onChoose })
  const onClick = (uid: string) => {
    setActive(uid)
    onChoose(uid)
  }
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
        ref={place}
        className={styles.rows}
        role="listbox"
        tabIndex={0}
        aria-label="Trucks"
        aria-busy={!trucks}
        aria-activedescendant={rows[at] && at >= first && at < last ? optionId(rows[at].uid) : undefined}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: rows.length * ROW_PX }}>
          {rows.slice(first, last).map((truck, index) => {
            const position = { index: first + index, of: rows.length, isActive: first + index === at }
            const option = { id: optionId(truck.uid), truck, isChosen: truck.uid === chosen }
            return <TruckOption key={truck.uid} {...option} {...position} onClick={onClick} onKeyDown={onKeyDown} />
          })}
        </div>
        {!trucks && <SkeletonLine />}
      </div>
      <Soft as="p" role="status" small>
        {found && countText(found.length)}
      </Soft>
    </div>
  )
}

interface TruckOptionProps {
  id: string
  truck: LiveTruck
  index: number
  of: number
  isChosen: boolean
  isActive: boolean
  onClick: (uid: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

const TruckOption = ({ id, truck, index, of, isChosen, isActive, onClick, onKeyDown }: TruckOptionProps) => (
  <div
    id={id}
    role="option"
    tabIndex={-1}
    className={styles.row}
    aria-selected={isChosen}
    aria-setsize={of}
    aria-posinset={index + 1}
    data-active={isActive}
    style={{ top: index * ROW_PX, height: ROW_PX }}
    onClick={() => onClick(truck.uid)}
    onKeyDown={onKeyDown}
  >
    <strong>{truck.number}</strong>
    <LiveStateTag state={truck.state} />
    <span className={styles.market}>{truck.shift?.market}</span>
  </div>
)
