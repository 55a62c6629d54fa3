import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import type { IssueStatus } from '@roadshow/contract/catalog/truck-issues'
import type { Column } from '../../ui/rows/columns.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { formatMoment } from '@roadshow/contract/platform/dates'
import styles from './issues.module.css'

const statusTone: Record<IssueStatus, Tone> = { open: 'bad', inProgress: 'warn', resolved: 'driving' }

export const IssueStatusTag = ({ status }: Pick<TruckIssue, 'status'>) => (
  <StateTag tone={statusTone[status]}>{issueStatusLabel[status]}</StateTag>
)

export const issueColumns: Column<TruckIssue>[] = [
  { key: 'kind', title: 'Issue', width: 230, render: ({ kind }) => issueKindLabel[kind] },
  { key: 'truck', title: 'Truck', width: 110, render: ({ truck }) => truck.name },
  {
    key: 'status',
    title: 'Status',
    width: 150,
    render: ({ status, snoozedUntil, zone }) => (
      <Stack as="span" align="start">
        <IssueStatusTag status={status} />
        {snoozedUntil && <Soft small>Snoozed until {formatMoment(snoozedUntil, zone)}</Soft>}
      </Stack>
    ),
  },
  { key: 'assignee', title: 'Assigned to', width: 140, staffOnly: true, render: ({ assignee }) => assignee?.name },
  {
    key: 'openedAt',
    title: 'Since',
    width: 220,
    render: ({ openedAt, zone }) => <span className="figures">{formatMoment(openedAt, zone)}</span>,
  },
  {
    key: 'text',
    title: 'Description',
    render: ({ text, photo, raisedBy }) => (
      <Row as="span" gap={2} align="center" inline className={styles.said}>
        {photo && <img src={photo.thumbnailUrl ?? photo.url} alt="" width={32} height={32} />}
        {text || (raisedBy === 'server' && 'Recorded by the system')}
      </Row>
    ),
  },
  { key: 'note', title: 'Note', secondary: true, staffOnly: true, render: ({ note }) => note },
]

export const issueFilters: Filter[] = [
  { key: 'status', label: 'Status', words: issueStatusLabel },
  { key: 'kind', label: 'Type', words: issueKindLabel, inMenu: true },
]

/** Clients see neither what is snoozed nor who is assigned. */
export const staffIssueFilters: Filter[] = [
  ...issueFilters,
  { key: 'snoozed', label: 'Snoozed', words: { yes: 'Snoozed', no: 'Not snoozed' } },
  { key: 'from', label: 'Opened from', day: true },
  { key: 'to', label: 'Opened until', day: true },
  { key: 'assignee', label: 'Assigned', words: { me: 'Mine', none: 'Unassigned' } },
]
