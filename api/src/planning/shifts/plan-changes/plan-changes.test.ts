import { randomUUID } from 'node:crypto'
import {
  addresses,
  artworkSets,
  type Shift,
  type ShiftPlanChange,
  type ShiftPlanChangeKind,
  shiftPlanChangeKinds,
  shiftPlanChanges,
  type ShiftPlanChangeResult,
  type ShiftInput,
  shifts,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestPlan, toShiftInput } from '../test-plan.ts'

const world = await openWorld()
const { call, db, people } = world
const { market, elsewhere, program, addTruck, addDriver, plan, update, move } = await openTestPlan(world)
const ofProgram = { programUid: program, note: '' }
const artworkSetUid = (await call(artworkSets.create, { body: { ...ofProgram, name: 'Summer art' } })).body.data.uid
const addressSetUid = (await call(addresses.create, { body: { ...ofProgram, name: 'Malls' } })).body.data.uid
const stop = {
  name: 'Stadium',
  latitude: 32.75,
  longitude: -97.09,
  radiusM: 402,
  from: '10:00',
  to: '12:00',
  minMinutes: 30,
  note: 'Gate 4',
}
/** A shift that uses everything a shift can have. */
const planWhole = (given: Partial<ShiftInput> = {}) =>
  plan({ artworkSetUid, addressSetUid, payOption: 'halfDay', note: 'Bring the flags.', stops: [stop], ...given })

const seen = ({ uid, version }: Shift) => ({ uid, version })
type Place = Partial<Pick<Shift, 'date' | 'start' | 'end'> & { truckUid: string }>
const placed = (shift: Shift, to: Place = {}) => ({
  ...seen(shift),
  truckUid: shift.truck.uid,
  date: shift.date,
  start: shift.start,
  end: shift.end,
  ...to,
})
interface Options {
  save?: boolean
  partly?: boolean
  allowInactiveProgram?: boolean
}
const ask = (act: ShiftPlanChange, options: Options = {}, token = people.admin.token) =>
  call(shiftPlanChanges.apply, { body: { act, ...options } }, { token })
const apply = async (act: ShiftPlanChange, options: Options = {}): Promise<ShiftPlanChangeResult> => {
  const { status, body, error } = await ask(act, options)
  expect([status, error]).toEqual([200, body])
  return body.data
}
const undo = (result: Pick<ShiftPlanChangeResult, 'undoUid'>, token = people.admin.token) =>
  call(shiftPlanChanges.undo, { body: { uid: result.undoUid ?? '' } }, { token })
const get = async ({ uid }: { uid: string }) => (await call(shifts.get, { params: { uid } })).body.data
const reasonsOf = ({ refused }: ShiftPlanChangeResult) =>
  refused.map(({ reason, shifts: some }) => [reason, some.length])

const SIGNED = ['version', 'updated_at', 'changed_by', 'changed_from']

/** The tables whose rows belong to shifts; what is on its way to people is left out. */
const { rows: parts } = await sql<{ table: string; column: string }>`
  select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
   where c.contype = 'f' and c.confrelid = 'shift'::regclass and c.conparentid = 0
     and c.conrelid not in ('shift_notice'::regclass, 'notification'::regclass) order by 1`.execute(db)

/** Every shift with all of its columns, deleted ones too, and every row that belongs to a shift. */
async function everything() {
  const { rows: all } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(s) - ${SIGNED}::text[] as row from shift s order by uid`.execute(db)
  const rows: unknown[] = all.map(({ row }) => row)
  for (const { table } of parts) {
    const found = await sql<{ row: unknown }>`
      select to_jsonb(p) as row from ${sql.table(table)} p order by to_jsonb(p)::text`.execute(db)
    rows.push(...found.rows.map(({ row }) => ({ table, row })))
  }
  return rows
}
const historyOf = async ({ uid }: { uid: string }) =>
  (
    await db.selectFrom('history').select(['action', 'changes']).where('record_uid', '=', uid).orderBy('id').execute()
  ).map(({ action, changes }) => ({ action, changes: changes as Record<string, unknown> }))

/** What a driver said and wrote about a shift. */
async function addWords({ uid, truck, driver, date, start, end }: Shift): Promise<void> {
  const by = { shift_uid: uid, driver_uid: driver?.uid ?? '', changed_by: driver?.uid ?? '' }
  await db
    .insertInto('shift_answer')
    .values({
      ...by,
      act_id: randomUUID(),
      answer: 'confirmed',
      at: new Date(),
      truck_uid: truck.uid,
      local_date: date,
      start_time: start,
      end_time: end,
    })
    .execute()
  await db
    .insertInto('shift_message')
    .values({ ...by, act_id: randomUUID(), text: 'On my way', at: new Date() })
    .execute()
}

const otherTruck = await addTruck()
const otherDriver = await addDriver()
const changeOf: Record<ShiftPlanChangeKind, (some: Shift[]) => ShiftPlanChange> = {
  move: (some) => ({
    kind: 'move',
    shifts: some.map((each, at) => placed(each, { truckUid: at === 0 ? otherTruck : each.truck.uid, start: '09:30' })),
  }),
  copy: (some) => ({ kind: 'copy', shifts: some.map((each) => placed(each, { date: '2026-05-20' })) }),
  driver: (some) => ({ kind: 'driver', shifts: some.slice(0, 1).map(seen), driverUid: otherDriver }),
  cancel: (some) => ({ kind: 'cancel', shifts: some.map(seen), reason: 'Snow' }),
  delete: (some) => ({ kind: 'delete', shifts: some.map(seen) }),
}

describe('a change that is undone', () => {
  test.each(shiftPlanChangeKinds)('leaves everything as it was: %s', async (kind) => {
    const some = [await planWhole({ date: '2026-05-04' }), await planWhole({ date: '2026-05-05' })]
    for (const each of some) await addWords(each)
    const before = await everything()
    const done = await apply(changeOf[kind](some))
    expect(done).toMatchObject({ saved: true, accepted: kind === 'driver' ? 1 : 2, refused: [], inactive: 0 })
    expect(await everything()).not.toEqual(before)
    const histories = await Promise.all(done.changed.map(historyOf))

    const undone = await undo(done)
    expect([undone.status, undone.error]).toEqual([200, undone.body])
    expect(undone.body.data.changed.map(({ uid }) => uid)).toEqual(done.changed.map(({ uid }) => uid))
    const after = await everything()
    const isCopy = (row: unknown) => done.changed.some(({ uid }) => uid === (row as { uid?: string }).uid)
    // A copy is not gone: it is deleted, as by hand.
    const left = after.filter((row) => kind !== 'copy' || !isCopy(row))
    expect(left).toEqual(before)
    for (const row of after.filter((each) => !left.includes(each)))
      expect(row).toMatchObject({ deleted_at: expect.any(String) })

    for (const [at, each] of done.changed.entries()) {
      const entries = await historyOf(each)
      const [known, added] = [histories[at] ?? [], entries.slice(histories[at]?.length)]
      expect(known.at(-1)?.action).toBe({ copy: 'created', delete: 'deleted' }[kind as string] ?? 'changed')
      expect(added.map(({ action }) => action)).toEqual([
        { copy: 'deleted', delete: 'restored' }[kind as string] ?? 'changed',
      ])
      // The undo is the change read backwards.
      for (const [field, [was, is]] of Object.entries(kind === 'copy' ? {} : (known.at(-1)?.changes ?? {})) as [
        string,
        [unknown, unknown],
      ][])
        expect(added[0]?.changes[field]).toEqual([is, was])
    }
  })

  test('copies of a week are gone again, and the week can be copied again', async () => {
    const some = [await planWhole({ date: '2026-06-01' }), await planWhole({ date: '2026-06-02' })]
    const trucks = some.map(({ truck }) => truck.uid)
    const body = { from: '2026-06-01', to: '2026-06-07', onto: '2026-06-08', truck: trucks, save: true }
    const before = await everything()
    const { data } = (await call(shifts.copy, { body })).body
    expect([data.copied, data.refused]).toEqual([2, []])
    expect((await undo(data)).status).toBe(200)
    const left = (await everything()).filter((row) => (row as { deleted_at?: unknown }).deleted_at === null)
    expect(left).toEqual(before.filter((row) => (row as { deleted_at?: unknown }).deleted_at === null))
    expect((await call(shifts.copy, { body })).body.data.copied).toBe(2)
  })

  test('keeps the whole shift in a copy, too', async () => {
    const shift = await planWhole({ date: '2026-05-11' })
    const { changed } = await apply({ kind: 'copy', shifts: [placed(shift, { date: '2026-05-12' })] })
    const copy = await get(changed[0] as { uid: string })
    const values = toShiftInput(shift)
    expect(copy).toMatchObject({
      artworkSet: { uid: artworkSetUid },
      addressSet: { uid: addressSetUid },
      payOption: 'halfDay',
      note: values.note,
      stops: [stop],
      status: 'planned',
      date: '2026-05-12',
    })
  })

  test('of which a shift changed since is refused by name, and nothing is undone', async () => {
    const some = [await plan({ date: '2026-05-13' }), await plan({ date: '2026-05-13' })]
    const done = await apply({ kind: 'move', shifts: some.map((each) => placed(each, { date: '2026-05-14' })) })
    await update(await get(some[1] as Shift), { note: 'Changed' })
    const before = await everything()
    const { status, error } = await undo(done)
    expect([status, error.code]).toEqual([409, 'undoRefused'])
    expect(error.error).toContain(`it was changed since: ${some[1]?.truck.name} · `)
    expect(await everything()).toEqual(before)
  })

  test('whose place was taken since is refused by name', async () => {
    const shift = await plan({ date: '2026-05-15' })
    const done = await apply({ kind: 'delete', shifts: [seen(shift)] })
    const taken = await plan({ date: '2026-05-15', truckUid: shift.truck.uid })
    const { status, error } = await undo(done)
    expect([status, error.error]).toEqual([
      409,
      expect.stringContaining(
        `This can't be undone. The truck has another shift at that time: ${taken.truck.name} · `,
      ) as string,
    ])
  })

  test('is undone once, by the planner who did it, within a day', async () => {
    const shift = await plan({ date: '2026-05-16' })
    const done = await apply({ kind: 'cancel', shifts: [seen(shift)], reason: 'Rain' })
    expect((await undo(done, people.sales.token)).status).toBe(404)
    expect((await undo({ undoUid: shift.uid })).status).toBe(404)
    const old = db.updateTable('shift_act').where('uid', '=', done.undoUid ?? '')
    await old.set({ at: sql`now() - interval '25 hours'` }).execute()
    expect((await undo(done)).error.error).toBe('Only changes of the last 24 hours can be undone.')
    await old.set({ at: sql`now()` }).execute()
    expect((await undo(done)).status).toBe(200)
    expect((await undo(done)).error.error).toBe('This was undone already.')
    expect((await get(shift)).status).toBe('planned')
  })

  test('does not bring back a shift whose truck was deleted, or on days with locked pay', async () => {
    const shift = await plan({ date: '2026-03-02' })
    const done = await apply({ kind: 'delete', shifts: [seen(shift)] })
    const truck = db.updateTable('truck').where('uid', '=', shift.truck.uid)
    await truck.set({ deleted_at: new Date() }).execute()
    expect((await undo(done)).error.error).toBe("This can't be undone. Its truck was deleted.")
    await truck.set({ deleted_at: null }).execute()
    const { uid } = await db
      .insertInto('pay_period')
      .values({
        starts_on: '2026-03-02',
        ends_on: '2026-03-08',
        state: 'locked',
        approved_at: new Date(),
        locked_at: new Date(),
        overtime_after_hours: 40,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    expect((await undo(done)).error.error).toContain('Pay for Mar 2')
    await db.deleteFrom('pay_period').where('uid', '=', uid).execute()
    expect((await undo(done)).status).toBe(200)
  })
})

describe('several shifts at once', () => {
  test('take each other’s places', async () => {
    const truckUid = await addTruck()
    const driverUid = await addDriver()
    const same = { truckUid, driverUid }
    const [one, two, three] = [
      await plan({ ...same, date: '2026-04-06' }),
      await plan({ ...same, date: '2026-04-07' }),
      await plan({ ...same, date: '2026-04-08' }),
    ]
    const forward = [one, two, three].map((each, at) => placed(each, { date: `2026-04-0${at + 7}` }))
    const done = await apply({ kind: 'move', shifts: forward })
    expect(done).toMatchObject({ saved: true, accepted: 3 })
    expect((await get(one)).date).toBe('2026-04-07')
    const back = (await undo(done)).body.data.changed
    expect(back).toHaveLength(3)
    expect([(await get(one)).date, (await get(three)).date]).toEqual(['2026-04-06', '2026-04-08'])
  })

  test('are all refused or partly saved, as asked, and the refused ones stay in the way', async () => {
    const truckUid = await addTruck()
    const [one, two] = [await plan({ truckUid, date: '2026-04-13' }), await plan({ truckUid, date: '2026-04-14' })]
    const blocking = await plan({ truckUid, date: '2026-04-15' })
    const fine = await plan({ date: '2026-04-13' })
    const act: ShiftPlanChange = {
      kind: 'move',
      shifts: [
        placed(one, { date: '2026-04-14' }),
        placed(two, { date: '2026-04-15' }),
        placed(fine, { date: '2026-04-14' }),
      ],
    }
    const before = await everything()
    const none = await apply(act)
    expect(none).toMatchObject({ saved: false, accepted: 1, changed: [], undoUid: null })
    expect(reasonsOf(none)).toEqual([['The truck has another shift at that time.', 2]])
    expect(none.refused[0]?.shifts.map(({ uid, detail }) => [uid, detail])).toEqual([
      [two.uid, expect.stringContaining(`Overlaps ${blocking.truck.name} · `)],
      [one.uid, expect.stringContaining('Apr 14, 2026')],
    ])
    expect(await everything()).toEqual(before)
    const some = await apply(act, { partly: true })
    expect([some.saved, some.accepted, some.changed.map(({ uid }) => uid)]).toEqual([true, 1, [fine.uid]])
    expect(reasonsOf(some)).toEqual(reasonsOf(none))
    expect((await get(fine)).date).toBe('2026-04-14')
  })

  test('that shall go to the same place do not: the first does', async () => {
    const [one, two] = [await plan({ date: '2026-04-20' }), await plan({ date: '2026-04-20' })]
    const place = { truckUid: await addTruck(), date: '2026-04-21' }
    for (const kind of ['move', 'copy'] as const) {
      const result = await apply({ kind, shifts: [placed(one, place), placed(two, place)] }, { save: false })
      expect([result.saved, result.accepted, reasonsOf(result)]).toEqual([
        false,
        1,
        [['The truck has another shift at that time.', 1]],
      ])
    }
  })

  test('are refused by what they are: deleted, changed, begun, off, paused, locked', async () => {
    const date = '2026-02-10'
    const good = await plan({ date })
    const deleted = await plan({ date })
    await apply({ kind: 'delete', shifts: [seen(deleted)] })
    const changed = await plan({ date })
    await update(changed, { note: 'Changed' })
    const out = (await move(await plan({ date }), 'out')).body.data
    const canceled = (await move(await plan({ date }), 'cancelled', 'Snow')).body.data
    const all = [good, deleted, changed, out, canceled]
    const groups = async (kind: ShiftPlanChangeKind) =>
      Object.fromEntries(reasonsOf(await apply(changeOf[kind](all), { save: false, partly: true })))
    const stale = {
      'This shift was deleted.': 1,
      'Someone else changed this shift. Reload to see their changes.': 1,
    }
    expect(await groups('move')).toEqual({
      ...stale,
      "A shift that is out can't be moved.": 1,
      "A shift that is canceled can't be moved.": 1,
    })
    expect(await groups('cancel')).toEqual({
      ...stale,
      "A shift that is out can't be canceled.": 1,
      "A shift that is canceled can't be canceled.": 1,
    })
    expect(await groups('delete')).toEqual({
      ...stale,
      "A shift that is out is part of the record and can't be deleted.": 1,
    })
    const driver = await apply({ kind: 'driver', shifts: [seen(out), seen(good)], driverUid: otherDriver })
    expect([driver.saved, reasonsOf(driver)]).toEqual([false, [["A shift that is out can't change its driver.", 1]]])
    expect(await groups('copy')).toEqual(stale)

    await db.updateTable('client_program').set({ status: 'paused' }).where('uid', '=', program).execute()
    const act: ShiftPlanChange = { kind: 'move', shifts: [placed(good, { date: '2026-02-11' })] }
    expect(await apply(act)).toMatchObject({ saved: false, inactive: 1, refused: [{ reason: 'Summer is paused.' }] })
    expect(await apply(act, { allowInactiveProgram: true, save: false })).toMatchObject({ accepted: 1, inactive: 1 })
    await db.updateTable('client_program').set({ status: 'active' }).where('uid', '=', program).execute()

    const { uid } = await db
      .insertInto('pay_period')
      .values({
        starts_on: date,
        ends_on: date,
        state: 'locked',
        approved_at: new Date(),
        locked_at: new Date(),
        overtime_after_hours: 40,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    for (const kind of ['move', 'driver', 'cancel', 'delete'] as const) {
      const result = await apply(changeOf[kind]([good]))
      expect([kind, result.saved, result.refused[0]?.reason]).toEqual([
        kind,
        false,
        "Pay for Feb 10, 2026 is locked, so shifts on these days can't be changed.",
      ])
    }
    await db.deleteFrom('pay_period').where('uid', '=', uid).execute()
  })

  test('get another driver only if the driver is free and a driver', async () => {
    const [one, two] = [await plan({ date: '2026-04-24' }), await plan({ date: '2026-04-25' })]
    const busy = await plan({ date: '2026-04-25', driverUid: otherDriver })
    const result = await apply(
      { kind: 'driver', shifts: [one, two].map(seen), driverUid: otherDriver },
      { partly: true },
    )
    expect([result.accepted, reasonsOf(result)]).toEqual([1, [['The driver has another shift at that time.', 1]]])
    expect(result.refused[0]?.shifts[0]?.detail).toContain(busy.truck.name)
    expect((await get(one)).driver?.uid).toBe(otherDriver)
    const sales = await apply({ kind: 'driver', shifts: [seen(two)], driverUid: people.sales.uid })
    expect(sales.refused[0]?.reason).toContain('is not a driver.')
    const unknown = await apply({ kind: 'driver', shifts: [seen(two)], driverUid: randomUUID() })
    expect(unknown.refused[0]?.reason).toBe('Driver not found.')
  })

  test('are planned by planners only, one change at a time, with clear refusals of bad input', async () => {
    const shift = await plan({ date: '2026-04-27' })
    const done = await apply({ kind: 'cancel', shifts: [seen(shift)], reason: 'Rain' })
    const client = await world.addUser('client', ['pop', 'clients'], (await world.addClient()).uid)
    const own = await world.addUser('driver')
    const office = await world.addUser('sales', ['overview', 'pop'])
    for (const { token } of [people.driver, own, client, office]) {
      expect((await ask({ kind: 'delete', shifts: [seen(shift)] }, {}, token)).status).toBe(403)
      expect((await undo(done, token)).status).toBe(403)
    }
    const sales = await ask(
      { kind: 'copy', shifts: [placed(await get(shift), { date: '2026-04-28' })] },
      {},
      people.sales.token,
    )
    expect(sales.body.data.saved).toBe(true)
    const twice = await ask({ kind: 'delete', shifts: [seen(shift), seen(shift)] })
    expect([twice.status, twice.error.fields]).toEqual([400, { 'act.shifts': 'Name each shift once.' }])
    expect((await ask({ kind: 'delete', shifts: [] })).error.fields).toEqual({
      'act.shifts': 'Choose at least one shift.',
    })
    expect((await ask({ kind: 'cancel', shifts: [seen(shift)], reason: '' })).error.fields).toEqual({
      'act.reason': 'Required.',
    })
    expect((await ask({ kind: 'turn' } as unknown as ShiftPlanChange)).status).toBe(400)
    expect((await ask({ kind: 'move', shifts: [placed(shift, { end: '08:00' })] })).error.fields).toEqual({
      'act.shifts.0.end': 'Must differ from the start.',
    })
  })
})

test('travel that cannot be done is remarked before and after saving, and refuses nothing', async () => {
  const place = (uid: string, latitude: number | null, longitude: number | null) =>
    db
      .updateTable('market')
      .set({ latitude, longitude, radius_m: latitude === null ? null : 40_000 })
      .where('uid', '=', uid)
      .execute()
  await place(market, 32.78, -96.8)
  await place(elsewhere, 30.27, -97.74)
  const morning = await plan({ date: '2026-06-20' })
  const truckUid = morning.truck.uid
  const evening = await plan({ date: '2026-06-21', start: '17:00', end: '22:00', marketUid: elsewhere, truckUid })
  const input = { ...toShiftInput(evening), date: '2026-06-20' }
  const late = 'Only 1 h to travel 182 miles from Dallas, after the last shift of the truck.'
  // The form asks about the shift that it changes, and not about the place that it leaves.
  const asked = await call(shifts.clashes, { body: { ...input, uid: evening.uid } })
  expect(asked.body.data).toMatchObject({ clashes: [], lateArrivals: [late] })
  const act: ShiftPlanChange = { kind: 'move', shifts: [placed(evening, { date: '2026-06-20' })] }
  const isLate = { lateArrivals: [{ uid: evening.uid, name: expect.any(String) as string, detail: late }] }
  expect(await apply(act, { save: false })).toMatchObject({ saved: false, ...isLate })
  expect(await apply({ ...act, kind: 'copy' }, { save: false })).toMatchObject({ saved: false, ...isLate })
  expect(await apply(act)).toMatchObject({ saved: true, ...isLate })
  const days = { from: '2026-06-20', to: '2026-06-20', onto: '2026-06-27', truck: [truckUid] }
  const copied = await call(shifts.copy, { body: { ...days, save: false } })
  expect(copied.body.data).toMatchObject({ copied: 2, refused: [], ...isLate })
  const driver = { kind: 'driver' as const, shifts: [seen(morning)], driverUid: evening.driver?.uid ?? '' }
  expect((await apply(driver, { save: false })).lateArrivals).toEqual([
    {
      uid: morning.uid,
      name: expect.any(String) as string,
      detail: 'Only 1 h to travel 182 miles to Austin, before the next shift of truck and driver.',
    },
  ])
  await place(market, null, null)
  await place(elsewhere, null, null)
})
