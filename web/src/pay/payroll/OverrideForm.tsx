import { payDecisionLabel, payroll } from '@roadshow/contract/pay/payroll'
import type { PayDecision, PayLine } from '@roadshow/contract/pay/payroll'
import { payOptionLabel, payOptions } from '@roadshow/contract/planning/shifts'
import type { PayOption } from '@roadshow/contract/planning/shifts'
import { Button, Form, Input, Select } from 'antd'
import { useSave } from '../../api/useSave.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { formatDollars } from '@roadshow/contract/platform/figures'
import { useNotice } from '../../ui/notices.tsx'
import { formatWeekday } from '@roadshow/contract/platform/dates'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import styles from './payroll.module.css'

// A select has no option for null.
const BACK = 'back'
const DO_NOT_PAY = 'doNotPay'
type PayChoice = PayOption | typeof DO_NOT_PAY | typeof BACK

/** The option and the decision that a choice saves. */
const savedChoice = (choice: PayChoice): { option: PayOption | null; decision: PayDecision | null } => {
  if (choice === BACK) return { option: null, decision: null }
  return choice === DO_NOT_PAY ? { option: null, decision: choice } : { option: choice, decision: 'pay' }
}

const choiceWords = { ...payOptionLabel, ...payDecisionLabel }
const fields = { choice: ['Pay option', choiceWords], note: 'Reason' } as const

function currentChoice({ override, needsDecision, option, proposed }: PayLine): PayChoice | undefined {
  if (override?.decision === DO_NOT_PAY) return DO_NOT_PAY
  return needsDecision ? undefined : (option ?? proposed)
}

interface OverrideFormProps {
  line: PayLine
  /** Loads the statement again, and answers the line. */
  onReload: () => Promise<PayLine>
  onClose: () => void
}

/** The choice and its note, and the call that saves them. */
function useOverride({ line, onReload, onClose }: OverrideFormProps) {
  const save = useSave(payroll.override)
  const notice = useNotice()
  return useRecordForm({
    base: line,
    toInput: (from) => ({ choice: currentChoice(from), note: '' }),
    isLive: true,
    fields,
    draft: `override ${line.uid}`,
    save: ({ choice = BACK, note }, { uid, override }) =>
      save.mutateAsync({
        body: { shiftUid: uid, version: override?.version ?? null, ...savedChoice(choice), note: note.trim() },
      }),
    onSaved({ data: { date, unpaid, cents } }) {
      const day = formatWeekday(date)
      notice(unpaid ? `${day} is not paid.` : `${day} now pays ${formatDollars(cents)}.`)
      onClose()
    },
    reload: onReload,
  })
}

/** Decides on the pay of a shift, below its line. */
export function OverrideForm(props: OverrideFormProps) {
  const { line, onClose } = props
  const edit = useOverride(props)
  const choice = Form.useWatch('choice', edit.form)
  const note = Form.useWatch('note', edit.form) ?? ''
  const options = [
    ...payOptions.map((value) => ({ value, label: payOptionLabel[value] })),
    { value: DO_NOT_PAY, label: payDecisionLabel.doNotPay },
    ...(line.override?.option || line.override?.decision
      ? [{ value: BACK, label: line.planned ? 'Same as planned' : 'As proposed' }]
      : []),
  ]
  return (
    <EditForm
      edit={edit}
      name="override"
      className={`${styles.inPlace} outlines-segmented`}
      aria-label={`Pay option for ${formatWeekday(line.date)}`}
    >
      <Form.Item name="choice" label="Pay option" className={styles.field ?? ''}>
        <Select
          options={options}
          placeholder="Pay or do not pay"
          // Deciding begins with this choice.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          defaultOpen={line.needsDecision}
        />
      </Form.Item>
      <Form.Item name="note" label="Reason" className={`${styles.field} ${styles.wide}`}>
        <Input maxLength={300} />
      </Form.Item>
      <div className={styles.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={edit.isBusy}
          disabled={note.trim() === '' || choice === undefined}
        >
          Save
        </Button>
      </div>
    </EditForm>
  )
}
