import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import { Stack } from '../../ui/layout.tsx'
import styles from './Frame.module.css'

interface DialogParts {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A question that comes up from the bottom, where the thumb is. */
export function Dialog({ title, onClose, children }: DialogParts) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <Stack gap={4}>
        <h2 id={id}>{title}</h2>
        {children}
      </Stack>
    </dialog>
  )
}
