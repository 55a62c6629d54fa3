import { services, type Setup, setup, settings, type SetupKey } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test } from 'vitest'
import { startSetup } from './index.ts'

const world = await openWorld({ smtpUrl: 'smtp://localhost' })
const { call, db, people } = world

const ask = async (): Promise<Setup> => {
  const { status, body, error } = await call(setup.get, {})
  expect([status, error]).toEqual([200, body])
  return body.data
}
const lineOf = async (key: SetupKey) => (await ask()).rows.find((row) => row.key === key)
const standing = async () => (await call(setup.standing, {})).body.data

test('a company that worked before the list is neither greeted nor asked to set up', async () => {
  expect(await standing()).toEqual({ greeting: null, isUnfinished: false, demo: null })
  expect((await ask()).isUnfinished).toBe(false)
})

test('a new company is greeted step by step, and goes on where it stopped', async () => {
  await startSetup(db)
  expect(await standing()).toEqual({ greeting: 'company', isUnfinished: true, demo: null })
  const pass = async (step: 'company' | 'markets' | 'pay' | 'dates') =>
    (await call(setup.passStep, { body: { step } })).body.data.greeting
  expect([await pass('company'), await pass('company'), await pass('pay')]).toEqual(['markets', 'markets', 'markets'])
  expect([await pass('markets'), await pass('dates')]).toEqual(['dates', null])
  await startSetup(db)
  expect((await standing()).greeting).toBeNull()
})

test('the lines tick themselves as records arrive', async () => {
  // The driver of this world.
  expect((await ask()).rows.filter(({ state }) => state === 'done').map(({ key }) => key)).toEqual(['drivers'])
  const { version, values } = (await call(settings.get, {})).body.data
  await call(settings.update, { body: { ...values, companyName: 'Wheels & Ads', version } })
  expect(await lineOf('company')).toMatchObject({ state: 'done' })
  const market = await db
    .insertInto('market')
    .values({ name: 'Dallas', zone: 'America/Chicago' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  expect(await lineOf('markets')).toMatchObject({ state: 'waiting', text: '1 market, 1 without an area' })
  const truck = await db
    .insertInto('truck')
    .values({ number: 'T-1', kind: 'led', state: 'active', home_market_uid: market.uid })
    .returning('uid')
    .executeTakeFirstOrThrow()
  expect(await lineOf('trucks')).toMatchObject({ state: 'done', text: '1 truck' })
  expect(await lineOf('tracker')).toMatchObject({ state: 'open' })
  const source = await db
    .insertInto('position_source')
    .values({ name: 'Yard', kind: 'json', key_hash: Buffer.alloc(32, 1), key_start: 'abc' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const ofSource = { source_uid: source.uid, external_id: 'b1' }
  expect(await lineOf('tracker')).toMatchObject({
    state: 'waiting',
    text: expect.stringContaining('no truck has its device yet'),
  })
  await db.insertInto('unknown_tracker').values(ofSource).execute()
  expect(await lineOf('tracker')).toMatchObject({
    state: 'waiting',
    text: expect.stringContaining('1 id that no truck has'),
  })
  await db.deleteFrom('unknown_tracker').execute()
  await db
    .insertInto('truck_tracker')
    .values({ ...ofSource, truck_uid: truck.uid })
    .execute()
  expect(await lineOf('tracker')).toMatchObject({ state: 'waiting', text: '1 truck connected, no position yet' })
  const at = new Date(Date.now() - 3000).toISOString()
  await db.insertInto('truck_now').values({ truck_uid: truck.uid, at }).execute()
  const placedBy = (source_uid: string, last_at: string) =>
    db
      .insertInto('truck_source')
      .values({ truck_uid: truck.uid, source_uid, last_at })
      .onConflict((known) => known.columns(['truck_uid', 'source_uid']).doUpdateSet({ last_at }))
      .execute()
  // The driver's phone, the player and files are no trackers.
  for (const kind of ['phone', 'player', 'file']) {
    const { uid } = await db
      .selectFrom('position_source')
      .select('uid')
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
    await placedBy(uid, at)
    expect([kind, await lineOf('tracker')]).toMatchObject([kind, { state: 'waiting' }])
    await db.deleteFrom('truck_source').where('source_uid', '<>', uid).execute()
  }
  // What the tracker sent before them counts, and ticks the line.
  const before = new Date(Date.parse(at) - 600_000).toISOString()
  await placedBy(source.uid, before)
  const earlier = await lineOf('tracker')
  expect([earlier?.state, Date.parse(earlier?.at ?? '')]).toEqual(['done', Date.parse(before)])
  await db.deleteFrom('truck_source').where('source_uid', '<>', source.uid).execute()
  const line = await lineOf('tracker')
  expect(line).toMatchObject({ state: 'done', text: 'Last position of T-1' })
  expect(Date.parse(line?.at ?? '')).toBe(Date.parse(at))
  expect(await lineOf('screens')).toMatchObject({ state: 'open', text: '1 LED truck, no screen paired yet' })
  await world.addProgram()
  expect(await lineOf('program')).toMatchObject({ state: 'done' })
})

test('a test email goes to the admin who asks, and delivering it ticks the line', async () => {
  expect(await lineOf('mail')).toMatchObject({ state: 'open' })
  const { isWorking, text } = (await call(services.testConnection, { body: { key: 'mail' } })).body.data
  expect([isWorking, text]).toEqual([true, `The mail server took an email to ${people.admin.email}.`])
  expect(world.mails.at(-1)).toMatchObject({ to: people.admin.email, subject: 'Test email of Wheels & Ads' })
  expect(await lineOf('mail')).toMatchObject({ state: 'done', text: 'Last email delivered' })
})

test('the second factor is that of the admin who looks', async () => {
  const { uid } = await world.addUser('admin')
  await db
    .insertInto('code_app')
    .values({ user_uid: uid, secret: Buffer.alloc(20), added_at: new Date() })
    .execute()
  expect(await lineOf('secondFactor')).toMatchObject({ state: 'open' })
})

test('an admin puts the list away, and takes it out again', async () => {
  const put = async (isDismissed: boolean) =>
    (await call(setup.dismiss, { body: { isDismissed } })).body.data.isUnfinished
  expect([await put(true), (await standing()).isUnfinished, await put(false)]).toEqual([false, false, true])
})

test('the first published proof ends it', async () => {
  const { uid } = await world.addProgram()
  const published = { program_uid: uid, number: 1, document: '{}', sha256: 'a'.repeat(64), opening: '{}' }
  await db.insertInto('pop_version').values(published).execute()
  expect(await standing()).toMatchObject({ isUnfinished: false })
  expect(await lineOf('pop')).toMatchObject({ state: 'done' })
})

test('only admins set up', async () => {
  for (const { token } of [people.sales, people.driver, people.client]) {
    const answers = await Promise.all([
      call(setup.get, {}, { token }),
      call(setup.standing, {}, { token }),
      call(setup.passStep, { body: { step: 'pay' } }, { token }),
      call(setup.dismiss, { body: { isDismissed: true } }, { token }),
      call(
        setup.emptyDemo,
        { body: { confirm: 'x', name: 'x', email: 'x@example.com', password: 'x'.repeat(12) } },
        { token },
      ),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
  }
})
