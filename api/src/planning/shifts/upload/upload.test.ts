import { shiftPlanChanges, shifts, shiftUpload } from '@roadshow/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { addBusiness, scheduleCsv, excelFile, CSV_HEADER, csvRow, uploadCalls } from './test-schedule.ts'

const world = await openWorld()
const { call, db, people } = world
await addBusiness(world)
const { check, save, both } = uploadCalls(world)

beforeEach(async () => void (await db.deleteFrom('shift').execute()))

const statesOf = async (content: string) => (await check(content)).body.data.rows.map(({ state }) => state)
const problemsOf = async (content: string) => (await check(content)).body.data.rows.map(({ problems }) => problems)
const saved = () =>
  db
    .selectFrom('shift as s')
    .innerJoin('truck as t', 't.uid', 's.truck_uid')
    .innerJoin('user_account as d', 'd.uid', 's.driver_uid')
    .select(['t.number', 'd.name', 's.local_date', 's.start_time', 's.end_time', 's.starts_at', 's.status', 's.note'])
    .orderBy('s.starts_at')
    .orderBy('t.number')
    .execute()

describe('a schedule', () => {
  test('is checked first and saved then', async () => {
    const content = scheduleCsv(
      csvRow({ 'Artwork set': 'main', 'SD set': 'Stores', 'Pay option': '8 hours', Note: 'Gate 4' }),
      csvRow({ Date: '2026-07-04', Start: '20:00', End: '04:00', Truck: 't-2', Driver: 'SAM@example.com' }),
    )
    const { body } = await check(content)
    expect(body.data).toMatchObject({ saved: false, counts: { new: 2, changed: 0, same: 0, wrong: 0 }, ignored: [] })
    expect(body.data.rows[0]).toMatchObject({
      row: 2,
      state: 'new',
      problems: {},
      remarks: {},
      cells: {
        date: '2026-07-04',
        start: '08:00',
        end: '16:00',
        truck: 'T-1',
        driver: 'Dana Reed',
        note: 'Gate 4',
      },
    })
    expect(body.data.rows[1]?.remarks).toEqual({ end: 'Ends the next day, after 8 h.' })
    expect(await saved()).toEqual([])

    const done = await save(content, body.data.digest)
    expect(done.status).toBe(200)
    expect(done.body.data).toMatchObject({ saved: true, counts: { new: 2 } })
    expect(await saved()).toMatchObject([
      { number: 'T-1', name: 'Dana Reed', starts_at: '2026-07-04T13:00:00Z', status: 'planned', note: 'Gate 4' },
      { number: 'T-2', name: 'Sam Ortega', starts_at: '2026-07-05T01:00:00Z' },
    ])
    const { data } = (await call(shifts.list, { query: {} })).body
    expect(data[0]).toMatchObject({
      artworkSet: { name: 'Main' },
      addressSet: { name: 'Stores' },
      payOption: 'eightHours',
    })
    const history = await call(shifts.history, { params: { uid: data[0]?.uid ?? '' }, query: {} })
    expect(JSON.stringify(history.body)).toContain('The admin')
  })

  test('warns of too short a rest, by shifts of the file and by those that stay where they are', async () => {
    await both(scheduleCsv(csvRow({ Date: '2026-07-03', Start: '12:00', End: '22:00' })))
    const restsOf = async (...lines: string[]) =>
      (await check(scheduleCsv(...lines))).body.data.rows.map(({ state, remarks }) => [state, remarks.start])
    const early = csvRow({ Start: '6:30am', End: '10am', Truck: 'T-2' })
    const short = 'The driver has only 8 h 30 min of rest before this shift.'
    expect(await restsOf(early, csvRow({ Date: '7/5/2026' }))).toEqual([
      ['new', short],
      ['new', undefined],
    ])
    // The file takes the night from another driver: then no one comes home late.
    expect(
      await restsOf(early, csvRow({ Date: '2026-07-03', Start: '12:00', End: '22:00', Driver: 'Sam Ortega' })),
    ).toEqual([
      ['new', undefined],
      ['changed', undefined],
    ])
    expect(
      await restsOf(csvRow({ Start: '6am', End: '10am' }), csvRow({ Start: '3pm', End: '9pm', Truck: 'T-3' })),
    ).toEqual([
      ['new', 'The driver has only 8 h of rest before this shift.'],
      ['new', 'The driver has only 5 h of rest before this shift.'],
    ])
  })

  test('remarks travel that cannot be done, by shifts of the file and by saved ones, and saves it', async () => {
    const place = (name: string, state: string, latitude: number | null, longitude: number | null) =>
      db
        .updateTable('market')
        .set({ latitude, longitude, radius_m: latitude === null ? null : 40_000 })
        .where('name', '=', name)
        .where('state', '=', state)
        .execute()
    await place('Houston', 'TX', 29.76, -95.37)
    await place('Portland', 'OR', 45.52, -122.68)
    await both(scheduleCsv(csvRow({ End: '4pm', Driver: 'Sam Ortega' })))
    const content = scheduleCsv(
      csvRow({ Start: '3pm', End: '9pm', Market: 'Portland OR' }),
      csvRow({ Date: '7/5/2026', Start: '1am', End: '2am' }),
      csvRow({ Date: '7/8/2026', Market: 'Portland OR' }),
    )
    const checked = (await check(content)).body.data
    expect(checked.rows.map(({ state, remarks }) => [state, remarks.start])).toEqual([
      ['new', 'Only 1 h to travel 1,834 miles from Houston, after the last shift of the truck.'],
      [
        'new',
        'The driver has only 2 h of rest before this shift. Only 2 h to travel 1,834 miles from Portland, after the last shift of truck and driver.',
      ],
      ['new', undefined],
    ])
    expect((await both(content)).body.data).toMatchObject({ saved: true, counts: { new: 3, wrong: 0 } })
    await place('Houston', 'TX', null, null)
    await place('Portland', 'OR', null, null)
  })

  test('that is undone leaves everything as it was: added shifts go, changed ones are as before', async () => {
    await both(scheduleCsv(csvRow({ Note: 'First' })))
    const before = await saved()
    const content = scheduleCsv(csvRow({ End: '6pm', Note: 'Second' }), csvRow({ Truck: 'T-2', Driver: 'Sam Ortega' }))
    const { counts, undoUid } = (await both(content)).body.data
    expect(counts).toMatchObject({ new: 1, changed: 1 })
    expect(await saved()).toHaveLength(2)
    const undone = await call(shiftPlanChanges.undo, { body: { uid: undoUid ?? '' } })
    expect(undone.body.data.changed).toHaveLength(2)
    const left = (await call(shifts.list, { query: { from: '2026-07-01', to: '2026-07-31' } })).body.data
    expect(left.map(({ truck, end, note }) => [truck.name, end, note])).toEqual([['T-1', '16:00', 'First']])
    expect((await saved()).filter(({ number }) => number === 'T-1')).toEqual(before)
    expect((await both(scheduleCsv(csvRow({ Note: 'First' })))).body.data).toMatchObject({ undoUid: null })
  })

  test('sent again changes nothing', async () => {
    const content = scheduleCsv(csvRow(), csvRow({ Date: '7/5/2026' }))
    await both(content)
    const before = await db.selectFrom('shift').selectAll().execute()
    const again = await both(content)
    expect(again.body.data).toMatchObject({ saved: true, counts: { new: 0, changed: 0, same: 2, wrong: 0 } })
    expect(await db.selectFrom('shift').selectAll().execute()).toEqual(before)
  })

  test('changes shifts of the same truck, day and start, and says what they were', async () => {
    await both(scheduleCsv(csvRow({ Note: 'Old', 'Pay option': 'half' })))
    const content = scheduleCsv(csvRow({ End: '5pm', Driver: 'sam@example.com', Note: 'New' }))
    const { rows } = (await check(content)).body.data
    expect(rows).toMatchObject([
      {
        state: 'changed',
        remarks: { end: 'Was 16:00.', driver: 'Was Dana Reed.', note: 'Was Old.', payOption: 'Was Half day.' },
      },
    ])
    expect((await both(content)).body.data.counts).toMatchObject({ changed: 1 })
    expect(await saved()).toMatchObject([{ name: 'Sam Ortega', end_time: '17:00:00', note: 'New' }])
  })

  test('leaves alone what it has no column for', async () => {
    await both(scheduleCsv(csvRow({ Note: 'Keep', 'Artwork set': 'Main' })))
    const content =
      'truck #,driver email,campaign,city,day,from,to\nT-1,dana@example.com,Summer,"Houston, TX",7/4/26,0800,5 PM\n'
    expect((await both(content)).body.data.counts).toMatchObject({ changed: 1 })
    expect(await saved()).toMatchObject([{ end_time: '17:00:00', note: 'Keep' }])
  })

  test('keeps what is good and names what is wrong, cell by cell', async () => {
    const content = scheduleCsv(
      csvRow(),
      csvRow({ Date: '13/04/2026', Start: '8', Truck: 'T-9', Driver: 'Nobody', Program: 'Nothing', Market: 'Nowhere' }),
      csvRow({ Date: '7/5/2026', Driver: 'Alex Kim' }),
      csvRow({ Date: '7/5/2026', Driver: 'Pat Sales' }),
      csvRow({ Date: '7/5/2026', Truck: 'Shop' }),
      csvRow({ Date: '7/5/2027' }),
      csvRow({ Date: '7/6/2026', Program: 'Twin' }),
      csvRow({ Date: '7/7/2026', Program: 'Twin', Client: 'Acme' }),
      csvRow({ Date: '7/8/2026', Program: 'Twin', Client: 'Nobody' }),
      csvRow({ Date: '7/9/2026', Market: 'Portland' }),
      csvRow({ Date: '7/10/2026', Market: 'Portland ME' }),
      csvRow({ Date: '7/11/2026', 'Artwork set': 'Other', 'SD set': 'Other', 'Pay option': '9 hours' }),
      csvRow({ Date: '7/12/2026', End: '8:00' }),
      csvRow({ Date: '7/13/2026', Driver: 'gone@example.com' }),
      csvRow({ Date: '3/8/2026', Start: '2:30', End: '10:00' }),
    )
    expect(await problemsOf(content)).toEqual([
      {},
      {
        date: 'Month 13 does not exist. Dates are read as month/day/year.',
        start: 'Is this AM or PM? Write 8am, 8pm or 08:00.',
        truck: 'Truck T-9 not found.',
        driver: 'Driver Nobody not found.',
        program: 'Program Nothing not found.',
        market: 'Market Nowhere not found.',
      },
      { driver: '2 users are named Alex Kim. Use the email address instead.', start: expect.any(String) },
      { driver: 'Pat Sales is not a driver.', start: 'Conflicts with row 4: same truck, date and start.' },
      { truck: 'Shop is in the shop Jul 4, 2026 – Jul 5, 2026.' },
      { date: 'Summer runs from Jan 1, 2026 to Dec 31, 2026.' },
      { client: 'Several clients have a program with this name: Acme, Bolt. Enter one of them.' },
      {},
      { client: 'Nobody has no program with this name.' },
      {},
      { market: 'Summer does not run in Portland.' },
      {
        artworkSet: 'This program has no artwork set named Other.',
        addressSet: 'This program has no SD set named Other.',
        payOption: 'Must be Half day, 8-hour day or 12-hour day.',
      },
      { end: 'Must differ from the start.' },
      { driver: 'Driver not found.' },
      { start: 'Clocks in America/Chicago skip 2:30 AM on that day.' },
    ])
    expect(await problemsOf(scheduleCsv(`${csvRow()},Gate 4, then left`))).toEqual([
      { date: 'This row has more cells than the header row: Gate 4, then left.' },
    ])
    expect((await both(content)).body.data.counts).toEqual({ new: 3, changed: 0, same: 0, wrong: 12 })
    expect(await saved()).toHaveLength(3)
  })

  test('counts equal rows once, and refuses those that contradict or overlap each other', async () => {
    const equal = await check(scheduleCsv(csvRow(), csvRow({ Start: '08:00', Date: '2026-07-04' })))
    expect(equal.body.data.rows).toMatchObject([
      { row: 2, state: 'new' },
      { row: 3, state: 'same', remarks: { date: 'Same as row 2.' } },
    ])
    expect(await problemsOf(scheduleCsv(csvRow(), csvRow({ End: '5pm' })))).toEqual([
      { start: 'Conflicts with row 3: same truck, date and start.' },
      { start: 'Conflicts with row 2: same truck, date and start.' },
    ])
    const overlapping = scheduleCsv(
      csvRow(),
      csvRow({ Start: '3pm', End: '10pm', Driver: 'Sam Ortega' }),
      csvRow({ Start: '4pm', End: '11pm', Truck: 'T-2' }),
      csvRow({ Start: '9pm', End: '1am', Truck: 'T-3', Driver: 'Sam Ortega' }),
    )
    expect(await problemsOf(overlapping)).toEqual([
      { truck: 'This truck is also in row 3 at that time.' },
      { truck: 'This truck is also in row 2 at that time.', driver: 'This driver is also in row 5 at that time.' },
      {},
      { driver: 'This driver is also in row 3 at that time.' },
    ])
  })

  test('is checked against what is planned already; what a row replaces counts at its new place', async () => {
    await both(scheduleCsv(csvRow(), csvRow({ Truck: 'T-2', Driver: 'Sam Ortega' })))
    const clash = {
      driver: expect.stringContaining('another shift at that time: T-2 · Sam Ortega · Jul 4, 2026, 8:00 AM–4:00 PM'),
    }
    expect(
      await problemsOf(scheduleCsv(csvRow({ Truck: 'T-3', Start: '3pm', End: '6pm', Driver: 'Sam Ortega' }))),
    ).toEqual([clash])
    // Two drivers swap.
    const swap = scheduleCsv(csvRow({ Driver: 'Sam Ortega' }), csvRow({ Truck: 'T-2', Driver: 'Dana Reed' }))
    expect(await statesOf(swap)).toEqual(['changed', 'changed'])
    expect((await both(swap)).status).toBe(200)
    expect((await saved()).map(({ name }) => name)).toEqual(['Sam Ortega', 'Dana Reed'])
    // If one of the two is wrong, the other one has no one to swap with.
    const half = scheduleCsv(
      csvRow({ Driver: 'Dana Reed' }),
      csvRow({ Truck: 'T-2', Driver: 'Sam Ortega', 'Artwork set': 'No' }),
    )
    expect(await problemsOf(half)).toEqual([
      { driver: expect.stringContaining('another shift at that time: T-2 · Dana Reed') },
      { artworkSet: 'This program has no artwork set named No.' },
    ])
  })

  test('lets canceled shifts alone and does not change those that are out or completed', async () => {
    await both(scheduleCsv(csvRow()))
    await db.updateTable('shift').set({ status: 'cancelled', reason: 'Rain' }).execute()
    expect((await both(scheduleCsv(csvRow({ Driver: 'Sam Ortega' })))).body.data.counts).toMatchObject({ new: 1 })
    await db.updateTable('shift').set({ status: 'out' }).where('status', '=', 'planned').execute()
    expect(await statesOf(scheduleCsv(csvRow({ Driver: 'Sam Ortega' })))).toEqual(['same'])
    expect(await problemsOf(scheduleCsv(csvRow()))).toEqual([{ date: 'This shift is already out.' }])
    await db.updateTable('shift').set({ status: 'completed' }).where('status', '=', 'out').execute()
    expect(await problemsOf(scheduleCsv(csvRow()))).toEqual([{ date: 'This shift is already completed.' }])
  })

  test('that would now save something else is to be checked again', async () => {
    const content = scheduleCsv(csvRow(), csvRow({ Date: '7/5/2026' }))
    const { digest } = (await check(content)).body.data
    await both(scheduleCsv(csvRow({ Date: '7/5/2026', Driver: 'Sam Ortega' })))
    const refused = await save(content, digest)
    expect([refused.status, refused.error.error]).toEqual([
      409,
      'The schedule changed after the check. Please check the file again.',
    ])
    expect(await saved()).toHaveLength(1)
    expect((await both(content)).body.data.counts).toMatchObject({ new: 1, changed: 1 })
    const unchecked = await call(shiftUpload.upload, { body: { save: true } })
    expect(unchecked.error.fields).toEqual({ digest: 'Check the file first.' })
  })

  test('saved by two at the same time is saved once', async () => {
    const content = scheduleCsv(
      ...Array.from({ length: 50 }, (_, n) =>
        csvRow({
          Date: `8/${(n % 25) + 1}/2026`,
          Truck: `T-${(n % 2) + 1}`,
          Driver: n % 2 ? 'Sam Ortega' : 'Dana Reed',
        }),
      ),
    )
    const { digest } = (await check(content)).body.data
    const answers = await Promise.all(Array.from({ length: 4 }, () => save(content, digest)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
    expect(await saved()).toHaveLength(50)
  })

  test('is not for drivers and clients', async () => {
    for (const { token } of [people.driver, people.client]) {
      expect((await check(scheduleCsv(csvRow()), { token })).status).toBe(403)
      expect((await call(shiftUpload.template, { query: { format: 'csv' } }, { token })).status).toBe(403)
    }
    expect((await check(scheduleCsv(csvRow()), { token: people.sales.token })).status).toBe(200)
    expect((await check(scheduleCsv(csvRow()), { token: '' })).status).toBe(401)
  })
})

test('the template is a file that can be read, with the rules in it', async () => {
  const template = await call(shiftUpload.template, { query: { format: 'csv' } })
  expect(template.headers['content-disposition']).toContain('shifts-template.csv')
  expect(template.text).toContain(CSV_HEADER)
  expect(template.text).toContain('month/day/year')
  const { data } = (await check(template.text)).body
  expect(data.rows.map(({ row }) => row)).toEqual([2, 3])
  expect(Object.keys(data.rows[0]?.problems ?? {})).toEqual(['program', 'truck', 'driver'])
  expect((await call(shiftUpload.template, { query: { format: 'xlsx' } })).headers['content-type']).toContain('sheet')
})

test('dates and times of a workbook are read as Excel keeps them', async () => {
  const text = (place: string, said: string) => `<c r="${place}" t="inlineStr"><is><t>${said}</t></is></c>`
  const heads = ['Date', 'Start', 'End', 'Truck', 'Driver', 'Program', 'Market']
  const names = (row: number) =>
    ['T-1', 'Dana Reed', 'Summer', 'Houston'].map((name, index) => text(`${'DEFG'[index]}${row}`, name)).join('')
  const sheet = await excelFile(
    `<row r="3">${heads.map((head, index) => text(`${'ABCDEFG'[index]}3`, head)).join('')}</row>` +
      `<row r="4"><c r="A4" s="1"><v>46207</v></c><c r="B4" s="2"><v>0.33333333333333331</v></c><c r="C4" s="2"><v>0.66666666666666663</v></c>${names(4)}</row>` +
      `<row r="5"><c r="A5"><v>46208</v></c><c r="B5"><v>0.83333333333333337</v></c><c r="C5" s="2"><v>0</v></c>${names(5)}</row>`,
  )
  const { rows } = (await check(sheet, { name: 'shifts.xlsx', type: 'application/octet-stream' })).body.data
  expect(rows).toMatchObject([
    { row: 4, state: 'new', cells: { date: '2026-07-04', start: '08:00', end: '16:00' } },
    { row: 5, state: 'new', cells: { date: '2026-07-05', start: '20:00', end: '00:00' } },
  ])
})
