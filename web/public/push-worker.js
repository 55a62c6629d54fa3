// Shows notifications and opens what they are about. It answers no requests of pages, so it changes nothing about how they load.

const ANSWER_MS = 500

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { title, body, path, tag, at } = event.data?.json() ?? {}
  const options = { body, tag, icon: '/notification.png', timestamp: Date.parse(at) || Date.now(), data: { path } }
  event.waitUntil(self.registration.showNotification(title || 'New notification', options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.path))
})

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(swap(event)))

/**
 * Tells the server of the subscription that takes the place of an older one, so that notifications stay on. Without a session
 * they are off; a browser that keeps cookies from workers does it when the console is opened next.
 */
async function swap({ newSubscription }) {
  const { value: token } = (await self.cookieStore?.get('token')) ?? {}
  if (!token) return
  const calls = '/api/v1/push/browsers'
  const headers = { authorization: `Bearer ${decodeURIComponent(token)}`, 'content-type': 'application/json' }
  const { pushManager } = self.registration
  let made = newSubscription ?? (await pushManager.getSubscription())
  if (!made) {
    const answer = await fetch(calls, { headers })
    if (!answer.ok) return
    const { publicKey } = (await answer.json()).data
    made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  }
  const { endpoint, keys } = made.toJSON()
  const body = JSON.stringify({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } })
  await fetch(calls, { method: 'POST', headers, body })
}

/** Opens a page of this site in a tab that is there already, or in a new one. */
async function open(path) {
  const { origin, href } = new URL(path ?? '/notifications', self.location.origin)
  if (origin !== self.location.origin) return undefined
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  for (const tab of tabs) if (await takes(tab, href.slice(origin.length))) return tab.focus()
  return self.clients.openWindow(href)
}

/** Whether a tab shows the console and opens the page by itself, which keeps what was typed there. */
function takes(tab, path) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => resolve(true))
    port1.start()
    setTimeout(() => resolve(false), ANSWER_MS)
    tab.postMessage({ open: path }, [port2])
  })
}
