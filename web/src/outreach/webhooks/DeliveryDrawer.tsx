import { deliveryStateLabel, webhookDeliveries } from '@roadshow/contract/outreach/webhooks'
import type { DeliveryAttempt, DeliveryDetails } from '@roadshow/contract/outreach/webhooks'
import { webhookEventLabel } from '@roadshow/contract/outreach/webhook-events'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { Alert, Button, Drawer } from 'antd'
import { errorMessage } from '../../api/call.ts'
import { useRecord } from '../../api/useRecord.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { useNotice } from '../../ui/notices.tsx'
import type { RecordFormProps } from '../../ui/RecordDrawer.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { StateTag } from '../../ui/StateTag.tsx'
import { localZone, timestamp } from '../../ui/time.ts'
import { deliveryTone, formatBody } from './webhookWords.ts'
import styles from './Webhooks.module.css'

/** One message: its body, what the receiver answered, and sending it again. */
export default function DeliveryDrawer({ uid, open, onClose, onClosed }: RecordFormProps) {
  const found = useRecord(webhookDeliveries.get, uid)
  return (
    <Drawer
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => !isOpen && onClosed()}
      size={DRAWER_WIDTH}
      title={found.data ? webhookEventLabel[found.data.event] : 'Loading…'}
    >
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <SkeletonLines rows={9} />}
      {found.data && <Details delivery={found.data} onChanged={() => void found.refetch()} />}
    </Drawer>
  )
}

function Details({ delivery, onChanged }: { delivery: DeliveryDetails; onChanged: () => void }) {
  const { body, log, problem, state } = delivery
  return (
    <>
      {problem && <Alert type={state === 'dead' ? 'error' : 'warning'} showIcon title={problem} />}
      <dl className={styles.facts}>
        {Object.entries(factsOf(delivery)).map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <SendAgain delivery={delivery} onChanged={onChanged} />
      <h3>Body</h3>
      <pre className={styles.text}>{body === null ? 'The body can’t be opened any more.' : formatBody(body)}</pre>
      <h3>Attempts</h3>
      {log.length === 0 && <p className={styles.hint}>None yet.</p>}
      {log.toReversed().map((attempt) => (
        <Attempt key={attempt.at} attempt={attempt} />
      ))}
      <p className={styles.hint}>Times are in {localZone()}.</p>
    </>
  )
}

const factsOf = ({ webhook, webhookId, state, at, attempts, nextAt, expiresAt, doneAt }: DeliveryDetails) => ({
  Status: <StateTag tone={deliveryTone[state]}>{deliveryStateLabel[state]}</StateTag>,
  Webhook: webhook.url,
  'Webhook ID': <code>{webhookId}</code>,
  Created: timestamp(at),
  Attempts: attempts,
  ...(nextAt && { 'Next attempt': timestamp(nextAt) }),
  ...(doneAt ? { Done: timestamp(doneAt) } : { 'Tried until': timestamp(expiresAt) }),
})

const Attempt = ({ attempt: { at, ms, isAccepted, result, answer } }: { attempt: DeliveryAttempt }) => (
  <section className={styles.attempt}>
    <StateTag tone={isAccepted ? 'driving' : 'bad'}>{`${timestamp(at)} · ${result} · ${ms} ms`}</StateTag>
    {answer && <pre className={styles.text}>{answer}</pre>}
  </section>
)

function SendAgain({ delivery: { uid, state }, onChanged }: { delivery: DeliveryDetails; onChanged: () => void }) {
  const mayEdit = useMay(webhookDeliveries.sendAgain)
  const sendAgain = useSave(webhookDeliveries.sendAgain)
  const notice = useNotice()
  if (!mayEdit || state === 'waiting') return null
  const act = async () => {
    try {
      await sendAgain.mutateAsync({ params: { uid } })
      notice('The message is sent again.')
      onChanged()
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
  }
  return (
    <div className={styles.actions}>
      <Button type="primary" loading={sendAgain.isPending} onClick={() => void act()}>
        Send again
      </Button>
      <span className={styles.hint}>It keeps its webhook ID, so the receiver can tell that it had it before.</span>
    </div>
  )
}
