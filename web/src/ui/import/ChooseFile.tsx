import { formatCount } from '@roadshow/contract/platform/figures'
import { useId, useState } from 'react'
import type { DragEvent } from 'react'
import styles from './imports.module.css'

const kilobytes = ({ size }: File) => `${formatCount(Math.max(1, Math.round(size / 1024)))} KB`

interface ChooseFileProps {
  /** In a form, the field gives these. */
  file?: File | undefined
  onChoose?: (file: File) => void
  isDisabled?: boolean
  /** The files it offers; tables unless said otherwise. */
  accept?: string
}

const TABLES = '.csv,.txt,.tsv,.xlsx,text/csv'

/** The place where a file is chosen or dropped. */
export function ChooseFile({ file, onChoose, isDisabled = false, accept = TABLES }: ChooseFileProps) {
  const input = useId()
  const [isOver, setIsOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped && !isDisabled) onChoose?.(dropped)
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(!isDisabled)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <label htmlFor={input} className={styles.choose} data-over={isOver}>
        {file ? `${file.name}, ${kilobytes(file)}` : 'Choose a file'}
        {!file && <span className={styles.drop}>or drop it here</span>}
        <input
          id={input}
          type="file"
          disabled={isDisabled}
          aria-label={file ? 'Choose another file' : 'Choose a file'}
          accept={accept}
          onChange={({ target }) => {
            const [chosen] = target.files ?? []
            if (chosen) onChoose?.(chosen)
            // The same file can be chosen again once it is corrected.
            target.value = ''
          }}
        />
      </label>
    </div>
  )
}
