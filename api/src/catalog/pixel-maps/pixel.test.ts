import { pixel, type PixelMapInput, type PixelSides, sideProblems, trucks } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { call, db, people } = world

const sides: PixelSides = {
  driverSide: { x: 0, y: 0, width: 1280, height: 384 },
  passengerSide: { x: 0, y: 384, width: 1280, height: 384 },
  rear: { x: 1280, y: 0, width: 384, height: 384 },
}
const given: PixelMapInput = { name: 'Ten-foot body', width: 1664, height: 768, pitchUm: 4810, sides }
let count = 0
const add = async (more: Partial<PixelMapInput> = {}) =>
  (await call(pixel.create, { body: { ...given, name: `Map ${++count}`, ...more } })).body.data

describe('a pixel map', () => {
  test('is kept as it was given, changed at its version, and has a history', async () => {
    const made = await call(pixel.create, { body: { ...given, note: 'two processors' } })
    expect(made.status).toBe(200)
    expect(made.body.data).toMatchObject({ ...given, note: 'two processors', trucks: 0, version: 1 })
    const { uid } = made.body.data
    const smaller = { ...sides, rear: { ...sides.rear, width: 256 } }
    const changed = await call(pixel.update, { body: { ...given, sides: smaller, pitchUm: 5950, uid, version: 1 } })
    expect(changed.body.data).toMatchObject({ sides: smaller, pitchUm: 5950, version: 2 })
    const stale = await call(pixel.update, { body: { ...given, uid, version: 1 } })
    expect([stale.status, stale.error.code]).toEqual([409, 'staleVersion'])
    const { body } = await call(pixel.history, { params: { uid }, query: {} })
    expect(body.data.map(({ action }) => action)).toEqual(['changed', 'created'])
    expect(body.data[0]?.fields).toContainEqual({ field: 'pitchUm', old: 4810, new: 5950 })
  })

  test('has a name of its own, in any case', async () => {
    await add({ name: 'Twin' })
    const { status, error } = await call(pixel.create, { body: { ...given, name: 'TWIN' } })
    expect([status, error.code, error.fields]).toEqual([
      409,
      'pixelMapTaken',
      { name: 'Another pixel map already has this name.' },
    ])
  })

  test.each<[string, Partial<PixelMapInput>, Record<string, string>]>([
    [
      'a side beyond the canvas',
      { sides: { ...sides, rear: { x: 1281, y: 0, width: 384, height: 384 } } },
      { 'sides.rear': 'The rear reaches beyond the canvas of 1664 × 768.' },
    ],
    [
      'a side over another',
      { sides: { ...sides, passengerSide: { x: 0, y: 383, width: 1280, height: 384 } } },
      { 'sides.passengerSide': 'The passenger side overlaps the driver side.' },
    ],
    [
      'a side without area',
      { sides: { ...sides, rear: { x: 0, y: 0, width: 0, height: 1 } } },
      { 'sides.rear.width': 'Must be a whole number of pixels from 1 to 32768.' },
    ],
    ['half a pixel', { width: 1664.5 }, { width: 'Must be a whole number of pixels from 1 to 32768.' }],
    ['no pitch', { pitchUm: 0 }, { pitchUm: 'Must be from 0.1 to 100 mm, to the thousandth.' }],
    ['no name', { name: ' ' }, { name: 'Required.' }],
  ])('is refused with %s, at the field', async (_, more, fields) => {
    const { total } = (await call(pixel.list, { query: {} })).body
    const { status, error } = await call(pixel.create, { body: { ...given, name: 'Refused', ...more } })
    expect([status, error.fields]).toEqual([400, fields])
    expect((await call(pixel.list, { query: {} })).body.total).toBe(total)
  })

  test('is judged by the database as by the contract', async () => {
    // A small canvas, so that touching, overlapping and reaching beyond are all common.
    let state = 1
    const upTo = (limit: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor(state / 65_536) % limit
    }
    const rectangle = () => ({ x: upTo(5), y: upTo(5), width: 1 + upTo(3), height: 1 + upTo(3) })
    const tried = Array.from({ length: 2000 }, () => ({
      driverSide: rectangle(),
      passengerSide: rectangle(),
      rear: rectangle(),
    }))
    const { rows } = await sql<{ fits: boolean }>`
      select pixel_sides_fit(6, 6, value) as fits
        from jsonb_array_elements(${JSON.stringify(tried)}::jsonb) with ordinality e(value, n) order by n`.execute(db)
    const expected = tried.map((each) => Object.keys(sideProblems({ width: 6, height: 6 }, each)).length === 0)
    expect(rows.map(({ fits }) => fits)).toEqual(expected)
    expect(new Set(expected).size).toBe(2)
  })

  test.each(['{}', '{"driverSide": {}, "passengerSide": {}, "rear": {}}', '{"rear": {"x": 0}}'])(
    'that lacks numbers is refused by the database too: %s',
    async (wrong) => {
      await expect(
        sql`insert into pixel_map (name, width, height, pitch_um, sides) values ('x', 9, 9, 999, ${wrong})`.execute(db),
      ).rejects.toThrow('pixel_sides_fit')
    },
  )

  test('stays while trucks have it, and the refusal names them', async () => {
    const map = await add()
    for (let n = 1; n <= 7; n++) {
      await call(trucks.create, { body: { number: `PX-${n}`, kind: 'led', state: 'active', pixelMapUid: map.uid } })
    }
    expect((await call(pixel.get, { params: { uid: map.uid } })).body.data.trucks).toBe(7)
    const refused = await call(pixel.remove, { params: { uid: map.uid } })
    expect([refused.status, refused.error.error]).toEqual([
      409,
      'This pixel map is still used by trucks PX-1, PX-2, PX-3, PX-4, PX-5 and 2 more. Choose another one for them first.',
    ])
    await sql`update truck set deleted_at = now() where pixel_map_uid = ${map.uid}`.execute(db)
    expect((await call(pixel.remove, { params: { uid: map.uid } })).status).toBe(200)
    expect((await call(pixel.get, { params: { uid: map.uid } })).status).toBe(404)
    const gone = await call(trucks.create, {
      body: { number: 'PX-9', kind: 'led', state: 'active', pixelMapUid: map.uid },
    })
    expect([gone.status, gone.error.fields]).toEqual([400, { pixelMapUid: 'Pixel map not found.' }])
  })
})

describe('who may', () => {
  test.each(['sales', 'driver', 'client'] as const)('%s read pixel maps and change none', async (role) => {
    const { token } = people[role]
    const map = await add()
    const { body } = await call(pixel.list, { query: { search: map.name } }, { token })
    expect(body.data.map(({ uid }) => uid)).toContain(map.uid)
    expect((await call(pixel.get, { params: { uid: map.uid } }, { token })).body.data.sides).toEqual(sides)
    expect((await call(pixel.create, { body: given }, { token })).status).toBe(403)
    expect((await call(pixel.update, { body: { ...given, uid: map.uid, version: 1 } }, { token })).status).toBe(403)
    expect((await call(pixel.remove, { params: { uid: map.uid } }, { token })).status).toBe(403)
    expect((await call(pixel.history, { params: { uid: map.uid }, query: {} }, { token })).status).toBe(403)
  })

  test('an admin without any module changes them all the same', async () => {
    const { token } = await world.addUser('admin', [])
    expect((await call(pixel.create, { body: { ...given, name: 'By a plain admin' } }, { token })).status).toBe(200)
  })
})

test('the export shows what the screen shows', async () => {
  await add({ name: 'Exported' })
  const { text } = await call(pixel.list, { query: { search: 'exported', format: 'csv' } })
  const [titles, row, about] = text.replace('\ufeff', '').split('\r\n')
  expect(titles).toBe(
    'Name,Width (px),Height (px),Pitch (mm),Driver side,Passenger side,Rear,Trucks,Retired trucks,Note,Updated',
  )
  expect(row).toMatch(
    /^Exported,1664,768,4\.81,"1280 × 384 at 0, 0","1280 × 384 at 0, 384","384 × 384 at 1280, 0",0,0,,/,
  )
  expect(about).toContain('1 row; search: exported')
})
