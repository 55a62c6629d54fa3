import { payroll } from '@roadshow/contract/pay/payroll'
import type { PayAdjustment, PayLine } from '@roadshow/contract/pay/payroll'
import { Alert, Button, Input, Segmented } from 'antd'
import { useEffect, useId, useState } from 'react'
import type { ReactNode } from 'react'
import { ApiError, newKey, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { DayPicker } from '../../ui/DayPicker.tsx'
import { MoneyInput } from '../../ui/MoneyInput.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { UnsavedEdits } from '../../ui/UnsavedEdits.tsx'
import { dollars } from '../../ui/money.ts'
import styles from './payroll.module.css'

interface AdjustmentsProps {
  adjustments: readonly PayAdjustment[]
  mayRemove?: (adjustment: PayAdjustment) => boolean
  /** The way to add one. */
  children?: ReactNode
}

const shiftText = ({ date, start, truck, program }: { date: string; start: string; truck: string; program: string }) =>
  `the shift of ${date} ${start}, ${program}, truck ${truck}`

/** What was added or taken off besides the shifts. */
export function Adjustments({ adjustments, mayRemove, children }: AdjustmentsProps) {
  const remove = useSave(payroll.removeAdjustment)
  const notice = useNotice()
  const [asked, setAsked] = useState<PayAdjustment>()
  const act = async ({ uid }: PayAdjustment) => {
    try {
      await remove.mutateAsync({ params: { uid } })
      notice('The adjustment is deleted.')
    } catch {
      // Stands above the list.
    }
    setAsked(undefined)
  }
  return (
    <section>
      <h2>Adjustments</h2>
      {remove.error && <Alert type="error" role="alert" title={errorMessage(remove.error)} />}
      {adjustments.length === 0 && <p className={styles.soft}>None on these days.</p>}
      <ul className={styles.lines}>
        {adjustments.map((adjustment) => (
          <li key={adjustment.uid}>
            <article className={styles.pay} aria-label={`${adjustment.date} ${adjustment.note}`}>
              <p>
                <strong className="figures">{adjustment.date}</strong>
              </p>
              <div>
                <p>{adjustment.note}</p>
                {adjustment.shift && <p className={styles.soft}>Corrects {shiftText(adjustment.shift)}.</p>}
                <p className={styles.soft}>Added by {adjustment.by}.</p>
              </div>
              <div className={styles.amount}>
                <strong className="figures">{dollars(adjustment.cents)}</strong>
                {mayRemove?.(adjustment) && (
                  <Button
                    size="small"
                    aria-label={`Delete ${adjustment.note}`}
                    onClick={() => {
                      remove.reset()
                      setAsked(adjustment)
                    }}
                  >
                    Delete
                  </Button>
                )}
              </div>
            </article>
          </li>
        ))}
      </ul>
      {children}
      {asked && (
        <Confirm
          open
          question="Delete the adjustment?"
          text={`${dollars(asked.cents)} on ${asked.date}, “${asked.note}”, is not paid then.`}
          act="Delete adjustment"
          busy={remove.isPending}
          onAct={() => void act(asked)}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

const signs = [
  { value: 1, label: 'Add' },
  { value: -1, label: 'Take off' },
]

interface AddAdjustmentProps {
  driverUid: string
  /** The day that is proposed. */
  firstDay: string
  /** The shift that it corrects: somebody asked for this form by it. */
  corrected: PayLine | undefined
  onClose: () => void
}

/** Adds an adjustment, in place. */
export function AddAdjustment({ driverUid, firstDay, corrected, onClose }: AddAdjustmentProps) {
  const [isOpen, setIsOpen] = useState(corrected !== undefined)
  const [idempotencyKey, setKey] = useState(newKey)
  const save = useSave(payroll.adjust, { idempotencyKey })
  const notice = useNotice()
  const [date, setDate] = useState<string | null>(firstDay)
  const [sign, setSign] = useState(1)
  const [cents, setCents] = useState<number | null>(null)
  const [note, setNote] = useState('')
  const [dateId, centsId, noteId] = [useId(), useId(), useId()]
  // Somebody who asks for it means to type at once, and may have asked far above.
  useEffect(() => {
    if (isOpen) document.getElementById(centsId)?.focus()
  }, [isOpen, centsId])
  if (!isOpen) return <Button onClick={() => setIsOpen(true)}>Add adjustment</Button>

  const fields = save.error instanceof ApiError ? Object.values(save.error.fields) : []
  const close = () => {
    setIsOpen(false)
    setCents(null)
    setNote('')
    save.reset()
    onClose()
  }
  const submit = async () => {
    if (date === null || cents === null) return
    try {
      const { data } = await save.mutateAsync({
        body: { driverUid, date, cents: sign * cents, note: note.trim(), shiftUid: corrected?.uid ?? null },
      })
      notice(`${dollars(data.cents)} is saved on ${data.date}.`)
      setKey(newKey())
      close()
    } catch {
      // Stands above the fields.
    }
  }
  return (
    <form
      className={styles.inPlace}
      aria-label="New adjustment"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {save.error && <Alert type="error" role="alert" title={fields[0] ?? errorMessage(save.error)} />}
      {corrected && <p>Corrects {shiftText(corrected)}.</p>}
      <div className={styles.field}>
        <label htmlFor={dateId}>Day</label>
        <DayPicker id={dateId} value={date} onChange={setDate} />
      </div>
      <Segmented aria-label="Add or take off" options={signs} value={sign} onChange={setSign} />
      <div className={styles.field}>
        <label htmlFor={centsId}>Amount</label>
        <MoneyInput id={centsId} value={cents} onChange={setCents} />
      </div>
      <div className={styles.field} data-wide>
        <label htmlFor={noteId}>Note</label>
        <Input id={noteId} value={note} maxLength={300} onChange={({ target }) => setNote(target.value)} />
      </div>
      <div className={styles.buttons}>
        <Button onClick={close}>Cancel</Button>
        <Button type="primary" htmlType="submit" loading={save.isPending} disabled={!date || !cents || !note.trim()}>
          Save
        </Button>
      </div>
      <UnsavedEdits isEdited={() => cents !== null || note.trim() !== ''} />
    </form>
  )
}
