import type { Webhook } from '@roadshow/contract/outreach/webhooks'
import { Alert, Button } from 'antd'
import { CopyLink } from '../../ui/CopyLink.tsx'
import { SendTest } from './SendTest.tsx'
import styles from './Webhooks.module.css'

export interface ShownSecret {
  secret: string
  webhook: Webhook
}

/** The secret of an endpoint, this once, and the next step: a test. */
export const NewSecret = ({ shown: { secret, webhook }, onDone }: { shown: ShownSecret; onDone: () => void }) => (
  <>
    <Alert
      type="warning"
      role="alert"
      showIcon
      title="Copy the secret now"
      description="It is shown only this once. The receiver needs it to verify that a message comes from here."
    />
    <div className={styles.secret}>
      <CopyLink url={secret} label="Signing secret" noun="secret" />
    </div>
    <p>
      Messages are signed by the Standard Webhooks scheme, so ready-made libraries verify them. Put the secret in place
      at the receiver, then send a test event.
    </p>
    <SendTest webhook={webhook} />
    <footer className={styles.end}>
      <Button onClick={onDone}>Done</Button>
    </footer>
  </>
)
