import { uidOf } from '@roadshow/contract/platform/common'
import type { RecordChange } from '@roadshow/contract/platform/history'
import { useSearch } from '@tanstack/react-router'
import { Alert, Button, Form, Tabs } from 'antd'
import type { FormInstance } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useIsAway } from '../api/connection.ts'
import { useMay } from '../api/user.ts'
import { Confirm } from './Confirm.tsx'
import { FormRulesContext } from './fields.tsx'
import { ChangedFields, HistoryTab } from './HistoryTab.tsx'
import { PartBoundary } from './PartBoundary.tsx'
import { ReadingContext } from './reading.tsx'
import type { FormDrawerProps, FormPart, SavedRecord } from './records.ts'
import { UnsavedEdits } from './UnsavedEdits.tsx'
import type { UrlSearch } from './useListState.ts'
import { useRecordForm } from './useRecordForm.ts'
import type { AnyFields } from './words.ts'
import styles from './FormDrawer.module.css'

type RecordFormParts<Row extends SavedRecord, Input extends object> = FormDrawerProps<Row, Input> & {
  opened: Row | undefined
}

/** Whether what changed holds something at a path, such as that of a field in one of several rows. */
const isIn = (changed: object, path: (string | number)[]) =>
  path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | undefined)?.[step], changed) !==
  undefined

const OFFLINE = 'You’re offline. Keep working: your save waits here and is sent when the connection is back.'

// Part of an element's id, in which a space would end it.
const tabKey = (label: string) => label.replaceAll(' ', '-')

// A field is checked when it is left; once it is marked, typing clears the mark as soon as it is right.
function recheckMarked<Input>(form: FormInstance<Input>, changed: object): void {
  const marked = form.getFieldsError().filter(({ name, errors }) => errors.length > 0 && isIn(changed, name))
  if (marked.length > 0) void form.validateFields(marked.map(({ name }) => name) as never).catch(() => undefined)
}

/**
 * The form of a record with its footer, Save and Cancel at hand, Delete far away, and the record's other tabs. For users
 * who may not change the record, or while it cannot be changed, the same fields are read instead.
 */
export function RecordForm<Row extends SavedRecord, Input extends object>(props: RecordFormParts<Row, Input>) {
  const { calls, fields, label = 'Details', parts = [], children } = props
  // A link may lead to a tab: `?open=<uid>&tab=details`.
  const { tab } = useSearch({ strict: false }) as UrlSearch
  const [chosen, setShown] = useState(typeof tab === 'string' ? tab : tabKey(label))
  // At once, so that the field can be scrolled to and focused.
  const reveal = (field: string) =>
    flushSync(() => setShown(tabKey(parts.find((part) => part.fields.includes(field))?.label ?? label)))
  const { form, saved, record, ...edit } = useRecordForm(props, props.opened, reveal)
  const [asking, setAsking] = useState(false)
  const isAway = useIsAway()
  const permissions = useRecordPermissions(props, record)
  const lock = record && props.locked?.(record, () => void edit.takeNewest())
  const maySave = permissions.maySave && !lock
  const offer = edit.refused && props.offer?.(edit.refused, edit.leave)

  useFocusWhenNew(form, fields, record === undefined)

  const onDelete = record && permissions.mayRemove && !lock ? () => setAsking(true) : undefined
  const paneOf = (content: FormPart<Row>['content']) => (
    <FormPane
      isReading={!maySave}
      alerts={<FormAlerts lock={lock} offer={offer} fields={fields} edit={edit} />}
      footer={<FormFooter maySave={maySave} isBusy={edit.isBusy} onClose={props.onClose} onDelete={onDelete} />}
    >
      {maySave && isAway && <Alert type="warning" role="status" className={styles.problem ?? ''} title={OFFLINE} />}
      {content(record)}
    </FormPane>
  )
  const tabs = [
    ...[{ label, content: children }, ...parts].map((part) => formTab(part.label, paneOf(part.content))),
    ...(record ? recordTabs(props, record, permissions.mayReadHistory, () => edit.follow()) : []),
  ]

  const shown = tabs.find(({ key }) => key.toLowerCase() === chosen.toLowerCase())?.key ?? tabKey(label)

  return (
    <FormRulesContext value={{ fields, schema: calls.create.body }}>
      <Form<Input>
        // Each part is a form element of its own, so that other tabs may hold forms; their submit arrives here.
        component="div"
        form={form}
        layout="vertical"
        initialValues={saved}
        scrollToFirstError={{ focus: true }}
        onValuesChange={(changed: object) => recheckMarked(form, changed)}
        onFinish={(input) => void edit.save(input)}
        onFinishFailed={({ errorFields }) => reveal(String(errorFields[0]?.name[0]))}
        className={`${styles.form} record-form`}
      >
        {tabs.length === 1 ? (
          paneOf(children)
        ) : (
          <Tabs className={`${styles.tabs} form-tabs`} activeKey={shown} onChange={setShown} items={tabs} />
        )}
      </Form>
      {record && (
        <DeleteConfirm form={props} record={record} edit={edit} open={asking} onClose={() => setAsking(false)} />
      )}
      <UnsavedEdits isEdited={edit.isEdited} draft={edit.draft} />
    </FormRulesContext>
  )
}

// Adding a record starts with typing.
function useFocusWhenNew<Input>(form: FormInstance<Input>, fields: AnyFields, isNew: boolean): void {
  useEffect(() => {
    if (isNew) form.focusField(Object.keys(fields)[0])
  }, [isNew, form, fields])
}

function useRecordPermissions<Row extends SavedRecord, Input extends object>(
  { calls }: FormDrawerProps<Row, Input>,
  record: Row | undefined,
) {
  const mayCreate = useMay(calls.create)
  const mayUpdate = useMay(calls.update)
  const mayRemove = useMay(calls.remove)
  const mayReadHistory = useMay(calls.history)
  return { maySave: record ? mayUpdate : mayCreate, mayRemove, mayReadHistory }
}

/** A tab of the form's own fields. */
const formTab = (label: string, children: ReactNode) => ({
  key: tabKey(label),
  label,
  children,
  // A part that was never opened is checked and saved too.
  forceRender: true,
})

/** The tabs beside the form, usable without permission to change the record. */
function recordTabs<Row extends SavedRecord, Input extends object>(
  { calls, fields, tabs }: FormDrawerProps<Row, Input>,
  record: Row,
  mayReadHistory: boolean,
  follow: () => Promise<void>,
) {
  const history = <HistoryTab history={calls.history} uid={uidOf(record)} fields={fields} />
  const all = [...(tabs?.(record, follow) ?? []), ...(mayReadHistory ? [{ label: 'History', content: history }] : [])]
  return all.map(({ label, content }) => ({
    key: tabKey(label),
    label,
    children: (
      <div className={styles.padded}>
        <PartBoundary>{content}</PartBoundary>
      </div>
    ),
  }))
}

interface FormPaneProps {
  isReading: boolean
  alerts: ReactNode
  footer: ReactNode
  children: ReactNode
}

const FormPane = ({ isReading, alerts, footer, children }: FormPaneProps) => {
  const Pane = isReading ? 'div' : 'form'
  return (
    <Pane {...(!isReading && { noValidate: true })} className={styles.form}>
      <div className={styles.padded}>
        {alerts}
        <ReadingContext value={isReading}>{children}</ReadingContext>
      </div>
      {footer}
    </Pane>
  )
}

interface FormAlertsProps {
  lock: ReactNode
  offer: ReactNode
  fields: AnyFields
  edit: Pick<ReturnType<typeof useRecordForm>, 'problem' | 'isStale' | 'theirs' | 'takeNewest'>
}

/** Why the record cannot be changed or was not saved. */
const FormAlerts = ({ lock, offer, fields, edit }: FormAlertsProps) => (
  <>
    {lock && <Alert type="warning" className={styles.problem ?? ''} title={lock} />}
    {offer && <Alert type="warning" role="alert" className={styles.problem ?? ''} title={offer} />}
    {edit.problem && (
      <SaveProblem text={edit.problem} isStale={edit.isStale}>
        <TheirChange change={edit.theirs} fields={fields} onTake={() => edit.takeNewest()} />
      </SaveProblem>
    )}
  </>
)

interface DeleteConfirmProps<Row extends SavedRecord, Input extends object> {
  form: FormDrawerProps<Row, Input>
  record: Row
  edit: Pick<ReturnType<typeof useRecordForm>, 'isRemoving' | 'remove'>
  open: boolean
  onClose: () => void
}

const DeleteConfirm = <Row extends SavedRecord, Input extends object>(props: DeleteConfirmProps<Row, Input>) => {
  const { form, record, edit, open, onClose } = props
  return (
    <Confirm
      open={open}
      question={`Delete ${form.nameOf(record)}?`}
      text={form.onDelete ?? ''}
      act={`Delete ${form.noun}`}
      busy={edit.isRemoving}
      onAct={() => void edit.remove(record).finally(onClose)}
      onCancel={onClose}
    />
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
    <Button onClick={onClose}>{maySave ? 'Cancel' : 'Close'}</Button>
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
  /** The action to offer when another user changed the record. */
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
  fields: AnyFields
  onTake: () => Promise<void>
}

/** Shows another user's changes to the record and lets the user continue from them. */
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
