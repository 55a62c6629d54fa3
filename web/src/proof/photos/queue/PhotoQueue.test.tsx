import { photoQueue } from '@roadshow/contract/proof/photo-queue'
import type { QueuedPhoto } from '@roadshow/contract/proof/photo-queue'
import type { BodyOf } from '@roadshow/contract/platform/endpoint'
import { pops } from '@roadshow/contract/proof/pop'
import type { PopPhoto } from '@roadshow/contract/proof/pop'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeApi, openConsole, paged, refusal, someUser } from '../../../test-console.tsx'
import type { FakeApi } from '../../../test-console.tsx'
import { testUid } from '../../../test-uid.ts'
import { aPopPhoto, austinMarket, dallasMarket } from '../../pop/test-pop.ts'

let api: FakeApi
let stored: QueuedPhoto[]
const user = userEvent.setup({ delay: null })

const queuedPhoto = (n: number, more: Partial<QueuedPhoto> = {}): QueuedPhoto => ({
  ...aPopPhoto(n),
  client: { uid: testUid(90), name: 'Acme' },
  markets: [dallasMarket, austinMarket],
  artwork: null,
  ...more,
})
const waiting = () => stored.filter(({ status }) => status === 'waiting')
const decisions = () =>
  api.sentTo(pops.updatePhoto).map(({ body }) => {
    const { uid, status, rejection, marketUid } = body as Record<string, unknown>
    return { n: stored.findIndex((photo) => photo.uid === uid) + 1, status, rejection, marketUid }
  })

beforeEach(() => {
  api = fakeApi()
  stored = [1, 2, 3, 4].map((n) => queuedPhoto(n))
  api.answer(photoQueue.list, () => paged(waiting()))
  api.answer(pops.photo, ({ params }) => ({
    data: stored.find(({ uid }) => uid === (params as { uid: string }).uid) as PopPhoto,
  }))
  api.respond(pops.updatePhoto, ({ body: sent }) => {
    const body = sent as BodyOf<typeof pops.updatePhoto>
    const at = stored.findIndex(({ uid }) => uid === body.uid)
    const saved = stored[at] as QueuedPhoto
    if (saved.version !== body.version) return refusal('staleVersion')
    const market = [dallasMarket, austinMarket].find(({ uid }) => uid === body.marketUid) ?? null
    const changed = {
      ...saved,
      status: body.status,
      rejection: body.rejection ?? '',
      market,
      version: saved.version + 1,
    }
    stored[at] = changed
    return Response.json({ data: changed })
  })
})
afterEach(cleanup)

const openQueue = async () => {
  const opened = openConsole('/client-pop?queue=photos', { api, user: someUser('sales') })
  await screen.findByRole('button', { name: /^Approve/ })
  return opened
}
const looksAt = (n: number) => screen.findByRole('img', { name: `Elm Street ${n}` })

describe('the queue of photos', () => {
  test('is worked through with one key a photo', async () => {
    await openQueue()
    await looksAt(1)
    expect(screen.getByText('1 of 4 photos')).toBeInTheDocument()
    expect(screen.getByText('69 ft from the truck, 4 s apart')).toBeInTheDocument()
    await user.keyboard('aaaa')
    expect(await screen.findByText(/^No photos are waiting/)).toBeInTheDocument()
    expect(decisions().map(({ n, status }) => [n, status])).toEqual([1, 2, 3, 4].map((n) => [n, 'approved']))
  })

  test('goes to and fro, and rejects with a reason by its number or in words', async () => {
    await openQueue()
    await user.keyboard('{ArrowRight}j')
    await looksAt(3)
    await user.keyboard('k')
    await looksAt(2)
    await user.keyboard('r')
    expect(screen.getByRole('button', { name: /Blurry, dark or cut off/ })).toHaveFocus()
    await user.keyboard('2')
    await looksAt(3)
    await user.keyboard('r')
    await user.type(screen.getByLabelText('Another reason'), 'Taken at 4 a.m.{Enter}')
    await waitFor(() =>
      expect(decisions()).toMatchObject([
        { n: 2, status: 'hidden', rejection: 'The artwork is not visible' },
        { n: 3, status: 'hidden', rejection: 'Taken at 4 a.m.' },
      ]),
    )
    await user.keyboard('r{Escape}')
    expect(screen.queryByLabelText('Another reason')).toBeNull()
    expect(decisions()).toHaveLength(2)
  })

  test('asks for the market where it is missing', async () => {
    stored[0] = queuedPhoto(1, { market: null })
    await openQueue()
    await user.keyboard('a')
    expect(screen.getByRole('alert').textContent).toBe(
      'Choose a market first: an approved photo appears in its market.',
    )
    expect(decisions()).toEqual([])
    await user.keyboard('2a')
    await looksAt(2)
    await waitFor(() => expect(decisions()).toMatchObject([{ n: 1, status: 'approved', marketUid: austinMarket.uid }]))
  })

  test('undoes the last decision, with the market as it was', async () => {
    stored[0] = queuedPhoto(1, { market: null, markets: [dallasMarket] })
    await openQueue()
    await user.keyboard('a')
    await looksAt(2)
    await user.keyboard('u')
    await looksAt(1)
    expect(await screen.findByText('Elm Street 1 waits again.')).toBeInTheDocument()
    expect(decisions().at(-1)).toMatchObject({ n: 1, status: 'waiting', marketUid: null })
  })

  test('decides a photo again that was just put back, while the list is still old', async () => {
    const shown = paged(waiting())
    await openQueue()
    let isOld = true
    api.answer(photoQueue.list, () => (isOld ? shown : paged(waiting())))
    await user.keyboard('aau')
    await looksAt(2)
    await user.keyboard('aaa')
    await waitFor(() => expect(waiting()).toEqual([]))
    expect(decisions().map(({ n, status }) => `${n} ${String(status)}`)).toEqual([
      '1 approved',
      '2 approved',
      '2 waiting',
      '2 approved',
      '3 approved',
      '4 approved',
    ])
    isOld = false
    expect(await screen.findByText(/^No photos are waiting/)).toBeInTheDocument()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('shows a decided photo again that someone lets wait', async () => {
    const { queries } = await openQueue()
    await user.keyboard('aaaa')
    await screen.findByText(/^No photos are waiting/)
    await waitFor(() => expect(waiting()).toEqual([]))
    stored[2] = { ...(stored[2] as QueuedPhoto), status: 'waiting', version: 9 }
    await queries.invalidateQueries()
    await looksAt(3)
  })

  test('tells who decided a photo that leaves, and overwrites nothing', async () => {
    await openQueue()
    stored[0] = decidedBy(stored[0] as QueuedPhoto)
    await user.keyboard('a')
    expect(await screen.findByText('Elm Street 1 left the queue: approved by Sam Lee.')).toBeInTheDocument()
    expect(stored[0]?.changedBy?.name).toBe('Sam Lee')
    await looksAt(2)
  })

  test('is closed to drivers and clients', async () => {
    openConsole('/client-pop?queue=photos', { api, user: someUser('client') })
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull())
    expect(api.sentTo(photoQueue.list)).toEqual([])
  })
})

const decidedBy = (photo: QueuedPhoto): QueuedPhoto => ({
  ...photo,
  status: 'approved',
  changedBy: { uid: testUid(77), name: 'Sam Lee' },
  version: photo.version + 1,
})

describe('the way to the queue', () => {
  test('is the list of POPs, for those who may approve', async () => {
    api.answer(pops.list, () => paged([]))
    openConsole('/client-pop', { api, user: someUser('sales') })
    const link = await screen.findByRole('link', { name: 'Review photos (4)' })
    expect(link.getAttribute('href')).toBe('/client-pop?queue=photos')
    expect(within(link).queryByRole('img')).toBeNull()
  })
})
