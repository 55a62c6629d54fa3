import { addDays, type Endpoint, legacy, pops, type Role, roles, shifts } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { cameraPhoto, SHOOT_DAY, photoFile } from '../proof/photos/test-photos.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { flattened, newCall, oldCall, openPairs, pairs, type Row } from './test-pairs.ts'
import { endpointName } from './test-samples.ts'

const world = await openWorld()
const scene = await openPairs(world)
const { send, sent, kinds, inOld, program, dallas, driver, otherDriver } = scene
const { admin } = world.people
const own = await scene.addShift(driver.uid)
await scene.added(await cameraPhoto({ clock: `${SHOOT_DAY}T12:00:00` }), { shiftUid: own.uid }, driver.token)

const nothing = '01900000-0000-7000-8000-000000000000'

test('every old call has the new one that does the same beside it', () => {
  const old = Object.values(legacy).flatMap((domain): Endpoint[] => Object.values(domain))
  expect(pairs.map((pair) => endpointName(pair.old)).toSorted()).toEqual(old.map(endpointName).toSorted())
})

describe('who may make an old call may make the new one by its module', () => {
  test.each(pairs.map((pair) => [endpointName(pair.old), pair] as const))('%s', async (_, { old, now, by }) => {
    const isLetIn = async (endpoint: Endpoint, role: Role, module: (typeof by)[number]) => {
      const { token } = await world.addUser(role, [module])
      const params = { uid: nothing, programUid: nothing }
      return (await send(endpoint, { params, ...(endpoint.body && { body: {} }) }, token)).status !== 403
    }
    for (const role of roles) {
      const [byOld, byNew] = [await isLetIn(old, role, by[0]), await isLetIn(now, role, by[1])]
      expect(byOld, role).toBe(byNew)
      // Another module opens neither.
      expect(await isLetIn(old, role, 'trucks'), role).toBe(false)
    }
  })
})

describe.each(Object.entries(kinds))('a %s', (_, kind) => {
  const { old, now, fresh } = kind
  const inNew = (uid: string) => sent(now.get, { params: { uid } })

  test('that is added by the old call is in the new screen, and the other way round', async () => {
    for (const add of [old.create, now.create]) {
      const { uid } = await sent(add, { body: await fresh() })
      const [oldRow, newRow] = [await inOld(kind, uid), await inNew(uid)]
      expect(oldRow).toMatchObject(flattened(newRow))
      expect(newRow).toMatchObject({ version: 1, note: 'As it was' })
    }
  })

  test('that is changed on one side is changed on the other, where its old version answers 409', async () => {
    for (const [first, second] of [
      [old.update, now.update],
      [now.update, old.update],
    ] as const) {
      const body = await fresh()
      const { uid } = await sent(old.create, { body })
      const changed = await sent(first, { body: { ...body, note: 'Changed', uid, version: 1 } })
      expect(changed).toMatchObject({ version: 2, note: 'Changed' })
      expect(await inOld(kind, uid)).toMatchObject(flattened(await inNew(uid)))
      const late = await send(second, { body: { ...body, note: 'Too late', uid, version: 1 } })
      expect([late.status, late.error.code]).toEqual([409, 'staleVersion'])
      await sent(second, { body: { ...body, note: 'In time', uid, version: 2 } })
      expect(await inOld(kind, uid)).toMatchObject({ note: 'In time', version: 3 })
    }
  })

  test('has the same history, whichever side wrote it', async () => {
    const written = async (side: { create: Endpoint; update: Endpoint }) => {
      const body = await fresh()
      const { uid } = await sent(side.create, { body })
      await sent(side.update, { body: { ...body, note: 'Changed', uid, version: 1 } })
      const changes = await sent<{ fields: { field: string }[] }[]>(now.history, { params: { uid }, query: {} })
      return changes.map(({ fields, ...change }) => ({
        ...change,
        at: '',
        fields: fields.filter(({ field }) => field === 'note').concat(fields.map(({ field }) => ({ field }))),
      }))
    }
    const [byOld, byNew] = [await written(old), await written(now)]
    expect(byOld).toEqual(byNew)
    expect(byOld).toMatchObject([
      { action: 'changed', by: 'The admin', address: '127.0.0.1', fields: [{ old: 'As it was', new: 'Changed' }, {}] },
      { action: 'created' },
    ])
  })

  test('that is deleted on one side is gone on both', async () => {
    for (const remove of [old.remove, now.remove]) {
      const { uid } = await sent(old.create, { body: await fresh() })
      await sent(remove, { params: { uid } })
      expect([(await send(now.get, { params: { uid } })).status, await inOld(kind, uid)]).toEqual([404, undefined])
      for (const again of [old.remove, now.remove]) expect((await send(again, { params: { uid } })).status).toBe(404)
    }
  })

  test('is added once by a call that is sent twice', async () => {
    const body = await fresh()
    const headers = { 'idempotency-key': `twice-${endpointName(old.create)}` }
    const first = await send(old.create, { body }, admin.token, headers)
    expect((await send(old.create, { body }, admin.token, headers)).text).toBe(first.text)
  })
})

test('a schedule that the old call checked and saved is in the new screen, where its file changes nothing more', async () => {
  const date = addDays(SHOOT_DAY, -30)
  const cells = [date, '09:00', '17:00', own.truck.name, driver.email, program.name, dallas.name]
  const table = `Date,Start,End,Truck,Driver,Program,Market\n${cells.join(',')}\n`
  const given = (body: object) => ({ body, files: { file: [new File([table], 'plan.csv', { type: 'text/csv' })] } })
  const [byOld, byNew] = [oldCall('POST daily-schedule/upload'), newCall('POST daily-schedule/upload')]
  const checked = await sent<{ digest: string; counts: object }>(byOld, given({ save: false }))
  expect(checked.counts).toEqual({ new: 1, changed: 0, same: 0, wrong: 0 })
  expect(await sent(byNew, given({ save: false }))).toEqual(checked)
  const stale = await send(byOld, given({ save: true, digest: 'of another check' }))
  expect([stale.status, stale.error.code]).toEqual([409, 'staleVersion'])
  await sent(byOld, given({ save: true, digest: checked.digest }))
  const [planned] = await sent<Row[]>(shifts.list, { query: { from: date, to: date } })
  expect(planned).toMatchObject({ truck: { uid: own.truck.uid }, driver: { uid: driver.uid }, start: '09:00' })
  const again = await sent<{ counts: object }>(byNew, given({ save: false }))
  expect(again.counts).toEqual({ new: 0, changed: 0, same: 1, wrong: 0 })
})

describe('a POP', () => {
  const inNew = () => sent<Row & { markets: object[]; photos: number }>(pops.get, { params: { uid: program.uid } })
  const popInOld = async (token?: string) =>
    (await sent<(Row & { photos: Row[] })[]>(oldCall('GET pop/run'), { query: { uid: program.uid } }, token))[0]

  test.each([
    ['PUT pop/', { headline: 'On the road', text: 'Everywhere.' }, { headline: 'On the road' }],
    [
      'PUT pop/pop-market',
      { markets: [{ marketUid: '', headline: 'Texas' }] },
      { markets: [{ headline: 'Texas' }, {}] },
    ],
  ])('that %s changes is changed in the new screen, and the other way round', async (name, given, expected) => {
    const body = 'markets' in given ? { markets: [{ marketUid: dallas.uid, headline: 'Texas' }] } : given
    for (const change of [oldCall(name), newCall(name)]) {
      const { version } = await inNew()
      const changed = await sent(change, { body: { ...body, uid: program.uid, version } })
      expect(changed).toMatchObject({ version: version + 1, ...expected })
      const { photos: photoCount, ...row } = await inNew()
      expect(await popInOld()).toMatchObject({ ...flattened(row), ...expected, photoCount })
    }
  })

  test('gets photos by the old call as by the new one, which knows them already', async () => {
    const file = photoFile(await cameraPhoto({ clock: `${SHOOT_DAY}T13:00:00`, width: 60, height: 40 }))
    const given = { body: { shiftUid: own.uid, caption: 'Corner' }, files: { photos: [file] } }
    const [first] = await sent<{ outcome: string; photo: Row }[]>(oldCall('POST pop/'), given, driver.token)
    expect(first).toMatchObject({ outcome: 'added', photo: { caption: 'Corner', shift: { uid: own.uid } } })
    const [again] = await sent<{ outcome: string; photo: Row }[]>(newCall('POST pop/'), given, driver.token)
    expect([again?.outcome, again?.photo.uid]).toEqual(['already', first?.photo.uid])
    expect((await popInOld())?.photos.map(({ uid }) => uid)).toContain(first?.photo.uid)
    const theirs = await send(oldCall('POST pop/'), given, otherDriver.token)
    const same = await send(newCall('POST pop/'), given, otherDriver.token)
    expect([theirs.status, theirs.text]).toEqual([same.status, same.text])
  })

  test('shows a driver their own photos and a client the approved ones', async () => {
    const client = await world.addUser('client', ['pop'], scene.client.uid)
    const seen = (await popInOld(driver.token))?.photos ?? []
    expect(seen.length).toBeGreaterThan(0)
    expect((await popInOld(client.token))?.photos).toEqual([])
    await sent(pops.updatePhoto, {
      body: {
        uid: seen[0]?.uid,
        version: seen[0]?.version,
        caption: '',
        status: 'approved',
        marketUid: dallas.uid,
        shiftUid: own.uid,
      },
    })
    expect((await popInOld(client.token))?.photos).toMatchObject([{ uid: seen[0]?.uid, takenBy: null, shift: null }])
  })

  test('that the old call publishes has that version in the new screen, and the next is made there', async () => {
    for (const [index, publish] of [oldCall('POST pop/program-pop'), newCall('POST pop/program-pop')].entries()) {
      const { version } = await inNew()
      const made = await sent<{ number: number }>(publish, { body: { uid: program.uid, version, note: 'Go' } })
      expect(made).toMatchObject({ number: index + 1, note: 'Go', isShown: true })
      expect(await inNew()).toMatchObject({ state: 'published', shownVersion: index + 1 })
      expect(await popInOld()).toMatchObject({ state: 'published', shownVersion: index + 1 })
    }
    const miles = await sent(oldCall('GET pop/miles-driven'), { query: { programUid: program.uid } })
    expect(miles).toEqual(await sent(newCall('GET pop/miles-driven'), { query: { programUid: program.uid } }))
  })
})
