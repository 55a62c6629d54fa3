import { payroll } from '@roadshow/contract/pay/payroll'
import type { PayLine } from '@roadshow/contract/pay/payroll'
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

interface OverrideFormProps {
  line: PayLine
  /** Refetches the statement. */
  onReload: () => void
  onClose: () => void
}

/** The chosen pay option and its note, and the call that saves them. */
function useOverride({ line: { uid, date, override, option: current, proposed }, onClose }: OverrideFormProps) {
  const save = useSave(payroll.override)
  const notice = useNotice()
  const [option, setOption] = useState<PayOption | typeof BACK>(current ?? proposed)
  const [note, setNote] = useState('')
  const submit = async () => {
    try {
      const { data } = await save.mutateAsync({
        body: {
          shiftUid: uid,
          version: override?.version ?? null,
          option: option === BACK ? null : option,
          note: note.trim(),
        },
      })
      notice(`${formatWeekday(date)} now pays ${formatDollars(data.cents)}.`)
      onClose()
    } catch {
      // The form shows the error.
    }
  }
  return { save, option, setOption, note, setNote, submit }
}

/** Changes the pay option of a shift, below its line. */
export function OverrideForm(props: OverrideFormProps) {
  const { line, onReload, onClose } = props
  const { save, option, setOption, note, setNote, submit } = useOverride(props)
  const [optionId, noteId] = [useId(), useId()]
  const options = [
    ...payOptions.map((value) => ({ value, label: payOptionLabel[value] })),
    ...(line.override?.option ? [{ value: BACK, label: line.planned ? 'Same as planned' : 'As proposed' }] : []),
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
        <Select id={optionId} value={option} options={options} onChange={setOption} />
      </div>
      <div className={styles.field} data-wide>
        <label htmlFor={noteId}>Reason</label>
        <Input id={noteId} value={note} maxLength={300} onChange={({ target }) => setNote(target.value)} />
      </div>
      <div className={styles.buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="primary" htmlType="submit" loading={save.isPending} disabled={note.trim() === ''}>
          Save
        </Button>
      </div>
      <UnsavedEdits isEdited={() => note.trim() !== ''} />
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
