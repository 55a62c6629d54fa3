import { useId, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import styles from './PanelTabs.module.css'
import { Stack } from '../layout.tsx'

interface PanelTab {
  key: string
  label: string
  children: ReactNode
}

interface PanelTabsProps {
  tabs: readonly PanelTab[]
  className?: string | undefined
}

/**
 * The few tabs of a small panel, without the overflow menu and motion of the tabs of a drawer, which weigh as much as a
 * screen. A tab is drawn when it is first opened and kept from then on.
 */
export function PanelTabs({ tabs, className = '' }: PanelTabsProps) {
  const id = useId()
  const [open, setOpen] = useState(tabs[0]?.key)
  const [visited, setVisited] = useState<readonly string[]>(open === undefined ? [] : [open])
  const list = useRef<HTMLDivElement>(null)
  const show = (key: string) => {
    setOpen(key)
    setVisited((before) => (before.includes(key) ? before : [...before, key]))
  }
  const move = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.findIndex((button) => button === document.activeElement)
    const steps: Record<string, number> = {
      ArrowRight: (at + 1) % buttons.length,
      ArrowLeft: (at - 1 + buttons.length) % buttons.length,
      Home: 0,
      End: buttons.length - 1,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    buttons[next]?.focus()
  }
  return (
    <Stack className={className}>
      <div ref={list} role="tablist" className={styles.list}>
        {tabs.map(({ key, label }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}-tab`}
            aria-controls={`${id}-${key}`}
            aria-selected={key === open}
            tabIndex={key === open ? 0 : -1}
            onClick={() => show(key)}
            onKeyDown={move}
          >
            {label}
          </button>
        ))}
      </div>
      {tabs.map(({ key, children }) => (
        <div
          key={key}
          role="tabpanel"
          id={`${id}-${key}`}
          aria-labelledby={`${id}-${key}-tab`}
          className={styles.panel}
          hidden={key !== open}
        >
          {visited.includes(key) && children}
        </div>
      ))}
    </Stack>
  )
}
