import { addDays, jump, shifts, trucks } from '@roadshow/contract'
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

test('finds shifts by truck, driver, program, market, note and day, the nearest first', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const market = await world.addMarket('Quimby')
  const program = await world.addProgram({
    name: 'Orange run',
    clientUid: acme,
    startsOn: addDays(today, -30),
    endsOn: addDays(today, 90),
    markets: [{ marketUid: market.uid }],
  })
  const driver = await world.addUser('driver')
  const truck = (await call(trucks.create, { body: { number: 'ZZ-1', kind: 'led', state: 'active' } })).body.data
  for (const [days, note] of [
    [-20, ''],
    [3, 'bring the ladder'],
    [8, ''],
  ] as const) {
    const body = {
      truckUid: truck.uid,
      driverUid: driver.uid,
      programUid: program.uid,
      marketUid: market.uid,
      date: addDays(today, days),
      start: '09:00',
      end: '17:00',
      note,
    }
    expect((await call(shifts.create, { body })).status).toBe(200)
  }
  const days = async (search: string, token?: string) =>
    (await call(jump.search, { query: { search, today } }, token === undefined ? {} : { token })).body.data.flatMap(
      ({ kind, name, begins }) => (kind === 'shift' ? [[name, begins?.date, begins?.start]] : []),
    )
  const of = (...offsets: number[]) => offsets.map((offset) => ['ZZ-1', addDays(today, offset), '09:00'])

  expect(await days('zz-1')).toEqual(of(3, 8, -20))
  expect(await days('orange quimby')).toEqual(of(3, 8, -20))
  expect(await days('ladder')).toEqual(of(3))
  const [, month, date] = addDays(today, 8).split('-')
  expect(await days(`${Number(month)}/${Number(date)} zz-1`)).toEqual(of(8))
  expect(await days(`zz-1 ${addDays(today, -20)}`)).toEqual(of(-20))
  expect(await days(`zz-1 ${addDays(today, 4)}`)).toEqual([])
  expect(await days(addDays(today, 8))).toEqual([])

  expect(await days('zz-1', driver.token)).toEqual(of(3, 8, -20))
  expect(await days('zz-1', people.driver.token)).toEqual([])
  const client = await world.addUser('client', ['clients'], acme)
  expect(await days('orange', client.token)).toEqual(of(3, 8, -20))
  // What clients may not read finds nothing: notes and drivers.
  expect(await days('ladder', client.token)).toEqual([])
  const other = await world.addUser('client', ['clients'], rival)
  expect(await days('orange', other.token)).toEqual([])
})
