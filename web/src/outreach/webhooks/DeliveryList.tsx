import { deliveryStateLabel, webhookDeliveries, webhooks } from '@roadshow/contract/outreach/webhooks'
import type { Delivery, Webhook } from '@roadshow/contract/outreach/webhooks'
import { webhookEventLabel } from '@roadshow/contract/outreach/webhook-events'
import type { Column } from '../../ui/rows/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { localZone, timestamp } from '@roadshow/contract/platform/dates'
import { EM_DASH } from '../../ui/text/dash.ts'
import { deliveryTone } from './webhookWords.ts'
import styles from './Webhooks.module.css'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const DeliveryDrawer = lazyForm(() => import('./DeliveryDrawer.tsx'))

const columns: Column<Delivery>[] = [
  { key: 'at', title: `Created (${localZone()})`, width: 190, render: ({ at }) => timestamp(at, localZone()) },
  { key: 'event', title: 'Event', width: 160, render: ({ event }) => webhookEventLabel[event] },
  { key: 'webhook', title: 'Webhook', render: ({ webhook }) => <span className={styles.url}>{webhook.url}</span> },
  {
    key: 'state',
    title: 'Status',
    width: 120,
    render: ({ state }) => <StateTag tone={deliveryTone[state]}>{deliveryStateLabel[state]}</StateTag>,
  },
  { key: 'attempts', title: 'Attempts', width: 90, render: ({ attempts }) => attempts },
  { key: 'problem', title: 'Problem', render: ({ problem }) => problem ?? EM_DASH },
  {
    key: 'nextAt',
    title: 'Next attempt',
    width: 190,
    secondary: true,
    render: ({ nextAt }) => (nextAt ? timestamp(nextAt, localZone()) : EM_DASH),
  },
]

const webhookLookup: Lookup<Webhook> = { list: webhooks.list, sort: '-at', nameOf: ({ url }) => url }

const filters: Filter[] = [
  { key: 'state', label: 'Status', words: deliveryStateLabel },
  { key: 'event', label: 'Event', words: webhookEventLabel, inMenu: true },
  { key: 'webhookUid', label: 'Webhook', lookup: webhookLookup },
]

/** Every message to the endpoints of partners, newest first. */
const DeliveryList = () => (
  <DataTable
    nouns={['message', 'messages']}
    list={webhookDeliveries.list}
    columns={columns}
    filters={filters}
    form={DeliveryDrawer}
    isError={({ state }) => state === 'dead'}
    next={{ label: 'Open webhooks', needs: webhooks.create, to: '/system/webhooks', search: {} }}
    empty="No messages yet. Messages to webhooks and the answers to them appear here for 90 days."
  />
)

export default DeliveryList
