import { apiKeys } from '@roadshow/contract/accounts/api-keys'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Drawer } from 'antd'
import { useState } from 'react'
import { useRecord } from '../../api/useRecord.ts'
import type { RecordFormProps } from '../../ui/RecordDrawer.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { ApiKeyDetails } from './ApiKeyDetails.tsx'
import { ApiKeyForm } from './ApiKeyForm.tsx'
import { NewKey } from './NewKey.tsx'
import type { CreatedKey } from './NewKey.tsx'

/** A new key and what it may do, the key itself once it is created, or what became of an existing one. */
export default function ApiKeyDrawer({ uid, open, onClose, onClosed }: RecordFormProps) {
  const found = useRecord(apiKeys.get, uid)
  const [created, setCreated] = useState<CreatedKey>()
  return (
    <Drawer
      open={open}
      onClose={onClose}
      // The form of a new key focuses its first field.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={uid !== undefined}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => !isOpen && onClosed()}
      size={DRAWER_WIDTH}
      title={created?.apiKey.name ?? (uid === undefined ? 'New API key' : (found.data?.name ?? 'Loading…'))}
    >
      {uid === undefined && !created && <ApiKeyForm onClose={onClose} onCreated={setCreated} />}
      {created && <NewKey created={created} onClose={onClose} />}
      {uid !== undefined && found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {uid !== undefined && found.isPending && <SkeletonLines rows={9} />}
      {found.data && <ApiKeyDetails apiKey={found.data} onEnded={() => void found.refetch()} />}
    </Drawer>
  )
}
