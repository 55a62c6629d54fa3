import { uidOf } from '@roadshow/contract/platform/common'
import type { RecordChange } from '@roadshow/contract/platform/history'
import { Alert, Button, ConfigProvider, Form, Tabs } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useMay } from '../api/user.ts'
import { Confirm } from './Confirm.tsx'
import { FormRulesContext } from './fields.tsx'
import { ChangedFields, HistoryTab } from './HistoryTab.tsx'
import type { FormDrawerProps, FormPart, SavedRecord } from './records.ts'
import { UnsavedEdits } from './UnsavedEdits.tsx'
import { useRecordForm } from './useRecordForm.ts'
import styles from './FormDrawer.module.css'

type RecordFormParts<Row extends SavedRecord, Input extends object> = FormDrawerProps<Row, Input> & {
  opened: Row | undefined
}

/** Whether what changed holds something at a path, such as that of a field in one of several rows. */
const isIn = (changed: object, path: (string | number)[]) =>
  path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | undefined)?.[step], changed) !==
  undefined

// Part of an element's id, in which a space would end it.
const keyOf = (label: string) => label.replaceAll(' ', '-')

/** The form of a record with its footer, Save and Cancel at hand, Delete far away, and the record's other tabs. */
export function RecordForm<Row extends SavedRecord, Input extends object>(props: RecordFormParts<Row, Input>) {
  const { calls, fields, noun, nameOf, onClose, onDelete, label = 'Details', parts = [], tabs, children } = props
  const [shown, setShown] = useState(keyOf(label))
  // At once, so that the field can be scrolled to and focused.
  const reveal = (field: string) =>
    flushSync(() => setShown(keyOf(parts.find((part) => part.fields.includes(field))?.label ?? label)))
  const { form, saved, record, ...edit } = useRecordForm(props, props.opened, reveal)
  const [asking, setAsking] = useState(false)
  const mayCreate = useMay(calls.create)
  const mayUpdate = useMay(calls.update)
  const mayRemove = useMay(calls.remove)
  const mayLookBack = useMay(calls.history)
  const lock = record && props.locked?.(record, () => void edit.takeNewest())
  const maySave = (record ? mayUpdate : mayCreate) && !lock
  const offer = edit.refused && props.offer?.(edit.refused, edit.leave)

  // Somebody who adds a record means to type at once.
  const isNew = record === undefined
  useEffect(() => {
    if (isNew) form.focusField(Object.keys(fields)[0])
  }, [isNew, form, fields])

  // A field is checked when it is left; once it is marked, typing clears the mark as soon as it is right.
  const recheck = (changed: object) => {
    const marked = form.getFieldsError().filter(({ name, errors }) => errors.length > 0 && isIn(changed, name))
    if (marked.length > 0) void form.validateFields(marked.map(({ name }) => name) as never).catch(() => undefined)
  }

  const formOf = (content: FormPart<Row>['content']) => (
    <form noValidate className={styles.form}>
      <div className={styles.padded}>
        {lock && <Alert type="warning" className={styles.problem ?? ''} title={lock} />}
        {offer && <Alert type="warning" role="alert" className={styles.problem ?? ''} title={offer} />}
        {edit.problem && (
          <SaveProblem text={edit.problem} isStale={edit.isStale}>
            <TheirChange change={edit.theirs} fields={fields} onTake={() => edit.takeNewest()} />
          </SaveProblem>
        )}
        {content(record)}
      </div>
      <FormFooter
        maySave={maySave}
        isBusy={edit.isBusy}
        onClose={onClose}
        onDelete={record && mayRemove && !lock ? () => setAsking(true) : undefined}
      />
    </form>
  )

  const formTabs = [{ label, content: children }, ...parts].map((part) => ({
    key: keyOf(part.label),
    label: part.label,
    children: formOf(part.content),
    // A part that was never looked at is checked and saved too.
    forceRender: true,
  }))
  const history = record && <HistoryTab history={calls.history} uid={uidOf(record)} fields={fields} />
  const ofRecord = record
    ? [...(tabs?.(record) ?? []), ...(mayLookBack ? [{ label: 'History', content: history }] : [])]
    : []
  const otherTabs = ofRecord.map((tab) => ({
    key: keyOf(tab.label),
    label: tab.label,
    // Who may not change the record may still use what stands beside its form.
    children: (
      <ConfigProvider componentDisabled={false}>
        <div className={styles.padded}>{tab.content}</div>
      </ConfigProvider>
    ),
  }))

  return (
    <FormRulesContext value={{ fields, schema: calls.create.body }}>
      <Form<Input>
        // Each part is a form element of its own, so that other tabs may hold forms; their submit arrives here.
        component="div"
        form={form}
        layout="vertical"
        initialValues={saved}
        disabled={!maySave}
        requiredMark={maySave}
        scrollToFirstError={{ focus: true }}
        onValuesChange={recheck}
        onFinish={(input) => void edit.save(input)}
        onFinishFailed={({ errorFields }) => reveal(String(errorFields[0]?.name[0]))}
        className={styles.form ?? ''}
      >
        {formTabs.length + otherTabs.length === 1 ? (
          formOf(children)
        ) : (
          <Tabs
            className={styles.tabs ?? ''}
            activeKey={shown}
            onChange={setShown}
            items={[...formTabs, ...otherTabs]}
          />
        )}
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

interface FormFooterProps {
  maySave: boolean
  isBusy: boolean
  onClose: () => void
  /** Undefined where the record cannot be deleted. */
  onDelete: (() => void) | undefined
}

const FormFooter = ({ maySave, isBusy, onClose, onDelete }: FormFooterProps) => (
  <footer className={styles.footer}>
    {onDelete && (
      <Button danger type="text" onClick={onDelete} className={styles.delete ?? ''}>
        Delete
      </Button>
    )}
    <Button onClick={onClose} disabled={false}>
      {maySave ? 'Cancel' : 'Close'}
    </Button>
    {maySave && (
      <Button type="primary" htmlType="submit" loading={isBusy}>
        Save
      </Button>
    )}
  </footer>
)

interface SaveProblemProps {
  text: string
  isStale: boolean
  /** What helps when somebody else changed the record. */
  children: ReactNode
}

const SaveProblem = ({ text, isStale, children }: SaveProblemProps) => (
  <Alert
    type={isStale ? 'warning' : 'error'}
    role="alert"
    className={styles.problem ?? ''}
    title={
      <>
        {text}
        {isStale && children}
      </>
    }
  />
)

interface TheirChangeProps {
  change: RecordChange | undefined
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
