import { addDays, business, centsInMonth, delivery, listFacts, localDay, workweekOf } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { fleetOf, zoneWhereItIs } from '../../live/players/test-fleet.ts'

const world = await openWorld()
const { call, db } = world
const fleet = fleetOf(world)

const HOUR = 3_600_000
const NOON = zoneWhereItIs(12)
const now = Date.now()
const today = localDay(NOON.name, now)
const marketUid = await fleet.addMarket()
await db.updateTable('market').set({ zone: NOON.name }).where('uid', '=', marketUid).execute()

const addProgram = (startsOn: string, amount: number, priceCents: number | null) =>
  world.addProgram({
    startsOn: addDays(today, -30),
    endsOn: addDays(today, 30),
    markets: [{ marketUid }],
    bookedLines: [{ marketUid, unit: 'hours', amount, startsOn, endsOn: addDays(today, 9), priceCents }],
  })

/** A shift of four hours so many days ago. */
async function addShift(programUid: string, daysAgo: number) {
  const from = now - daysAgo * 24 * HOUR - 6 * HOUR
  const to = from + 4 * HOUR
  const times = { status: 'completed', started_at: new Date(from), stopped_at: new Date(to) }
  await fleet.addShift({ truckUid: await fleet.addTruck(), programUid, marketUid, from, to, fixedZone: NOON, ...times })
}

const figures = async () => (await call(business.figures, {})).body.data

test('the weeks add up to what the lists say, and figures of the month are the sums of their programs', async () => {
  expect(await figures()).toMatchObject({ bookedCents: null, deliveredCents: null, running: 0, programs: [] })
  const startsOn = addDays(today, -20)
  const slow = await addProgram(startsOn, 200, 3000_00)
  const brisk = await addProgram(startsOn, 12, 900_00)
  const free = await addProgram(startsOn, 40, null)
  const draft = await addProgram(startsOn, 40, 500_00)
  await db.updateTable('client_program').set({ status: 'draft' }).where('uid', '=', draft.uid).execute()
  for (const daysAgo of [1, 4, 9, 16]) for (const { uid } of [slow, brisk, free]) await addShift(uid, daysAgo)

  const { programs, weeks, month, ...sums } = await figures()
  expect(weeks.map(({ week }) => week)).toEqual(
    Array.from({ length: 12 }, (_, index) => addDays(workweekOf(localDay('America/Chicago', now)), 7 * (index - 11))),
  )
  const facts = await call(listFacts.programs, { query: { program: [slow.uid, brisk.uid, free.uid] } })
  const listed = facts.body.data.reduce((sum, { deliveredCents }) => sum + (deliveredCents ?? 0), 0)
  // 16 of 200 hours of one, and all of the other.
  expect(listed).toBe(240_00 + 900_00)
  expect(weeks.reduce((sum, { deliveredCents }) => sum + (deliveredCents ?? 0), 0)).toBe(listed)

  expect(programs.map(({ program }) => program.uid).toSorted()).toEqual([slow.uid, brisk.uid, free.uid].toSorted())
  const total = (field: 'bookedCents' | 'deliveredCents') =>
    programs.reduce((sum, program) => sum + (program[field] ?? 0), 0)
  expect(sums).toMatchObject({ bookedCents: total('bookedCents'), deliveredCents: total('deliveredCents') })
  for (const { program, state, pace, bookedCents } of programs) {
    const shown = (await call(delivery.program, { params: { uid: program.uid } })).body.data
    expect([state, pace]).toEqual([shown.state, shown.pace])
    const [line] = shown.lines
    const priceCents = line?.line.priceCents ?? null
    const ofMonth = line && priceCents !== null ? centsInMonth({ ...line.line, priceCents }, month) : null
    expect(bookedCents).toBe(ofMonth)
  }
  const { running, onPace } = sums
  expect([running, onPace, weeks.at(-1)?.running, weeks.at(-1)?.onPace]).toEqual([3, 1, 3, 1])
})

test('late starts and dark trucks are counted in their week', async () => {
  const before = (await figures()).weeks.at(-1)
  const truckUid = await fleet.addTruck()
  await db
    .insertInto('truck_issue')
    .values({ truck_uid: truckUid, kind: 'noPlays', raised_by: 'server', opened_at: new Date() })
    .execute()
  expect((await figures()).weeks.at(-1)?.dark).toBe((before?.dark ?? 0) + 1)
})
