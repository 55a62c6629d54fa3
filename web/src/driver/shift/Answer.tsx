import type { DriverAppShift, ShiftAnswer } from '@roadshow/contract/live/driver-app'
import { useState } from 'react'
import { Row } from '../../ui/layout.tsx'
import { useApp, useMay, useNow, useWords } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextArea } from '../ui/Field.tsx'
import { shiftPhase } from '../shift-rules.ts'
import styles from './shift.module.css'

/** Confirms a shift, or declines it with a reason. */
export function Answer({ shift }: { shift: DriverAppShift }) {
  const app = useApp()
  const words = useWords()
  const now = useNow()
  const may = useMay()
  const [isChanging, setChanging] = useState(false)
  const [reason, setReason] = useState<string>()
  const phase = shiftPhase(shift, now)
  if (phase !== 'upcoming' && phase !== 'open') return null
  const { answer } = shift
  if (!may.act && !answer) return null
  const give = (given: ShiftAnswer) => {
    setChanging(false)
    setReason(undefined)
    const { date, start, end, truck } = shift
    void app.act(shift, {
      kind: 'answer',
      answer: given,
      reason: given === 'declined' ? (reason ?? '').trim() : '',
      // An answer to a plan that changed while the phone was offline does not count for the new one.
      seen: { date, start, end, truckUid: truck.uid },
    })
  }
  return (
    <section className={styles.part}>
      {answer && (
        <p className={answer.answer === 'confirmed' ? styles.good : styles.bad}>
          {answer.answer === 'confirmed'
            ? words.confirmed
            : answer.reason
              ? words.declinedWith(answer.reason)
              : words.declined}
        </p>
      )}
      {!may.act ? null : answer && !isChanging ? (
        <Button look="quiet" onClick={() => setChanging(true)}>
          {words.changeAnswer}
        </Button>
      ) : (
        <>
          <h2>{words.canYouDrive}</h2>
          <Row gap={2} wrap className={styles.pair}>
            <Button onClick={() => give('confirmed')}>{words.confirm}</Button>
            <Button onClick={() => setReason('')}>{words.decline}</Button>
          </Row>
        </>
      )}
      {reason !== undefined && (
        <Dialog title={words.decline} onClose={() => setReason(undefined)}>
          <TextArea label={words.declineReason} value={reason} onValue={setReason} maxLength={300} />
          <Button look="bad" disabled={!reason.trim()} onClick={() => give('declined')}>
            {words.decline}
          </Button>
          <Button onClick={() => setReason(undefined)}>{words.cancel}</Button>
        </Dialog>
      )}
    </section>
  )
}
