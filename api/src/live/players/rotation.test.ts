import { artworkSets, type PlayerData, programs, type RotationInput, rotations } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { type DeviceSocket, fleetOf } from './test-fleet.ts'

const world = await openWorld()
const { call, db, people } = world
const { addArtwork, addDevice, addRunning, come, openNode } = fleetOf(world)
const node = await openNode()

type Lines = RotationInput['lines']

/** A program with two approved sets and a running shift that names none of them. */
async function aProgram() {
  const running = await addRunning()
  const { programUid, art, shift } = running
  const dinner = await addArtwork(programUid)
  await db.updateTable('shift').set({ artwork_set_uid: null }).where('uid', '=', shift.uid).execute()
  return { ...running, breakfast: art, dinner }
}

const versionOf = async (uid: string) =>
  (await db.selectFrom('client_program').select('version').where('uid', '=', uid).executeTakeFirstOrThrow()).version
const save = async (uid: string, lines: Lines, token = people.admin.token, version?: number) =>
  call(rotations.save, { params: { uid }, body: { lines, version: version ?? (await versionOf(uid)) } }, { token })
const read = (uid: string, token = people.admin.token) => call(rotations.get, { params: { uid } }, { token })

const plan = async (socket: DeviceSocket): Promise<PlayerData> => {
  const answer = await socket.timeout(5000).emitWithAck('get-player-data')
  if ('error' in answer) throw new Error(answer.error)
  return answer
}
const nextPlan = (socket: DeviceSocket) =>
  new Promise<PlayerData>((resolve, reject) => {
    socket.once('get-player-data', resolve)
    setTimeout(() => reject(new Error('Nothing was pushed.')), 5000).unref()
  })

describe('the rotation of a program', () => {
  test('reaches the player of a shift that names no set, as soon as it is saved', async () => {
    const { programUid, breakfast, dinner, device, truckUid, shift } = await aProgram()
    await db.updateTable('client_program').set({ spot_seconds: 10 }).where('uid', '=', programUid).execute()
    const player = await come(node, device)
    const driver = await come(node, await addDevice(truckUid, 'driver'), 'driver')
    expect((await plan(player)).shifts[0]).toMatchObject({ uid: shift.uid, artwork: null })
    const pushed = nextPlan(player)
    const lines: Lines = [
      { artworkSetUid: breakfast.uid, share: 'weight', amount: 2, from: '06:00', to: '10:00', weekdays: [1, 2] },
      { artworkSetUid: dinner.uid, share: 'playsAnHour', amount: 30 },
    ]
    const saved = await save(programUid, lines)
    expect([saved.status, saved.body.data.lines.map(({ spotMs }) => spotMs)]).toEqual([200, [10_000, 10_000]])
    const [shown] = (await pushed).shifts
    expect(shown?.artwork?.artworkSetUid).toBe(breakfast.uid)
    expect(shown?.loop?.zone).toBe('UTC')
    expect(shown?.loop?.lines).toMatchObject([
      {
        share: { weight: 2 },
        daypart: { from: '06:00', to: '10:00', weekdays: [1, 2] },
        spotMs: 10_000,
        artwork: { artworkSetUid: breakfast.uid },
      },
      { share: { playsAnHour: 30 }, daypart: null, artwork: { artworkSetUid: dinner.uid } },
    ])
    const { rows } = await names(breakfast.uid, dinner.uid)
    const told = await driver.timeout(5000).emitWithAck('get-driver-data')
    expect('shifts' in told && told.shifts[0]?.artworkSet).toBe(rows)
    // A set of its own comes first.
    await db.updateTable('shift').set({ artwork_set_uid: dinner.uid }).where('uid', '=', shift.uid).execute()
    const [own] = (await plan(player)).shifts
    expect([own?.artwork?.artworkSetUid, own?.loop]).toEqual([dinner.uid, undefined])
  })

  test('keeps the turns of a set that is not approved any more, without its files', async () => {
    const { programUid, breakfast, dinner, device } = await aProgram()
    await db
      .updateTable('stored_file')
      .set({ duration_ms: 60_000 })
      .where('uid', '=', breakfast.files[0]?.uid ?? '')
      .execute()
    await save(programUid, [{ artworkSetUid: breakfast.uid }, { artworkSetUid: dinner.uid }])
    await call(artworkSets.withdraw, { body: { uid: breakfast.uid } })
    const [shown] = (await plan(await come(node, device))).shifts
    expect(shown?.loop?.lines.map(({ artwork, spotMs }) => [artwork?.artworkSetUid, spotMs])).toEqual([
      [undefined, 60_000],
      [dinner.uid, null],
    ])
    expect((await read(programUid)).body.data.lines.map(({ artworkSet }) => artworkSet.isApproved)).toEqual([
      false,
      true,
    ])
  })

  test('is refused with a sentence, and then as it was', async () => {
    const { programUid, breakfast } = await aProgram()
    const foreign = (await aProgram()).breakfast.uid
    const own = { artworkSetUid: breakfast.uid }
    expect((await save(programUid, [own])).status).toBe(200)
    const refusals = async (lines: Lines) => Object.entries((await save(programUid, lines)).error.fields ?? {})
    expect(await refusals([own, { artworkSetUid: foreign }])).toEqual([
      ['lines.1.artworkSetUid', 'Artwork set not found. Choose another one.'],
    ])
    expect(await refusals([{ ...own, share: 'playsAnHour', amount: 600 }])).toEqual([
      ['lines', 'Mon from 12:00 AM: the plays of an hour need 150 min of screen time, 90 min too much.'],
    ])
    expect(await refusals([{ ...own, from: '08:00' }])).toEqual([
      ['lines.0.to', 'Enter when it ends, or leave both empty.'],
    ])
    expect(await refusals([{ ...own, amount: 101 }])).toEqual([['lines.0.amount', 'Must be 100 or less.']])
    expect(await refusals([{ ...own, weekdays: [] }])).toEqual([['lines.0.weekdays', 'Choose a day of the week.']])
    const old = await save(programUid, [], people.admin.token, 1)
    expect([old.status, old.error.code]).toEqual([409, 'staleVersion'])
    expect((await read(programUid)).body.data.lines).toMatchObject([{ share: 'weight', amount: 1 }])
    const foreignLine = { program_uid: programUid, artwork_set_uid: foreign, share: 'weight', amount: 1, position: 9 }
    const bare = db.insertInto('rotation_line').values({ ...foreignLine, weekdays: [1] })
    await expect(bare.execute()).rejects.toThrow('rotation_line_of_program')
  })

  test('is read by staff and its own client, and changed by staff only', async () => {
    const { programUid, breakfast } = await aProgram()
    const client = (await call(programs.get, { params: { uid: programUid } })).body.data.client.uid
    const own = await world.addUser('client', ['clients', 'pop'], client)
    const other = await world.addUser('client', ['clients', 'pop'], (await world.addClient()).uid)
    const without = await world.addUser('sales', ['schedule'])
    const all = [people.admin, people.sales, own, other, people.driver, without]
    const reads = await Promise.all(all.map(({ token }) => read(programUid, token)))
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 404, 403, 403])
    const version = await versionOf(programUid)
    for (const { token } of [own, other, people.driver, without])
      expect((await save(programUid, [{ artworkSetUid: breakfast.uid }], token, version)).status).toBe(403)
    expect((await read(programUid)).body.data.lines).toEqual([])
  })

  test('holds its sets, and its changes are in the history of the program', async () => {
    const { programUid, breakfast, dinner } = await aProgram()
    await save(programUid, [{ artworkSetUid: breakfast.uid }, { artworkSetUid: dinner.uid, amount: 3 }])
    await save(programUid, [{ artworkSetUid: breakfast.uid }, { artworkSetUid: dinner.uid, amount: 5 }])
    const set = (await call(artworkSets.get, { params: { uid: breakfast.uid } })).body.data
    const sentence = /^The rotation of .+ still shows this artwork\. Take it out of the rotation first\.$/
    const removed = await call(artworkSets.remove, { params: { uid: set.uid } })
    expect([removed.status, removed.error.error]).toEqual([409, expect.stringMatching(sentence)])
    const rotation = `/client-programs?open=${programUid}&tab=rotation`
    expect(removed.error.inTheWay).toMatchObject([{ kind: 'rotation', screen: rotation, act: null }])
    const elsewhere = (await aProgram()).programUid
    const sides = { driverSideArtworkUid: null, passengerSideArtworkUid: null, rearArtworkUid: null }
    const body = { uid: set.uid, version: set.version, programUid: elsewhere, name: set.name, note: '', ...sides }
    const moved = await call(artworkSets.update, { body })
    expect([moved.status, moved.error.error]).toEqual([409, expect.stringMatching(sentence)])
    const { data } = (await call(programs.history, { params: { uid: programUid }, query: {} })).body
    expect(data[0]?.fields).toEqual([
      expect.objectContaining({ field: 'rotationLine', new: expect.objectContaining({ amount: 5 }) }),
    ])
    expect((await save(programUid, [{ artworkSetUid: dinner.uid }])).status).toBe(200)
    expect((await call(artworkSets.remove, { params: { uid: set.uid } })).status).toBe(200)
  })
})

async function names(...uids: string[]) {
  const found = await db.selectFrom('artwork_set').select('name').where('uid', 'in', uids).orderBy('name').execute()
  return { rows: found.map(({ name }) => name).join(', ') }
}
