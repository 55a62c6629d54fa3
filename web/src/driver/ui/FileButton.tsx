import { useId } from 'react'
import type { ReactNode } from 'react'
import styles from './Field.module.css'

// Asked for JPEG, phones convert their HEIC pictures.
const ACCEPTED = 'image/jpeg,image/png,image/webp'

interface FileButtonParts {
  /** Straight to the phone's own camera app, where there is one. */
  isCamera?: boolean
  isSingle?: boolean
  onChoose: (files: File[]) => void
  children: ReactNode
}

/** A button that has the phone take or choose pictures. */
export function FileButton({ isCamera = false, isSingle = false, onChoose, children }: FileButtonParts) {
  const id = useId()
  return (
    <span className={styles.holder}>
      <input
        id={id}
        type="file"
        accept={ACCEPTED}
        className={styles.fileButtonInput}
        {...(isCamera ? { capture: 'environment' as const } : { multiple: !isSingle })}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])])
          // The same pictures can be chosen again.
          target.value = ''
        }}
      />
      <label htmlFor={id} className={styles.fileButtonLabel}>
        {children}
      </label>
    </span>
  )
}
