import { apiKeys } from '@roadshow/contract/accounts/api-keys'
import { connectionStepLabel } from '@roadshow/contract/console/services'
import type { ConnectionStep } from '@roadshow/contract/console/services'
import type { PositionSource } from '@roadshow/contract/live/position-sources'
import { webhooks } from '@roadshow/contract/outreach/webhooks'
import { useNavigate } from '@tanstack/react-router'
import { Button } from 'antd'
import { useState } from 'react'
import { useMay } from '../../api/user.ts'
import { AddSamsara, SourceAccount } from '../../live/trackers/SourceAccount.tsx'
import { NEW_RECORD } from '../../ui/useListState.ts'
import { useSearchParam } from '../../ui/useSearchParam.ts'

interface TurnOnProps {
  step: ConnectionStep
  /** The source that gets an account, where it is there already. */
  source: PositionSource | undefined
}

/** The button that begins to switch a connection on: here in a dialog, or on the screen where it is done. */
export function TurnOn({ step, source }: TurnOnProps) {
  const [isConnecting, setConnecting] = useState(false)
  const [, showSettings] = useSearchParam('settings')
  const navigate = useNavigate()
  const mayAddWebhook = useMay(webhooks.create)
  const mayAddKey = useMay(apiKeys.create)
  if ((step === 'addWebhook' && !mayAddWebhook) || (step === 'addApiKey' && !mayAddKey)) return null
  const begin: Record<ConnectionStep, () => void> = {
    connectGeotab: () => setConnecting(true),
    connectSamsara: () => setConnecting(true),
    addSource: () => showSettings('sources'),
    renewKey: () => showSettings('sources'),
    turnOnPush: () => void navigate({ to: '/notifications/settings' }),
    addWebhook: () => void navigate({ to: '/system/webhooks', search: { open: NEW_RECORD } }),
    addApiKey: () => void navigate({ to: '/system/api-keys', search: { open: NEW_RECORD } }),
  }
  const onClose = () => setConnecting(false)
  return (
    <>
      <Button onClick={begin[step]}>{connectionStepLabel[step]}</Button>
      {isConnecting &&
        (source ? <SourceAccount source={source} onClose={onClose} /> : <AddSamsara onClose={onClose} />)}
    </>
  )
}
