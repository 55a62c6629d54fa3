import { auditLog, importAccess, imports, trucks, truckTrackers } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestPlan } from '../../planning/shifts/test-plan.ts'
import { csvOf, importCalls } from '../../platform/imports/test-import.ts'

const world = await openWorld()
const { call, db, people } = world
const { check, save, both, undo, exported, exportedWithout } = importCalls(world, 'trucks')
const houston = await world.addMarket('Houston')

beforeEach(async () => {
  await db.updateTable('truck').set({ deleted_at: new Date() }).where('deleted_at', 'is', null).execute()
})

const addTruck = async (number: string, more: object = {}) =>
  (await call(trucks.create, { body: { number, kind: 'led', state: 'active', ...more } })).body.data
const kept = async () =>
  (await call(trucks.list, { query: {} })).body.data.map(({ number, plate, kind, state, homeMarket, note }) => ({
    number,
    plate,
    kind,
    state,
    market: homeMarket?.name,
    note,
  }))

/** As people have it: a title over all columns, who made it, blank rows, and other words for columns. */
const PEOPLES = csvOf(
  ['Fleet list 2026', '', '', ''],
  [],
  ['made by Kim', '', '11/18/26', ''],
  [],
  ['Truck #', 'License plate', 'Type', 'City'],
  ['T-1', 'abc 1', 'LED', 'Houston'],
  [],
  ['T-2', '', 'static', 'houston, tx'],
)

describe('trucks of a spreadsheet', () => {
  test('are found below titles and blank rows, shown before anything is saved, and added at once', async () => {
    const { status, body } = await check(PEOPLES)
    expect([status, body.data.problem, body.data.headerRow]).toEqual([200, null, 5])
    expect(body.data.headings.map(({ title, column }) => [title, column])).toEqual([
      ['Truck #', 'number'],
      ['License plate', 'plate'],
      ['Type', 'kind'],
      ['City', 'homeMarket'],
    ])
    expect(body.data).toMatchObject({ saved: false, undoUid: null, records: { new: 2, changed: 0 } })
    expect(body.data.rows.map(({ row, state }) => [row, state])).toEqual([
      [6, 'new'],
      [8, 'new'],
    ])
    expect(await kept()).toEqual([])

    const saved = await save(PEOPLES, body.data.digest)
    expect(saved.body.data).toMatchObject({ saved: true, records: { new: 2, changed: 0 } })
    expect(await kept()).toEqual([
      { number: 'T-1', plate: 'ABC 1', kind: 'led', state: 'active', market: 'Houston', note: '' },
      { number: 'T-2', plate: '', kind: 'printed', state: 'active', market: 'Houston', note: '' },
    ])
    const [truck] = (await call(trucks.list, { query: {} })).body.data
    const history = await call(trucks.history, { params: { uid: truck?.uid ?? '' }, query: {} })
    expect(JSON.stringify(history.body)).toContain('The admin')
    const { data: log } = (await call(auditLog.list, { query: { kind: 'imported' } })).body
    expect(log[0]).toMatchObject({ kind: 'imported', subject: 'trucks.csv', detail: 'trucks: 2 new, 0 changed' })
  })

  test('change those that are there: old and new value are shown, other columns stay', async () => {
    await addTruck('T-1', { plate: 'OLD 1', note: 'Kept', homeMarketUid: houston.uid })
    await addTruck('T-2', { plate: 'SAME' })
    const file = csvOf(['Unit', 'Plate', 'Status'], ['t-1', 'new 1', 'in shop'], ['T-2', 'same', ''], ['T-3', '', ''])
    const { rows, records, digest } = (await check(file)).body.data
    expect(rows.map(({ state, remarks }) => [state, remarks])).toEqual([
      ['changed', { number: 'Was T-1.', plate: 'Was OLD 1.', state: 'Was Active.' }],
      ['same', {}],
      ['new', {}],
    ])
    expect(records).toEqual({ new: 1, changed: 1 })
    await save(file, digest)
    expect(await kept()).toMatchObject([
      { number: 't-1', plate: 'NEW 1', state: 'inShop', note: 'Kept', market: 'Houston' },
      { number: 'T-2', plate: 'SAME' },
      { number: 'T-3', state: 'active' },
    ])
    expect((await check(file)).body.data.counts).toEqual({ new: 0, changed: 0, same: 3, wrong: 0 })
  })

  test('are refused cell by cell with a sentence, and the good ones saved', async () => {
    await addTruck('T-9', { vin: '1FDXE4FS9KDC12345' })
    const file = csvOf(
      ['Truck', 'VIN', 'Kind', 'State', 'Home market', 'Geotab', 'Plate', 'Note'],
      ['T-1', 'short', 'boat', 'sold out', 'Atlantis', 'b 1', '', ''],
      ['', '', '', '', '', '', 'P-1', ''],
      ['T-2', '1FDXE4FS9KDC12345', '', '', '', '', '', ''],
      ['T-3', '', '', '', '', '', 'P-3', '=1+1'],
      ['T-4', '', '', '', '', '', 'P-4', ''],
      ['T-5', '', '', '', '', '', 'p-4', ''],
      ['T-6', '', '', '', '', '', '', 'one'],
      ['T-6', '', '', '', '', '', '', 'two'],
      ['T-7', '', '', '', '', '', '', ''],
      ['T-7', '', '', '', '', '', '', ''],
      ['T-123456789-123456789-1', '', '', '', '', '', '', ''],
    )
    const { rows, counts } = (await check(file)).body.data
    expect(rows.map(({ row, problems }) => [row, problems])).toEqual([
      [
        2,
        {
          kind: 'Must be LED screens or Printed boards.',
          state: 'Must be Active, In shop or Retired.',
          homeMarket: 'Market Atlantis not found.',
        },
      ],
      [3, { number: 'Required.' }],
      [4, { vin: 'Truck T-9 has this already.' }],
      [5, { note: 'This is a formula. Copy the cell and paste it as a value.' }],
      [6, {}],
      [7, { plate: 'Also in row 6.' }],
      [8, { number: 'Also in row 9, with other values.' }],
      [9, { number: 'Also in row 8, with other values.' }],
      [10, {}],
      [11, {}],
      [12, { number: 'At most 20 characters.' }],
    ])
    expect(counts).toEqual({ new: 2, changed: 0, same: 1, wrong: 8 })
    await both(file)
    expect((await kept()).map(({ number }) => number)).toEqual(['T-4', 'T-7', 'T-9'])
  })

  test('are corrected on the screen without another file', async () => {
    const file = csvOf(['Truck', 'Kind', 'Plate'], ['T-1', 'boat', '=A1'], ['T-2', 'led', ''])
    expect((await check(file)).body.data.counts).toMatchObject({ new: 1, wrong: 1 })
    const corrections = [
      { row: 2, column: 'kind', text: 'printed' },
      { row: 2, column: 'plate', text: 'X 1' },
      { row: 900, column: 'kind', text: 'led' },
      { row: 2, column: 'constructor', text: 'led' },
    ]
    const { digest, counts } = (await check(file, { corrections })).body.data
    expect(counts).toMatchObject({ new: 2, wrong: 0 })
    // What is saved is what was checked, corrections included.
    expect((await save(file, digest)).error.code).toBe('staleVersion')
    expect((await save(file, digest, { corrections })).status).toBe(200)
    expect(await kept()).toMatchObject([{ number: 'T-1', kind: 'printed', plate: 'X 1' }, { number: 'T-2' }])
  })

  test('have columns chosen by hand where their names are unknown, and the next file with these names is read so', async () => {
    const file = csvOf(['Rig', 'Blech', 'Kolor'], ['T-1', 'P-1', 'red'])
    const unknown = (await check(file)).body.data
    expect(unknown.problem).toBe('No heading was recognized. Choose what each column holds.')
    expect(unknown.headings).toMatchObject([
      { title: 'Rig', column: null, example: 'T-1' },
      { title: 'Blech', example: 'P-1' },
      { title: 'Kolor' },
    ])
    expect((await save(file, unknown.digest)).status).toBe(400)
    const columns = ['number', 'plate', null]
    expect((await both(file, { columns })).body.data.records).toEqual({ new: 1, changed: 0 })
    const next = (await check(csvOf(['rig', 'Blech', 'KOLOR'], ['T-2', 'P-2', 'blue']))).body.data
    expect([next.problem, next.records]).toEqual([null, { new: 1, changed: 0 }])
    // Other headings in another order are another file.
    expect((await check(csvOf(['Blech', 'Rig'], ['P-3', 'T-3']))).body.data.problem).not.toBeNull()
  })

  test('are left out by group on request', async () => {
    await addTruck('T-1', { plate: 'OLD' })
    const file = csvOf(['Truck', 'Plate'], ['T-1', 'NEW'], ['T-2', 'P-2'])
    await both(file, { skip: ['new'] })
    expect(await kept()).toMatchObject([{ number: 'T-1', plate: 'NEW' }])
    expect((await both(file, { skip: ['new', 'changed'] })).body.data.undoUid).toBeNull()
  })

  test('that changed since the check are not saved over', async () => {
    const truck = await addTruck('T-1', { plate: 'OLD' })
    const file = csvOf(['Truck', 'Plate'], ['T-1', 'NEW'])
    const { digest } = (await check(file)).body.data
    const { uid, version } = truck
    await call(trucks.update, { body: { uid, version, number: 'T-1', kind: 'led', state: 'active', plate: 'THEIRS' } })
    const { status, error } = await save(file, digest)
    expect([status, error.error]).toEqual([409, 'The records changed after the check. Please check the file again.'])
  })

  test('go to the shop only without planned shifts', async () => {
    const { addTruck: addPlanned, market, plan } = await openTestPlan(world)
    const dates = { startsOn: '2099-01-01', endsOn: '2099-12-31' }
    const program = await world.addProgram({ name: 'Far', ...dates, markets: [{ marketUid: market }] })
    const shift = await plan({ truckUid: await addPlanned(), programUid: program.uid, date: '2099-01-02' })
    const { rows } = (await check(csvOf(['Truck', 'State'], [shift.truck.name, 'In shop']))).body.data
    expect(rows[0]?.problems.state).toBe('This truck has 1 shift on Jan 2, 2099. Move or cancel them first.')
  })
})

/** Ids of trucks at their sources, by number, as people see them under Trackers. */
async function trackersByNumber() {
  const found = (await call(trucks.list, { query: {} })).body.data
  const lines = found.map(async ({ uid, number }) => {
    const { trackers } = (await call(truckTrackers.get, { params: { uid } })).body.data
    return [number, ...trackers.map(({ source, externalId }) => `${source.name} ${externalId}`)]
  })
  return (await Promise.all(lines)).toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
}

describe('trackers of trucks', () => {
  const addSource = (name: string, kind: string) =>
    db.insertInto('position_source').values({ name, kind }).returning('uid').executeTakeFirstOrThrow()

  test('need a source that has ids', async () => {
    const file = csvOf(['Truck', 'IMEI'], ['T-1', '861234567890123'])
    expect((await check(file)).body.data.rows[0]?.problems).toEqual({
      trackerId: 'No position source has ids yet. Add one in Settings, or enter it as Position source.',
    })
    // Who may import the columns may change trackers by hand, and the other way around.
    expect(importAccess('trucks')).toEqual(truckTrackers.add.access)
  })

  test('are given at the only source without its name, and at MyGeotab by its name', async () => {
    const { uid } = await addSource('Yard', 'traccar')
    await db.insertInto('unknown_tracker').values({ source_uid: uid, external_id: '861234567890123' }).execute()
    const file = csvOf(
      ['Truck', 'Telematics', 'Tracker'],
      ['T-1', '', '861234567890123'],
      ['T-2', 'mygeotab', 'b12'],
      ['T-3', 'yard', '8; 9; 8'],
      ['T-4', 'Traccar', 'AA:BB:CC'],
    )
    expect((await both(file)).body.data.records).toEqual({ new: 4, changed: 0 })
    expect(await trackersByNumber()).toEqual([
      ['T-1', 'Yard 861234567890123'],
      ['T-2', 'MyGeotab b12'],
      ['T-3', 'Yard 8', 'Yard 9'],
      ['T-4', 'Yard AA:BB:CC'],
    ])
    expect(await db.selectFrom('unknown_tracker').selectAll().execute()).toEqual([])
    // MyGeotab has ids now, so the first row no longer says enough unless it is as saved.
    const { rows } = (await check(file)).body.data
    expect(rows.map(({ state }) => state)).toEqual(['wrong', 'same', 'same', 'same'])
    expect(rows[0]?.problems.trackerId).toContain('Several position sources have ids: MyGeotab and Yard.')
  })

  test('are refused cell by cell', async () => {
    await addSource('Samsara East', 'samsara')
    await both(csvOf(['Truck', 'Position source', 'Tracker id'], ['T-9', 'Yard', '77']))
    const file = csvOf(
      ['Truck', 'Provider', 'Tracker id'],
      ['T-1', '', '5'],
      ['T-2', 'Nowhere', '5'],
      ['T-3', "Driver's phone", '5'],
      ['T-4', 'Yard', ''],
      ['T-5', 'Yard', '77'],
      ['T-6', 'Yard', '6'],
      ['T-7', 'traccar', '6'],
      ['T-8', 'Yard', '8.61235E+14'],
      ['T-10', '', 'Sasmara: 7'],
      ['T-11', 'MyGeotab', 'b 1'],
      ['T-12', 'Yard', 'x'.repeat(101)],
    )
    expect((await check(file)).body.data.rows.map(({ problems }) => Object.entries(problems).flat())).toEqual([
      ['trackerId', 'Several position sources have ids: Samsara East and Yard. Enter one of them as Position source.'],
      ['positionSource', 'Position source Nowhere not found. Add it in Settings first.'],
      ['positionSource', "Driver's phone needs no id of the truck."],
      ['trackerId', 'Enter the id that Yard has for this truck.'],
      ['trackerId', 'Truck T-9 has this already.'],
      [],
      ['trackerId', 'Also in row 7.'],
      ['trackerId', 'The spreadsheet shortened this number. Make the column text, and enter the id again.'],
      ['trackerId', 'Position source Sasmara not found. Add it in Settings first.'],
      ['trackerId', 'A Geotab device id has letters and digits only, such as b1A.'],
      ['trackerId', 'At most 100 characters.'],
    ])
  })

  test('of several sources go out and come in again, and no other column touches them', async () => {
    const file = csvOf(
      ['Truck', 'Geotab device', 'Position source', 'Tracker id'],
      ['T-1', 'b1', '', 'Yard: "a;b"; samsara: 281; Yard: 9'],
      ['T-2', '', 'Samsara', '282'],
      ['T-3', 'b3', '', ''],
    )
    expect((await both(file)).body.data.records).toEqual({ new: 3, changed: 0 })
    const ids = [
      ['T-1', 'MyGeotab b1', 'Yard 9', 'Yard a;b', 'Samsara East 281'],
      ['T-2', 'Samsara East 282'],
      ['T-3', 'MyGeotab b3'],
    ]
    expect(await trackersByNumber()).toEqual(ids)
    const out = await exported()
    expect(out).toContain('Samsara East: 281; Yard: 9; Yard: ""a;b""')
    expect((await check(out)).body.data.counts).toEqual({ new: 0, changed: 0, same: 3, wrong: 0 })
    const { text } = await call(trucks.list, { query: { format: 'csv' } })
    expect(text).toContain('Samsara East: 281; Yard: 9')
    const before = await exportedWithout('Updated')
    await db.updateTable('truck').set({ deleted_at: new Date() }).execute()
    await both(out)
    expect([await trackersByNumber(), await exportedWithout('Updated')]).toEqual([ids, before])
    await both(csvOf(['Truck', 'Plate'], ['T-1', 'P-1']))
    expect(await trackersByNumber()).toEqual(ids)
  })

  test('are as before when their import is undone, unless they changed since', async () => {
    const columns = ['Truck', 'Position source', 'Tracker id']
    await both(csvOf(columns, ['T-1', 'Yard', '1']))
    const again = csvOf(columns, ['T-1', 'Samsara East', '1'], ['T-2', 'Yard', '2'])
    const { rows } = (await check(again)).body.data
    expect(rows[0]?.remarks).toEqual({ positionSource: 'Was Yard.', trackerId: 'Was 1.' })
    const first = (await both(again)).body.data
    expect((await undo(first.undoUid)).body.data).toEqual({ removed: 1, restored: 1 })
    expect(await trackersByNumber()).toEqual([['T-1', 'Yard 1']])
    // The id of a truck that is gone is free.
    const second = (await both(csvOf(columns, ['T-1', 'Yard', '2'], ['T-3', '', '']))).body.data
    const [truck] = (await call(trucks.list, { query: { search: 'T-3' } })).body.data
    const { uid: sourceUid } = await db
      .selectFrom('position_source')
      .select('uid')
      .where('name', '=', 'Yard')
      .executeTakeFirstOrThrow()
    const body = { sourceUid, externalId: '1' }
    expect((await call(truckTrackers.add, { params: { uid: truck?.uid ?? '' }, body })).status).toBe(200)
    expect((await undo(second.undoUid)).error.error).toBe("This can't be undone, because it was changed since: T-3.")
  })
})

describe('an import of trucks', () => {
  test('is undone once: what it added is deleted, what it changed is as before', async () => {
    await addTruck('T-1', { plate: 'OLD', note: 'Mine', homeMarketUid: houston.uid })
    const { undoUid } = (await both(csvOf(['Truck', 'Plate', 'City'], ['T-1', 'NEW', ''], ['T-2', 'P-2', '']))).body
      .data
    expect((await undo(undoUid)).body.data).toEqual({ removed: 1, restored: 1 })
    expect(await kept()).toMatchObject([{ number: 'T-1', plate: 'OLD', note: 'Mine', market: 'Houston' }])
    expect((await undo(undoUid)).error.error).toBe('This was undone already.')
  })

  test('is not undone after one of its records changed or came into use', async () => {
    const { undoUid } = (await both(csvOf(['Truck'], ['T-1'], ['T-2']))).body.data
    const [truck] = (await call(trucks.list, { query: {} })).body.data
    if (!truck) throw new Error('No truck was added.')
    const { uid, version } = truck
    await call(trucks.update, { body: { uid, version, number: 'T-1', kind: 'led', state: 'retired' } })
    expect((await undo(undoUid)).error.error).toBe("This can't be undone, because it was changed since: T-1.")

    const again = (await both(csvOf(['Truck'], ['T-3']))).body.data
    const added = (await call(trucks.list, { query: { search: 'T-3' } })).body.data[0]
    await db
      .insertInto('device')
      .values({ kind: 'player', mac_address: '02:00:00:00:00:01', truck_uid: added?.uid ?? '' })
      .execute()
    expect((await undo(again.undoUid)).error.error).toBe("This can't be undone. T-3 has a player by now.")
  })

  test('is undone by who made it and may still add trucks', async () => {
    const { undoUid } = (await both(csvOf(['Truck'], ['T-1']))).body.data
    expect((await undo(undoUid, people.sales.token)).status).toBe(403)
    expect((await undo('01900000-0000-7000-8000-000000000001')).status).toBe(404)
    await db
      .updateTable('import_run')
      .set({ at: new Date(Date.now() - 25 * 3_600_000) })
      .execute()
    expect((await undo(undoUid)).error.error).toBe('Only imports of the last 24 hours can be undone.')
  })

  test('is for those who may add trucks by hand, and for no key', async () => {
    const file = csvOf(['Truck'], ['T-1'])
    for (const role of ['sales', 'driver', 'client'] as const) {
      expect([role, (await check(file, { token: people[role].token })).status]).toEqual([role, 403])
    }
    expect(await kept()).toEqual([])
  })

  test('of what was exported changes nothing, and the export is the same again', async () => {
    const notes = ['=1+1', '+1', '@SUM(A1)', 'a,b', 'say "x"', 'two\nlines', '<b>&amp;', 'Größe 🚚', '']
    for (const [n, note] of notes.entries()) {
      await addTruck(`R-${n}`, { note, plate: n % 2 ? `PL ${n}` : '', homeMarketUid: n % 3 ? houston.uid : null })
    }
    const file = await exported()
    expect((await check(file)).body.data).toMatchObject({ counts: { new: 0, changed: 0, same: 9, wrong: 0 } })
    expect((await check(file)).body.data.headings.filter(({ column, isLeftOut }) => !column && !isLeftOut)).toEqual([])
    const before = await exportedWithout('Updated')
    await db.updateTable('truck').set({ deleted_at: new Date() }).execute()
    expect((await both(file)).body.data.records).toEqual({ new: 9, changed: 0 })
    expect(await exportedWithout('Updated')).toEqual(before)
  })

  test('has a template that can be imported as it is', async () => {
    const { body } = await world.app.inject({
      url: `/api/v1/${imports.template.path}?kind=trucks&format=csv`,
      headers: { authorization: `Bearer ${people.admin.token}` },
    })
    expect((await check(body)).body.data).toMatchObject({ problem: null, counts: { new: 2, wrong: 0 } })
  })

  test('of 10,000 rows is saved and undone', async () => {
    const file = csvOf(
      ['Truck #', 'Plate', 'City', 'Note'],
      ...Array.from({ length: 10_000 }, (_, n) => [`M-${n}`, `P${n}`, 'Houston', `No. ${n}`]),
    )
    const { records, undoUid } = (await both(file)).body.data
    expect(records).toEqual({ new: 10_000, changed: 0 })
    expect((await undo(undoUid)).body.data).toEqual({ removed: 10_000, restored: 0 })
  }, 240_000)
})
