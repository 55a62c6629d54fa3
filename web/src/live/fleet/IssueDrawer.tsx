import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { fleet } from '@roadshow/contract/live/fleet'
import type { TruckIssue } from '@roadshow/contract/live/fleet'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import type { IssueStatus } from '@roadshow/contract/catalog/truck-issues'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Drawer, Input, Tabs } from 'antd'
import { useId, useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useRecord } from '../../api/useRecord.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { HistoryTab } from '../../ui/HistoryTab.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { RecordFormProps } from '../../ui/RecordDrawer.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { timestamp } from '../../ui/time.ts'
import { FactList } from './FactList.tsx'
import { IssueStatusTag } from './issueColumns.tsx'
import shared from './overview.module.css'
import styles from './IssueDrawer.module.css'

const fields = {
  truck: 'Truck',
  kind: ['Issue', issueKindLabel],
  status: ['Status', issueStatusLabel],
  text: 'Description',
  note: 'Note',
  raisedBy: ['Raised by', { server: 'The system', driver: 'The driver' }],
  photo: 'Photo',
  photoFile: 'Photo',
  openedAt: 'Opened',
  resolvedAt: 'Resolved',
} as const

const actions: Record<IssueStatus, readonly [to: IssueStatus, label: string, done: string][]> = {
  open: [
    ['inProgress', 'Start work', 'Issue in progress.'],
    ['resolved', 'Resolve', 'Issue resolved.'],
  ],
  inProgress: [
    ['open', 'Back to open', 'Issue reopened.'],
    ['resolved', 'Resolve', 'Issue resolved.'],
  ],
  resolved: [['open', 'Reopen', 'Issue reopened.']],
}

/** One issue: its description, its progress and its history. */
export default function IssueDrawer({ uid, open, onClose, onClosed }: RecordFormProps) {
  const found = useRecord(fleet.issue, uid)
  const issue = found.data
  return (
    <Drawer
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => !isOpen && onClosed()}
      size={DRAWER_WIDTH}
      title={issue ? `${issueKindLabel[issue.kind]}: ${issue.truck.name}` : 'Loading…'}
    >
      {found.isError && !issue && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!issue && !found.isError && <SkeletonLines />}
      {issue && (
        <Tabs
          items={[
            { key: 'issue', label: 'Issue', children: <IssueTab issue={issue} onDone={onClose} /> },
            {
              key: 'history',
              label: 'History',
              children: <HistoryTab history={fleet.issueHistory} uid={issue.uid} fields={fields} />,
            },
          ]}
          destroyOnHidden
        />
      )}
    </Drawer>
  )
}

/** Changes the status of an issue with a note, and refreshes every list that shows it. */
function useIssueStatus({ uid, version }: TruckIssue, onDone: () => void) {
  const queries = useQueryClient()
  const move = useSave(fleet.resolve)
  const notice = useNotice()
  const refresh = () => {
    for (const call of [fleet.issues, fleet.issue, fleet.figures])
      void queries.invalidateQueries({ queryKey: keyOf(call).slice(0, 2) })
  }
  return {
    error: move.error,
    isSaving: move.isPending,
    set: async (status: IssueStatus, note: string, done: string) => {
      try {
        await move.mutateAsync({ body: { uid, version, status, note } })
        notice(done)
        onDone()
      } catch (error) {
        // The other person's change is shown above by then; the typed note is kept.
        if (!(error instanceof ApiError && error.code === 'staleVersion')) return
      } finally {
        refresh()
      }
    },
  }
}

function IssueTab({ issue, onDone }: { issue: TruckIssue; onDone: () => void }) {
  const { photo, shift, zone, resolvedAt } = issue
  const mayMove = useMay(fleet.resolve)
  const facts: [string, string][] = [
    ['Since', timestamp(issue.openedAt, zone)],
    ...(resolvedAt ? [['Resolved', timestamp(resolvedAt, zone)] as [string, string]] : []),
    ['Raised by', fields.raisedBy[1][issue.raisedBy]],
    ...(shift ? [['Program', shift.program] as [string, string]] : []),
    ...(issue.text ? [['Description', issue.text] as [string, string]] : []),
  ]
  return (
    <div className={styles.issue}>
      <IssueStatusTag status={issue.status} />
      <FactList facts={facts} />
      <p className={shared.soft}>Times are in {zone}.</p>
      {photo && (
        <a href={photo.url} target="_blank" rel="noreferrer">
          <img
            className={styles.photo}
            src={photo.thumbnailUrl ?? photo.url}
            alt={`Sent by the driver: ${photo.name}`}
          />
        </a>
      )}
      {mayMove && <IssueActions issue={issue} onDone={onDone} />}
      {!mayMove && issue.note && <FactList facts={[['Note', issue.note]]} />}
    </div>
  )
}

function IssueActions({ issue, onDone }: { issue: TruckIssue; onDone: () => void }) {
  const { error, isSaving, set } = useIssueStatus(issue, onDone)
  const [note, setNote] = useState(issue.note)
  const noteId = useId()
  return (
    <>
      <label htmlFor={noteId}>Note</label>
      <Input id={noteId} value={note} maxLength={500} onChange={({ target }) => setNote(target.value)} />
      {error && <Alert type="error" role="alert" title={errorMessage(error)} />}
      <div className={styles.acts}>
        {actions[issue.status].map(([to, label, done]) => (
          <Button
            key={to}
            type={to === 'resolved' ? 'primary' : 'default'}
            disabled={isSaving}
            onClick={() => void set(to, note.trim(), done)}
          >
            {label}
          </Button>
        ))}
      </div>
    </>
  )
}
