import { sql } from 'kysely'
import { readSettings } from '../../catalog/settings/index.ts'
import { readFixes } from '../../live/telemetry/index.ts'
import { heldHours, heldHoursJson } from '../../planning/shifts/index.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { keptSince } from '../../platform/db/partitions.ts'
import { allOf, type SqlFragment } from '../../platform/db/records/fragments.ts'
import { type BacklogContext, defineJob, type JobContext } from '../../platform/jobs/define-job.ts'
import { recentThenOld, workThrough } from '../../platform/jobs/work-through.ts'
import { jobsWaiting } from '../../platform/observability/metrics.ts'
import { currentMethod } from './methods.ts'
import { type CountedMethod, IMPRESSION_RULES, impressionsOf } from './rules.ts'

const JOB = 'impressions'
const AT_ONCE = 50

interface DueShift {
  uid: string
  truck: string
  zone: string
  market: string
  kind: 'led' | 'printed'
  /** Null for printed trucks. */
  hasPlays: boolean | null
  hours: [from: number, to: number][]
  dueAt: string | null
}

/** Which shifts to compute: all of a program, those that ended lately, or also those that ended long ago. */
type Wanted = { program: string } | 'recent' | 'all'

// Running shifts are computed every half hour, because their tracks grow all the time.
const IS_TIME = sql`(upper(${heldHours('s')}) < now() or i.computed_at is null or i.computed_at < now() - interval '30 minutes')`

/**
 * Shifts whose track, hours, plays, method or rules changed since they were computed. Of older shifts the positions are gone, so
 * their numbers stay.
 */
async function dueShifts(db: Db, version: number, wanted: Wanted): Promise<DueShift[]> {
  const kept = keptSince((await readSettings(db)).keepPositionsDays, await sharedNow(db))
  const conditions = [
    sql`s.deleted_at is null and t.starts_at >= ${new Date(kept)}`,
    sql`(i.shift_uid is null or i.due_at is not null or i.method_version <> ${version}
         or i.rules_version <> ${IMPRESSION_RULES})`,
    typeof wanted === 'object' ? sql`s.program_uid = ${wanted.program}` : IS_TIME,
    ...(wanted === 'recent' ? [sql`t.ends_at > now() - interval '8 days'`] : []),
  ]
  const { rows } = await sql<DueShift>`
    select s.uid, s.truck_uid as truck, s.zone, s.market_uid as market, tr.kind,
           case when tr.kind = 'led' then has_plays(s.uid) end as "hasPlays", ${heldHoursJson('s')} as hours,
           i.due_at::text as "dueAt"
      from shift_track t join shift s on s.uid = t.shift_uid join truck tr on tr.uid = s.truck_uid
      left join shift_impression i on i.shift_uid = s.uid
     where ${allOf(conditions)}
     order by i.computed_at nulls first, s.uid limit ${AT_ONCE}`.execute(db)
  return rows
}

/** Computes a shift from all its positions. */
async function storeShift(db: Db, method: CountedMethod & { version: number }, shift: DueShift): Promise<void> {
  const hours = shift.hours.map(([from, to]) => ({ from, to }))
  const [first, last] = [hours[0], hours.at(-1)]
  const read = first && last && (await readFixes(db, [shift.truck], { from: first.from, to: last.to }))
  const fixes = read?.get(shift.truck) ?? []
  const found = impressionsOf(
    {
      fixes,
      hours,
      zone: shift.zone,
      marketUid: shift.market,
      truckKind: shift.kind,
      hasPlays: shift.hasPlays ?? false,
    },
    method,
  )
  const row = {
    low: found?.low ?? null,
    likely: found?.likely ?? null,
    high: found?.high ?? null,
    counted_ms: found?.countedMs ?? 0,
    parked_ms: found?.parkedMs ?? 0,
    unlit_ms: found?.unlitMs ?? 0,
    has_plays: shift.hasPlays,
    method_version: method.version,
    rules_version: IMPRESSION_RULES,
    computed_at: sql<Date>`now()`,
  }
  // What changed while it was computed is still to be done.
  const due_at = sql<Date | null>`case when shift_impression.due_at is distinct from ${shift.dueAt}::timestamptz
                                       then shift_impression.due_at end`
  await db
    .insertInto('shift_impression')
    .values({ shift_uid: shift.uid, ...row })
    .onConflict((conflict) => conflict.column('shift_uid').doUpdateSet({ ...row, due_at }))
    .execute()
}

/** Trucks that were changed from printed to LED or back since a moment; their shifts are estimated by the present kind. */
const changedKinds = (since: SqlFragment) => sql`
  select t.uid from truck t
   where t.updated_at > ${since} and exists (
     select from history h
      where h.table_name = 'truck' and h.record_uid = t.uid and h.at > ${since} and h.action = 'changed'
        and h.changes ? 'kind')`

const ofProgram = (program: string | undefined) => (program === undefined ? sql`true` : sql`s.program_uid = ${program}`)

/**
 * Marks shifts around whose hours something changed since a moment: positions, hours, or the shift that had the truck; and
 * all shifts of a truck whose kind changed.
 */
const markDue = (db: Db, since: SqlFragment, program?: string) =>
  sql`
    update shift_impression i set due_at = now()
      from (select distinct s.uid
              from evidence_change e
              join shift s on s.truck_uid = e.truck_uid and s.deleted_at is null
               and s.starts_at > e.first_at - interval '3 days' and s.starts_at < e.last_at + interval '2 days'
               -- Hours that a shift has lost are beside those that it still claims.
               and (hold_claim(s) && tstzrange(e.first_at, e.last_at, '[]') or hold_claim(s) -|- tstzrange(e.first_at, e.last_at, '[]'))
             where e.changed_at > ${since} and ${ofProgram(program)}
            union
            select s.uid from shift s where s.truck_uid in (${changedKinds(since)}) and ${ofProgram(program)}) d
     where i.shift_uid = d.uid`.execute(db)

/**
 * Marks shifts of LED trucks that got their first plays, or lost their last ones. Plays are counted for all shifts at once,
 * because on a cluster they are on other machines.
 */
async function markChangedPlays(db: Db, which: SqlFragment): Promise<void> {
  const { rows: known } = await sql<{ uid: string; hasPlays: boolean }>`
    select i.shift_uid as uid, i.has_plays as "hasPlays" from shift_impression i join shift s on s.uid = i.shift_uid
     where i.has_plays is not null and i.due_at is null and (${which})`.execute(db)
  if (known.length === 0) return
  const uids = known.map(({ uid }) => uid)
  const played = await db
    .selectFrom('play_hour')
    .select('shift_uid')
    .distinct()
    .where('shift_uid', '=', anyOf(uids))
    .where('plays', '>', 0)
    .execute()
  const withPlays = new Set(played.map((hour) => hour.shift_uid))
  const changed = known.filter(({ uid, hasPlays }) => hasPlays !== withPlays.has(uid)).map(({ uid }) => uid)
  if (changed.length > 0)
    await db
      .updateTable('shift_impression')
      .set({ due_at: sql`now()` })
      .where('shift_uid', '=', anyOf(changed))
      .execute()
}

/** Plays change while a shift is recent; the first ones may come later, from a player that was offline. */
async function markLatePlays(db: Db): Promise<void> {
  await markChangedPlays(db, sql`s.starts_at > now() - interval '8 days'`)
  await markChangedPlays(db, sql`not i.has_plays`)
}

/** Computes some of the shifts that need it; answers whether there are more. */
async function computeDue(db: Db, wanted: Wanted, signal?: AbortSignal): Promise<boolean> {
  if (!(await readSettings(db)).showImpressions) return false
  const method = await currentMethod(db)
  const due = await dueShifts(db, method.version, wanted)
  jobsWaiting.set({ job: JOB }, due.length)
  for (const shift of due) if (!signal?.aborted) await storeShift(db, method, shift)
  return due.length === AT_ONCE
}

/** Computes everything of a program now that still waits for it, as before its page is published. */
export async function finishImpressions(db: Db, program: string): Promise<void> {
  await markDue(db, sql`coalesce((select done_until from job_watermark where job = ${JOB}), '-infinity')`, program)
  await markChangedPlays(db, sql`s.program_uid = ${program}`)
  while (await computeDue(db, { program }));
}

type RunContext = JobContext & BacklogContext & { since: string }

/**
 * Keeps the impressions of shifts current. Changes are noted while impressions are turned off, so that turning them on is
 * enough.
 */
export const storeImpressionsJob = defineJob(
  JOB,
  recentThenOld<RunContext>({
    recent: async ({ db, since, timeUp }) => {
      await markDue(db, sql`${since}`)
      await markLatePlays(db)
      await workThrough(timeUp, () => computeDue(db, 'recent', timeUp))
    },
    old: ({ db, timeUp }) => computeDue(db, 'all', timeUp),
  }),
)
