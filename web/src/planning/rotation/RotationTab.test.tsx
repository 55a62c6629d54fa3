import { artworkSets } from '@roadshow/contract/catalog/artwork'
import type { ArtworkSet } from '@roadshow/contract/catalog/artwork'
import { programs } from '@roadshow/contract/catalog/programs'
import type { Program } from '@roadshow/contract/catalog/programs'
import { rotations } from '@roadshow/contract/planning/rotations'
import type { Rotation, RotationLine } from '@roadshow/contract/planning/rotations'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

let api: FakeApi
let saved: Rotation
const user = userEvent.setup({ delay: null })

const program = {
  uid: testUid(1),
  client: { uid: testUid(2), name: 'Acme' },
  name: 'Diner',
  status: 'active',
  markets: [{ uid: testUid(3), name: 'Dallas', zone: 'America/Chicago', startsOn: null, endsOn: null }],
  bookedLines: [],
  startsOn: '2026-07-01',
  endsOn: '2026-12-31',
  popUrl: 'diner',
  spotSeconds: 15,
  note: '',
  version: 4,
} as Partial<Program> as Program

const aSet = (n: number, name: string) =>
  ({
    uid: testUid(n),
    name,
    status: 'approved',
    program,
    client: program.client,
    version: 1,
  }) as Partial<ArtworkSet> as ArtworkSet
const sets = [aSet(10, 'Breakfast'), aSet(11, 'Dinner')].map((set) => ({
  ...set,
  driverSideArtwork: null,
  passengerSideArtwork: null,
  rearArtwork: null,
}))
const aLine = (n: number, name: string, more: Partial<RotationLine> = {}): RotationLine => ({
  uid: testUid(20 + n),
  artworkSet: { uid: testUid(n), name, isApproved: true },
  share: 'weight',
  amount: 1,
  from: null,
  to: null,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  spotMs: 15_000,
  ...more,
})

beforeEach(() => {
  api = fakeApi()
  saved = { uid: program.uid, version: 4, restMs: 15_000, lines: [aLine(10, 'Breakfast')] }
  api.answer(programs.list, () => paged([program]))
  api.answer(programs.get, () => ({ data: program }))
  api.answer(artworkSets.list, () => paged(sets))
  api.answer(rotations.get, () => ({ data: saved }))
})
afterEach(cleanup)

async function openTab(role: 'admin' | 'client' = 'admin') {
  openConsole(`/client-programs?open=${program.uid}&tab=rotation`, { api, user: someUser(role, ['clients']) })
  const opened = await findDialog('Diner')
  return within(await within(opened).findByRole('tabpanel', { name: 'Rotation' }))
}

/** The expected plays of each artwork. */
const plays = async () => {
  const table = await screen.findByRole('table', { name: 'Expected plays' })
  const rows = within(table).getAllByRole('row').slice(1)
  return rows.map(({ children }) => [...children].map(({ textContent }) => textContent).join(' '))
}

test('a day follows what is typed, and then it is saved', async () => {
  const tab = await openTab()
  expect(await plays()).toEqual(['Breakfast 5,760 100%'])
  await user.click(tab.getByRole('button', { name: 'Add line' }))
  const added = within(tab.getAllByRole('listitem')[1] as HTMLElement)
  await user.click(added.getByLabelText('Artwork set'))
  await user.click(await screen.findByTitle('Dinner'))
  await waitFor(async () => expect(await plays()).toEqual(['Breakfast 2,880 50%', 'Dinner 2,880 50%']))
  const weight = added.getByLabelText('Weight or plays')
  await user.clear(weight)
  await user.type(weight, '3{Tab}4p{Tab}10p{Tab}')
  // From 4 PM to 10 PM three of four: 240 spots an hour.
  await waitFor(async () => expect(await plays()).toEqual(['Breakfast 4,680 81%', 'Dinner 1,080 19%']))
  api.answer(rotations.save, () => {
    saved = { ...saved, version: 5, lines: [aLine(10, 'Breakfast'), aLine(11, 'Dinner', { amount: 3 })] }
    return { data: saved }
  })
  await user.click(tab.getByRole('button', { name: 'Save rotation' }))
  expect(await screen.findByText(/^The rotation is saved\./)).toBeInTheDocument()
  const everyDay = [1, 2, 3, 4, 5, 6, 7]
  expect(api.sentTo(rotations.save).map(({ body }) => body)).toEqual([
    {
      version: 4,
      lines: [
        { artworkSetUid: testUid(10), share: 'weight', amount: 1, from: null, to: null, weekdays: everyDay },
        { artworkSetUid: testUid(11), share: 'weight', amount: 3, from: '16:00', to: '22:00', weekdays: everyDay },
      ],
    },
  ])
})

test('plays that do not fit are told before and after it is saved, and change nothing', async () => {
  saved = { ...saved, lines: [aLine(10, 'Breakfast', { share: 'playsAnHour', amount: 200 })] }
  const tab = await openTab()
  expect(await plays()).toEqual(['Breakfast 4,800 83%', 'House artwork  17%'])
  const amount = tab.getByLabelText('Weight or plays')
  await user.clear(amount)
  await user.type(amount, '300{Tab}')
  const problem = 'Mon from 12:00 AM: the plays of an hour need 75 min of screen time, 15 min too much.'
  expect(await tab.findByText(problem)).toBeInTheDocument()
  api.respond(rotations.save, () => refusal('badInput', { fields: { lines: problem } }))
  await user.click(tab.getByRole('button', { name: 'Save rotation' }))
  await waitFor(() => expect(tab.getAllByText(problem)).toHaveLength(2))
})

test('a client reads it', async () => {
  saved = { ...saved, lines: [aLine(10, 'Breakfast', { from: '06:00', to: '10:00', weekdays: [1, 5] })] }
  const tab = await openTab('client')
  expect(await tab.findByText('6:00–10:00 AM, Mon, Fri')).toBeInTheDocument()
  expect(tab.queryByRole('button', { name: /Save|Add/ })).toBeNull()
})
