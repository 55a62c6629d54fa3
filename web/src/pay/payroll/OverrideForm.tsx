import { payDecisionLabel, payroll } from '@roadshow/contract/pay/payroll'
import type { PayDecision, PayLine } from '@roadshow/contract/pay/payroll'
import { payOptionLabel, payOptions } from '@roadshow/contract/planning/shifts'
import type { PayOption } from '@roadshow/contract/planning/shifts'
import { Alert, Button, Input, Select } from 'antd'
import { useId, useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useNotice } from '../../ui/notices.tsx'
import { formatWeekday } from '../../ui/time.ts'
import { UnsavedEdits } from '../../ui/UnsavedEdits.tsx'
import { formatDollars } from '../../ui/money.ts'
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

function currentChoice({ override, needsDecision, option, proposed }: PayLine): PayChoice | undefined {
  if (override?.decision === DO_NOT_PAY) return DO_NOT_PAY
  return needsDecision ? undefined : (option ?? proposed)
}

interface OverrideFormProps {
  line: PayLine
  /** Refetches the statement. */
  onReload: () => void
  onClose: () => void
}

/** The choice and its note, and the call that saves them. */
function useOverride({ line, onClose }: OverrideFormProps) {
  const { uid, date, override } = line
  const save = useSave(payroll.override)
  const notice = useNotice()
  const [choice, setChoice] = useState(currentChoice(line))
  const [note, setNote] = useState('')
  const submit = async () => {
    if (choice === undefined) return
    try {
      const { data } = await save.mutateAsync({
        body: {
          shiftUid: uid,
          version: override?.version ?? null,
          ...savedChoice(choice),
          note: note.trim(),
        },
      })
      notice(
        data.unpaid
          ? `${formatWeekday(date)} is not paid.`
          : `${formatWeekday(date)} now pays ${formatDollars(data.cents)}.`,
      )
      onClose()
    } catch {
      // The form shows the error.
    }
  }
  return { save, choice, setChoice, note, setNote, submit }
}

/** Decides on the pay of a shift, below its line. */
export function OverrideForm(props: OverrideFormProps) {
  const { line, onReload, onClose } = props
  const { save, choice, setChoice, note, setNote, submit } = useOverride(props)
  const [optionId, noteId] = [useId(), useId()]
  const options = [
    ...payOptions.map((value) => ({ value, label: payOptionLabel[value] })),
    { value: DO_NOT_PAY, label: payDecisionLabel.doNotPay },
    ...(line.override?.option || line.override?.decision
      ? [{ value: BACK, label: line.planned ? 'Same as planned' : 'As proposed' }]
      : []),
  ]
  return (
    <form
      className={`${styles.inPlace} outlines-segmented`}
      aria-label={`Pay option for ${line.date}`}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {save.error && (
        <SaveProblem
          error={save.error}
          onReload={() => {
            save.reset()
            onReload()
          }}
        />
      )}
      <div className={styles.field}>
        <label htmlFor={optionId}>Pay option</label>
        <Select id={optionId} value={choice} options={options} placeholder="Pay or do not pay" onChange={setChoice} />
      </div>
      <div className={styles.field} data-wide>
        <label htmlFor={noteId}>Reason</label>
        <Input id={noteId} value={note} maxLength={300} onChange={({ target }) => setNote(target.value)} />
      </div>
      <div className={styles.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="primary"
          htmlType="submit"
          loading={save.isPending}
          disabled={note.trim() === '' || choice === undefined}
        >
          Save
        </Button>
      </div>
      <UnsavedEdits
        isEdited={() => note.trim() !== ''}
        draft={{
          name: `override ${line.uid}`,
          read: () => ({ choice, note }),
          restore: (typed) => {
            setChoice(typed.choice)
            setNote(typed.note)
          },
        }}
      />
    </form>
  )
}

function SaveProblem({ error, onReload }: { error: Error; onReload: () => void }) {
  const isStale = error instanceof ApiError && error.code === 'staleVersion'
  return (
    <Alert
      type={isStale ? 'warning' : 'error'}
      role="alert"
      title={errorMessage(error)}
      action={
        isStale && (
          <Button size="small" onClick={onReload}>
            Reload and keep my edits
          </Button>
        )
      }
    />
  )
}
