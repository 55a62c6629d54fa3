import { useEffect } from 'react'
import { Row } from '../../../ui/layout.tsx'
import type { PlanChangeOutcome } from './changes/usePlanChanges.ts'
import styles from './BoardTools.module.css'
import notices from '../../../ui/notices.module.css'

const SHOWN_MS = 8_000

interface BoardToastProps {
  outcome: PlanChangeOutcome | undefined
  onDone: () => void
}

/** The result of a change, with Undo; a refusal stays until it is closed. */
export function BoardToast({ outcome, onDone }: BoardToastProps) {
  useEffect(() => {
    if (!outcome || outcome.isBad) return
    const timer = setTimeout(onDone, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome, onDone])
  return (
    <div role={outcome?.isBad ? 'alert' : 'status'} className={notices.place}>
      {outcome && (
        <Row
          gap={4}
          align="center"
          className={`${notices.notice} ${styles.toast}`}
          data-kind={outcome.isBad ? 'bad' : 'done'}
        >
          {outcome.text}
          {outcome.undo && (
            <button type="button" aria-keyshortcuts="Control+Z" onClick={outcome.undo}>
              Undo
            </button>
          )}
          {outcome.confirm && (
            <button type="button" onClick={outcome.confirm.act}>
              {outcome.confirm.label}
            </button>
          )}
          {outcome.isBad && (
            <button type="button" onClick={onDone}>
              Close
            </button>
          )}
        </Row>
      )}
    </div>
  )
}
