import { fleet } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openPhones } from '../../live/driver-app/test-phone.ts'
import { storeDriverIssues } from '../../live/driver-events/index.ts'
import { fleetOf } from '../../live/players/test-fleet.ts'
import { openOutreach } from './test-outreach.ts'

const world = await openWorld()
const { db, call, people } = world
const { act, addDriving, ago, results } = await openPhones(world)
const { handle, send } = openOutreach(world)

beforeEach(async () => {
  for (const table of ['notification', 'message', 'outbound_event'] as const) await db.deleteFrom(table).execute()
})

/** Handles what was gathered, as if its seconds had passed. */
async function handleGathered(): Promise<void> {
  await sql`update outbound_event set next_at = now()`.execute(db)
  await handle()
}

const noticesOf = (userUid = people.admin.uid) =>
  db
    .selectFrom('notification')
    .select(['kind', 'subject', 'text', 'read_at as readAt'])
    .where('user_uid', '=', userUid)
    .orderBy('at')
    .execute()

test('fifty messages of one call are one notification that says 50', async () => {
  const { driver, shift } = await addDriving()
  const messages = Array.from({ length: 50 }, (_, n) => act('message', shift.uid, 60 - n, { text: `Message ${n + 1}` }))
  expect(new Set(await results(driver, messages))).toEqual(new Set(['accepted']))
  // Sent again, they count once.
  expect(new Set(await results(driver, messages))).toEqual(new Set(['duplicate']))
  // They wait for others for some seconds.
  await handle()
  expect(await noticesOf()).toEqual([])
  await handleGathered()
  const [notice, ...others] = await noticesOf()
  expect(others).toEqual([])
  expect(notice?.subject).toMatch(/^50 messages from The driver: /)
  expect(notice?.text.split('\n').slice(0, 6)).toEqual([
    ...[1, 2, 3, 4, 5].map((n) => `Message ${n}`),
    '45 more in the details of the shift.',
  ])
  // The next one is news of its own.
  expect(await results(driver, [act('message', shift.uid, 1, { text: 'One more' })])).toEqual(['accepted'])
  await handleGathered()
  expect((await noticesOf()).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^50 messages/),
    expect.stringMatching(/^Message from The driver/),
  ])
})

test('what two drivers say, and what is asked and declined, is told apart; repetitions are told once', async () => {
  const [one, other] = [await addDriving(-3), await addDriving(-3)]
  for (const { driver, shift } of [one, other]) {
    const asked = [1, 2, 3].map((n) => act('otherTruck', shift.uid, 10 - n, { truckNumber: `X-${n}` }))
    const said = [
      act('message', shift.uid, 5, { text: 'Hello' }),
      act('answer', shift.uid, 4, { answer: 'declined', reason: 'Sick' }),
    ]
    await results(driver, [...asked, ...said])
  }
  await handleGathered()
  const notices = await noticesOf()
  expect(notices.map(({ kind }) => kind).toSorted()).toEqual(
    ['driverMessage', 'shiftDeclined', 'truckRequested'].flatMap((kind) => [kind, kind]),
  )
  const asked = notices.find(({ kind }) => kind === 'truckRequested')
  expect(asked?.subject).toContain('asks for truck X-3')
  expect(asked?.text).toContain('This is the last of 3 that came together.')
})

const issueOf = (eventId: string, text: string) => ({ eventId, kind: 'mechanical', text, at: ago(10) })

test('problems of a truck that a device reports together are one notification, until the last is resolved', async () => {
  const truckUid = await fleetOf(world).addTruck({ number: 'T-50' })
  const device = await fleetOf(world).addDevice(truckUid, 'driver')
  const report = (rows: object[]) => storeDriverIssues(db, { ...device, address: '' }, rows)
  await report([issueOf('0', 'First')])
  await handle()
  await db.updateTable('notification').set({ read_at: new Date() }).execute()
  expect((await send()).map(({ subject }) => subject)).toEqual(['T-50: Mechanical'])
  await report(Array.from({ length: 49 }, (_, n) => issueOf(String(n + 1), `Problem ${n + 1}`)))
  await report([{ ...issueOf('accident', 'Crash'), kind: 'accident' }])
  await handle()
  const [mechanical, accident, ...others] = await noticesOf()
  expect(others).toEqual([])
  expect(mechanical).toMatchObject({ subject: 'T-50: Mechanical, 50 reports', readAt: null })
  expect(mechanical?.text).toContain('“First”')
  expect(mechanical?.text).toContain('45 more among the issues of the truck.')
  expect(accident?.subject).toBe('T-50: Accident')
  expect((await send()).map(({ subject }) => subject)).toEqual(['T-50: Accident'])

  const issues = await db
    .selectFrom('truck_issue')
    .select(['uid', 'version'])
    .where('truck_uid', '=', truckUid)
    .where('kind', '=', 'mechanical')
    .orderBy('created_at')
    .execute()
  expect(issues).toHaveLength(50)
  const resolve = async (some: typeof issues) => {
    for (const { uid, version } of some)
      await call(fleet.resolve, { body: { uid, version, status: 'resolved', note: '' } })
    await handle()
  }
  await resolve(issues.slice(0, -1))
  expect((await noticesOf()).map(({ subject }) => subject)).toEqual(['T-50: Mechanical', 'T-50: Accident'])
  await resolve(issues.slice(-1))
  expect((await noticesOf()).map(({ subject }) => subject)).toEqual([
    'T-50: Mechanical',
    'T-50: Accident',
    'Resolved: T-50: Mechanical',
  ])
})
