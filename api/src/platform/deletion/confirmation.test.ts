import {
  addresses,
  artworkSets,
  clients,
  dependentWords,
  markets,
  oldPrograms,
  pixel,
  programs,
  shiftPlanChanges,
  shifts,
  trucks,
  users,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addDeletable } from './test-deletable.ts'

const world = await openWorld()
const { call, db, people } = world

const SIDE = 'driverSide'

/** Records of a client with everything behind them: plays, pay and a published page. */
async function addWithPast() {
  const added = await addDeletable(world)
  const { shift, truck, program, marketOfProgram: market, user: driver, date } = added
  await sql`insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms)
    values (${date}::timestamptz, ${truck.uid}, ${shift.uid}, ${program.uid}, ${market.uid}, ${date}, ${SIDE}, 1204, 1)`.execute(
    db,
  )
  await sql`
    with p as (insert into pay_period (starts_on, ends_on, state, overtime_after_hours)
               values (${date}, ${date}, 'open', 40) returning uid)
    insert into pay_line (shift_uid, period_uid, driver_uid, local_date, cents, line)
    select ${shift.uid}, uid, ${driver.uid}, ${date}, 100, '{"needsDecision": false}' from p`.execute(db)
  const figures = JSON.stringify({ figures: { metres: 0, plays: 0 }, photos: 0 })
  await sql`insert into pop_version (program_uid, number, published_at, note, changes, document, sha256, opening)
    values (${program.uid}, 1, now(), '', '', ${figures}, ${'a'.repeat(64)}, '{}')`.execute(db)
  return added
}

const wordsOf = async (endpoint: typeof trucks.dependents, uid: string) => {
  const { data } = (await call(endpoint, { params: { uid } })).body
  return { words: data.dependents.map(dependentWords), refusal: data.refusal }
}

test('what hangs on a record is counted, with the screens that list it', async () => {
  const { client, program, truck, user, shift, marketOfProgram, artworkSet, pixelMap } = await addWithPast()
  const past = ['1 shift', '1,204 plays', 'pay of 1 period']
  const counted = async (calls: { dependents: object }, { uid }: { uid: string }) => {
    const { words } = await wordsOf(calls.dependents as typeof trucks.dependents, uid)
    return new Set(words)
  }
  expect(await counted(trucks, truck)).toEqual(new Set([...past, '1 device']))
  expect(await counted(users, user)).toEqual(new Set([...past, '1 pay adjustment']))
  expect(await counted(shifts, shift)).toEqual(new Set(['1,204 plays', 'pay of 1 period', '1 photo']))
  expect(await counted(artworkSets, artworkSet)).toEqual(new Set())
  expect(await counted(pixel, pixelMap)).toEqual(new Set())
  expect(await counted(markets, marketOfProgram)).toEqual(new Set([...past, '1 photo']))
  expect(await counted(programs, program)).toEqual(
    new Set([...past, '1 photo', '1 published POP page', '1 artwork set', '1 SD address set']),
  )
  expect(await counted(clients, client)).toEqual(new Set([...past, '1 program', '1 published POP page']))
  const { data } = (await call(programs.dependents, { params: program })).body
  expect(data.dependents.map(({ kind, to }) => [kind, to])).toEqual(
    expect.arrayContaining([
      ['shifts', `/schedule/program-schedule?program=${program.uid}`],
      ['plays', `/ad-log?program=${program.uid}`],
    ]),
  )
})

test('a record with plays, pay or a published page behind it is deleted only when that is confirmed', async () => {
  const { program, truck, shift, user } = await addWithPast()
  const behind = [
    [shifts, shift, '1,204 plays and pay of 1 period'],
    [trucks, truck, '1,204 plays and pay of 1 period'],
    [users, user, '1,204 plays, pay of 1 period and 1 pay adjustment'],
    [programs, program, '1,204 plays, pay of 1 period and 1 published POP page'],
  ] as const
  for (const [calls, { uid }, past] of behind) {
    const refused = await call(calls.remove as typeof trucks.remove, { params: { uid } })
    expect([refused.status, refused.error.code]).toEqual([409, 'deletionUnconfirmed'])
    expect(refused.error.error).toBe(`Behind this record: ${past}. Confirm to delete it anyway.`)
  }
  expect((await call(oldPrograms.remove, { params: program })).error.code).toBe('deletionUnconfirmed')
  const confirmed = { query: { confirmed: 'yes' } } as const
  expect((await call(oldPrograms.remove, { params: program, ...confirmed })).status).toBe(200)
  expect((await call(trucks.remove, { params: truck, ...confirmed })).status).toBe(200)
  expect((await call(users.remove, { params: user, ...confirmed })).status).toBe(200)
})

test('other records are deleted without more', async () => {
  const { artworkSet, addressSet, pixelMap } = await addDeletable(world)
  expect((await call(artworkSets.remove, { params: artworkSet })).status).toBe(200)
  expect((await call(addresses.remove, { params: addressSet })).status).toBe(200)
  expect((await call(pixel.remove, { params: pixelMap })).status).toBe(200)
})

test('the question knows beforehand why a record can’t be deleted', async () => {
  const { planned, truck, client, n } = await addDeletable(world)
  await call(shifts.create, { body: { ...planned, date: '2090-01-02' } })
  const { refusal } = await wordsOf(trucks.dependents, truck.uid)
  expect(refusal).toContain(`Shifts that are not over still need this truck: T-${n} on Mon, Jan 2, 2090.`)
  expect((await wordsOf(clients.dependents as never, client.uid)).refusal).not.toBeNull()
  expect((await call(users.dependents, { params: { uid: people.admin.uid } })).body.data.refusal).toContain('your own')
})

test('only those who may delete a record learn what hangs on it', async () => {
  const { truck, program } = await addDeletable(world)
  for (const { token } of [people.driver, people.client]) {
    expect((await call(trucks.dependents, { params: truck }, { token })).status).toBe(403)
    expect((await call(programs.dependents, { params: program }, { token })).status).toBe(403)
  }
  const gone = { params: { uid: '00000000-0000-4000-8000-000000000000' } }
  expect((await call(trucks.dependents, gone)).status).toBe(404)
})

test('the board deletes no shift with plays or pay behind it along with others', async () => {
  const [{ shift: played }, { shift: other }] = [await addWithPast(), await addDeletable(world)]
  const chosen = [played, other].map(({ uid, version }) => ({ uid, version }))
  const act = { kind: 'delete', shifts: chosen } as const
  const { data } = (await call(shiftPlanChanges.apply, { body: { act, save: true, partly: true } })).body
  expect(data).toMatchObject({ accepted: 1, saved: true })
  expect(data.refused.map(({ reason }) => reason)).toEqual([
    'Behind this shift: 1,204 plays and pay of 1 period. Open it to delete it.',
  ])
})
