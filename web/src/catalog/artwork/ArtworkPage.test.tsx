import { artworkSets } from '@roadshow/contract/catalog/artwork'
import type { ArtworkSet, TruckGroup } from '@roadshow/contract/catalog/artwork'
import { clients } from '@roadshow/contract/catalog/clients'
import type { FileRef } from '@roadshow/contract/platform/files'
import { programs } from '@roadshow/contract/catalog/programs'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`

const aFile = (n: number, width: number, height: number): FileRef => ({
  uid: uidOf(n),
  url: `/api/v1/files/${uidOf(n)}?signature=x`,
  thumbnailUrl: `/api/v1/files/${uidOf(n)}/thumbnail?signature=x`,
  name: `art-${n}.png`,
  contentType: 'image/png',
  size: 2_400_000,
  width,
  height,
  durationMs: null,
  sha256: 'a'.repeat(64),
})

const aSet = (more: Partial<ArtworkSet> = {}): ArtworkSet => ({
  uid: uidOf(1),
  program: { uid: uidOf(50), name: 'Summer' },
  client: { uid: uidOf(60), name: 'Acme' },
  name: 'Launch',
  status: 'draft',
  driverSideArtwork: aFile(11, 640, 320),
  passengerSideArtwork: aFile(12, 1280, 640),
  rearArtwork: aFile(13, 320, 320),
  filesHash: 'b'.repeat(64),
  approvedHash: null,
  approvedBy: null,
  approvedAt: null,
  approvalReason: '',
  note: '',
  createdAt: '2026-07-01T12:00:00.000Z',
  updatedAt: '2026-07-01T12:00:00.000Z',
  version: 3,
  ...more,
})

const panels = {
  driverSide: { width: 640, height: 320 },
  passengerSide: { width: 640, height: 320 },
  rear: { width: 400, height: 200 },
}
const groups: TruckGroup[] = [
  { pixelMap: { uid: uidOf(70), name: 'P6' }, panels, trucks: 1200, numbers: ['T-1', 'T-2'] },
  { pixelMap: null, panels: null, trucks: 1, numbers: ['T-9'] },
]

let api: FakeApi
let set: ArtworkSet
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  set = aSet()
  const empty = { data: [], page: 1, pageSize: 200, total: 0 }
  api.answer(artworkSets.list, () => ({ data: [set], page: 1, pageSize: 10, total: 1 }))
  api.answer(artworkSets.get, () => ({ data: set }))
  api.answer(artworkSets.trucks, () => ({ data: groups }))
  api.answer(programs.list, () => empty)
  api.answer(clients.list, () => empty)
})
afterEach(cleanup)

const openSet = async (role: 'admin' | 'client' = 'admin') => {
  openConsole(`/artworks?open=${uidOf(1)}`, { api, user: someUser(role, ['clients']) })
  await screen.findByText('Launch', { selector: '.ant-drawer-title' })
}

test('the list shows each set with its three sides', async () => {
  openConsole('/artworks', { api })
  await screen.findByRole('link', { name: 'Launch' })
  for (const side of ['Driver side', 'Passenger side', 'Rear'])
    expect(screen.getByRole('img', { name: side })).toBeInTheDocument()
})

test('a set is approved as it was seen', async () => {
  api.answer(artworkSets.approve, () => ({ data: aSet({ status: 'approved' }) }))
  await openSet()
  await user.click(screen.getByRole('button', { name: 'Approve' }))
  await screen.findByText('Launch is approved.')
  expect(api.sentTo(artworkSets.approve)[0]?.body).toEqual({ uid: uidOf(1), filesHash: 'b'.repeat(64) })
})

test('a set that fits no truck is approved with a reason', async () => {
  const misfit = "Launch doesn't fit the screens of any truck it is for: T-1. Enter a reason to approve it anyway."
  api.respond(artworkSets.approve, ({ body }) =>
    (body as { reason?: string }).reason
      ? Response.json({ data: aSet({ status: 'approved', approvalReason: 'Shown letterboxed' }) })
      : refusal('artworkFitsNone', { error: misfit }),
  )
  await openSet()
  await user.click(screen.getByRole('button', { name: 'Approve' }))
  await screen.findByText(misfit)
  expect(screen.getByRole('button', { name: 'Approve anyway' })).toBeDisabled()
  await user.type(screen.getByLabelText('Reason'), 'Shown letterboxed')
  await user.click(screen.getByRole('button', { name: 'Approve anyway' }))
  await screen.findByText('Launch is approved.')
  expect(api.sentTo(artworkSets.approve)[1]?.body).toMatchObject({ reason: 'Shown letterboxed' })
})

test('the reason for approving a set that fits no truck is read beside its approval', async () => {
  set = aSet({ status: 'approved', approvalReason: 'Shown letterboxed' })
  await openSet()
  expect(screen.getByText('Approved although it fits no truck: Shown letterboxed')).toBeInTheDocument()
})

test('files that changed meanwhile are not approved', async () => {
  api.respond(artworkSets.approve, () => refusal('artworkChanged'))
  await openSet()
  await user.click(screen.getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText(/The files have changed/)).toBeInTheDocument()
})

test('a set that lacks a side says so instead of offering approval', async () => {
  set = aSet({ rearArtwork: null, filesHash: null })
  await openSet()
  expect(screen.getByText('Each of the three sides needs a file before it can be approved.')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
})

test('a removed file is saved as none, and approval waits for the save', async () => {
  api.answer(artworkSets.update, () => ({ data: set }))
  await openSet()
  await user.click(screen.getAllByRole('button', { name: 'Remove' })[2] as HTMLElement)
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Approve' }).disabled).toBe(true))
  await user.click(screen.getAllByRole('button', { name: 'Save' })[0] as HTMLElement)
  await screen.findByText('Launch saved.')
  expect(api.sentTo(artworkSets.update)[0]?.body).toMatchObject({
    driverSideArtworkUid: uidOf(11),
    rearArtworkUid: null,
    version: 3,
  })
})

test('the fit is told once for all trucks of a pixel map', async () => {
  await openSet()
  await user.click(screen.getByRole('tab', { name: 'Fit' }))
  const shared = (await screen.findByText('P6')).closest('li') as HTMLElement
  expect(shared.textContent).toContain('1,200 trucks: T-1, T-2 and 1,198 more')
  expect(within(shared).getByText('Exact')).toBeInTheDocument()
  expect(within(shared).getByText('Scales')).toBeInTheDocument()
  expect(within(shared).getAllByText('Wrong ratio')).toHaveLength(2)
  expect(screen.getByText('Without a pixel map').closest('li')?.textContent).toContain('Unknown')
})

test('the truck wears the set on all three sides, to be looked at closely', async () => {
  await openSet()
  await user.click(screen.getByRole('tab', { name: 'On the truck' }))
  await user.click(screen.getByRole('button', { name: 'Look closely at the rear' }))
  const close = (await screen.findByText('art-13.png', { selector: '.ant-modal-title' })).closest(
    '[role="dialog"]',
  ) as HTMLElement
  expect(close.querySelector('image')?.getAttribute('href')).toBe(set.rearArtwork?.url)
  expect(within(close).getByRole('slider', { name: 'Zoom' })).toBeInTheDocument()
})

test('a client looks, and changes nothing', async () => {
  await openSet('client')
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
  expect(screen.getByText('art-11.png')).toBeInTheDocument()
})
