import { webhooks } from '@roadshow/contract/outreach/webhooks'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Drawer } from 'antd'
import { useState } from 'react'
import { useRecord } from '../../api/useRecord.ts'
import type { RecordFormProps } from '../../ui/RecordDrawer.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { NewSecret } from './NewSecret.tsx'
import type { ShownSecret } from './NewSecret.tsx'
import { WebhookDetails } from './WebhookDetails.tsx'
import { WebhookForm } from './WebhookForm.tsx'
import { hostOf } from './webhookWords.ts'

/** A new endpoint, its secret once, or how an existing one fares. */
export default function WebhookDrawer({ uid, open, onClose, onClosed }: RecordFormProps) {
  const found = useRecord(webhooks.get, uid)
  const [shown, setShown] = useState<ShownSecret>()
  const [isEditing, setEditing] = useState(false)
  const webhook = shown?.webhook ?? found.data
  const isForm = isEditing || (uid === undefined && !shown)
  return (
    <Drawer
      open={open}
      onClose={onClose}
      // The form of a new endpoint focuses its first field.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={uid !== undefined}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => !isOpen && onClosed()}
      size={DRAWER_WIDTH}
      title={webhook ? hostOf(webhook.url) : uid === undefined ? 'New webhook' : 'Loading…'}
    >
      {isForm && (
        <WebhookForm
          {...(found.data && { webhook: found.data })}
          onClose={isEditing ? () => setEditing(false) : onClose}
          onCreated={setShown}
          onSaved={() => {
            setEditing(false)
            void found.refetch()
          }}
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
      {uid !== undefined && found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {uid !== undefined && found.isPending && <SkeletonLines rows={9} />}
      {found.data && !isForm && !shown && (
        <WebhookDetails
          webhook={found.data}
          onEdit={() => setEditing(true)}
          onSecret={setShown}
          onChanged={() => void found.refetch()}
        />
      )}
    </Drawer>
  )
}
