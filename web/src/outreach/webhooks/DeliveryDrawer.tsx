import { deliveryStateLabel, webhookDeliveries } from '@roadshow/contract/outreach/webhooks'
import type { DeliveryAttempt, DeliveryDetails } from '@roadshow/contract/outreach/webhooks'
import { webhookEventLabel } from '@roadshow/contract/outreach/webhook-events'
import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Alert, Button } from 'antd'
import { errorMessage } from '../../api/call.ts'
import { useDetails } from '../../api/useDetails.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import details from '../../ui/details.module.css'
import { DetailsDrawer } from '../../ui/record/DetailsDrawer.tsx'
import { Facts } from '../../ui/record/Facts.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { localZone, timestamp } from '@roadshow/contract/platform/dates'
import { deliveryTone, formatBody } from './webhookWords.ts'

/** One message: its body, what the receiver answered, and sending it again. */
export default function DeliveryDrawer(props: RecordFormProps) {
  const found = useDetails(webhookDeliveries.get, props.uid)
  return (
    <DetailsDrawer
      {...props}
      found={found}
      size={LARGE_DRAWER_WIDTH}
      title={found.data ? webhookEventLabel[found.data.event] : 'Loading…'}
    >
      {found.data && <Details delivery={found.data} />}
    </DetailsDrawer>
  )
}

function Details({ delivery }: { delivery: DeliveryDetails }) {
  const { body, log, problem, state } = delivery
  return (
    <>
      {problem && <Alert type={state === 'dead' ? 'error' : 'warning'} showIcon title={problem} />}
      <Facts facts={factsOf(delivery)} />
      <SendAgain delivery={delivery} />
      <h2 className={details.heading}>Body</h2>
      <pre className={details.text}>{body === null ? 'The body can no longer be opened.' : formatBody(body)}</pre>
      <h2 className={details.heading}>Attempts</h2>
      {log.length === 0 && (
        <p>
          <Soft>None yet.</Soft>
        </p>
      )}
      {log.toReversed().map((attempt) => (
        <Attempt key={attempt.at} attempt={attempt} />
      ))}
      <p>
        <Soft>Times are in {localZone()}.</Soft>
      </p>
    </>
  )
}

const factsOf = ({ webhook, webhookId, state, at, attempts, nextAt, expiresAt, doneAt }: DeliveryDetails) => ({
  Status: <StateTag tone={deliveryTone[state]}>{deliveryStateLabel[state]}</StateTag>,
  Webhook: webhook.url,
  'Webhook ID': <code>{webhookId}</code>,
  Created: timestamp(at, localZone()),
  Attempts: attempts,
  ...(nextAt && { 'Next attempt': timestamp(nextAt, localZone()) }),
  ...(doneAt ? { Done: timestamp(doneAt, localZone()) } : { 'Tried until': timestamp(expiresAt, localZone()) }),
})

const Attempt = ({ attempt: { at, ms, isAccepted, result, answer } }: { attempt: DeliveryAttempt }) => (
  <Stack as="section" gap={2} above={3} below={3}>
    <Row as="p" gap={3} lineGap={1} wrap className="figures">
      <StateTag tone={isAccepted ? 'driving' : 'bad'}>{isAccepted ? 'Accepted' : 'Not accepted'}</StateTag>
      <span>{timestamp(at, localZone())}</span>
      <Soft>{ms} ms</Soft>
    </Row>
    <p>{result}</p>
    {answer && <pre className={details.text}>{answer}</pre>}
  </Stack>
)

function SendAgain({ delivery: { uid, state } }: { delivery: DeliveryDetails }) {
  const mayEdit = useMay(webhookDeliveries.sendAgain)
  const sendAgain = useSave(webhookDeliveries.sendAgain)
  const notice = useNotice()
  if (!mayEdit || state === 'waiting') return null
  const act = async () => {
    try {
      await sendAgain.mutateAsync({ params: { uid } })
      notice('The message is sent again.')
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
  }
  return (
    <div className={details.actions}>
      <Button type="primary" loading={sendAgain.isPending} onClick={() => void act()}>
        Send again
      </Button>
      <Soft>It keeps its webhook ID, so the receiver can tell that it is a repeat.</Soft>
    </div>
  )
}
