import { useEffect, useEffectEvent, useState } from 'react'
import { lazyOverlay } from '../../ui/lazyPart.tsx'

const ShortcutsDialog = lazyOverlay(
  () => import('./ShortcutsDialog.tsx'),
  ({ onClose }) => onClose(),
)

const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]'

/** The control on the screen that a key stands for: controls say so themselves, by `aria-keyshortcuts`. */
function controlOf(key: string): HTMLElement | undefined {
  const controls = document.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`)
  return [...controls].find((control) => control.checkVisibility())
}

function press(control: HTMLElement): void {
  control.focus()
  if (!control.matches(TYPED_INTO)) control.click()
}

const isTyping = ({ target }: KeyboardEvent) => target instanceof Element && target.matches(TYPED_INTO)

// What is under an open dialog or drawer is out of reach.
const isCovered = () => [...document.querySelectorAll('[role="dialog"]')].some((dialog) => dialog.checkVisibility())

/** Single keys for what the screen offers: `n`, `t`, `/`; `?` lists them. */
export function Shortcuts() {
  const [isListed, setIsListed] = useState(false)
  const [wasListed, setWasListed] = useState(false)
  const onPress = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || isTyping(event) || isCovered()) return
    if (key === '?') {
      setWasListed(true)
      setIsListed(true)
    } else {
      const control = /^[a-z/]$/.test(key) ? controlOf(key) : undefined
      if (!control) return
      press(control)
    }
    // Otherwise the key would also be typed into the field that it focuses.
    event.preventDefault()
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => onPress(event)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return wasListed && <ShortcutsDialog open={isListed} onClose={() => setIsListed(false)} />
}
