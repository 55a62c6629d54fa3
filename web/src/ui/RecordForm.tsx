import type { Change } from '@roadshow/contract/history'
import { Alert, Button, Form } from 'antd'
import { useEffect, useState } from 'react'
import { useMay } from '../api/user.ts'
import { Confirm } from './Confirm.tsx'
import { FormRulesContext } from './fields.tsx'
import { ChangedFields } from './HistoryTab.tsx'
import type { FormDrawerProps, Saved } from './records.ts'
import { UnsavedEdits } from './UnsavedEdits.tsx'
import { useRecordForm } from './useRecordForm.ts'
import styles from './FormDrawer.module.css'

type RecordFormParts<Row extends Saved, Input extends object> = FormDrawerProps<Row, Input> & {
  opened: Row | undefined
}

/** The form of a record with its footer: Save and Cancel at hand, Delete far away. */
export function RecordForm<Row extends Saved, Input extends object>(props: RecordFormParts<Row, Input>) {
  const { calls, fields, noun, nameOf, onClose, onDelete, children } = props
  const { form, saved, record, ...edit } = useRecordForm(props, props.opened)
  const [asking, setAsking] = useState(false)
  const mayCreate = useMay(calls.create)
  const mayUpdate = useMay(calls.update)
  const mayRemove = useMay(calls.remove)
  const maySave = record ? mayUpdate : mayCreate

  // Somebody who adds a record means to type at once.
  const isNew = record === undefined
  useEffect(() => {
    if (isNew) form.focusField(Object.keys(fields)[0])
  }, [isNew, form, fields])

  // A field is checked when it is left; once it is marked, typing clears the mark as soon as it is right.
  const recheck = (changed: object) => {
    const marked = Object.keys(changed).filter((name) => form.getFieldError(name as never).length > 0)
    if (marked.length > 0) void form.validateFields(marked as never).catch(() => undefined)
  }

  return (
    <FormRulesContext value={{ fields, schema: calls.create.body }}>
      <Form<Input>
        form={form}
        layout="vertical"
        initialValues={saved}
        disabled={!maySave}
        requiredMark={maySave}
        scrollToFirstError={{ focus: true }}
        onValuesChange={recheck}
        onFinish={(input) => void edit.save(input)}
        className={styles.form ?? ''}
      >
        <div className={styles.padded}>
          {edit.problem && (
            <Alert
              type={edit.isStale ? 'warning' : 'error'}
              role="alert"
              className={styles.problem ?? ''}
              title={
                <>
                  {edit.problem}
                  {edit.isStale && (
                    <TheirChange change={edit.theirs} fields={fields} onTake={() => edit.takeNewest()} />
                  )}
                </>
              }
            />
          )}
          {children(record)}
        </div>
        <footer className={styles.footer}>
          {record && mayRemove && (
            <Button danger type="text" onClick={() => setAsking(true)} className={styles.delete ?? ''}>
              Delete
            </Button>
          )}
          <Button onClick={onClose} disabled={false}>
            {maySave ? 'Cancel' : 'Close'}
          </Button>
          {maySave && (
            <Button type="primary" htmlType="submit" loading={edit.isBusy}>
              Save
            </Button>
          )}
        </footer>
      </Form>
      {record && (
        <Confirm
          open={asking}
          question={`Delete ${nameOf(record)}?`}
          text={onDelete}
          act={`Delete ${noun}`}
          busy={edit.isRemoving}
          onAct={() => void edit.remove(record).finally(() => setAsking(false))}
          onCancel={() => setAsking(false)}
        />
      )}
      <UnsavedEdits isEdited={edit.isEdited} />
    </FormRulesContext>
  )
}

interface TheirChangeProps {
  change: Change | undefined
  fields: Parameters<typeof ChangedFields>[0]['fields']
  onTake: () => Promise<void>
}

/** What somebody else changed meanwhile, and the way to go on from there. */
const TheirChange = ({ change, fields, onTake }: TheirChangeProps) => (
  <>
    {change && (
      <div className={styles.theirs}>
        {change.by ?? 'The system'} {change.action} it:
        <ChangedFields change={change} fields={fields} />
      </div>
    )}
    <Button onClick={() => void onTake()}>Reload and keep my edits</Button>
  </>
)
