import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useMay } from '../../../api/user.ts'
import { lazyOverlay } from '../../../ui/lazyPart.tsx'
import { InTheWayBox } from '../../../ui/record/InTheWayBox.tsx'
import type { InTheWayProps } from './shiftsInTheWay.ts'

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
      <InTheWayBox words={words}>
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
      </InTheWayBox>
    </div>
  )
}
