import type { Webhook } from '@roadshow/contract/outreach/webhooks'
import { ShownOnce } from '../../ui/form/ShownOnce.tsx'
import { SendTest } from './SendTest.tsx'

export interface ShownSecret {
  secret: string
  webhook: Webhook
}

/** The secret of an endpoint, this once, and the next step: a test. */
export const NewSecret = ({ shown: { secret, webhook }, onDone }: { shown: ShownSecret; onDone: () => void }) => (
  <ShownOnce
    secret={secret}
    label="Signing secret"
    noun="secret"
    use="The receiver needs it to verify that a message comes from here."
    onDone={onDone}
  >
    <p>
      Messages are signed by the Standard Webhooks scheme, so ready-made libraries verify them. Put the secret in place
      at the receiver, then send a test event.
    </p>
    <SendTest webhook={webhook} />
  </ShownOnce>
)
