import { webhooks, webhookStateLabel } from '@roadshow/contract/outreach/webhooks'
import type { Webhook } from '@roadshow/contract/outreach/webhooks'
import { webhookEventLabel } from '@roadshow/contract/outreach/webhook-events'
import type { Column } from '../../ui/rows/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { localZone, formatMoment } from '@roadshow/contract/platform/dates'
import { EM_DASH } from '../../ui/text/dash.ts'
import { isFailing, webhookTone } from './webhookWords.ts'
import styles from './Webhooks.module.css'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const WebhookDrawer = lazyForm(() => import('./WebhookDrawer.tsx'))

function State({ webhook }: { webhook: Webhook }) {
  if (isFailing(webhook)) return <StateTag tone="bad">{`Failing (${webhook.failures})`}</StateTag>
  return <StateTag tone={webhookTone[webhook.state]}>{webhookStateLabel[webhook.state]}</StateTag>
}

const columns: Column<Webhook>[] = [
  {
    key: 'url',
    title: 'Address',
    render: ({ url, description }) => (
      <span className={styles.url}>
        {url}
        {description && (
          <span className={styles.description} title={description}>
            {description}
          </span>
        )}
      </span>
    ),
  },
  { key: 'state', title: 'Status', width: 140, render: (webhook) => <State webhook={webhook} /> },
  { key: 'client', title: 'Client', width: 140, render: ({ client }) => client?.name ?? 'All clients' },
  {
    key: 'events',
    title: 'Events',
    secondary: true,
    render: ({ events }) => events.map((event) => webhookEventLabel[event]).join(', '),
  },
  { key: 'waiting', title: 'Waiting', width: 90, render: ({ waiting }) => waiting },
  {
    key: 'lastAcceptedAt',
    title: `Last accepted (${localZone()})`,
    width: 190,
    render: ({ lastAcceptedAt }) => (lastAcceptedAt ? formatMoment(lastAcceptedAt, localZone()) : EM_DASH),
  },
  { key: 'createdBy', title: 'Created by', width: 140, secondary: true, render: ({ createdBy }) => createdBy.name },
]

const filters: Filter[] = [{ key: 'state', label: 'Status', words: webhookStateLabel }]

/** The addresses of partners that get what happened, newest first. */
const WebhookList = () => (
  <DataTable
    nouns={['webhook', 'webhooks']}
    list={webhooks.list}
    columns={columns}
    filters={filters}
    create={webhooks.create}
    form={WebhookDrawer}
    isError={isFailing}
    empty="No webhooks yet. Create one so that a partner’s system learns at once what happens here."
  />
)

export default WebhookList
