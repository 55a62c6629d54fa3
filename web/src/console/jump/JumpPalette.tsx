import { useNavigate } from '@tanstack/react-router'
import { Modal } from 'antd'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { errorMessage } from '../../api/call.ts'
import type { Screen } from '../../app/screen.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { useJumps } from './useJumps.ts'
import type { Jump } from './useJumps.ts'
import styles from './jump.module.css'

interface JumpPaletteProps {
  screens: readonly Screen[]
  open: boolean
  onClose: () => void
}

/** Type a part of a name, choose with the arrow keys, go with Enter. */
export default function JumpPalette({ screens, open, onClose }: JumpPaletteProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Modal
      open={open}
      onCancel={onClose}
      title="Jump to"
      footer={null}
      // The field is the first thing to focus; Escape and a click beside it close it.
      closable={false}
      afterOpenChange={(isOpen) => isOpen && input.current?.focus()}
      width={560}
      style={{ top: 72 }}
      destroyOnHidden
    >
      <Search screens={screens} onClose={onClose} input={input} />
    </Modal>
  )
}

interface SearchProps extends Omit<JumpPaletteProps, 'open'> {
  input: RefObject<HTMLInputElement | null>
}

/** What is typed, its matches and the current one, moved by the arrow keys and opened with Enter. */
function useJumpSearch(screens: readonly Screen[], onClose: () => void) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  /** Enter was pressed before the matches were there. */
  const [going, setGoing] = useState(false)
  const list = useId()
  const navigate = useNavigate()
  const { groups, isSearching, error } = useJumps(screens, typed.trim())
  const jumps = groups.flatMap((group) => group.jumps)
  const current = jumps[Math.min(at, jumps.length - 1)]
  const idOf = ({ key }: Jump) => `${list}${key}`
  const currentId = current && idOf(current)

  useEffect(() => {
    if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])

  const go = ({ path, search }: Jump) => {
    onClose()
    // A drawer opens beside the present screen, which keeps its address.
    void navigate(
      path === undefined
        ? { to: '.', search: (old: UrlSearch) => ({ ...old, ...search }) }
        : { to: path, search: search ?? {} },
    )
  }
  const arrive = useEffectEvent(() => current && go(current))
  useEffect(() => {
    if (going && !isSearching) arrive()
  }, [going, isSearching])

  const step = (by: number) => setAt((Math.min(at, jumps.length - 1) + by + jumps.length) % jumps.length)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') setGoing(true)
    else if (jumps.length === 0) return
    else if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else return
    event.preventDefault()
  }

  const type = (text: string) => {
    setTyped(text)
    setAt(0)
    setGoing(false)
  }
  return { typed, type, onKeyDown, go, list, groups, jumps, current, idOf, isSearching, error }
}

function Search({ screens, onClose, input }: SearchProps) {
  const search = useJumpSearch(screens, onClose)
  const { typed, list, groups, jumps, current, idOf, isSearching, error } = search
  useEffect(() => input.current?.focus(), [input])

  return (
    <>
      <input
        ref={input}
        type="text"
        className={styles.input}
        role="combobox"
        aria-label="Jump to"
        aria-expanded={jumps.length > 0}
        aria-controls={list}
        aria-activedescendant={current && idOf(current)}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="Screen, record, day, or action"
        maxLength={200}
        value={typed}
        onChange={(event) => search.type(event.target.value)}
        onKeyDown={search.onKeyDown}
      />
      <Matches id={list} groups={groups} current={current} idOf={idOf} isSearching={isSearching} onGo={search.go} />
      <p role="status" className={styles.status}>
        {error ? errorMessage(error) : jumps.length > 0 ? '' : isSearching ? 'Searching…' : 'No matches.'}
      </p>
    </>
  )
}

interface MatchesProps extends Pick<ReturnType<typeof useJumps>, 'groups' | 'isSearching'> {
  id: string
  current: Jump | undefined
  idOf: (jump: Jump) => string
  onGo: (jump: Jump) => void
}

const Matches = ({ id, groups, current, idOf, isSearching, onGo }: MatchesProps) => (
  <div id={id} role="listbox" aria-label="Matches" className={styles.list} aria-busy={isSearching}>
    {groups.map(({ label, jumps }) => (
      <div key={label} role="group" aria-label={label}>
        <div className={styles.label} aria-hidden>
          {label}
        </div>
        {jumps.map((jump) => (
          // Focus stays in the field, which names the current option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={jump.key}
            id={idOf(jump)}
            role="option"
            tabIndex={-1}
            aria-selected={jump === current}
            className={styles.option}
            onClick={() => onGo(jump)}
          >
            <span>{jump.name}</span>
            <small>{jump.detail}</small>
          </div>
        ))}
      </div>
    ))}
  </div>
)
