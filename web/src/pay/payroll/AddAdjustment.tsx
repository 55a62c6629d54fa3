import { payroll } from '@roadshow/contract/pay/payroll'
import type { PayLine } from '@roadshow/contract/pay/payroll'
import { Button, Form, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useSaveOnce } from '../../api/useSave.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { MoneyInput } from '../../ui/form/MoneyInput.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { formatWeekday } from '@roadshow/contract/platform/dates'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { formatDollars } from '@roadshow/contract/platform/figures'
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

type AdjustmentValues = typeof blank & { date: string | null }

const blank = { sign: 1, cents: null as number | null, note: '' }

/** Adds an adjustment in place. */
export function AddAdjustment(props: AddAdjustmentProps) {
  const [isOpen, setIsOpen] = useState(props.corrected !== undefined)
  if (!isOpen) return <Button onClick={() => setIsOpen(true)}>Add adjustment</Button>
  const close = () => {
    setIsOpen(false)
    props.onClose()
  }
  return <AdjustmentForm {...props} onClose={close} />
}

function useNewAdjustment({ driverUid, firstDay, corrected, onClose }: AddAdjustmentProps) {
  const adjust = useSaveOnce(payroll.adjust)
  const notice = useNotice()
  const base: AdjustmentValues = { ...blank, date: firstDay }
  return useRecordForm({
    base,
    toInput: (typed) => typed,
    draft: `${payroll.adjust.path} ${driverUid} ${corrected?.uid ?? ''}`,
    save: ({ date, sign, cents, note }) =>
      adjust.mutateAsync({
        body: {
          driverUid,
          date: date ?? '',
          cents: sign * (cents ?? 0),
          note: note.trim(),
          shiftUid: corrected?.uid ?? null,
        },
      }),
    onSaved({ data: { cents, date } }) {
      notice(`${formatDollars(cents)} saved for ${formatWeekday(date)}.`)
      onClose()
    },
  })
}

function AdjustmentForm(props: AddAdjustmentProps) {
  const { corrected, onClose } = props
  const edit = useNewAdjustment(props)
  const [date, cents] = [Form.useWatch('date', edit.form), Form.useWatch('cents', edit.form)]
  const note = Form.useWatch('note', edit.form) ?? ''
  return (
    <EditForm
      edit={edit}
      name="adjustment"
      className={`${styles.inPlace} outlines-segmented`}
      aria-label="New adjustment"
      // The button that opens the form may be far above it.
      focus="cents"
    >
      {corrected && <p>Corrects {shiftText(corrected)}.</p>}
      <Form.Item name="date" label="Date" className={styles.field ?? ''}>
        <DayPicker />
      </Form.Item>
      <Form.Item name="sign" noStyle>
        <Segmented aria-label="Add or deduct" options={signs} />
      </Form.Item>
      <Form.Item name="cents" label="Amount" className={styles.field ?? ''}>
        <MoneyInput />
      </Form.Item>
      <Form.Item name="note" label="Note" className={`${styles.field} ${styles.wide}`}>
        <Input maxLength={300} />
      </Form.Item>
      <div className={styles.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="primary" htmlType="submit" loading={edit.isBusy} disabled={!date || !cents || !note.trim()}>
          Save
        </Button>
      </div>
    </EditForm>
  )
}
