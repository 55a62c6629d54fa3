import { addresses, type AddressInput, type AddressSetInput } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { addProgram, call, db, people } = world

let count = 0
const place = (label: string, more: Partial<AddressInput> = {}): AddressInput => ({
  label,
  address: '1 Main St, Austin, TX 78701',
  latitude: 30.27,
  longitude: -97.74,
  radiusM: 3000,
  locatedBy: 'given',
  ...more,
})

const aSet = (programUid: string, more: Partial<AddressSetInput> = {}) => ({
  programUid,
  name: `Set ${++count}`,
  note: '',
  addresses: [place('One')],
  ...more,
})
const program = await addProgram()

describe('an address set', () => {
  test('is saved with its addresses and read in their order', async () => {
    const labels = ['Zoo', 'Alpha', '10th', '9th']
    const { status, body } = await call(addresses.create, {
      body: aSet(program.uid, { addresses: labels.map((label) => place(label)) }),
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ program: { uid: program.uid }, addressCount: 4, approximateCount: 0, version: 1 })
    expect(body.data.addresses.map(({ label }) => label)).toEqual(labels)
    expect((await call(addresses.get, { params: { uid: body.data.uid } })).body).toEqual(body)
  })

  test('keeps the uids of its addresses, which can swap their labels', async () => {
    const { data } = (
      await call(addresses.create, { body: aSet(program.uid, { addresses: [place('A'), place('B'), place('C')] }) })
    ).body
    const [a, b] = data.addresses
    const { status, body } = await call(addresses.update, {
      body: {
        ...aSet(program.uid),
        uid: data.uid,
        version: 1,
        addresses: [place('B', { uid: String(a?.uid) }), place('A', { uid: String(b?.uid), radiusM: 100 }), place('D')],
      },
    })
    expect(status).toBe(200)
    expect(body.data.version).toBe(2)
    expect(
      body.data.addresses.map(({ uid, label, radiusM }) => [uid === a?.uid, uid === b?.uid, label, radiusM]),
    ).toEqual([
      [true, false, 'B', 3000],
      [false, true, 'A', 100],
      [false, false, 'D', 3000],
    ])
    const { data: changes } = (await call(addresses.history, { params: { uid: data.uid }, query: {} })).body
    expect(changes).toHaveLength(2)
    expect(changes[0]).toMatchObject({ by: 'The admin', action: 'changed' })
    const gone = changes[0]?.fields.find(({ new: now }) => now === null)
    expect(gone).toMatchObject({ field: 'address', old: { label: 'C' } })
  })

  test('refuses an old version, and with it every change', async () => {
    const { data } = (await call(addresses.create, { body: aSet(program.uid) })).body
    const save = (name: string) =>
      call(addresses.update, { body: { ...aSet(program.uid, { name, addresses: [] }), uid: data.uid, version: 1 } })
    const answers = await Promise.all(['First', 'Second', 'Third'].map(save))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
  })

  test('says at which address something is wrong, and saves nothing', async () => {
    const bad = [place('Same'), place('same '), place('', { latitude: 91 }), place('R', { radiusM: 1 })]
    const { status, error } = await call(addresses.create, { body: aSet(program.uid, { name: 'Bad', addresses: bad }) })
    expect(status).toBe(400)
    expect(error.fields).toMatchObject({
      'addresses.2.label': 'Required.',
      'addresses.2.latitude': 'Must be a number from -90 to 90.',
      'addresses.3.radiusM': expect.stringContaining('mi'),
    })
    const twice = await call(addresses.create, { body: aSet(program.uid, { name: 'Bad', addresses: bad.slice(0, 2) }) })
    expect(twice.error.fields).toEqual({ 'addresses.1.label': 'Address 1 has this label too.' })
    // Equal to PostgreSQL only.
    const turkish = await call(addresses.create, {
      body: aSet(program.uid, { name: 'Bad', addresses: [place('ΣΑΣ'), place('σασ')] }),
    })
    expect([200, 400, 409]).toContain(turkish.status)
    const { total } = (await call(addresses.list, { query: { search: 'Bad' } })).body
    expect(total).toBe(turkish.status === 200 ? 1 : 0)
  })

  test('has a name of its own within its program', async () => {
    const body = aSet(program.uid)
    await call(addresses.create, { body })
    const again = await call(addresses.create, { body: { ...body, name: body.name.toUpperCase() } })
    expect([again.status, Object.keys(again.error.fields ?? {})]).toEqual([409, ['name']])
    const other = await addProgram()
    expect((await call(addresses.create, { body: { ...body, programUid: other.uid } })).status).toBe(200)
  })

  test('belongs to a program that exists', async () => {
    const nowhere = '01900000-0000-7000-8000-000000000000'
    const { status, error } = await call(addresses.create, { body: aSet(nowhere) })
    expect([status, error.fields]).toEqual([400, { programUid: 'Program not found.' }])
  })

  test('shows only artwork of its own program', async () => {
    const other = await addProgram()
    const artwork = async (program_uid: string) =>
      (
        await db
          .insertInto('artwork_set')
          .values({ program_uid, name: 'Red' })
          .returning('uid')
          .executeTakeFirstOrThrow()
      ).uid
    const [own, foreign] = [await artwork(program.uid), await artwork(other.uid)]
    const save = (artworkSetUid: string) =>
      call(addresses.create, { body: aSet(program.uid, { addresses: [place('A'), place('B', { artworkSetUid })] }) })
    expect((await save(foreign)).error.fields).toEqual({
      'addresses.1.artworkSetUid': 'Choose an artwork set of this program.',
    })
    const saved = await save(own)
    expect(saved.body.data.addresses[1]?.artworkSet).toEqual({ uid: own, name: 'Red' })
    // Once deleted it stays where it is.
    await db.updateTable('artwork_set').set({ deleted_at: new Date() }).where('uid', '=', own).execute()
    const [first, second] = saved.body.data.addresses
    const again = await call(addresses.update, {
      body: {
        ...aSet(program.uid, {
          addresses: [
            place('A', { uid: String(first?.uid) }),
            place('B', { uid: String(second?.uid), artworkSetUid: own }),
          ],
        }),
        uid: saved.body.data.uid,
        version: 1,
      },
    })
    expect(again.status).toBe(200)
  })

  test('cannot take an address out of another set by its uid', async () => {
    const one = (await call(addresses.create, { body: aSet(program.uid) })).body.data
    const uid = String(one.addresses[0]?.uid)
    const two = (await call(addresses.create, { body: aSet(program.uid, { addresses: [place('Mine', { uid })] }) }))
      .body.data
    expect(two.addresses[0]?.uid).not.toBe(uid)
    expect((await call(addresses.get, { params: { uid: one.uid } })).body.data.addresses[0]).toMatchObject({
      uid,
      label: 'One',
    })
    const listedTwice = await call(addresses.update, {
      body: {
        ...aSet(program.uid, { addresses: [place('A', { uid }), place('B', { uid })] }),
        uid: one.uid,
        version: 1,
      },
    })
    expect(listedTwice.error.fields).toEqual({ 'addresses.1.uid': 'This address is listed twice.' })
  })

  test('may have thousands of addresses', async () => {
    const many = Array.from({ length: 5_000 }, (_, n) =>
      place(`Shop ${n}`, { address: `${n} Long Street Name Boulevard, Houston, TX 77002` }),
    )
    const { data } = (await call(addresses.create, { body: aSet(program.uid, { addresses: many }) })).body
    expect(data.addressCount).toBe(5_000)
    const moved = data.addresses.map(({ artworkSet, ...each }, n) => ({
      ...each,
      artworkSetUid: artworkSet?.uid ?? null,
      radiusM: n === 7 ? 500 : each.radiusM,
    }))
    const again = await call(addresses.update, {
      body: { ...aSet(program.uid, { addresses: moved }), uid: data.uid, version: 1 },
    })
    expect(again.body.data.addresses[7]?.radiusM).toBe(500)
    const [newest] = (await call(addresses.history, { params: { uid: data.uid }, query: {} })).body.data
    expect(newest?.fields.filter(({ field }) => field === 'address')).toHaveLength(1)
  })

  test('is deleted softly', async () => {
    const { uid } = (await call(addresses.create, { body: aSet(program.uid) })).body.data
    expect((await call(addresses.remove, { params: { uid } })).status).toBe(200)
    expect((await call(addresses.get, { params: { uid } })).status).toBe(404)
    expect((await call(addresses.remove, { params: { uid } })).status).toBe(404)
  })
})

describe('the list of address sets', () => {
  test('is filtered by program and client, and exported', async () => {
    const mine = await addProgram()
    await call(addresses.create, {
      body: aSet(mine.uid, { name: '=Evil', addresses: [place('Z', { locatedBy: 'zip' })] }),
    })
    const byProgram = (await call(addresses.list, { query: { program: mine.uid } })).body
    const byClient = (await call(addresses.list, { query: { client: mine.client.uid } })).body
    expect(byProgram.data).toMatchObject([{ name: '=Evil', addressCount: 1, approximateCount: 1 }])
    expect(byClient).toEqual(byProgram)
    const { text } = await call(addresses.list, { query: { program: mine.uid, format: 'csv' } })
    expect(text).toContain("'=Evil")
    expect(text).toContain('# 1 row; program: Program')
  })

  test('shows a client user their own client’s sets only, also by guessing ids', async () => {
    const [mine, theirs] = [await addProgram(), await addProgram()]
    const own = (await call(addresses.create, { body: aSet(mine.uid) })).body.data
    const foreign = (await call(addresses.create, { body: aSet(theirs.uid) })).body.data
    const { token } = await world.addUser('client', ['clients'], mine.client.uid)
    const ask = (set: string) => call(addresses.get, { params: { uid: set } }, { token })
    expect((await call(addresses.list, { query: {} }, { token })).body.data.map((set) => set.uid)).toEqual([own.uid])
    expect((await call(addresses.list, { query: { client: theirs.client.uid } }, { token })).body.total).toBe(0)
    expect([(await ask(own.uid)).status, (await ask(foreign.uid)).status]).toEqual([200, 404])
    expect((await call(addresses.history, { params: { uid: foreign.uid }, query: {} }, { token })).status).toBe(404)
    expect((await call(addresses.remove, { params: { uid: own.uid } }, { token })).status).toBe(403)
    expect((await call(addresses.create, { body: aSet(mine.uid) }, { token })).status).toBe(403)
    const stranger = await world.addUser('client', ['clients'])
    expect((await call(addresses.list, { query: {} }, { token: stranger.token })).body.total).toBe(0)
  })

  test('is kept by sales and closed to drivers', async () => {
    const body = aSet(program.uid)
    expect((await call(addresses.create, { body }, { token: people.sales.token })).status).toBe(200)
    expect((await call(addresses.list, { query: {} }, { token: people.driver.token })).status).toBe(403)
  })
})
