import * as z from '../platform/zod.ts'
import { instant, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

/** A browser that shows a user's notifications even while no page is open in it. */
export const pushBrowser = z.strictObject({
  uid,
  /** As people know it: `Chrome on Windows`. */
  name: z.string(),
  createdAt: instant,
  /** The last time its push service took a message. */
  acceptedAt: instant.nullable(),
  /** The browser that asks. */
  isThisOne: z.boolean(),
})
export type PushBrowser = z.infer<typeof pushBrowser>

const endpointUrl = z
  .string()
  .max(2000, 'The address of the push service is too long.')
  .refine((given) => URL.canParse(given), 'The browser gave no address of its push service.')

const base64url = (bytes: number, error: string) =>
  z
    .string()
    .refine(
      (given) => /^[\w-]+=*$/.test(given) && Math.floor((given.replace(/=+$/, '').length * 3) / 4) === bytes,
      error,
    )

const P256_POINT_BYTES = 65
const AUTH_BYTES = 16

/** What a browser's PushSubscription says. */
export const pushSubscriptionInput = z.strictObject({
  endpoint: endpointUrl,
  keys: z.strictObject({
    p256dh: base64url(P256_POINT_BYTES, "The browser's public key is malformed."),
    auth: base64url(AUTH_BYTES, "The browser's secret is malformed."),
  }),
})
export type PushSubscriptionInput = z.infer<typeof pushSubscriptionInput>

const account = { access: 'signedIn', ownRows: 'account', added: true } as const

export const push = {
  browsers: endpoint({
    ...account,
    method: 'GET',
    path: 'push/browsers',
    summary: 'The browsers that show the caller’s notifications, and the public key that a browser subscribes with.',
    follows: ['account'],
    reply: one(z.strictObject({ publicKey: z.string(), browsers: z.array(pushBrowser) })),
  }),
  subscribe: endpoint({
    ...account,
    method: 'POST',
    path: 'push/browsers',
    summary: 'Shows the caller’s notifications in this browser from now on. A browser of another user changes hands.',
    body: pushSubscriptionInput,
    repeatable: true,
    reply: one(pushBrowser),
  }),
  confirm: endpoint({
    ...account,
    method: 'POST',
    path: 'push/browsers/confirm',
    summary:
      'Says whether this browser shows the caller’s notifications. If another user turned them on here, theirs end.',
    body: z.strictObject({ endpoint: endpointUrl }),
    repeatable: true,
    reply: one(z.strictObject({ isOn: z.boolean() })),
  }),
  test: endpoint({
    ...account,
    method: 'POST',
    path: 'push/browsers/{uid}/test',
    summary: 'Sends a test notification to one of the caller’s browsers, at most once every ten seconds.',
    params: z.strictObject({ uid }),
    reply: one(z.strictObject({ uid })),
  }),
}
