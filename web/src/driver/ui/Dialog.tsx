import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'
import styles from './Dialog.module.css'

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
      <div className={styles.body}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
