import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { useState } from 'react'
import { useApp, useMay, useNow, useWords } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { isRunning, shiftPhase } from '../shift-rules.ts'
import styles from './shift.module.css'

/** Asks dispatch to put the shift on the truck that the driver really has. */
export function OtherTruck({ shift }: { shift: DriverAppShift }) {
  const app = useApp()
  const words = useWords()
  const now = useNow()
  const [isOpen, setOpen] = useState(false)
  const [truckNumber, setNumber] = useState('')
  const [text, setText] = useState('')
  const phase = shiftPhase(shift, now)
  const may = useMay()
  if (phase !== 'upcoming' && phase !== 'open' && !isRunning(phase)) return null
  const ask = async () => {
    if (await app.act(shift, { kind: 'otherTruck', truckNumber: truckNumber.trim(), text: text.trim() })) setOpen(false)
  }
  return (
    <>
      {shift.askedTruck && <p className={styles.warn}>{words.otherTruckAsked(shift.askedTruck)}</p>}
      {may.act && <Button onClick={() => setOpen(true)}>{words.otherTruck}</Button>}
      {isOpen && (
        <Dialog title={words.otherTruck} onClose={() => setOpen(false)}>
          <p>{words.otherTruckText}</p>
          <TextField label={words.otherTruckNumber} value={truckNumber} onValue={setNumber} maxLength={20} />
          <TextField label={words.otherTruckWhy} value={text} onValue={setText} maxLength={300} />
          <Button look="primary" disabled={!truckNumber.trim()} onClick={() => void ask()}>
            {words.send}
          </Button>
          <Button onClick={() => setOpen(false)}>{words.cancel}</Button>
        </Dialog>
      )}
    </>
  )
}
