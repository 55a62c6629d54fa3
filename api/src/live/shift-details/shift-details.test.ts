import { shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { openTestPlan } from '../../planning/shifts/test-plan.ts'

const world = await openWorld()
const { call, db } = world
const { program, market, plan } = await openTestPlan(world)

const detailsOf = async (uid: string) => (await call(shifts.details, { query: { uid } })).body.data[0]

async function addPlays(shift: { uid: string; date: string }, grades: string[]): Promise<void> {
  await sql`
    insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms, verified, conflict)
    select ${`${shift.date}T15:00Z`}, truck_uid, uid, program_uid, market_uid, local_date, 'rear', ${grades.length},
           ${grades.length * 8000}, ${grades.filter((grade) => grade === 'verified').length},
           ${grades.filter((grade) => grade === 'conflict').length} from shift where uid = ${shift.uid}`.execute(db)
}

test('a shift without anything has nothing to show', async () => {
  const { uid } = await plan()
  expect(await detailsOf(uid)).toMatchObject({
    plays: {
      count: 0,
      verified: 0,
      conflict: 0,
    },
    distance: null,
    issues: [],
    photos: 0,
  })
})

test('plays, miles, issues and photos are those of the shift', async () => {
  const shift = await plan({ date: '2026-07-02' })
  const other = await plan({ date: '2026-07-02' })
  await addPlays(shift, ['verified', 'verified', 'unverified', 'conflict'])
  await db
    .insertInto('shift_track')
    .values({
      shift_uid: shift.uid,
      truck_uid: shift.truck.uid,
      starts_at: shift.startsAt,
      ends_at: shift.endsAt,
      heard_ms: 1,
      gps_metres: 5e3,
      metres: 5200,
      source: 'odometer',
      estimated_metres: 300,
      coverage: 0.5,
      algorithm: 1,
    })
    .execute()
  const issue = { truck_uid: shift.truck.uid, shift_uid: shift.uid, raised_by: 'driver', kind: 'screen' }
  const opened = await db
    .insertInto('truck_issue')
    .values({ ...issue, opened_at: '2026-07-02T16:00:00Z' })
    .returning('uid')
    .executeTakeFirstOrThrow()
  const photo = (n: number) => ({
    program_uid: program,
    market_uid: market,
    shift_uid: shift.uid,
    position: n,
    blur: '',
    sizes: '{}',
    key: String(n).padStart(32, '0'),
    original_name: `${n}.jpg`,
    original_sha256: String(n).padStart(64, '0'),
  })
  await db
    .insertInto('pop_photo')
    .values([photo(1), photo(2), { ...photo(3), deleted_at: new Date() }])
    .execute()
  expect(await detailsOf(shift.uid)).toMatchObject({
    plays: { count: 4, verified: 2, conflict: 1 },
    distance: { metres: 5200, source: 'odometer', estimatedMetres: 300, coverage: 0.5 },
    issues: [{ uid: opened.uid, kind: 'screen', status: 'open', openedAt: '2026-07-02T16:00:00.000Z' }],
    photos: 2,
  })
  expect(await detailsOf(other.uid)).toMatchObject({ plays: { count: 0 }, distance: null, issues: [], photos: 0 })
  const { text } = await call(shifts.details, { query: { uid: shift.uid, format: 'csv' } })
  expect(text).toContain('Plays,Verified plays,Miles,"GPS coverage, %",Issues,Photos')
  expect(text).toContain(',4,2,3.23,50,1,2')
})

// Each on a day of its own.
let flagged = 9
test.each<[string, boolean, { kind?: string; status?: string; metres?: number | null; isPlayed?: boolean }]>([
  ['an LED truck that drove and showed nothing', true, {}],
  ['one that showed something', false, { isPlayed: true }],
  ['a printed truck', false, { kind: 'printed' }],
  ['one that was only moved in the yard', false, { metres: 150 }],
  ['one without GPS data', false, { metres: null }],
  ['one that is still out', false, { status: 'out' }],
])('a completed shift with miles and no plays is flagged: %s', async (_, expected, given) => {
  const { kind = 'led', status = 'completed', metres = 67_592, isPlayed = false } = given
  const shift = await plan({ date: `2026-07-${String(++flagged).padStart(2, '0')}` })
  const times = { started_at: shift.startsAt, stopped_at: status === 'out' ? null : shift.endsAt }
  await db.updateTable('truck').set({ kind }).where('uid', '=', shift.truck.uid).execute()
  await db
    .updateTable('shift')
    .set({ status, ...times })
    .where('uid', '=', shift.uid)
    .execute()
  const track = { starts_at: shift.startsAt, ends_at: shift.endsAt, heard_ms: 1, coverage: 1, algorithm: 2 }
  if (metres !== null)
    await db
      .insertInto('shift_track')
      .values({ shift_uid: shift.uid, truck_uid: shift.truck.uid, gps_metres: metres, metres, source: 'gps', ...track })
      .execute()
  if (isPlayed) await addPlays(shift, ['unverified'])
  expect((await detailsOf(shift.uid))?.isWithoutPlays).toBe(expected)
})
