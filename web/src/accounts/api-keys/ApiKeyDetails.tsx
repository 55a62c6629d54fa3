import { apiKeyEndLabel, apiKeys, apiKeyStateLabel } from '@roadshow/contract/accounts/api-keys'
import type { ApiKey } from '@roadshow/contract/accounts/api-keys'
import { clients } from '@roadshow/contract/catalog/clients'
import { moduleLabel } from '@roadshow/contract/platform/permissions'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Facts } from '../../ui/record/Facts.tsx'
import { RecordLink } from '../../ui/form/reading.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { Soft } from '../../ui/layout.tsx'
import { localZone, formatDateTime } from '@roadshow/contract/platform/dates'
import { useNow } from '../../ui/useNow.ts'
import { accessWord, expiryWarning, stateTone } from './keyWords.ts'

const clientPlace = { list: clients.list, opensIn: { path: '/clients' } } as const

/** What a key may do, what became of it, and how to end it. */
export function ApiKeyDetails({ apiKey, onEnded }: { apiKey: ApiKey; onEnded: () => void }) {
  const warning = expiryWarning(apiKey, useNow())
  const mayEnd = useMay(apiKeys.end)
  return (
    <>
      {warning && (
        <Alert
          type="warning"
          showIcon
          title={warning}
          description="Create a new key, put it in place of this one, then end this one."
        />
      )}
      <Facts facts={factsOf(apiKey)} />
      <p>
        <Soft>Times are in {localZone()}.</Soft>
      </p>
      {mayEnd && apiKey.state !== 'ended' && <EndKey apiKey={apiKey} onEnded={onEnded} />}
    </>
  )
}

function factsOf(apiKey: ApiKey): Record<string, ReactNode> {
  const { state, start, access, modules, client, createdBy, createdAt, expiresAt, lastUsedAt, lastAddress } = apiKey
  return {
    Status: <StateTag tone={stateTone[state]}>{apiKeyStateLabel[state]}</StateTag>,
    Key: <code>{start}…</code>,
    Access: accessWord[access],
    Modules: modules.map((key) => moduleLabel[key]).join(', '),
    Client: <RecordLink lookup={clientPlace} record={client} none="All clients" />,
    Created: `${formatDateTime(createdAt, localZone())} by ${createdBy.name}`,
    Expires: formatDateTime(expiresAt, localZone()),
    'Last used': lastUsedAt ? `${formatDateTime(lastUsedAt, localZone())} from ${lastAddress}` : 'Not used yet',
    ...endFacts(apiKey),
  }
}

const endFacts = ({ endedAt, endedBy, endReason }: ApiKey): Record<string, string> =>
  endedAt === null || endReason === null
    ? {}
    : {
        Ended: `${formatDateTime(endedAt, localZone())}${endedBy ? ` by ${endedBy.name}` : ''}`,
        Reason: apiKeyEndLabel[endReason],
      }

function EndKey({ apiKey: { uid, name }, onEnded }: { apiKey: ApiKey; onEnded: () => void }) {
  const [asking, setAsking] = useState(false)
  const end = useSave(apiKeys.end)
  const notice = useNotice()

  const act = async () => {
    try {
      await end.mutateAsync({ params: { uid } })
      notice(`${name} ended.`)
      onEnded()
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setAsking(false)
  }

  return (
    <>
      <Button danger onClick={() => setAsking(true)}>
        End key
      </Button>
      <Confirm
        open={asking}
        question={`End ${name}?`}
        text="The next call with this key is refused. This can’t be undone."
        act="End key"
        busy={end.isPending}
        onAct={() => void act()}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
