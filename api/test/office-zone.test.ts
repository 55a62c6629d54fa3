import {
  addDays,
  business,
  changes,
  formatDay,
  listFacts,
  localDay,
  payroll,
  settings,
  trucks,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as databaseClock from '../src/platform/db/clock.ts'
import { textOfPdf } from '../src/proof/pop/pdf/test-pdf-text.ts'

// A company goes by the day of its own office, wherever the server and the reader are.

const world = await openWorld()
const { call } = world

async function moveTo(companyZone: string) {
  const { version, values } = (await call(settings.get, {})).body.data
  expect((await call(settings.update, { body: { ...values, companyZone, version } })).status).toBe(200)
}

/** Half past ten of the last evening of November in Los Angeles, and half past midnight in Chicago. */
const EVENING = Date.parse('2026-12-01T06:30:00Z')
const isEvening = () => vi.spyOn(databaseClock, 'sharedNow').mockResolvedValue(EVENING)
afterEach(() => vi.restoreAllMocks())

let client = ''
beforeAll(async () => {
  const market = await world.addMarket('Los Angeles')
  const november = { startsOn: '2026-11-01', endsOn: '2026-11-30' }
  const line = { marketUid: market.uid, unit: 'hours' as const, amount: 10, priceCents: 900_00, ...november }
  client = (await world.addClient('Sunset Bikes')).uid
  await world.addProgram({ clientUid: client, ...november, markets: [{ marketUid: market.uid }], bookedLines: [line] })
})

test.each([
  ['America/Los_Angeles', '2026-11', 900_00],
  ['America/Chicago', '2026-12', null],
])('the month of the Overview and of the list of clients is that of an office in %s', async (zone, month, cents) => {
  await moveTo(zone)
  isEvening()
  expect((await call(business.figures, {})).body.data.month).toBe(month)
  const { data } = (await call(listFacts.clients, { query: { client: [client] } })).body
  expect(data.map(({ monthCents }) => monthCents)).toEqual([cents])
})

test('a pay statement is printed on the day of the office', async () => {
  const driver = world.people.driver.uid
  const printed = async () => {
    const query = new URLSearchParams({ driver, from: '2024-07-01', to: '2024-07-07', format: 'pdf' })
    const headers = { authorization: `Bearer ${world.people.admin.token}` }
    const { rawPayload } = await world.app.inject({ url: `/api/v1/${payroll.statement.path}?${query}`, headers })
    return textOfPdf(rawPayload).join(' ')
  }
  for (const [zone, day] of [...dayApart(), ['America/Los_Angeles', localDay('America/Los_Angeles')]] as const) {
    await moveTo(zone)
    expect(await printed()).toContain(formatDay(day))
  }
})

/** Two zones that are on different days at this moment, at every moment. */
function dayApart() {
  const [first, second] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const
  return [
    [first, localDay(first)],
    [second, localDay(second)],
  ] as const
}

test('changes without a zone are those of the office’s day', async () => {
  await call(trucks.create, { body: { number: 'LA-1', kind: 'led', state: 'active' } })
  const totalOn = async (day: string) =>
    (await call(changes.list, { query: { from: day, to: day, kind: ['truck'] } })).body.total
  const [[ahead, tomorrow], [behind, today]] = dayApart()
  await moveTo(ahead)
  expect([await totalOn(tomorrow), await totalOn(addDays(tomorrow, -2))]).toEqual([1, 0])
  await moveTo(behind)
  expect([await totalOn(today), await totalOn(addDays(today, 1))]).toEqual([1, 0])
})
