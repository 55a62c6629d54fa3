import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { fleet } from '@roadshow/contract/live/fleet'
import type { TruckIssue } from '@roadshow/contract/live/fleet'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import type { IssueStatus } from '@roadshow/contract/catalog/truck-issues'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Drawer, Input, Skeleton, Tabs } from 'antd'
import { useId, useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useRecord } from '../../api/useRecord.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { HistoryTab } from '../../ui/HistoryTab.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { RecordFormProps } from '../../ui/OpenForm.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { localZone, timestamp } from '../../ui/time.ts'
import { IssueStatusTag } from './issueColumns.tsx'
import shared from './overview.module.css'
import styles from './IssueDrawer.module.css'

const fields = {
  truck: 'Truck',
  kind: ['Issue', issueKindLabel],
  status: ['Status', issueStatusLabel],
  text: 'What was said',
  note: 'Note',
  raisedBy: ['Raised by', { server: 'The system', driver: 'The driver' }],
  photo: 'Photo',
  photoFile: 'Photo',
  openedAt: 'Opened',
  resolvedAt: 'Resolved',
} as const

const acts: Record<IssueStatus, readonly [to: IssueStatus, label: string, done: string][]> = {
  open: [
    ['inProgress', 'Take up', 'The issue is taken up.'],
    ['resolved', 'Resolve', 'The issue is resolved.'],
  ],
  inProgress: [
    ['open', 'Put back', 'The issue is open again.'],
    ['resolved', 'Resolve', 'The issue is resolved.'],
  ],
  resolved: [['open', 'Reopen', 'The issue is open again.']],
}

/** One issue: what was said, what is done about it, and its history. */
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
      {!issue && !found.isError && <Skeleton active />}
      {issue && (
        <Tabs
          items={[
            { key: 'issue', label: 'Issue', children: <Issue issue={issue} onDone={onClose} /> },
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

function Issue({ issue, onDone }: { issue: TruckIssue; onDone: () => void }) {
  const { uid, version, photo, shift, resolvedAt } = issue
  const queries = useQueryClient()
  const move = useSave(fleet.resolve)
  const mayMove = useMay(fleet.resolve)
  const notice = useNotice()
  const [note, setNote] = useState(issue.note)
  const noteId = useId()
  const refresh = () => {
    for (const call of [fleet.issues, fleet.issue, fleet.figures])
      void queries.invalidateQueries({ queryKey: keyOf(call).slice(0, 2) })
  }

  const act = async (status: IssueStatus, done: string) => {
    try {
      await move.mutateAsync({ body: { uid, version, status, note: note.trim() } })
      notice(done)
      onDone()
    } catch (error) {
      // What the others made of it stands above by then; one's own note stays.
      if (!(error instanceof ApiError && error.code === 'staleVersion')) return
    } finally {
      refresh()
    }
  }

  const facts: [string, string][] = [
    ['Since', timestamp(issue.openedAt)],
    ...(resolvedAt ? [['Resolved', timestamp(resolvedAt)] as [string, string]] : []),
    ['Raised by', fields.raisedBy[1][issue.raisedBy]],
    ...(shift ? [['Program', shift.program] as [string, string]] : []),
    ...(issue.text ? [['What was said', issue.text] as [string, string]] : []),
  ]
  return (
    <div className={styles.issue}>
      <IssueStatusTag status={issue.status} />
      <dl className={shared.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={shared.soft}>Times are in {localZone()}.</p>
      {photo && (
        <a href={photo.url} target="_blank" rel="noreferrer">
          <img
            className={styles.photo}
            src={photo.thumbnailUrl ?? photo.url}
            alt={`What the driver saw: ${photo.name}`}
          />
        </a>
      )}
      {mayMove ? (
        <>
          <label htmlFor={noteId}>Note</label>
          <Input id={noteId} value={note} maxLength={500} onChange={({ target }) => setNote(target.value)} />
          {move.isError && <Alert type="error" role="alert" title={errorMessage(move.error)} />}
          <div className={styles.acts}>
            {acts[issue.status].map(([to, label, done]) => (
              <Button
                key={to}
                type={to === 'resolved' ? 'primary' : 'default'}
                disabled={move.isPending}
                onClick={() => void act(to, done)}
              >
                {label}
              </Button>
            ))}
          </div>
        </>
      ) : (
        issue.note && (
          <dl className={shared.facts}>
            <div>
              <dt>Note</dt>
              <dd>{issue.note}</dd>
            </div>
          </dl>
        )
      )}
    </div>
  )
}
