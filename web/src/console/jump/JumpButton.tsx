import { useEffect, useEffectEvent, useState } from 'react'
import type { Screen } from '../../app/screen.ts'
import styles from './jump.module.css'
import { lazyOverlay } from '../../ui/lazyPart.tsx'

const loadPalette = () => import('./JumpPalette.tsx')
const JumpPalette = lazyOverlay(loadPalette)

const isMac = () => /Mac|iPhone|iPad/.test(navigator.userAgent)
const shortcut = () => (isMac() ? '⌘K' : 'Ctrl K')

const isJump = ({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !altKey && !shiftKey

interface JumpButtonProps {
  screens: readonly Screen[]
  className: string
}

/** The way to any screen or record: ⌘K, Ctrl-K, or the button. The palette is loaded on first use. */
export function JumpButton({ screens, className }: JumpButtonProps) {
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  const show = () => {
    setWanted(true)
    setOpen(true)
  }

  const onPress = useEffectEvent((event: KeyboardEvent) => {
    if (!isJump(event)) return
    event.preventDefault()
    show()
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => onPress(event)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])

  return (
    <>
      <button
        type="button"
        className={`${className} ${styles.button}`}
        aria-label="Jump to a screen or record"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={show}
        onPointerEnter={() => void loadPalette()}
      >
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden>
          <path d="M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2Zm4 9 3 3" fill="none" stroke="currentColor" strokeWidth="1.75" />
        </svg>
        <kbd>{shortcut()}</kbd>
      </button>
      {wanted && <JumpPalette screens={screens} open={open} onClose={() => setOpen(false)} />}
    </>
  )
}
