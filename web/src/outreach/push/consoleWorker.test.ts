import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'

const source = await readFile(path.join(import.meta.dirname, '../../../public/console-worker.js'), 'utf8')

const subscription = (name: string) => ({
  toJSON: () => ({
    endpoint: `https://push.example.com/${name}`,
    expirationTime: null,
    keys: { p256dh: `key of ${name}`, auth: `secret of ${name}` },
  }),
})

type Handler = (event: object) => void
const fetched = vi.fn<(url: string, options: { method?: string; headers: object; body?: string }) => Promise<object>>()
const pushManager = { getSubscription: vi.fn<() => unknown>(), subscribe: vi.fn<(options: object) => unknown>() }
let token: string | undefined

/** Runs the worker in a browser that swaps its subscription. */
async function swap(newSubscription: object | null): Promise<void> {
  const handlers = new Map<string, Handler>()
  const self = {
    addEventListener: (name: string, handler: Handler) => handlers.set(name, handler),
    registration: { pushManager },
    cookieStore: { get: async () => (token === undefined ? null : { value: token }) },
  }
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
  new Function('self', 'fetch', source)(self, fetched)
  let done: unknown
  handlers.get('pushsubscriptionchange')?.({ newSubscription, waitUntil: (work: unknown) => (done = work) })
  await done
}

beforeEach(() => {
  token = 'a%20b'
  vi.resetAllMocks()
  fetched.mockResolvedValue({ ok: true, json: async () => ({ data: { publicKey: 'our key' } }) })
})

const headers = { authorization: 'Bearer a b', 'content-type': 'application/json' }
const told = (name: string) => [
  '/api/v1/push/browsers',
  {
    method: 'POST',
    headers,
    body: JSON.stringify({
      endpoint: `https://push.example.com/${name}`,
      keys: { p256dh: `key of ${name}`, auth: `secret of ${name}` },
    }),
  },
]

test('a browser that swaps its subscription tells the server of the new one', async () => {
  await swap(subscription('new'))
  expect(fetched.mock.calls).toEqual([told('new')])
})

test('a browser that only ended the old one subscribes again with the server’s key', async () => {
  pushManager.subscribe.mockReturnValue(subscription('again'))
  await swap(null)
  expect(pushManager.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: 'our key' })
  expect(fetched.mock.calls).toEqual([['/api/v1/push/browsers', { headers }], told('again')])
})

test('without a session nothing is sent', async () => {
  token = undefined
  await swap(subscription('new'))
  expect(fetched).not.toHaveBeenCalled()
})
