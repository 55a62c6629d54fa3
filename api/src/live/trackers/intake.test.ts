import { API_BASE, auditLog, type ErrorBody, sources, truckTrackers, trucks } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { openTrackers, postJson } from './test-trackers.ts'

const world = await openWorld()
const { db, call, people, openNode, openSecondNode } = world
const { addSource, addTruck, positionsOf, sourceOf } = openTrackers(world)
const node = await openNode(() => [])
const otherNode = await openSecondNode(() => [])

// Recent days have partitions and are kept, and the clock of the database is not that of the test.
const NOON = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 12 * 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()
const batchUrl = `${node}${API_BASE}/telemetry/positions`
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const textOf = async (answer: Response) => ((await answer.json()) as ErrorBody).error

describe('the OsmAnd protocol', async () => {
  const osmand = await addSource('osmand')

  test('places a truck by a query, with the key in the path, in the query or in the header', async () => {
    const truck = await addTruck('phone-1', osmand.uid)
    const place = `lat=32.78&lon=-96.8&speed=10&bearing=90&accuracy=5&altitude=130&batt=80&unknown=1`
    const seconds = NOON / 1000
    const answers = [
      await fetch(`${node}/track/${osmand.key}?id=phone-1&timestamp=${seconds}&${place}`),
      await fetch(`${node}/track?key=${osmand.key}&deviceid=phone-1&timestamp=${(seconds + 10) * 1000}&${place}`),
      await fetch(`${node}/track?id=phone-1&timestamp=${iso(NOON + 20_000)}&location=32.79,-96.81`, {
        method: 'POST',
        headers: bearer(osmand.key),
      }),
    ]
    for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(await positionsOf(truck)).toEqual([
      '12:00:00.000 32.78 -96.8 18.5',
      '12:00:10.000 32.78 -96.8 18.5',
      '12:00:20.000 32.79 -96.81',
    ])
  })

  test('places it by a form', async () => {
    const truck = await addTruck('phone-2', osmand.uid)
    const body = new URLSearchParams({ id: 'phone-2', timestamp: String(NOON / 1000), lat: '32.7', lon: '-96.7' })
    expect((await fetch(`${node}/track/${osmand.key}`, { method: 'POST', body })).status).toBe(200)
    expect(await positionsOf(truck)).toEqual(['12:00:00.000 32.7 -96.7'])
  })

  test('places it by the JSON of Traccar Client 9, one location or several', async () => {
    const truck = await addTruck('phone-3', osmand.uid)
    const location = (ms: number, speed: number) => ({
      timestamp: iso(ms),
      coords: { latitude: 32.7, longitude: -96.7, accuracy: 8, speed, heading: 180, altitude: 100 },
      is_moving: speed > 0,
      odometer: 1200.5,
      event: 'motionchange',
      battery: { level: 0.8, is_charging: false },
      activity: { type: 'in_vehicle' },
      extras: {},
    })
    const one = { location: location(NOON, 15), device_id: 'phone-3' }
    const several = { location: [location(NOON + 2000, -1), location(NOON + 1000, 0)], device_id: 'phone-3' }
    for (const body of [one, several]) expect((await postJson(`${node}/track/${osmand.key}`, body)).status).toBe(200)
    expect(await positionsOf(truck)).toEqual([
      '12:00:00.000 32.7 -96.7 54',
      '12:00:01.000 32.7 -96.7 0',
      '12:00:02.000 32.7 -96.7',
    ])
    const now = await db.selectFrom('truck_now').select(['heading']).where('truck_uid', '=', truck).executeTakeFirst()
    expect(now).toEqual({ heading: 180 })
  })

  test('answers 400 with a sentence for an unknown id, and the id is listed until a truck has it', async () => {
    const url = (seconds: number) => `${node}/track/${osmand.key}?id=new-1&lat=32&lon=-96&timestamp=${seconds}`
    const answers = [await fetch(url(NOON / 1000)), await fetch(url(NOON / 1000 + 5))]
    expect(answers.map(({ status }) => status)).toEqual([400, 400])
    expect(await textOf(answers[0] as Response)).toBe('No truck has the id new-1 at this source.')
    const { body } = await call(truckTrackers.unknown, {})
    expect(body.data.find(({ externalId }) => externalId === 'new-1')).toMatchObject({ fixes: 2, kind: 'osmand' })
    expect((await sourceOf(osmand.uid))?.unknownIds).toBe(1)
    const truck = await addTruck('new-1', osmand.uid)
    expect((await sourceOf(osmand.uid))?.unknownIds).toBe(0)
    expect((await fetch(url(NOON / 1000))).status).toBe(200)
    expect(await positionsOf(truck)).toHaveLength(1)
  })

  test('the history of a truck has its trackers, and who changed them', async () => {
    const truck = await addTruck('told-1', osmand.uid)
    await call(truckTrackers.add, { params: { uid: truck }, body: { sourceUid: osmand.uid, externalId: 'told-2' } })
    for (const externalId of ['told-1', 'told-2'])
      await call(truckTrackers.remove, { params: { uid: truck }, query: { sourceUid: osmand.uid, externalId } })
    const { data } = (await call(trucks.history, { params: { uid: truck }, query: {} })).body
    const [one, both, other] = ['told-1', 'told-1, told-2', 'told-2'].map((ids) =>
      ids.replaceAll(/told/g, `${osmand.name}: told`),
    )
    const told = data.flatMap(({ by, fields }) =>
      fields.filter(({ field }) => field === 'tracker').map((change) => [by !== null, change.old, change.new]),
    )
    expect(told).toEqual([
      [true, other, null],
      [true, both, other],
      [true, one, both],
      [true, null, one],
    ])
  })

  test.each([
    ['no id', `lat=32&lon=-96&timestamp=${NOON}`, /id of the tracker/],
    ['no place', `id=phone-9&timestamp=${NOON}`, /latitude or longitude is missing/],
    ['no time', 'id=phone-9&lat=32&lon=-96', /time is missing/],
    ['a place off the earth', `id=phone-9&lat=132&lon=-96&timestamp=${NOON}`, /outside of its range/],
  ])('answers 400 and says why with %s', async (_, query, sentence) => {
    const answer = await fetch(`${node}/track/${osmand.key}?${query}`)
    expect(answer.status).toBe(400)
    expect(await textOf(answer)).toMatch(sentence)
    expect(await sourceOf(osmand.uid)).toMatchObject({ lastError: expect.stringMatching(sentence) })
  })

  test('a tracker without a GPS fix is answered 200, and its place is not stored', async () => {
    const truck = await addTruck('phone-4', osmand.uid)
    const url = `${node}/track/${osmand.key}?id=phone-4&timestamp=${NOON}`
    for (const place of ['lat=0&lon=0', 'lat=32&lon=-96&valid=false'])
      expect((await fetch(`${url}&${place}`)).status).toBe(200)
    expect(await positionsOf(truck)).toEqual([])
  })

  test('a clock ahead is not stored, is answered 200, and shows at the source', async () => {
    const truck = await addTruck('phone-5', osmand.uid)
    const answer = await fetch(
      `${node}/track/${osmand.key}?id=phone-5&lat=32&lon=-96&timestamp=${Date.now() + 3_600_000}`,
    )
    expect([answer.status, await answer.text()]).toEqual([200, "This time is in the future. Check the device's clock."])
    expect(await positionsOf(truck)).toEqual([])
    expect(await sourceOf(osmand.uid)).toMatchObject({ lastError: expect.stringMatching(/in the future/) })
  })
})

describe('positions that a Traccar server forwards, by their documented shape: a real Traccar is not to be had here', async () => {
  const traccar = await addSource('traccar')

  const forwarded = (id: string, given: object = {}) => ({
    position: {
      id: 4711,
      deviceId: 12,
      protocol: 'teltonika',
      serverTime: iso(NOON + 900),
      deviceTime: iso(NOON),
      fixTime: iso(NOON),
      outdated: false,
      valid: true,
      latitude: 32.78,
      longitude: -96.8,
      altitude: 130,
      speed: 10,
      course: 270,
      accuracy: 0,
      attributes: {
        ignition: true,
        motion: true,
        distance: 12.4,
        totalDistance: 9000.1,
        odometer: 120_500,
        hours: 7200000,
      },
      ...given,
    },
    device: { id: 12, name: 'Truck 7', uniqueId: id, status: 'online' },
  })

  test('place a truck, with its heading, motion and odometer', async () => {
    const truck = await addTruck('861234567890123', traccar.uid)
    const answer = await postJson(`${node}/track`, forwarded('861234567890123'), bearer(traccar.key))
    expect(answer.status).toBe(200)
    expect(await positionsOf(truck)).toEqual(['12:00:00.000 32.78 -96.8 18.5'])
    const now = db.selectFrom('truck_now').select(['heading', 'is_driving']).where('truck_uid', '=', truck)
    expect(await now.executeTakeFirst()).toEqual({ heading: 270, is_driving: true })
    const reading = db.selectFrom('odometer_reading').select('metres').where('truck_uid', '=', truck)
    expect(await reading.execute()).toEqual([{ metres: 120_500 }])
  })

  test('that only repeat a place or have no fix place nothing', async () => {
    const truck = await addTruck('t-outdated', traccar.uid)
    for (const given of [{ outdated: true }, { valid: false }]) {
      const answer = await postJson(`${node}/track`, forwarded('t-outdated', given), bearer(traccar.key))
      expect(answer.status).toBe(200)
    }
    expect(await positionsOf(truck)).toEqual([])
  })

  test('that are sent again change nothing', async () => {
    const truck = await addTruck('t-again', traccar.uid)
    for (let n = 0; n < 3; n++)
      expect((await postJson(`${node}/track`, forwarded('t-again'), bearer(traccar.key))).status).toBe(200)
    expect(await positionsOf(truck)).toHaveLength(1)
    expect(await sourceOf(traccar.uid)).toMatchObject({
      lastAddress: '127.0.0.1',
      lastFixAt: iso(NOON).replace('.000', ''),
    })
  })
})

describe('a JSON batch', async () => {
  const json = await addSource('json')
  const send = (positions: unknown, key = json.key, url = batchUrl) => postJson(url, { positions }, bearer(key))
  const rowsOf = async (answer: Response) => ((await answer.json()) as { rows: object[] }).rows

  test('answers each row in its place', async () => {
    const truck = await addTruck('b-1', json.uid)
    const row = { tracker: 'b-1', latitude: 32.5, longitude: -96.5, speed: 30, speedUnit: 'mph' }
    const answer = await send([
      { ...row, id: 'one', at: iso(NOON) },
      { ...row, id: 'twice', at: NOON },
      { ...row, id: 'ahead', at: Date.now() + 3_600_000 },
      { ...row, id: 'old', at: '1999-01-01T00:00:00Z' },
      { ...row, id: 'whose', at: NOON, tracker: 'nobody' },
      { ...row, id: 'nowhere', at: NOON, latitude: 91 },
      { ...row, id: 'wordy', at: NOON, latitude: 'north' },
      { ...row, id: 'more', at: NOON, other: 1 },
      'not a row',
      { ...row, id: 'last', at: NOON / 1000 + 60, speed: null },
    ])
    expect(answer.status).toBe(200)
    expect(await rowsOf(answer)).toEqual([
      { id: 'one', result: 'accepted' },
      { id: 'twice', result: 'duplicate' },
      { id: 'ahead', result: 'later', reason: "This time is in the future. Check the device's clock." },
      { id: 'old', result: 'rejected', reason: 'This time is older than the data that is kept.' },
      { id: 'whose', result: 'rejected', reason: 'No truck has the id nobody at this source.' },
      { id: 'nowhere', result: 'rejected', reason: 'The latitude or longitude is outside of its range.' },
      { id: 'wordy', result: 'rejected', reason: 'latitude: Must be a number.' },
      { id: 'more', result: 'rejected', reason: expect.any(String) },
      { id: '', result: 'rejected', reason: expect.any(String) },
      { id: 'last', result: 'accepted' },
    ])
    expect(await positionsOf(truck)).toEqual(['12:00:00.000 32.5 -96.5 48.3', '12:01:00.000 32.5 -96.5'])
  })

  test('of a thousand rows is taken, and sent again every row is a duplicate', async () => {
    const truck = await addTruck('b-1000', json.uid)
    const rows = Array.from({ length: 1000 }, (_, n) => ({
      tracker: 'b-1000',
      at: NOON + n * 1000,
      latitude: 32 + n / 10_000,
      longitude: -96,
    }))
    const results = async () =>
      new Set((await rowsOf(await send(rows))).map((row) => (row as { result: string }).result))
    expect(await results()).toEqual(new Set(['accepted']))
    const before = await positionsOf(truck)
    expect(before).toHaveLength(1000)
    expect(await results()).toEqual(new Set(['duplicate']))
    expect(await positionsOf(truck)).toEqual(before)
    const more = await send([...rows, rows[0]])
    expect([more.status, JSON.stringify(await more.json())]).toEqual([
      400,
      expect.stringMatching(/At most 1000 positions/),
    ])
  })

  test.each([
    ['no list', { positions: 'all' }],
    ['another field', { positions: [], more: 1 }],
    ['a list', []],
    ['no JSON', '{"positions":[{'],
    ['nothing', 'null'],
  ])('with %s is refused', async (_, body) => {
    const answer = await postJson(batchUrl, body, bearer(json.key))
    expect(answer.status).toBe(400)
    expect(await textOf(answer)).not.toBe('')
  })
})

describe('a key', async () => {
  const [json, osmand] = [await addSource('json'), await addSource('osmand')]
  const row = { at: NOON, latitude: 32.5, longitude: -96.5 }
  const statusOf = async (url: string, key: string, positions: unknown[] = []) =>
    (await postJson(url, { positions }, bearer(key))).status

  test('is shown once, and only its hash is stored', async () => {
    const { rows } = await db.executeQuery<{ all: string }>({
      sql: `select row_to_json(s)::text as all from position_source s where uid = '${json.uid}'`,
      parameters: [],
      query: { kind: 'RawNode' } as never,
      queryId: { queryId: 'key' },
    })
    expect(rows[0]?.all).not.toContain(json.key.slice(json.keyStart.length))
    expect(JSON.stringify((await call(sources.list, {})).body)).not.toContain(json.key.slice(json.keyStart.length))
    expect(json.key.startsWith(json.keyStart)).toBe(true)
  })

  test('ends at once on every node, and a new one ends the one before', async () => {
    const other = `${otherNode}${API_BASE}/telemetry/positions`
    expect([await statusOf(batchUrl, json.key), await statusOf(other, json.key)]).toEqual([200, 200])
    const { key } = (await call(sources.renewKey, { params: { uid: json.uid } })).body.data
    expect([await statusOf(batchUrl, json.key), await statusOf(other, json.key)]).toEqual([401, 401])
    expect([await statusOf(batchUrl, key), await statusOf(other, key)]).toEqual([200, 200])
    const { body } = await call(sources.revoke, { params: { uid: json.uid } })
    expect(body.data.state).toBe('revoked')
    expect([await statusOf(batchUrl, key), await statusOf(other, key)]).toEqual([401, 401])
    const { body: log } = await call(auditLog.list, { query: {} })
    const told = log.data.filter(({ subject }) => subject?.startsWith(json.name)).map(({ kind }) => kind)
    expect(told).toEqual(['trackerKeyEnded', 'trackerKeyCreated', 'trackerKeyCreated'])
  })

  test('places only the trucks of its own source', async () => {
    const own = await addSource('json')
    const truck = await addTruck('mine', osmand.uid)
    const sent = await postJson(batchUrl, { positions: [{ ...row, tracker: 'mine' }] }, bearer(own.key))
    expect(await sent.json()).toMatchObject({ rows: [{ result: 'rejected' }] })
    expect(await positionsOf(truck)).toEqual([])
  })

  test('of one kind is none of another, and reads nothing', async () => {
    expect(await statusOf(batchUrl, osmand.key)).toBe(401)
    const own = await addSource('json')
    expect((await fetch(`${node}/track/${own.key}?id=x&lat=1&lon=1&timestamp=${NOON}`)).status).toBe(401)
    for (const path of [
      trucks.list.path,
      sources.list.path,
      truckTrackers.unknown.path,
      'overview/figures',
      'user/run',
    ])
      expect((await fetch(`${node}${API_BASE}/${path}`, { headers: bearer(own.key) })).status).toBe(401)
  })

  test.each([
    ['no key', ''],
    ['a session', people.admin.token],
    ['a key with another letter', `${osmand.key.slice(0, -1)}${osmand.key.endsWith('a') ? 'b' : 'a'}`],
    ['a key of the right shape', `rt_${'A'.repeat(50)}`],
  ])('%s is none', async (_, key) => {
    const answer = await postJson(batchUrl, { positions: [] }, key === '' ? {} : bearer(key))
    expect([answer.status, await textOf(answer)]).toEqual([401, 'This tracker key is unknown or was revoked.'])
    expect((await fetch(`${node}/track/${key}?id=x&lat=1&lon=1&timestamp=${NOON}`)).status).toBe(401)
  })
})

describe('hostile bodies', async () => {
  const osmand = await addSource('osmand')
  const url = `${node}/track/${osmand.key}`

  test.each<[string, unknown]>([
    ['a list', []],
    ['null', null],
    ['an id of NULs', { location: { timestamp: iso(NOON), coords: { latitude: 1, longitude: 1 } }, device_id: '\0\0' }],
    ['an id that is an object', { id: { a: 1 }, lat: 1, lon: 1, timestamp: NOON }],
    ['a location of locations', { location: [[[]]], device_id: 'x' }],
    ['a prototype', '{"__proto__":{"id":"x"},"constructor":{"prototype":{}}}'],
    ['a position without a device', { position: { latitude: 1, longitude: 1, fixTime: iso(NOON) } }],
    ['a device that is a text', { position: { latitude: 1 }, device: 'x' }],
    ['numbers beyond all', { id: 'x', lat: 1e308, lon: '9'.repeat(5000), timestamp: 1e308 }],
    ['half a JSON', '{"location":'],
  ])('%s is refused with a sentence and changes nothing', async (_, body) => {
    const before = await db.selectFrom('position').select(db.fn.countAll().as('n')).executeTakeFirst()
    const answer = await postJson(url, body)
    expect(answer.status).toBe(400)
    expect(await textOf(answer)).not.toBe('')
    expect(await db.selectFrom('position').select(db.fn.countAll().as('n')).executeTakeFirst()).toEqual(before)
  })

  test('a body that is too large, and one of another type', async () => {
    expect((await postJson(url, { id: 'x'.repeat(300_000) })).status).toBe(413)
    const xml = await fetch(url, { method: 'POST', body: '<a/>', headers: { 'content-type': 'application/xml' } })
    expect(xml.status).toBe(415)
  })

  test('a client that waited with more locations than are taken at once keeps them', async () => {
    const location = Array.from({ length: 1001 }, () => ({
      timestamp: iso(NOON),
      coords: { latitude: 1, longitude: 1 },
    }))
    expect((await postJson(url, { location, device_id: 'x' })).status).toBe(413)
  })

  test('ids without end are not listed without end', async () => {
    const json = await addSource('json')
    const positions = (from: number) =>
      Array.from({ length: 400 }, (_, n) => ({ tracker: `flood-${from + n}`, at: NOON, latitude: 1, longitude: 1 }))
    for (const from of [0, 400, 800]) await postJson(batchUrl, { positions: positions(from) }, bearer(json.key))
    expect((await sourceOf(json.uid))?.unknownIds).toBe(500)
    expect((await call(truckTrackers.unknown, {})).body.data).toHaveLength(200)
  })
})
