import { Button } from 'antd'
import { useSyncExternalStore } from 'react'
import { Soft } from '../../ui/layout.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { useNotice } from '../../ui/notices.tsx'
import type { TableEdits } from './edits.ts'
import styles from './classic.module.css'

interface BarProps<Row> {
  edits: TableEdits<Row>
  label: string
  isInner: boolean
  addWord: string | undefined
  onAdd: () => void
}

/** The unsaved changes, and the button that saves all of them. */
export function ClassicBar<Row>({ edits, label, isInner, addWord, onAdd }: BarProps<Row>) {
  const all = useSyncExternalStore(edits.subscribe, edits.all)
  const progress = useSyncExternalStore(edits.subscribe, edits.progress)
  const notice = useNotice()
  const changed = Object.keys(all).length
  const wrong = Object.values(all).filter(({ errors, problem }) => problem || Object.keys(errors).length > 0).length
  const rowsWord = (count: number) => countOf(count, 'row')
  const saveAll = async () => {
    const saved = await edits.saveAll()
    if (saved > 0) notice(`${rowsWord(saved)} saved.`)
  }
  if (isInner && changed === 0) return null
  return (
    <div className={styles.bar} data-print="no" role="group" aria-label={`Changes in ${label}`}>
      <Button
        type="primary"
        size="small"
        disabled={changed === 0}
        loading={progress !== undefined}
        onClick={() => void saveAll()}
      >
        {changed === 0 ? 'Save all' : `Save ${rowsWord(changed)}`}
      </Button>
      {addWord && (
        <Button size="small" onClick={onAdd}>
          {addWord}
        </Button>
      )}
      <Soft role="status" small>
        {progress
          ? `Saving ${progress.done + 1} of ${progress.of}…`
          : changed > 0
            ? `${rowsWord(changed)} not saved${wrong > 0 ? `, ${wrong} with errors` : ''}.`
            : ''}
      </Soft>
      {progress && <progress className={styles.progress} value={progress.done} max={progress.of} aria-label="Saved" />}
      <span className={styles.keys} hidden={isInner}>
        <kbd>Tab</kbd> next cell · <kbd>↑</kbd> <kbd>↓</kbd> row · <kbd>Enter</kbd> saves · <kbd>Esc</kbd> discards
      </span>
    </div>
  )
}
