import { webhookDeliveries, webhooks } from '@roadshow/contract/outreach/webhooks'
import type { DeliveryDetails, Webhook } from '@roadshow/contract/outreach/webhooks'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useCall } from '../../api/useCall.ts'
import { useSave } from '../../api/useSave.ts'
import details from '../../ui/details.module.css'
import { Soft, Stack } from '../../ui/layout.tsx'

/** A message, looked at again while it is under way. */
const useSentMessage = (uid: string | undefined) =>
  useCall(webhookDeliveries.get, { params: { uid: uid ?? '' } }, { enabled: uid !== undefined })

/** Sends a test event and shows the answer. */
export function SendTest({ webhook: { uid } }: { webhook: Webhook }) {
  const [sent, setSent] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const test = useSave(webhooks.test)
  const message = useSentMessage(sent)

  const send = async () => {
    setProblem(undefined)
    setSent(undefined)
    try {
      setSent((await test.mutateAsync({ params: { uid } })).data.uid)
    } catch (error) {
      setProblem(errorMessage(error))
    }
  }

  const isUnderWay = sent !== undefined && (message.data === undefined || message.data.state === 'waiting')
  return (
    <>
      <div className={details.actions}>
        <Button type="primary" loading={test.isPending || isUnderWay} onClick={() => void send()}>
          Send test event
        </Button>
      </div>
      <div aria-live="polite">
        {problem && <Alert type="error" showIcon title={problem} />}
        {isUnderWay && (
          <p>
            <Soft>Sending… This takes up to 15 seconds.</Soft>
          </p>
        )}
        {message.data && !isUnderWay && <TestAnswer message={message.data} />}
      </div>
    </>
  )
}

function TestAnswer({ message: { state, problem, log } }: { message: DeliveryDetails }) {
  const last = log.at(-1)
  const isAccepted = state === 'sent'
  return (
    <Stack gap={2} above={3} below={3}>
      <Alert
        type={isAccepted ? 'success' : 'error'}
        showIcon
        title={isAccepted ? 'The receiver accepted the test event' : 'The receiver did not accept the test event'}
        description={`${last?.result ?? problem ?? ''}${last ? ` It took ${last.ms} ms.` : ''}`}
      />
      {last?.answer && <pre className={details.text}>{last.answer}</pre>}
    </Stack>
  )
}
