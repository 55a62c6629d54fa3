import type { push, PushSubscriptionInput } from '@roadshow/contract/outreach/push'
import { call, endpointWithoutSchemas } from '../../api/call.ts'

// Without schemas: the drivers' app uses this too and does without them.
const access = 'signedIn'
const subscribe = endpointWithoutSchemas<typeof push.subscribe>({ method: 'POST', path: 'push/browsers', access })
const confirm = endpointWithoutSchemas<typeof push.confirm>({ method: 'POST', path: 'push/browsers/confirm', access })
const listBrowsers = endpointWithoutSchemas<typeof push.browsers>({ method: 'GET', path: 'push/browsers', access })

const WORKER = '/console-worker.js'

/** Whether this browser can show notifications while no page is open. */
export type PushSupport = 'ready' | 'blocked' | 'needsInstall' | 'unsupported'

const isApplePhone = () => /iPhone|iPad/.test(navigator.userAgent)

export function pushSupport(): PushSupport {
  const isThere = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  if (!isThere) return isApplePhone() ? 'needsInstall' : 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : 'ready'
}

/** The subscription of this browser, without asking for anything. */
export async function findSubscription(): Promise<PushSubscription | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  const worker = await navigator.serviceWorker.getRegistration('/')
  return (await worker?.pushManager?.getSubscription()) ?? undefined
}

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const isMadeWith = ({ options }: PushSubscription, key: Uint8Array) =>
  options.applicationServerKey !== null && new Uint8Array(options.applicationServerKey).join() === key.join()

/** Waits until a worker can take pushes. Not `ready`: on a page of the drivers' app that is another worker. */
async function untilActive(worker: ServiceWorkerRegistration): Promise<void> {
  const pending = worker.installing ?? worker.waiting
  if (worker.active || !pending) return
  await new Promise<void>((resolve, reject) =>
    pending.addEventListener('statechange', () => {
      if (pending.state === 'activated') resolve()
      if (pending.state === 'redundant') reject(new Error('The worker did not start.'))
    }),
  )
}

/**
 * Asks for permission, subscribes and tells the server. Answers false if the user refuses. Call it on a click: browsers
 * refuse to ask otherwise.
 */
export async function turnOnPush(publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const worker = await navigator.serviceWorker.register(WORKER, { scope: '/', updateViaCache: 'none' })
  await untilActive(worker)
  const key = bytesOf(publicKey)
  const older = await worker.pushManager.getSubscription()
  if (older && !isMadeWith(older, key)) await older.unsubscribe()
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  await tellServer(made)
  return true
}

async function tellServer(made: PushSubscription): Promise<void> {
  // Browsers write more than this.
  const { endpoint, keys } = made.toJSON() as PushSubscriptionInput
  await call(subscribe, { body: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } } })
}

/** Ends the subscription in the browser itself. The server ends its own by a call. */
export const forgetPush = async (): Promise<void> => void (await (await findSubscription())?.unsubscribe())

/**
 * If another user turned notifications on in this browser, theirs end. A browser that has swapped its subscription keeps
 * notifications on: the server knows the older one of this session.
 */
export async function confirmPush(): Promise<void> {
  const found = await findSubscription()
  if (!found) return
  const { data } = await call(confirm, { body: { endpoint: found.endpoint } })
  if (data.isOn) return
  const { browsers } = (await call(listBrowsers, {})).data
  if (browsers.some(({ isThisOne }) => isThisOne)) await tellServer(found)
  else await found.unsubscribe()
}

/** Opens the page of a notification that was clicked, in this tab. Answers the way to stop. */
export function onNotificationClick(open: (path: string) => void): () => void {
  const listen = ({ data, ports }: MessageEvent<{ open?: unknown }>) => {
    if (typeof data?.open !== 'string') return
    ports[0]?.postMessage('opened')
    open(data.open)
  }
  navigator.serviceWorker.addEventListener('message', listen)
  return () => navigator.serviceWorker.removeEventListener('message', listen)
}
