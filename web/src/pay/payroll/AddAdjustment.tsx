import { payroll } from '@roadshow/contract/pay/payroll'
import type { PayLine } from '@roadshow/contract/pay/payroll'
import { Alert, Button, Input, Segmented } from 'antd'
import { useEffect, useId, useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useSaveOnce } from '../../api/useSave.ts'
import { DayPicker } from '../../ui/DayPicker.tsx'
import { MoneyInput } from '../../ui/MoneyInput.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { formatWeekday } from '../../ui/time.ts'
import { UnsavedEdits } from '../../ui/UnsavedEdits.tsx'
import { formatDollars } from '../../ui/money.ts'
import { shiftText } from './Adjustments.tsx'
import styles from './payroll.module.css'

const signs = [
  { value: 1, label: 'Add' },
  { value: -1, label: 'Deduct' },
]

interface AddAdjustmentProps {
  driverUid: string
  /** The proposed day. */
  firstDay: string
  /** The shift that it corrects, if the form was opened from one. */
  corrected: PayLine | undefined
  onClose: () => void
}

/** The typed values of a new adjustment, and the call that saves it. */
function useNewAdjustment({ driverUid, firstDay, corrected }: Omit<AddAdjustmentProps, 'onClose'>) {
  const save = useSaveOnce(payroll.adjust)
  const [date, setDate] = useState<string | null>(firstDay)
  const [sign, setSign] = useState(1)
  const [cents, setCents] = useState<number | null>(null)
  const [note, setNote] = useState('')
  const fieldErrors = save.error instanceof ApiError ? Object.values(save.error.fields) : []
  return {
    date,
    setDate,
    sign,
    setSign,
    cents,
    setCents,
    note,
    setNote,
    problem: save.error && (fieldErrors[0] ?? errorMessage(save.error)),
    isSaving: save.isPending,
    draft: {
      name: `${payroll.adjust.path} ${driverUid} ${corrected?.uid ?? ''}`,
      read: () => ({ date, sign, cents, note }),
      restore: (typed: { date: string | null; sign: number; cents: number | null; note: string }) => {
        setDate(typed.date)
        setSign(typed.sign)
        setCents(typed.cents)
        setNote(typed.note)
      },
    },
    clear() {
      setCents(null)
      setNote('')
      save.reset()
    },
    async save() {
      if (date === null || cents === null) return undefined
      const { data } = await save.mutateAsync({
        body: { driverUid, date, cents: sign * cents, note: note.trim(), shiftUid: corrected?.uid ?? null },
      })
      return data
    },
  }
}

/** Adds an adjustment in place. */
export function AddAdjustment({ onClose, ...props }: AddAdjustmentProps) {
  const { corrected } = props
  const [isOpen, setIsOpen] = useState(corrected !== undefined)
  const adjustment = useNewAdjustment(props)
  const notice = useNotice()
  if (!isOpen) return <Button onClick={() => setIsOpen(true)}>Add adjustment</Button>
  const close = () => {
    setIsOpen(false)
    adjustment.clear()
    onClose()
  }
  const submit = async () => {
    try {
      const saved = await adjustment.save()
      if (!saved) return
      notice(`${formatDollars(saved.cents)} saved for ${formatWeekday(saved.date)}.`)
      close()
    } catch {
      // The form shows the error.
    }
  }
  return (
    <AdjustmentForm adjustment={adjustment} corrected={corrected} onSubmit={() => void submit()} onCancel={close} />
  )
}

interface AdjustmentFormProps {
  adjustment: ReturnType<typeof useNewAdjustment>
  corrected: PayLine | undefined
  onSubmit: () => void
  onCancel: () => void
}

function AdjustmentForm({ adjustment, corrected, onSubmit, onCancel }: AdjustmentFormProps) {
  const { date, cents, note } = adjustment
  const [dateId, centsId, noteId] = [useId(), useId(), useId()]
  // The button that opens the form may be far above it.
  useEffect(() => document.getElementById(centsId)?.focus(), [centsId])
  return (
    <form
      className={`${styles.inPlace} outlines-segmented`}
      aria-label="New adjustment"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {adjustment.problem && <Alert type="error" role="alert" title={adjustment.problem} />}
      {corrected && <p>Corrects {shiftText(corrected)}.</p>}
      <div className={styles.field}>
        <label htmlFor={dateId}>Date</label>
        <DayPicker id={dateId} value={date} onChange={adjustment.setDate} />
      </div>
      <Segmented aria-label="Add or deduct" options={signs} value={adjustment.sign} onChange={adjustment.setSign} />
      <div className={styles.field}>
        <label htmlFor={centsId}>Amount</label>
        <MoneyInput id={centsId} value={cents} onChange={adjustment.setCents} />
      </div>
      <div className={styles.field} data-wide>
        <label htmlFor={noteId}>Note</label>
        <Input id={noteId} value={note} maxLength={300} onChange={({ target }) => adjustment.setNote(target.value)} />
      </div>
      <div className={styles.buttons}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={adjustment.isSaving}
          disabled={!date || !cents || !note.trim()}
        >
          Save
        </Button>
      </div>
      <UnsavedEdits isEdited={() => cents !== null || note.trim() !== ''} draft={adjustment.draft} />
    </form>
  )
}
