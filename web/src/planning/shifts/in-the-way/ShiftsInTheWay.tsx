import { Button } from 'antd'
import { useState } from 'react'
import { lazyOverlay } from '../../../ui/lazyPart.tsx'
import type { InTheWayProps } from '../../../ui/record/ThingsInTheWay.tsx'
import { shiftsInTheWay } from './inTheWayDialog.ts'

const CancelInTheWay = lazyOverlay(() => import('./CancelInTheWay.tsx'))
const MoveInTheWay = lazyOverlay(() => import('./MoveInTheWay.tsx'))

/** Moves or cancels the shifts that refuse something. */
export function ShiftsInTheWay({ thing, onDone }: InTheWayProps) {
  const [open, setOpen] = useState<'cancel' | 'move'>()
  const inTheWay = shiftsInTheWay(thing)
  const dialog = { inTheWay, onDone, onClose: () => setOpen(undefined) }
  return (
    <>
      <Button size="small" onClick={() => setOpen('cancel')}>
        {inTheWay.shifts.length === 1 ? 'Cancel it…' : 'Cancel them…'}
      </Button>
      <Button size="small" onClick={() => setOpen('move')}>
        Move…
      </Button>
      {open === 'cancel' && <CancelInTheWay {...dialog} />}
      {open === 'move' && <MoveInTheWay {...dialog} />}
    </>
  )
}
