import { uidOf } from '@roadshow/contract/platform/common'
import { useSearch } from '@tanstack/react-router'
import { Alert, Button, Form, Tabs } from 'antd'
import type { FormInstance } from 'antd'
import { useEffect, useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useIsAway } from '../../api/connection.ts'
import { useReply } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import type { ApiError } from '../../api/call.ts'
import { Confirm } from '../Confirm.tsx'
import { SaveProblem } from '../form/EditForm.tsx'
import { FormRulesContext } from '../form/fields.tsx'
import { DeleteQuestion } from './DeleteQuestion.tsx'
import { ChangedFields, HistoryTab } from './HistoryTab.tsx'
import { PartBoundary } from '../PartBoundary.tsx'
import { ReadingContext } from '../form/reading.tsx'
import type { FormDrawerProps, FormPart, HistoryCall, SavedRecord } from './records.ts'
import { ThingsInTheWay } from './ThingsInTheWay.tsx'
import { SlowSave } from '../form/SlowSave.tsx'
import { UnsavedEdits } from '../form/UnsavedEdits.tsx'
import type { UrlSearch } from '../useListState.ts'
import { useSavedRecord } from './useSavedRecord.ts'
import type { AnyFields } from '../text/words.ts'
import styles from './FormDrawer.module.css'

type RecordFormParts<Row extends SavedRecord, Input extends object> = FormDrawerProps<Row, Input> & {
  opened: Row | undefined
}

const OFFLINE = 'You’re offline. Keep working: your save waits here and is sent when the connection is back.'

// Part of an element's id, in which a space would end it.
const tabKey = (label: string) => label.replaceAll(' ', '-')

/**
 * The form of a record with its footer, Save and Cancel at hand, Delete far away, and the record's other tabs. For users
 * who may not change the record, or while it cannot be changed, the same fields are read instead.
 */
export function RecordForm<Row extends SavedRecord, Input extends object>(props: RecordFormParts<Row, Input>) {
  const { fields, label = 'Details', parts = [], children } = props
  // A link may lead to a tab: `?open=<uid>&tab=details`.
  const { tab } = useSearch({ strict: false }) as UrlSearch
  const [chosen, setShown] = useState(typeof tab === 'string' ? tab : tabKey(label))
  // At once, so that the field can be scrolled to and focused.
  const reveal = (field: string) =>
    flushSync(() => setShown(tabKey(parts.find((part) => part.fields.includes(field))?.label ?? label)))
  const { base: record, ...edit } = useSavedRecord(props, props.opened, reveal)
  const [asking, setAsking] = useState(false)
  const isAway = useIsAway()
  const permissions = useRecordPermissions(props, record)
  const lock = record && props.locked?.(record, () => void edit.takeNewest())
  const maySave = permissions.maySave && !lock
  const offer = edit.refused && props.offer?.(edit.refused, edit.leave)

  useFocusWhenNew(edit.form, fields, record === undefined)

  const onDelete = record && permissions.mayRemove && !lock ? () => setAsking(true) : undefined
  const paneOf = (content: FormPart<Row>['content']) => (
    <FormPane
      isReading={!maySave}
      alerts={
        <FormAlerts
          form={props}
          record={record}
          lock={lock}
          offer={offer}
          edit={edit}
          refused={edit.refused}
          saveAgain={() => edit.form.submit()}
        />
      }
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
    <FormRulesContext value={edit.rules}>
      <Form<Input>
        {...edit.formProps}
        // Each part is a form element of its own, so that other tabs may hold forms; their submit arrives here.
        component="div"
        onFinishFailed={({ errorFields }) => reveal(String(errorFields[0]?.name[0]))}
        className={`${styles.form} record-form`}
      >
        {tabs.length === 1 ? (
          paneOf(children)
        ) : (
          <Tabs className={`${styles.tabs} form-tabs`} activeKey={shown} onChange={setShown} items={tabs} />
        )}
      </Form>
      {record && asking && <DeleteConfirm form={props} record={record} edit={edit} onClose={() => setAsking(false)} />}
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

interface FormAlertsProps<Row extends SavedRecord, Input extends object> {
  form: FormDrawerProps<Row, Input>
  record: Row | undefined
  lock: ReactNode
  offer: ReactNode
  edit: ComponentProps<typeof SaveProblem>['edit']
  refused: ApiError | undefined
  /** Saves once more what was refused. */
  saveAgain: () => void
}

/** Why the record cannot be changed or was not saved. */
const FormAlerts = <Row extends SavedRecord, Input extends object>(props: FormAlertsProps<Row, Input>) => {
  const { form, record, lock, offer, edit, refused, saveAgain } = props
  const className = styles.problem ?? ''
  return (
    <>
      {lock && <Alert type="warning" className={className} title={lock} />}
      {offer && <Alert type="warning" role="alert" className={className} title={offer} />}
      <SaveProblem edit={edit}>
        {record && <TheirChange history={form.calls.history} uid={uidOf(record)} fields={form.fields} />}
      </SaveProblem>
      {refused?.inTheWay && <ThingsInTheWay things={refused.inTheWay} onDone={saveAgain} />}
    </>
  )
}

interface DeleteConfirmProps<Row extends SavedRecord, Input extends object> {
  form: FormDrawerProps<Row, Input>
  record: Row
  edit: Pick<ReturnType<typeof useSavedRecord<Row, Input>>, 'isRemoving' | 'remove'>
  onClose: () => void
}

const DeleteConfirm = <Row extends SavedRecord, Input extends object>(props: DeleteConfirmProps<Row, Input>) => {
  const { form, record, edit, onClose } = props
  const [name, act, effect] = [form.nameOf(record), `Delete ${form.noun}`, form.onDelete ?? '']
  const remove = (isConfirmed: boolean) => void edit.remove(record, isConfirmed).finally(onClose)
  const { dependents } = form.calls
  if (dependents)
    return (
      <DeleteQuestion
        name={name}
        uid={uidOf(record)}
        effect={effect}
        act={act}
        dependents={dependents}
        busy={edit.isRemoving}
        onAct={remove}
        onCancel={onClose}
      />
    )
  return (
    <Confirm
      open
      question={`Delete ${name}?`}
      text={effect}
      act={act}
      busy={edit.isRemoving}
      onAct={() => remove(false)}
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
    {maySave && <SlowSave isBusy={isBusy} />}
    <Button onClick={onClose}>{maySave ? 'Cancel' : 'Close'}</Button>
    {maySave && (
      <Button type="primary" htmlType="submit" loading={isBusy}>
        Save
      </Button>
    )}
  </footer>
)

interface TheirChangeProps {
  history: HistoryCall
  uid: string
  fields: AnyFields
}

/** Another user's change to the record. It is a help, not a must: the form can be saved without it. */
function TheirChange({ history, uid, fields }: TheirChangeProps) {
  const newest = { params: { uid }, query: { pageSize: '1' } }
  const change = useReply(history, newest, { refetchOnMount: 'always' }).data?.data[0]
  if (!change) return null
  return (
    <div className={styles.theirs}>
      {change.by ?? 'The system'} {change.action} it:
      <ChangedFields change={change} fields={fields} />
    </div>
  )
}
