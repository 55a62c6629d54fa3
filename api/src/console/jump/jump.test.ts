import { jump, trucks } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call, db, people } = world

const [acme, rival] = [(await world.addClient('Acme Foods')).uid, (await world.addClient('Rival Acme')).uid]
await world.addProgram({ name: 'Acme summer', clientUid: acme })
await world.addProgram({ name: 'Acme winter', clientUid: rival })
await db
  .insertInto('user_account')
  .values({ name: 'Acme Anna', email: 'anna@acme.test', role: 'client', modules: [] })
  .execute()
for (const [number, note] of [
  ['XQ-20', ''],
  ['Q-2', 'Acme wrap'],
  ['acme-10', ''],
  ['Acme-2', ''],
]) {
  await call(trucks.create, { body: { number: number ?? '', note: note ?? '', kind: 'led', state: 'active' } })
}

const found = async (search: string, token?: string) =>
  (await call(jump.search, { query: { search } }, token === undefined ? {} : { token })).body.data.map(
    ({ kind, name }) => `${kind} ${name}`,
  )

test('finds records of every kind, those that begin with what was typed first', async () => {
  expect(await found('acme')).toEqual([
    'truck Acme-2',
    'truck acme-10',
    'truck Q-2',
    'client Acme Foods',
    'client Rival Acme',
    'program Acme summer',
    'program Acme winter',
    'user Acme Anna',
  ])
  expect(await found('q-2')).toEqual(['truck Q-2', 'truck XQ-20'])
  expect(await found('foods acme')).toEqual(['client Acme Foods'])
})

test('answers nothing for nothing, takes % and _ for themselves, and offers few of each kind', async () => {
  expect(await found('')).toEqual([])
  expect(await found('   ')).toEqual([])
  expect(await found('%')).toEqual([])
  expect(await found('a_m')).toEqual([])
  for (let n = 1; n <= 8; n++) await world.addClient(`Many ${n}`)
  expect(await found('many')).toHaveLength(5)
})

test('offers only what the user may see', async () => {
  expect(await found('acme', people.driver.token)).toEqual([])
  expect(await found('acme', people.client.token)).toEqual([])
  expect(await found('acme', people.sales.token)).toEqual([
    'client Acme Foods',
    'client Rival Acme',
    'program Acme summer',
    'program Acme winter',
  ])
  const granted = await world.addUser('client', ['clients', 'trucks', 'users'], acme)
  expect(await found('acme', granted.token)).toEqual(['client Acme Foods', 'program Acme summer'])
  const nobodys = await world.addUser('client', ['clients'])
  expect(await found('acme', nobodys.token)).toEqual([])
})

test('forgets what is deleted', async () => {
  const { uid } = await world.addClient('Gone for good')
  expect(await found('gone for')).toEqual(['client Gone for good'])
  await db.updateTable('client').set({ deleted_at: new Date() }).where('uid', '=', uid).execute()
  expect(await found('gone for')).toEqual([])
})
