import { webhooks } from '@roadshow/contract/outreach/webhooks'
import { useState } from 'react'
import { useDetails } from '../../api/useDetails.ts'
import { DetailsDrawer } from '../../ui/record/DetailsDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { NewSecret } from './NewSecret.tsx'
import type { ShownSecret } from './NewSecret.tsx'
import { WebhookDetails } from './WebhookDetails.tsx'
import { WebhookForm } from './WebhookForm.tsx'
import { hostOf } from './webhookWords.ts'

/** A new endpoint, its secret once, or how an existing one fares. */
export default function WebhookDrawer(props: RecordFormProps) {
  const { uid, onClose } = props
  const found = useDetails(webhooks.get, uid)
  const [shown, setShown] = useState<ShownSecret>()
  const [isEditing, setEditing] = useState(false)
  const webhook = shown?.webhook ?? found.data
  const isForm = isEditing || (uid === undefined && !shown)
  return (
    <DetailsDrawer
      {...props}
      found={found}
      title={webhook ? hostOf(webhook.url) : uid === undefined ? 'New webhook' : 'Loading…'}
    >
      {isForm && (
        <WebhookForm
          {...(found.data && { webhook: found.data })}
          onClose={isEditing ? () => setEditing(false) : onClose}
          onCreated={setShown}
          onSaved={() => setEditing(false)}
        />
      )}
      {shown && (
        <NewSecret
          shown={shown}
          onDone={() => {
            setShown(undefined)
            if (uid === undefined) onClose()
            else void found.refetch()
          }}
        />
      )}
      {found.data && !isForm && !shown && (
        <WebhookDetails
          webhook={found.data}
          onEdit={() => setEditing(true)}
          onSecret={setShown}
          onChanged={() => void found.refetch()}
        />
      )}
    </DetailsDrawer>
  )
}
