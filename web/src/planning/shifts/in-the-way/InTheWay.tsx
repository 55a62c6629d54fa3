import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useMay } from '../../../api/user.ts'
import { Row } from '../../../ui/layout.tsx'
import { lazyOverlay } from '../../../ui/lazyPart.tsx'
import type { InTheWayProps } from './shiftsInTheWay.ts'
import styles from './InTheWay.module.css'

declare module '../../../ui/slots.tsx' {
  interface SlotProps {
    shiftsInTheWay: InTheWayProps
  }
}

const CancelInTheWay = lazyOverlay(() => import('./CancelInTheWay.tsx'))
const MoveInTheWay = lazyOverlay(() => import('./MoveInTheWay.tsx'))

/** The shifts that refuse something: a link to them, and what takes them out of the way. */
export function InTheWay({ inTheWay, onDone }: InTheWayProps) {
  const { words, screen, shifts } = inTheWay
  const mayPlan = useMay(shiftPlanChanges.apply)
  const [open, setOpen] = useState<'cancel' | 'move'>()
  const canChange = mayPlan && shifts.some(({ isPlanned }) => isPlanned)
  const dialog = { inTheWay, onDone, onClose: () => setOpen(undefined) }
  // The refusal stands above a long form, and its buttons may be out of sight.
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <div ref={place}>
      <Row as="section" gap={2} align="center" wrap className={styles.way} aria-label="In the way">
        <strong>{words}:</strong>
        {/* In a tab of its own: the form keeps what was typed. */}
        <a href={screen} target="_blank" rel="noreferrer">
          Show
        </a>
        {canChange && (
          <>
            <Button size="small" onClick={() => setOpen('cancel')}>
              {shifts.length === 1 ? 'Cancel it…' : 'Cancel them…'}
            </Button>
            <Button size="small" onClick={() => setOpen('move')}>
              Move…
            </Button>
          </>
        )}
        {open === 'cancel' && <CancelInTheWay {...dialog} />}
        {open === 'move' && <MoveInTheWay {...dialog} />}
      </Row>
    </div>
  )
}
