import { auth } from '@roadshow/contract/accounts/sign-in'
import { clients } from '@roadshow/contract/catalog/clients'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, refusal, someUser } from '../test-console.tsx'
import type { FakeApi } from '../test-console.tsx'
import { checkConnection, connection } from './connection.ts'
import { takeDraft, WAITING_SAVES } from './drafts.ts'
import { beginSignOut, keepSession, savedUserUid } from './session.ts'
import { addWaitingSave, dropWaitingSave, reopenWaitingSave, sendWaitingSaves, waitingSaves } from './waiting-saves.ts'
import type { WaitingSave } from './waiting-saves.ts'

const save = (name: string, since = Date.now()): WaitingSave => ({
  idempotencyKey: `key of ${name}`.replaceAll(' ', '-'),
  method: 'PUT',
  path: clients.update.path,
  takesFiles: false,
  body: { uid: name, version: 3 },
  name,
  place: `/clients?open=${name}`,
  draft: { name: `clients/ ${name}`, typed: { mine: { note: name } } },
  since,
})

let api: FakeApi
const onSent = vi.fn<(sent: WaitingSave) => void>()
const onRefused = vi.fn<(refused: WaitingSave) => void>()
const send = () => sendWaitingSaves({ onSent, onRefused })
const sent = () => api.sentTo(clients.update).map(({ body }) => (body as { uid: string }).uid)

beforeEach(async () => {
  vi.clearAllMocks()
  api = fakeApi()
  keepSession('a-token', 'one')
  api.answer(auth.me, () => ({ data: someUser('admin') }))
  api.answer(clients.update, () => ({ data: {} as never }))
  for (const each of waitingSaves.all()) dropWaitingSave(each)
  await checkConnection()
})

test('saves are sent in order, each under its own key, and are gone', async () => {
  for (const name of ['first', 'second']) addWaitingSave(save(name))
  expect(sessionStorage.getItem(WAITING_SAVES)).toContain('second')
  await send()
  expect(sent()).toEqual(['first', 'second'])
  expect(api.sentTo(clients.update).map(({ headers }) => headers.get('idempotency-key'))).toEqual([
    'key-of-first',
    'key-of-second',
  ])
  expect(onSent).toHaveBeenCalledTimes(2)
  expect([waitingSaves.all(), sessionStorage.getItem(WAITING_SAVES)]).toEqual([[], null])
})

test('while the server is away they stay, and follow under the same key', async () => {
  for (const name of ['first', 'second']) addWaitingSave(save(name))
  api.respond(clients.update, () => Promise.reject(new TypeError('no network')))
  api.respond(auth.me, () => Promise.reject(new TypeError('no network')))
  await send()
  expect(connection.isAway()).toBe(true)
  expect([new Set(sent()), waitingSaves.all().length]).toEqual([new Set(['first']), 2])
  api.answer(auth.me, () => ({ data: someUser('admin') }))
  api.answer(clients.update, () => ({ data: {} as never }))
  await checkConnection()
  expect(connection.isAway()).toBe(false)
  await send()
  expect(sent().slice(-2)).toEqual(['first', 'second'])
  expect(new Set(api.sentTo(clients.update).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2)
})

test('a refused save keeps its words for its form, and does not hold up the others', async () => {
  for (const name of ['first', 'second']) addWaitingSave(save(name))
  let isFirst = true
  api.respond(clients.update, () => {
    const answer = isFirst ? refusal('staleVersion') : Response.json({ data: {} })
    isFirst = false
    return answer
  })
  await send()
  expect([onSent.mock.calls.length, onRefused.mock.calls.length]).toEqual([1, 1])
  const [refused] = waitingSaves.all()
  expect(refused).toMatchObject({ name: 'first', refused: { status: 409, body: { code: 'staleVersion' } } })
  if (refused) reopenWaitingSave(refused)
  expect(waitingSaves.all()).toEqual([])
  expect(takeDraft('clients/ first', savedUserUid())).toMatchObject({
    mine: { note: 'first' },
    refused: { status: 409 },
  })
})

test('after a day the server has forgotten the key: the save is looked at again instead of sent', async () => {
  addWaitingSave(save('old', Date.now() - 21 * 3_600_000))
  await send()
  expect(sent()).toEqual([])
  expect(onRefused.mock.calls[0]?.[0].refused?.body.error).toContain('waited for a day')
})

test('another user finds nothing that waits, nor does anyone after a sign-out', () => {
  addWaitingSave(save('mine'))
  keepSession('a-token', 'one')
  expect(sessionStorage.getItem(WAITING_SAVES)).toContain('mine')
  keepSession('a-token', 'other')
  expect(sessionStorage.getItem(WAITING_SAVES)).toBeNull()
  addWaitingSave(save('theirs'))
  beginSignOut()
  expect(sessionStorage.getItem(WAITING_SAVES)).toBeNull()
})
