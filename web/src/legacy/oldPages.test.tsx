import { clients } from '@roadshow/contract/catalog/clients'
import { oldOverview, oldPops, oldPrograms, userSchedule } from '@roadshow/contract/legacy'
import type { OldPop, OldProgram } from '@roadshow/contract/legacy'
import { markets } from '@roadshow/contract/catalog/markets'
import { payroll } from '@roadshow/contract/pay/payroll'
import { pops } from '@roadshow/contract/proof/pop'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  answerCalendar,
  anAdjustment,
  danaDriver,
  payWeek,
  payFigures,
  aPayLine,
  aPayWeek,
} from '../pay/payroll/test-pay.ts'
import { answerPops, aPopPhoto, aPop } from '../proof/pop/test-pop.ts'
import { aShift } from '../live/fleet/test-overview.ts'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../test-console.tsx'
import type { FakeApi } from '../test-console.tsx'
import { testUid } from '../test-uid.ts'

const stamps = { createdAt: '2026-07-01T12:00:00.000Z', updatedAt: '2026-07-01T12:00:00.000Z', version: 3 }
const none = () => Response.json(paged([]))

let api: FakeApi
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
  for (const list of [clients.list, markets.list]) api.respond(list, none)
})
afterEach(cleanup)

const cell = (name: string) => screen.findByLabelText<HTMLInputElement>(name)
const bodies = (call: Parameters<FakeApi['sentTo']>[0]) => api.sentTo(call).map(({ body }) => body)

describe('old payroll', () => {
  const beside = { period: null, periods: [] }
  beforeEach(() => {
    const statement = {
      driver: danaDriver,
      figures: payFigures,
      lines: [aPayLine],
      adjustments: [anAdjustment],
      deletedAdjustments: [],
      weeks: [aPayWeek],
    }
    answerCalendar(api)
    api.answer(payroll.list, () => ({
      ...paged([
        {
          driver: danaDriver,
          ...payFigures,
        },
      ]),
      ...beside,
      totals: {
        drivers: 1,
        ...payFigures,
      },
      anomalyKinds: [],
    }))
    api.answer(payroll.statement, () => ({ data: { ...payWeek, ...beside, ...statement } }))
  })

  test('a driver’s row expands to its lines, whose pay option is typed over with a reason', async () => {
    api.respond(payroll.override, ({ body }) =>
      (body as { note: string }).note
        ? Response.json({ data: aPayLine })
        : refusal('badInput', { fields: { note: 'Required.' } }),
    )
    openConsole('/old-users/payroll?date=2026-07-08', { api })
    await user.click(await screen.findByRole('button', { name: 'Dana Reyes' }))
    await user.selectOptions(await cell('Pay option, Wed, Jul 8, 8:00 PM'), 'Half day')
    await user.click(screen.getByRole('button', { name: 'Save Wed, Jul 8, 8:00 PM' }))
    expect(await screen.findByText('Required.')).toBeInTheDocument()
    await user.type(await cell('Reason, Wed, Jul 8, 8:00 PM'), 'Left early{Enter}')
    await waitFor(() => expect(bodies(payroll.override)).toHaveLength(2))
    expect(bodies(payroll.override)[1]).toEqual({
      shiftUid: aPayLine.uid,
      version: null,
      option: 'halfDay',
      decision: null,
      note: 'Left early',
    })
    expect(screen.getByText('Advance')).toBeInTheDocument()
  })

  test('a driver reads their own', async () => {
    openConsole('/old-users/payroll?date=2026-07-08', { api, user: someUser('driver') })
    await screen.findByRole('table', { name: 'Shifts of Dana Reyes' })
    expect(api.sentTo(payroll.list)).toHaveLength(0)
    expect(screen.queryByLabelText(/^Pay option/)).toBeNull()
  })
})

test('program by client: clients are groups, sides are pictures, and a name is saved with its markets', async () => {
  const file = { uid: testUid(31), name: 'left.png', url: '/left', thumbnailUrl: '/left-small' }
  const program = (n: number, clientName: string): OldProgram => ({
    uid: testUid(n),
    clientUid: testUid(500),
    clientName,
    name: `Program ${n}`,
    status: 'active',
    note: '',
    startsOn: '2026-07-01',
    endsOn: '2026-07-31',
    popUrl: `program-${n}`,
    spotSeconds: null,
    bookedLines: [],
    ...stamps,
    markets: [
      {
        uid: testUid(900),
        name: 'Dallas',
        zone: 'America/Chicago',
        startsOn: null,
        endsOn: '2026-07-20',
      },
    ],
    artworkSetUid: testUid(600),
    artworkSetName: 'Main',
    artworkSetStatus: 'approved',
    artworkSetVersion: 1,
    artworkSetNote: '',
    driverSideArtwork: file as never,
    passengerSideArtwork: null,
    rearArtwork: null,
  })
  api.answer(oldPrograms.list, () => paged([program(2, 'Zephyr'), program(1, 'Acme')]))
  api.answer(oldPrograms.update, () => ({ data: program(1, 'Acme') }))
  openConsole('/programs/program-by-client', { api })
  const name = await cell('Program, Program 1')
  const heads = screen.getAllByRole('rowheader').map(({ textContent }) => textContent)
  expect(heads.filter((text) => text === 'Acme' || text === 'Zephyr')).toEqual(['Acme', 'Zephyr'])
  expect(screen.getByRole('link', { name: 'Driver side of Program 1: left.png' })).toBeInTheDocument()
  const statuses = within(await cell('Status, Program 1')).getAllByRole('option')
  expect(statuses.map(({ textContent }) => textContent)).toEqual(['Active', 'Paused', 'Completed'])
  await user.clear(name)
  await user.type(name, 'Fall{Enter}')
  await waitFor(() => expect(api.sentTo(oldPrograms.update)).toHaveLength(1))
  expect(bodies(oldPrograms.update)[0]).toEqual({
    uid: testUid(1),
    version: 3,
    clientUid: testUid(500),
    name: 'Fall',
    status: 'active',
    popUrl: 'program-1',
    spotSeconds: null,
    startsOn: '2026-07-01',
    endsOn: '2026-07-31',
    note: '',
    markets: [
      {
        marketUid: testUid(900),
        startsOn: null,
        endsOn: '2026-07-20',
      },
    ],
  })
})

describe('old POP', () => {
  let pop: OldPop
  beforeEach(() => {
    const { client, photos: photoCount, ...rest } = aPop()
    const photos = [aPopPhoto(1), aPopPhoto(2, { status: 'approved' })]
    pop = { ...rest, clientUid: client.uid, clientName: client.name, photoCount, photos }
    answerPops(api, { pop: aPop(), photos, versions: [] })
    api.answer(oldPops.list, () => paged([pop]))
    api.answer(oldPops.saveMarkets, ({ body }) => {
      const sent = (body as { markets: OldPop['markets'] }).markets
      const saved = pop.markets.map((market, index) => ({ ...market, headline: sent[index]?.headline ?? '' }))
      return { data: (pop = { ...pop, markets: saved, version: pop.version + 1 }) }
    })
  })

  test('market texts are saved one after the other, each on top of the one before', async () => {
    openConsole('/programs/pop', { api })
    await user.type(await cell('Headline, Dallas of Summer'), 'Big D')
    await user.type(await cell('Headline, Austin of Summer'), 'Weird')
    await user.click(screen.getByRole('button', { name: 'Save 2 rows' }))
    await screen.findByText('2 rows saved.')
    expect(bodies(oldPops.saveMarkets)).toEqual([
      {
        uid: pop.uid,
        version: 3,
        markets: [expect.objectContaining({ headline: 'Big D' }), expect.objectContaining({ headline: '' })],
      },
      {
        uid: pop.uid,
        version: 4,
        markets: [expect.objectContaining({ headline: 'Big D' }), expect.objectContaining({ headline: 'Weird' })],
      },
    ])
  })

  test('a row that is saved while another is under way waits for its turn', async () => {
    let arrive = () => undefined as void
    const underWay = new Promise<void>((resolve) => (arrive = resolve))
    api.respond(oldPops.update, async () => {
      await underWay
      return Response.json({ data: (pop = { ...pop, headline: 'Seen', version: pop.version + 1 }) })
    })
    openConsole('/programs/pop', { api })
    await user.type(await cell('Headline, Summer'), 'Seen{Enter}')
    await user.type(await cell('Headline, Dallas of Summer'), 'Big D{Enter}')
    await waitFor(() => expect(screen.getAllByText('Saving…')).toHaveLength(2))
    expect(bodies(oldPops.saveMarkets)).toEqual([])
    arrive()
    await waitFor(() => expect(bodies(oldPops.saveMarkets)).toEqual([expect.objectContaining({ version: 4 })]))
  })

  test('waiting photos are approved and the page is published from its row', async () => {
    api.answer(pops.setPhotoStatus, () => ({ data: { changed: 1 } }))
    openConsole('/programs/pop', { api })
    await user.click(await screen.findByRole('button', { name: 'Approve photos of Summer' }))
    await screen.findByText('1 photo: approved.')
    expect(bodies(pops.setPhotoStatus)).toEqual([{ uids: [testUid(101)], status: 'approved' }])
    await user.click(screen.getByRole('button', { name: 'Publish Summer' }))
    expect(await findDialog('Publish Summer')).toBeInTheDocument()
  })

  test('a client looks at photos and texts, and has nothing to press', async () => {
    openConsole('/programs/pop', { api, user: someUser('client') })
    expect(await screen.findByRole('link', { name: 'Elm Street 1, waiting, verified' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /Publish|Approve/ })).toBeNull()
    expect(screen.queryByLabelText('Headline, Dallas of Summer')).toBeNull()
  })
})

const { truck, driver, program, client, market, ...shift } = aShift
const parties = {
  truckUid: truck.uid,
  truckNumber: truck.name,
  driverUid: driver?.uid ?? null,
  driverName: driver?.name ?? null,
  programUid: program.uid,
  programName: program.name,
  clientUid: client.uid,
  clientName: client.name,
  marketUid: market.uid,
  marketName: market.name,
}

test('old overview: shifts and photos of a day as plain tables, the late ones red', async () => {
  api.answer(oldOverview.shifts, () => paged([{ ...shift, ...parties }]))
  api.answer(oldOverview.photos, () => paged([]))
  openConsole('/old-overview?date=2026-07-01', { api })
  const row = (await screen.findByRole('rowheader', { name: 'T-1' })).closest('tr')
  expect(row?.textContent).toContain('Kit Moreno')
  expect(row?.dataset.bad).toBe('true')
  expect(await screen.findByText('No photos on this day.')).toBeInTheDocument()
  for (const call of [oldOverview.shifts, oldOverview.photos])
    expect(api.sentTo(call)[0]?.query.get('day')).toBe('2026-07-01')
})

test('old user schedule: a week from Monday on, drivers as rows', async () => {
  const { ready: _ready, isLate: _late, state: _state, metres: _metres, plays: _plays, ...own } = shift
  const sets = { artworkSetUid: null, artworkSetName: null, addressSetUid: null, addressSetName: null }
  const planned = {
    ...own,
    ...parties,
    ...sets,
    payOption: null,
    note: '',
    programStatus: 'active' as const,
    reason: '',
    timesReason: '',
    shortRestHours: 7,
    driverAnswer: null,
    declineReason: '',
    requestedTruck: null,
    driverMarks: [],
    ...stamps,
  }
  const week = { driverUid: driver?.uid ?? null, driverName: driver?.name ?? null, shifts: [planned] }
  api.answer(userSchedule.list, () => paged([week]))
  openConsole('/old-schedule/user-schedule?date=2026-07-01', { api, user: someUser('driver') })
  const row = (await screen.findByRole('rowheader', { name: 'Kit Moreno' })).closest('tr') as HTMLElement
  expect(within(row).getAllByRole('cell')[3]?.textContent).toBe('8:00 AM–4:00 PM T-1 Summer Tour, Dallas')
  expect(within(row).getByTitle('Only 7 h of rest before this shift.')).toBeInTheDocument()
  expect(api.sentTo(userSchedule.list)[0]?.query.get('from')).toBe('2026-06-29')
  expect(screen.queryByRole('searchbox')).toBeNull()
})
