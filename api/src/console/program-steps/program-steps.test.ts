import { programProgress, type ProgramSteps } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { openTestPlan } from '../../planning/shifts/test-plan.ts'

const world = await openWorld()
const { call, db, people } = world
const plan = await openTestPlan(world)
const { market, elsewhere, program } = plan

const ask = (uid: string, token = people.admin.token) => call(programProgress.steps, { params: { uid } }, { token })
const stepsOf = async (uid: string): Promise<ProgramSteps> => {
  const { status, body, error } = await ask(uid)
  expect([status, error]).toEqual([200, body])
  return body.data
}

test('a new program has nothing, and each of its markets lacks shifts', async () => {
  expect(await stepsOf(program)).toEqual({
    artwork: { sets: 0, approved: 0, draft: null },
    addressSets: 0,
    markets: [
      { uid: market, name: 'Dallas', shifts: 0 },
      { uid: elsewhere, name: 'Austin', shifts: 0 },
    ],
    pop: { shownVersion: null, hasCompletedShifts: false },
  })
  const bare = await world.addProgram({ markets: [] })
  expect((await stepsOf(bare.uid)).markets).toEqual([])
})

test('counts shifts by market; canceled, deleted and other programs’ ones do not count', async () => {
  const { uid } = await world.addProgram({ markets: [{ marketUid: market }, { marketUid: elsewhere }] })
  const [one, canceled, deleted] = [
    await plan.plan({ programUid: uid }),
    await plan.plan({ programUid: uid }),
    await plan.plan({ programUid: uid, marketUid: elsewhere }),
  ]
  await plan.plan({ programUid: plan.other })
  await plan.move(canceled, 'cancelled', 'Rain')
  await db.updateTable('shift').set({ deleted_at: new Date() }).where('uid', '=', deleted.uid).execute()
  const found = await stepsOf(uid)
  expect(found.markets.map(({ shifts }) => shifts)).toEqual([1, 0])
  expect(found.pop.hasCompletedShifts).toBe(false)
  const [started_at, stopped_at] = [one.startsAt, one.endsAt]
  const done = { status: 'completed', started_at, stopped_at }
  await db.updateTable('shift').set(done).where('uid', '=', one.uid).execute()
  expect((await stepsOf(uid)).pop.hasCompletedShifts).toBe(true)
})

test('names the newest artwork set that waits for approval', async () => {
  const { uid } = await world.addProgram()
  const add = async (name: string, created_at: string) =>
    (
      await db
        .insertInto('artwork_set')
        .values({ program_uid: uid, name, created_at })
        .returning('uid')
        .executeTakeFirstOrThrow()
    ).uid
  await add('Older', '2026-01-01T00:00:00Z')
  const newest = await add('Newer', '2026-01-02T00:00:00Z')
  const gone = await add('Deleted', '2026-01-03T00:00:00Z')
  await db.updateTable('artwork_set').set({ deleted_at: new Date() }).where('uid', '=', gone).execute()
  await db.insertInto('address_set').values({ program_uid: uid, name: 'Stadiums' }).execute()
  expect(await stepsOf(uid)).toMatchObject({ artwork: { sets: 2, approved: 0, draft: newest }, addressSets: 1 })
})

test('is for those who change programs', async () => {
  const statusOf = async (token: string, uid = program) => (await ask(uid, token)).status
  expect(await statusOf(people.sales.token)).toBe(200)
  expect(await statusOf((await world.addUser('sales', ['pop', 'trucks'])).token)).toBe(403)
  expect(await statusOf(people.driver.token)).toBe(403)
  const { clientUid } = await db
    .selectFrom('client_program')
    .select('client_uid as clientUid')
    .where('uid', '=', program)
    .executeTakeFirstOrThrow()
  expect(await statusOf((await world.addUser('client', ['clients'], clientUid)).token)).toBe(403)
  expect(await statusOf(people.admin.token, market)).toBe(404)
})
