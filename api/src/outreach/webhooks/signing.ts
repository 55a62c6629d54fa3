import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { seal, unseal } from '../../platform/runtime/secret-box.ts'

const SECRET_BYTES = 32

/** A new secret in the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

const ownerOf = (uid: string) => `webhook ${uid}`

export const sealSecret = (secret: string, uid: string): Buffer => seal(Buffer.from(secret), ownerOf(uid))

/** The secret of an endpoint; undefined if this node has another key than the one that sealed it. */
export const openSecret = (sealed: Buffer, uid: string): string | undefined => unseal(sealed, ownerOf(uid))?.toString()

/** The header webhook-id of a message, the same over all its attempts. */
export const webhookIdOf = (messageUid: string): string => `msg_${messageUid}`

interface Signed {
  messageUid: string
  /** The time of the attempt. */
  at: Date
  body: string
}

/** The headers that prove where a message comes from: one signature for each secret that is in use. */
export function signedHeaders(secrets: readonly string[], { messageUid, at, body }: Signed): Record<string, string> {
  const id = webhookIdOf(messageUid)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}
