import { webhookEndLabel, webhookPauseLabel, webhooks, webhookStateLabel } from '@roadshow/contract/outreach/webhooks'
import type { Webhook } from '@roadshow/contract/outreach/webhooks'
import { webhookEventLabel } from '@roadshow/contract/outreach/webhook-events'
import { Link } from '@tanstack/react-router'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { useMay } from '../../api/user.ts'
import { clientLookup } from '../../catalog/lookups/clientLookup.ts'
import { Facts } from '../../ui/record/Facts.tsx'
import { RecordLink } from '../../ui/form/reading.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { localZone, formatDateTime } from '@roadshow/contract/platform/dates'
import type { ShownSecret } from './NewSecret.tsx'
import { SendTest } from './SendTest.tsx'
import { EndWebhook, NewSecretButton, PauseWebhook, ResumeWebhook } from './WebhookActions.tsx'
import { healthWord, webhookTone } from './webhookWords.ts'
import styles from '../../ui/details.module.css'
import { Soft } from '../../ui/layout.tsx'

interface WebhookDetailsProps {
  webhook: Webhook
  onEdit: () => void
  onSecret: (shown: ShownSecret) => void
  onChanged: () => void
}

/** How an endpoint fares, and everything that can be done with it. */
export function WebhookDetails({ webhook, onEdit, onSecret, onChanged }: WebhookDetailsProps) {
  const mayChange = useMay(webhooks.end)
  const { state } = webhook
  return (
    <>
      <Warning webhook={webhook} />
      <Facts facts={factsOf(webhook)} />
      <p>
        <Link to="/system/webhook-log" search={{ webhookUid: [webhook.uid] }}>
          Open the delivery log
        </Link>
      </p>
      {mayChange && state !== 'ended' && (
        <>
          <SendTest webhook={webhook} />
          <div className={styles.actions}>
            {state === 'paused' ? (
              <ResumeWebhook webhook={webhook} onChanged={onChanged} />
            ) : (
              <PauseWebhook webhook={webhook} onChanged={onChanged} />
            )}
            <Button onClick={onEdit}>Edit</Button>
            <NewSecretButton webhook={webhook} onSecret={onSecret} />
            <EndWebhook webhook={webhook} onChanged={onChanged} />
          </div>
        </>
      )}
      <p>
        <Soft>Times are in {localZone()}.</Soft>
      </p>
    </>
  )
}

function Warning({ webhook }: { webhook: Webhook }) {
  const { state, pauseReason } = webhook
  const health = healthWord(webhook)
  if (state === 'paused' && pauseReason !== null && pauseReason !== 'paused')
    return (
      <Alert
        type="error"
        showIcon
        title="Paused automatically"
        description={`${webhookPauseLabel[pauseReason]}. Events are kept for it, each for two days. Send a test, then resume it.`}
      />
    )
  return health ? (
    <Alert
      type="warning"
      showIcon
      title={health}
      description="Each message is tried again for two days. After that it is in the delivery log, from where you can send it again."
    />
  ) : null
}

const byWhom = (person: { name: string } | null) => (person ? ` by ${person.name}` : '')

function factsOf(webhook: Webhook): Record<string, ReactNode> {
  const { url, description, state, client, events, createdAt, createdBy, lastAcceptedAt, waiting } = webhook
  const { oldSecretUntil, pausedAt, pausedBy, pauseReason, endedAt, endedBy, endReason } = webhook
  return {
    Status: <StateTag tone={webhookTone[state]}>{webhookStateLabel[state]}</StateTag>,
    Address: url,
    ...(description && { Description: description }),
    Client: <RecordLink lookup={clientLookup} record={client} none="All clients" />,
    Events: events.map((event) => webhookEventLabel[event]).join(', '),
    'Last accepted': lastAcceptedAt ? formatDateTime(lastAcceptedAt, localZone()) : 'Nothing yet',
    Waiting: waiting === 1 ? '1 message' : `${waiting} messages`,
    ...(oldSecretUntil && { 'Old secret': `Also signs until ${formatDateTime(oldSecretUntil, localZone())}` }),
    ...(pausedAt &&
      pauseReason && {
        Paused: `${formatDateTime(pausedAt, localZone())}${byWhom(pausedBy)}. ${webhookPauseLabel[pauseReason]}`,
      }),
    Created: `${formatDateTime(createdAt, localZone())} by ${createdBy.name}`,
    ...(endedAt &&
      endReason && {
        Ended: `${formatDateTime(endedAt, localZone())}${byWhom(endedBy)}. ${webhookEndLabel[endReason]}`,
      }),
  }
}
