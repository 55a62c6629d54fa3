import { addDays, daysBetween } from '@roadshow/contract'
import { sql } from 'kysely'
import { changeSettings, currentSettings } from '../catalog/settings/index.ts'
import { MILES_VERSION } from '../live/telemetry/index.ts'
import { saveShifts, tookPlace } from '../planning/shifts/index.ts'
import { type Db, inTransaction } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import { addFormerLines } from './add-booked-lines.ts'
import { type Crew, crewsOf, type RunningProgram } from './add-shifts.ts'
import { addFormerPrograms } from './former-programs.ts'
import { PICTURE_MS } from './past-plays.ts'
import { BLOCK_DAYS, blocksBefore, shiftsOfBlock } from './years-plan.ts'

/** The first day whose single plays and positions the demo records. */
async function firstRecordedDay(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select min(local_date) as day from shift where created_at = (select min(created_at) from shift)`.execute(db)
  return rows[0]?.day ?? undefined
}

/**
 * Adds the two years before the recorded weeks as a business of that age has them: programs, shifts, miles of each shift and
 * plays of each hour. Single plays and positions are gone, and the settings say so. What a start leaves undone, the next one
 * goes on with.
 */
export async function addYears(
  db: Db,
  scope: Scope,
  { signal, newestBlocks = Infinity }: { signal: AbortSignal; newestBlocks?: number },
): Promise<void> {
  const recordedFrom = await firstRecordedDay(db)
  if (!recordedFrom) return
  await keepRecordedDays(db, scope, recordedFrom)
  const programs = await addFormerPrograms(db, scope.actor.uid, recordedFrom)
  const crews = await crewsOf(db)
  const blocks = blocksBefore(recordedFrom)
  for (const startsOn of blocks.slice(Math.max(0, blocks.length - newestBlocks))) {
    if (signal.aborted) return
    await inTransaction(db, (db) => addBlock(db, scope, { startsOn, recordedFrom, crews, programs }))
  }
  if (signal.aborted) return
  await inTransaction(db, async (db) => {
    await addFormerLines(db, recordedFrom)
    await addFormerPlayers(db, scope, recordedFrom)
  })
}

/** Plays and positions are kept since the first recorded day: whatever is older is only counted. */
async function keepRecordedDays(db: Db, scope: Scope, recordedFrom: string): Promise<void> {
  const { version, values } = await currentSettings(db)
  const days = daysBetween(recordedFrom, new Date().toISOString().slice(0, 10))
  const isDone = (await sql`select from setting where key = 'keepPlaysDays'`.execute(db)).rows.length > 0
  if (!isDone) await changeSettings(db, scope, version, { ...values, keepPlaysDays: days, keepPositionsDays: days })
}

interface Block {
  startsOn: string
  recordedFrom: string
  crews: readonly Crew[]
  programs: readonly RunningProgram[]
}

async function addBlock(db: Db, scope: Scope, { startsOn, recordedFrom, crews, programs }: Block): Promise<void> {
  const endsOn = addDays(startsOn, BLOCK_DAYS - 1)
  const known = sql`select from shift where local_date between ${startsOn}::date and ${endsOn}::date limit 1`
  if ((await known.execute(db)).rows.length > 0) return
  await saveShifts(db, scope, shiftsOfBlock(startsOn, recordedFrom, { crews, programs }))
  await finishShifts(db, startsOn, endsOn)
  await addMiles(db, startsOn, endsOn)
  await addHours(db, startsOn, endsOn)
  // There are neither positions nor plays to measure and grade by what was noted of these shifts.
  await sql`delete from miles_due where ends_at < ${recordedFrom}::date`.execute(db)
  await sql`delete from evidence_change where last_at < ${recordedFrom}::date`.execute(db)
}

/** Most shifts took place as planned; a few were called off or had no driver. */
const finishShifts = (db: Db, from: string, to: string) =>
  sql`
    update shift set
      status = case luck when 0 then 'cancelled' when 1 then 'noShow' else 'completed' end,
      reason = case luck when 0 then 'The client called it off.' when 1 then 'Driver ill.' else '' end,
      started_at = case when luck > 1 then starts_at + luck % 12 * interval '1 minute' end,
      stopped_at = case when luck > 1 then ends_at + luck % 7 * interval '2 minutes' end
     from (select s.uid as of, row_number() over (order by s.local_date, s.start_time, t.number) * 37 % 83 as luck
             from shift s join truck t on t.uid = s.truck_uid
            where s.local_date between ${from}::date and ${to}::date) l
    where l.of = uid`.execute(db)

/** A number from 0 to 1 that is always the same for a shift. */
const chance = sql`(abs(hashtext(s.truck_uid::text || s.local_date)) % 1000) / 1000.0`

/** The miles of each shift, at 11 to 15 miles an hour in the city; its tracker was silent for a few minutes. */
const addMiles = (db: Db, from: string, to: string) =>
  sql`
    insert into shift_track (shift_uid, truck_uid, starts_at, ends_at, heard_ms, gps_metres, metres, source, coverage, algorithm)
    select s.uid, s.truck_uid, lower(d.hours), upper(d.hours), d.seconds * 1000 * d.heard, d.metres, d.metres, 'gps', d.heard,
           ${MILES_VERSION}
      from shift s
     cross join lateral (select started_claim(s) as hours, 1 - 0.03 * ${chance} as heard) h
     cross join lateral (
       select h.hours, h.heard, extract(epoch from upper(h.hours) - lower(h.hours)) as seconds,
              extract(epoch from upper(h.hours) - lower(h.hours)) * (4.9 + 1.8 * ${chance}) as metres) d
     where s.local_date between ${from}::date and ${to}::date and ${tookPlace('s')}`.execute(db)

/**
 * What the plays of each shift add up to by the hour: a picture on each side every five minutes, as in the recorded weeks. One
 * in forty falls into a silence of the tracker.
 */
const addHours = (db: Db, from: string, to: string) =>
  sql`
    insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms, verified, no_track)
    select date_trunc('hour', p.at), s.truck_uid, s.uid, s.program_uid, s.market_uid, s.local_date, e.side, count(*),
           count(*) * ${PICTURE_MS}::int, count(*) filter (where not p.is_silent), count(*) filter (where p.is_silent)
      from shift s join truck t on t.uid = s.truck_uid and t.kind = 'led'
     cross join lateral (select started_claim(s) as hours) h
     cross join lateral (
       select lower(h.hours) + n * ${PICTURE_MS}::int * interval '1 millisecond' as at,
              (n + (1000 * ${chance})::int) % 40 = 0 as is_silent
         from generate_series(0, floor(extract(epoch from upper(h.hours) - lower(h.hours)) * 1000 / ${PICTURE_MS}::int)::int - 1) n) p
     cross join unnest(array['driverSide', 'passengerSide', 'rear']) e (side)
     where s.local_date between ${from}::date and ${to}::date and ${tookPlace('s')}
     group by 1, 2, 3, 4, 5, 6, 7`.execute(db)

/** The players that showed these plays were replaced since then; they used a number for each. */
async function addFormerPlayers(db: Db, { actor }: Scope, recordedFrom: string): Promise<void> {
  const known = sql`select from device where deleted_at is not null and kind = 'player' limit 1`
  if ((await known.execute(db)).rows.length > 0) return
  await sql`
    with played as (
      select truck_uid, sum(plays)::bigint as plays from play_hour where day < ${recordedFrom}::date group by 1
    ), former as (
      insert into device (truck_uid, kind, mac_address, changed_by, deleted_at)
      select truck_uid, 'player', upper('b8:27:eb:' || regexp_replace(left(md5(truck_uid::text), 6), '(..)(..)(..)', '\\1:\\2:\\3')),
             ${actor.uid}::uuid, ${recordedFrom}::date
        from played returning uid, truck_uid)
    insert into play_sequence (device_uid, received)
    select f.uid, int8multirange(int8range(1, p.plays + 1)) from former f join played p using (truck_uid)`.execute(db)
}
