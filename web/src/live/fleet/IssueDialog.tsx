import { issueKindLabel } from '@roadshow/contract/catalog/truck-issues'
import { issueWork } from '@roadshow/contract/live/issue-work'
import { fleet } from '@roadshow/contract/live/fleet'
import { shiftDrivers } from '@roadshow/contract/live/shift-driver'
import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import type { RowOf } from '@roadshow/contract/platform/endpoint'
import { Button, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { useRefreshAfter, useSave, useSaveOnce } from '../../api/useSave.ts'
import { useUser } from '../../api/user.ts'
import { useNotice } from '../../ui/notices.tsx'
import { RecordSelect } from '../../ui/RecordSelect.tsx'
import type { Lookup } from '../../ui/RecordSelect.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { formatDayTime } from '../../ui/time.ts'
import type { IssueAction } from './issueActionNames.ts'
import { IssueProblem } from './IssueProblem.tsx'
import { NoteField } from './NoteField.tsx'
import { SnoozeTimes } from './SnoozeTimes.tsx'
import { useIssueEdit } from './useIssueEdit.ts'
import styles from './IssueDialog.module.css'

interface IssueDialogProps {
  issue: TruckIssue
  onClose: () => void
}

/** One action on an issue, asked for and done. */
export default function IssueDialog({ action, ...props }: IssueDialogProps & { action: IssueAction }) {
  const Dialog = dialogs[action]
  return <Dialog {...props} />
}

/** Does an action, says so and closes; an error stays in the dialog. Either way everyone's newest state is fetched. */
function useAction(onClose: () => void) {
  const notice = useNotice()
  const refresh = useRefreshAfter(issueWork.assign)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      notice(done)
      onClose()
    } catch (caught) {
      setError(caught)
    } finally {
      setBusy(false)
      refresh()
    }
  }
  return { run, error, isBusy }
}

interface FrameProps extends IssueDialogProps {
  title: string
  okText: string
  canSave: boolean
  onOk: () => void
  state: Pick<ReturnType<typeof useAction>, 'error' | 'isBusy'>
  extra?: ReactNode
  children: ReactNode
}

const Frame = ({ issue, title, okText, canSave, onOk, state, extra, children, onClose }: FrameProps) => (
  <Modal
    open
    title={title}
    width={416}
    centered
    onCancel={onClose}
    footer={
      <Row gap={2} wrap>
        {extra}
        <span className={styles.space} />
        <Button onClick={onClose}>Cancel</Button>
        <Button type="primary" disabled={!canSave} loading={state.isBusy} onClick={onOk}>
          {okText}
        </Button>
      </Row>
    }
  >
    <Stack gap={2} className={styles.dialog}>
      <p className={styles.which}>
        {issue.truck.name}: {issueKindLabel[issue.kind]}
        {issue.text && `. ${issue.text}`}
      </p>
      {children}
      {state.error !== undefined && <IssueProblem error={state.error} />}
    </Stack>
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
  const action = useAction(onClose)
  const current = issue.assignee?.uid ?? null
  const chosen = useIssueEdit(issue, current)
  const id = useId()
  const { uid } = issue
  const save = (assigneeUid: string | null) =>
    void action.run(
      () => chosen.save(() => assign.mutateAsync({ body: { uid, version: chosen.version, assigneeUid } })),
      assigneeUid ? 'Issue assigned.' : 'Issue assigned to no one.',
    )
  const isMine = current === me.userUid
  return (
    <Frame
      issue={issue}
      title="Assign issue"
      okText="Assign"
      canSave={chosen.value !== current}
      onOk={() => save(chosen.value)}
      state={action}
      extra={!isMine && <Button onClick={() => save(me.userUid)}>Assign to me</Button>}
      onClose={onClose}
    >
      <label htmlFor={id}>Assigned to</label>
      <RecordSelect<string | null>
        id={id}
        lookup={assigneeLookup}
        current={issue.assignee}
        value={chosen.value}
        placeholder="No one"
        onChange={(uid) => chosen.set(uid ?? null)}
      />
      {chosen.isChangedElsewhere && <p role="status">The issue was assigned to {issue.assignee?.name ?? 'no one'}.</p>}
      <Soft as="p" small>
        Staff who may see the Overview. The user is notified.
      </Soft>
    </Frame>
  )
}

function SnoozeDialog({ issue, onClose }: IssueDialogProps) {
  const snooze = useSave(issueWork.snooze)
  const action = useAction(onClose)
  const [until, setUntil] = useState<string>()
  const save = (at: string | null) =>
    void action.run(
      () => snooze.mutateAsync({ body: { uid: issue.uid, version: issue.version, until: at } }),
      at ? `Issue snoozed until ${formatDayTime(at, issue.zone)}.` : 'Snooze ended.',
    )
  return (
    <Frame
      issue={issue}
      title="Snooze issue"
      okText="Snooze"
      canSave={until !== undefined}
      onOk={() => until && save(until)}
      state={action}
      extra={issue.snoozedUntil && <Button onClick={() => save(null)}>End snooze</Button>}
      onClose={onClose}
    >
      {issue.snoozedUntil && <p>Snoozed until {formatDayTime(issue.snoozedUntil, issue.zone)}.</p>}
      <SnoozeTimes zone={issue.zone} value={until} onChange={setUntil} />
      <Soft as="p" small>
        It is hidden from “Needs attention” until then, or until it happens again. Times are in {issue.zone}.
      </Soft>
    </Frame>
  )
}

function ResolveDialog({ issue, onClose }: IssueDialogProps) {
  const resolve = useSave(fleet.resolve)
  const action = useAction(onClose)
  const note = useIssueEdit(issue, issue.note)
  const body = { uid: issue.uid, version: note.version, status: 'resolved' as const, note: note.value.trim() }
  return (
    <Frame
      issue={issue}
      title="Resolve issue"
      okText="Resolve"
      canSave
      onOk={() => void action.run(() => note.save(() => resolve.mutateAsync({ body })), 'Issue resolved.')}
      state={action}
      onClose={onClose}
    >
      <NoteField issue={issue} edit={note} />
    </Frame>
  )
}

function MessageDialog({ issue, onClose }: IssueDialogProps) {
  const write = useSaveOnce(shiftDrivers.write)
  const action = useAction(onClose)
  const [text, setText] = useState('')
  const id = useId()
  const { shift, driver } = issue
  const send = () =>
    shift &&
    void action.run(
      () => write.mutateAsync({ params: { uid: shift.uid }, body: { text: text.trim() } }),
      `Message sent to ${driver?.name ?? 'the driver'}.`,
    )
  return (
    <Frame
      issue={issue}
      title={`Message to ${driver?.name ?? 'the driver'}`}
      okText="Send message"
      canSave={text.trim() !== ''}
      onOk={send}
      state={action}
      onClose={onClose}
    >
      <label htmlFor={id}>Message</label>
      <Input.TextArea
        id={id}
        value={text}
        maxLength={500}
        autoSize={{ minRows: 2, maxRows: 6 }}
        onChange={({ target }) => setText(target.value)}
      />
      <Soft as="p" small>
        The driver reads it in the app and is notified. The shift’s Driver tab keeps it.
      </Soft>
    </Frame>
  )
}

const dialogs = { message: MessageDialog, assign: AssignDialog, snooze: SnoozeDialog, resolve: ResolveDialog } as const
