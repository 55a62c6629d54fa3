import { clientReports } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { textOfPdf } from '../pop/pdf/test-pdf-text.ts'
import { openPops } from '../pop/test-pop.ts'
import { monthPdf } from './pdf.ts'
import { daysOfMonth, lastMonth } from './months.ts'

const world = await openWorld()
const { db, call, people } = world
const { addPop, addShift, addPlays, addTruck, austin } = await openPops(world)

const client = await world.addClient('Acme Month')
const runs = { clientUid: client.uid, startsOn: '2026-06-01', endsOn: '2026-08-31' }
const programs = [
  await addPop([austin], { ...runs, name: 'Month A' }),
  await addPop([austin], { ...runs, name: 'Month B' }),
]
await addPop([austin], { clientUid: client.uid, name: 'Later', startsOn: '2026-09-01', endsOn: '2026-09-30' })
const [truck, driver] = [await addTruck(), await world.addUser('driver')]
for (const [at, { uid }] of programs.entries()) {
  const given = { programUid: uid, marketUid: austin, truckUid: truck.uid }
  for (const date of [`2026-07-0${at + 1}`, `2026-08-0${at + 1}`]) {
    const shiftUid = await addShift({ ...given, driverUid: driver.uid, date, start: '10:00', end: '18:00' })
    await addPlays({ ...given, shiftUid, hour: `${date}T17:00:00Z`, plays: 10 * (at + 1) })
  }
}
const report = async (query: { month?: string; format?: 'pdf' }, uid = client.uid, token = people.admin.token) =>
  call(clientReports.get, { params: { uid }, query }, { token })

test('a month has the days of its own, and without one it is the last that is over', () => {
  expect(daysOfMonth('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(daysOfMonth('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' })
  expect([lastMonth('2026-01-15'), lastMonth('2026-11-01')]).toEqual(['2025-12', '2026-10'])
})

test('all programs of a client are added up over the days of a month, as JSON and as a PDF', async () => {
  const { data } = (await report({ month: '2026-07' })).body
  expect(data.programs.map(({ program, shifts, plays }) => [program.name, shifts, plays])).toEqual([
    ['Month A', 1, 10],
    ['Month B', 1, 20],
  ])
  expect(data.total).toMatchObject({ shifts: 2, plays: 30, seconds: 2 * 8 * 3600 })
  expect([data.from, data.to]).toEqual(['2026-07-01', '2026-07-31'])
  const pdf = await report({ month: '2026-07', format: 'pdf' })
  expect(pdf.headers['content-type']).toBe('application/pdf')
  expect(pdf.text.slice(0, 5)).toBe('%PDF-')
  const { data: shown } = (await report({ month: '2026-07' })).body
  const text = textOfPdf(await monthPdf(shown, { brand: 'Roadshow', now: new Date('2026-08-03T12:00:00Z') })).join('\n')
  for (const said of ['Acme Month', 'Month A', 'Month B', 'Total']) expect(text).toContain(said)
  expect((await report({ month: '2026-13' })).status).toBe(400)
})

test('a client reads the month of its own programs only, without contacts; drivers read none', async () => {
  const contacts = JSON.stringify([{ name: 'Ann', title: '', email: 'ann@example.com', phone: '' }])
  await db.updateTable('client').set({ contacts }).where('uid', '=', client.uid).execute()
  const own = await world.addUser('client', ['clients'], client.uid)
  expect((await report({ month: '2026-07' }, client.uid, own.token)).body.data).toMatchObject({
    total: { plays: 30 },
    contacts: [],
  })
  expect((await report({ month: '2026-07' }, client.uid, people.client.token)).status).toBe(404)
  expect((await report({ month: '2026-07' }, client.uid, people.driver.token)).status).toBe(403)
  expect((await report({ month: '2026-07' })).body.data.contacts).toEqual([{ name: 'Ann', email: 'ann@example.com' }])
})
