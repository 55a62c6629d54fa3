import { apiKeys } from '@roadshow/contract/accounts/api-keys'
import { useState } from 'react'
import { useDetails } from '../../api/useDetails.ts'
import { DetailsDrawer } from '../../ui/record/DetailsDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { ApiKeyDetails } from './ApiKeyDetails.tsx'
import { ApiKeyForm } from './ApiKeyForm.tsx'
import { NewKey } from './NewKey.tsx'
import type { CreatedKey } from './NewKey.tsx'

/** A new key and what it may do, the key itself once it is created, or what became of an existing one. */
export default function ApiKeyDrawer(props: RecordFormProps) {
  const { uid, onClose } = props
  const found = useDetails(apiKeys.get, uid)
  const [created, setCreated] = useState<CreatedKey>()
  return (
    <DetailsDrawer
      {...props}
      found={found}
      title={created?.apiKey.name ?? (uid === undefined ? 'New API key' : (found.data?.name ?? 'Loading…'))}
    >
      {uid === undefined && !created && <ApiKeyForm onClose={onClose} onCreated={setCreated} />}
      {created && <NewKey created={created} onClose={onClose} />}
      {found.data && <ApiKeyDetails apiKey={found.data} onEnded={() => void found.refetch()} />}
    </DetailsDrawer>
  )
}
