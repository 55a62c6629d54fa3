import { issueKindLabel } from '@roadshow/contract/catalog/truck-issues'
import { issueWork } from '@roadshow/contract/live/issue-work'
import { fleet } from '@roadshow/contract/live/fleet'
import { shiftDrivers } from '@roadshow/contract/live/shift-driver'
import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import type { RowOf } from '@roadshow/contract/platform/endpoint'
import { Button, Form, Input, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useSave, useSaveOnce } from '../../api/useSave.ts'
import { useUser } from '../../api/user.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { RecordSelect } from '../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { formatMoment } from '@roadshow/contract/platform/dates'
import type { IssueAction } from './issueActionNames.ts'
import { NoteField, noteForm } from './NoteField.tsx'
import { SnoozeTimes } from './SnoozeTimes.tsx'
import { useIssueForm } from './useIssueForm.ts'
import styles from './issues.module.css'

interface IssueDialogProps {
  issue: TruckIssue
  onClose: () => void
}

/** One action on an issue, asked for and done. */
export default function IssueDialog({ action, ...props }: IssueDialogProps & { action: IssueAction }) {
  const Dialog = dialogs[action]
  return <Dialog {...props} />
}

interface FrameProps<Input extends object> extends IssueDialogProps {
  title: string
  okText: string
  canSave?: boolean
  edit: ReturnType<typeof useIssueForm<Input>>
  extra?: ReactNode
  children: ReactNode
}

const Frame = <Input extends object>({ canSave = true, edit, ...frame }: FrameProps<Input>) => (
  <Modal
    open
    title={frame.title}
    width={416}
    centered
    onCancel={frame.onClose}
    footer={
      <Row gap={2} wrap>
        {frame.extra}
        <Row as="span" grow />
        <Button onClick={frame.onClose}>Cancel</Button>
        <Button type="primary" disabled={!canSave} loading={edit.isBusy} onClick={() => void edit.submit()}>
          {frame.okText}
        </Button>
      </Row>
    }
  >
    <EditForm edit={edit} name="issueAction" component="div" asks="never" className={styles.dialog ?? ''}>
      <p className={styles.which}>
        {frame.issue.truck.name}: {issueKindLabel[frame.issue.kind]}
        {frame.issue.text && `. ${frame.issue.text}`}
      </p>
      {frame.children}
    </EditForm>
  </Modal>
)

const assigneeLookup: Lookup<RowOf<typeof issueWork.assignees>> = {
  list: issueWork.assignees,
  sort: 'name',
  nameOf: ({ name }) => name,
}

function AssignDialog({ issue, onClose }: IssueDialogProps) {
  const me = useUser()
  const assign = useSave(issueWork.assign)
  const to = (assigneeUid: string | null, { uid, version }: TruckIssue) =>
    assign
      .mutateAsync({ body: { uid, version, assigneeUid } })
      .then(() => (assigneeUid ? 'Issue assigned.' : 'Issue assigned to no one.'))
  const edit = useIssueForm({
    issue,
    toInput: ({ assignee }) => ({ assigneeUid: assignee?.uid ?? null }),
    changeText: (_, { assignee }) => `The issue was assigned to ${assignee?.name ?? 'no one'}.`,
    save: ({ assigneeUid }, of) => to(assigneeUid ?? null, of),
    onDone: onClose,
  })
  const current = issue.assignee?.uid ?? null
  const chosen = Form.useWatch('assigneeUid', edit.form) ?? null
  const assignToMe = () => edit.submit((_, of) => to(me.userUid, of))
  return (
    <Frame
      issue={issue}
      title="Assign issue"
      okText="Assign"
      canSave={chosen !== current}
      edit={edit}
      extra={current !== me.userUid && <Button onClick={() => void assignToMe()}>Assign to me</Button>}
      onClose={onClose}
    >
      <Form.Item name="assigneeUid" label="Assigned to" className={styles.field ?? ''}>
        <RecordSelect lookup={assigneeLookup} current={issue.assignee} placeholder="No one" />
      </Form.Item>
      <Soft as="p" small>
        Staff who may see the Overview. The user is notified.
      </Soft>
    </Frame>
  )
}

function SnoozeDialog({ issue, onClose }: IssueDialogProps) {
  const { zone, snoozedUntil } = issue
  const snooze = useSave(issueWork.snooze)
  const save = async (until: string | null, { uid, version }: TruckIssue) => {
    await snooze.mutateAsync({ body: { uid, version, until } })
    return until ? `Issue snoozed until ${formatMoment(until, zone)}.` : 'Snooze ended.'
  }
  const edit = useIssueForm({
    issue,
    toInput: () => ({ until: undefined as string | undefined }),
    save: ({ until = null }, of) => save(until, of),
    onDone: onClose,
  })
  const end = () => edit.submit((_, of) => save(null, of))
  return (
    <Frame
      issue={issue}
      title="Snooze issue"
      okText="Snooze"
      canSave={Form.useWatch('until', edit.form) !== undefined}
      edit={edit}
      extra={snoozedUntil && <Button onClick={() => void end()}>End snooze</Button>}
      onClose={onClose}
    >
      {snoozedUntil && <p>Snoozed until {formatMoment(snoozedUntil, zone)}.</p>}
      <Form.Item name="until" className={styles.field ?? ''}>
        <SnoozeTimes zone={zone} />
      </Form.Item>
      <Soft as="p" small>
        It is hidden from “Needs attention” until then, or until it happens again. Times are in {zone}.
      </Soft>
    </Frame>
  )
}

function ResolveDialog({ issue, onClose }: IssueDialogProps) {
  const resolve = useSave(fleet.resolve)
  const edit = useIssueForm({
    ...noteForm,
    issue,
    async save({ note }, { uid, version }) {
      await resolve.mutateAsync({ body: { uid, version, status: 'resolved', note: note.trim() } })
      return 'Issue resolved.'
    },
    onDone: onClose,
  })
  return (
    <Frame issue={issue} title="Resolve issue" okText="Resolve" edit={edit} onClose={onClose}>
      <NoteField />
    </Frame>
  )
}

function MessageDialog({ issue, onClose }: IssueDialogProps) {
  const write = useSaveOnce(shiftDrivers.write)
  const { shift, driver } = issue
  const name = driver?.name ?? 'the driver'
  const edit = useIssueForm({
    issue,
    toInput: () => ({ text: '' }),
    async save({ text }) {
      await write.mutateAsync({ params: { uid: shift?.uid ?? '' }, body: { text: text.trim() } })
      return `Message sent to ${name}.`
    },
    onDone: onClose,
  })
  const text = Form.useWatch('text', edit.form) ?? ''
  return (
    <Frame
      issue={issue}
      title={`Message to ${name}`}
      okText="Send message"
      canSave={shift !== null && text.trim() !== ''}
      edit={edit}
      onClose={onClose}
    >
      <Form.Item name="text" label="Message" className={styles.field ?? ''}>
        <Input.TextArea maxLength={500} autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
      <Soft as="p" small>
        The driver reads it in the app and is notified. The shift’s Driver tab keeps it.
      </Soft>
    </Frame>
  )
}

const dialogs = { message: MessageDialog, assign: AssignDialog, snooze: SnoozeDialog, resolve: ResolveDialog } as const
