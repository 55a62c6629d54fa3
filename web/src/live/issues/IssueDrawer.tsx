import { formatPhone } from '@roadshow/contract/platform/figures'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { fleet } from '@roadshow/contract/live/fleet'
import { issueWork } from '@roadshow/contract/live/issue-work'
import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import type { IssueStatus } from '@roadshow/contract/catalog/truck-issues'
import { Link } from '@tanstack/react-router'
import { Button, Drawer, Tabs } from 'antd'
import { useDetails } from '../../api/useDetails.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { HistoryTab } from '../../ui/record/HistoryTab.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import { useNow } from '../../ui/useNow.ts'
import { FactList } from '../facts/FactList.tsx'
import { IssueActions } from './IssueActions.tsx'
import { IssueComments } from './IssueComments.tsx'
import { IssuePhotos } from './IssuePhotos.tsx'
import { NoteField, noteForm } from './NoteField.tsx'
import { placeText } from '../facts/placeText.ts'
import { useIssueForm } from './useIssueForm.ts'
import { IssueStatusTag } from './issueColumns.tsx'
import styles from './issues.module.css'
import { lazyOverlay } from '../../ui/lazyPart.tsx'

const fields = {
  truck: 'Truck',
  kind: ['Issue', issueKindLabel],
  status: ['Status', issueStatusLabel],
  text: 'Description',
  note: 'Note',
  raisedBy: ['Reported by', { server: 'The system', driver: 'The driver', staff: 'Dispatch' }],
  photo: 'Photo',
  photoFile: 'Photo',
  openedAt: 'Opened',
  resolvedAt: 'Resolved',
  assignee: 'Assigned to',
  snoozedUntil: ['Snoozed until', (at: unknown) => formatMoment(String(at), localZone())],
  comment: 'Comment',
} as const

type StatusChange = readonly [to: IssueStatus, label: string, done: string]

const actions: Record<IssueStatus, readonly [StatusChange, ...StatusChange[]]> = {
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

const RaiseIssue = lazyOverlay(() => import('./RaiseIssue.tsx'))

/** One issue: its description, its progress, its comments and its history; or the form of a new one. */
export default function IssueDrawer(props: RecordFormProps) {
  if (props.uid !== undefined) return <ShownIssue {...props} />
  return <RaiseIssue {...props} />
}

function ShownIssue({ uid, open, onClose, onClosed }: RecordFormProps) {
  const maySeeComments = useMay(issueWork.comments)
  const found = useDetails(fleet.issue, uid)
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
            ...(maySeeComments
              ? [{ key: 'comments', label: commentsLabel(issue), children: <IssueComments issue={issue} /> }]
              : []),
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

const commentsLabel = ({ comments }: TruckIssue) => (comments > 0 ? `Comments ${comments}` : 'Comments')

/** Everything about an issue that a line says. */
function factsOf(issue: TruckIssue, now: number): [string, string][] {
  const { shift, zone, resolvedAt, driver, place, assignee, snoozedUntil } = issue
  const facts: [string, string | undefined | null | false][] = [
    ['Since', formatMoment(issue.openedAt, zone)],
    ['Resolved', resolvedAt && formatMoment(resolvedAt, zone)],
    ['Snoozed until', snoozedUntil && formatMoment(snoozedUntil, zone)],
    ['Assigned to', assignee?.name],
    ['Reported by', fields.raisedBy[1][issue.raisedBy]],
    ['Program', shift?.program],
    ['Driver', driver && [driver.name, formatPhone(driver.phone)].filter(Boolean).join(', ')],
    ['Truck is', place && placeText(place, now)],
    ['Description', issue.text],
  ]
  return facts.flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []))
}

const photoSource = { server: 'Of the issue', driver: 'Sent by the driver', staff: 'Added by dispatch' } as const
const MINUTE_MS = 60_000
const IN_FORM = ['resolve'] as const

function IssueTab({ issue, onDone }: { issue: TruckIssue; onDone: () => void }) {
  const mayMove = useMay(fleet.resolve)
  const now = useNow(MINUTE_MS)
  return (
    <Stack gap={3} align="start" className={styles.issue}>
      <IssueStatusTag status={issue.status} />
      <FactList facts={factsOf(issue, now)} />
      <p>
        <Soft>Times are in {issue.zone}.</Soft>
      </p>
      <IssuePhotos photos={issue.photos} from={photoSource[issue.raisedBy]} />
      {issue.kind === 'counterJump' && issue.status !== 'resolved' && (
        <p>
          <Link to="/trucks" search={{ open: issue.truck.uid, tab: 'devices' }}>
            Decide whether these plays are missing
          </Link>
        </p>
      )}
      <IssueActions issue={issue} without={IN_FORM} />
      {mayMove && <StatusForm issue={issue} onDone={onDone} />}
      {!mayMove && issue.note && <FactList facts={[['Note', issue.note]]} />}
    </Stack>
  )
}

function StatusForm({ issue, onDone }: { issue: TruckIssue; onDone: () => void }) {
  const move = useSave(fleet.resolve)
  const to =
    ([status, , done]: StatusChange) =>
    async ({ note }: { note: string }, { uid, version }: TruckIssue) => {
      await move.mutateAsync({ body: { uid, version, status, note: note.trim() } })
      return done
    }
  const edit = useIssueForm({ ...noteForm, issue, save: to(actions[issue.status][0]), onDone })
  return (
    <EditForm edit={edit} name="issue" component="div" asks="never" className={styles.status ?? ''}>
      <NoteField />
      <Row gap={2}>
        {actions[issue.status].map((change) => (
          <Button
            key={change[0]}
            type={change[0] === 'resolved' ? 'primary' : 'default'}
            disabled={edit.isBusy}
            onClick={() => void edit.submit(to(change))}
          >
            {change[1]}
          </Button>
        ))}
      </Row>
    </EditForm>
  )
}
