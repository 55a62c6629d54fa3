import { payroll } from '@roadshow/contract/pay/payroll'
import type { PayLine } from '@roadshow/contract/pay/payroll'
import { payOptionLabel, payOptions } from '@roadshow/contract/planning/shifts'
import type { PayOption } from '@roadshow/contract/planning/shifts'
import { Alert, Button, Input, Select } from 'antd'
import { useId, useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useNotice } from '../../ui/notices.tsx'
import { UnsavedEdits } from '../../ui/UnsavedEdits.tsx'
import { dollars } from '../../ui/money.ts'
import styles from './payroll.module.css'

// A select has no null of its own.
const BACK = 'back'

interface OverrideFormProps {
  line: PayLine
  /** Fetches the statement anew. */
  onReload: () => void
  onClose: () => void
}

/** Sets the option that counts for a shift, below its line. */
export function OverrideForm({ line, onReload, onClose }: OverrideFormProps) {
  const { uid, date, override, planned } = line
  const save = useSave(payroll.override)
  const notice = useNotice()
  const [option, setOption] = useState<PayOption | typeof BACK>(line.option ?? line.proposed)
  const [note, setNote] = useState('')
  const [optionId, noteId] = [useId(), useId()]
  const isStale = save.error instanceof ApiError && save.error.code === 'staleVersion'
  const options = [
    ...payOptions.map((value) => ({ value, label: payOptionLabel[value] })),
    ...(override?.option ? [{ value: BACK, label: planned ? 'Back to the plan' : 'Back to the proposal' }] : []),
  ]

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
      notice(`${date} is paid ${dollars(data.cents)}.`)
      onClose()
    } catch {
      // Stands above the fields.
    }
  }
  return (
    <form
      className={styles.inPlace}
      aria-label={`Pay option of ${date}`}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {save.error && (
        <Alert
          type={isStale ? 'warning' : 'error'}
          role="alert"
          title={errorMessage(save.error)}
          action={
            isStale && (
              <Button
                size="small"
                onClick={() => {
                  save.reset()
                  onReload()
                }}
              >
                Reload and keep my edits
              </Button>
            )
          }
        />
      )}
      <div className={styles.field}>
        <label htmlFor={optionId}>Pay option</label>
        <Select id={optionId} value={option} options={options} onChange={setOption} />
      </div>
      <div className={styles.field} data-wide>
        <label htmlFor={noteId}>Note: why</label>
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
