import type { Settings } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { recordIssueEvents } from './issue-events.ts'
import { endSnoozesOfSameIssue } from './snoozes.ts'
import {
  alertDelay,
  evaluateAlert,
  type RunningShift,
  type AlertKind,
  alertKinds,
  activeAlerts,
  type AlertVerdict,
  type AlertWatch,
} from './alert-rules.ts'

interface Watched {
  truckUid: string
  kind: AlertKind
  shiftUid: string
  watch: (AlertWatch & { shiftUid: string }) | undefined
  /** The open issue of the alert. */
  issueUid: string | undefined
  isActive: boolean
}

const keyOf = (truckUid: string, kind: string) => `${truckUid} ${kind}`

/** Checks every running shift once: raises issues, and closes issues whose cause is gone. */
export const watchFleet = (db: Db, now: number): Promise<void> =>
  inTransaction(db, async (db) => {
    const settings = await readSettings(db)
    await applyVerdicts(db, await watchedOf(db, settings, now), settings, now)
  })

/** Each alert that is active, was active before, or has an open issue. */
async function watchedOf(db: Db, settings: Settings, now: number): Promise<Watched[]> {
  const watches = await db
    .selectFrom('issue_watch')
    .select(['truck_uid', 'kind', 'shift_uid', 'since', 'gone_since'])
    .execute()
  const open = await db
    .selectFrom('truck_issue')
    .select(['uid', 'truck_uid', 'kind', 'shift_uid'])
    .where('raised_by', '=', 'server')
    .where('status', '<>', 'resolved')
    .where('deleted_at', 'is', null)
    .execute()
  const known = new Map<string, Watched>()
  const watchedFor = (truckUid: string, kind: string, shiftUid: string): Watched => {
    const key = keyOf(truckUid, kind)
    const found = known.get(key) ?? {
      truckUid,
      kind: kind as AlertKind,
      shiftUid,
      watch: undefined,
      issueUid: undefined,
      isActive: false,
    }
    known.set(key, found)
    return found
  }
  for (const { truck_uid, kind, shift_uid, since, gone_since } of watches)
    watchedFor(truck_uid, kind, shift_uid).watch = {
      shiftUid: shift_uid,
      since: Date.parse(since),
      goneSince: gone_since === null ? null : Date.parse(gone_since),
    }
  for (const { uid, truck_uid, kind, shift_uid } of open) watchedFor(truck_uid, kind, shift_uid ?? '').issueUid = uid
  for (const running of await runningShifts(db, now))
    for (const kind of activeAlerts(running, settings, now)) {
      const alert = watchedFor(running.truckUid, kind, running.shiftUid)
      alert.isActive = true
      alert.shiftUid = running.shiftUid
    }
  return [...known.values()].filter(({ kind }) => alertKinds.includes(kind))
}

/** Writes one statement for each kind of change, because hundreds of trucks can have the same alert at once. */
async function applyVerdicts(db: Db, all: readonly Watched[], settings: Settings, now: number): Promise<void> {
  const evaluated = all.map((each) => ({
    ...each,
    verdict: evaluateAlert({
      watch: each.watch,
      isActive: each.isActive,
      isRaised: each.issueUid !== undefined,
      delayMs: alertDelay(each.kind, settings),
      now,
    }),
  }))
  const isOver = ({ verdict }: { verdict: AlertVerdict }) => verdict === 'close' || verdict === 'forget'
  const raised = evaluated.filter(({ verdict }) => verdict === 'raise')
  const closed = evaluated.filter(({ verdict }) => verdict === 'close')
  const forgotten = evaluated.filter((each) => isOver(each) && each.watch)
  const watched = evaluated.filter((each) => !isOver(each)).flatMap((each) => watchOf(each, now) ?? [])
  const at = new Date(now)
  if (raised.length > 0) await raiseIssues(db, raised, at)
  if (closed.length > 0) await closeIssues(db, closed, at)
  if (forgotten.length > 0)
    await sql`
      delete from issue_watch w
       using unnest(${of(forgotten, 'truckUid')}::uuid[], ${of(forgotten, 'kind')}::text[]) as t (truck_uid, kind)
       where w.truck_uid = t.truck_uid and w.kind = t.kind`.execute(db)
  if (watched.length > 0)
    await sql`
      insert into issue_watch (truck_uid, kind, shift_uid, since, gone_since)
      select * from unnest(${of(watched, 'truckUid')}::uuid[], ${of(watched, 'kind')}::text[],
                           ${of(watched, 'shiftUid')}::uuid[], ${of(watched, 'since')}::timestamptz[],
                           ${of(watched, 'goneSince')}::timestamptz[])
      on conflict (truck_uid, kind) do update
        set shift_uid = excluded.shift_uid, since = excluded.since, gone_since = excluded.gone_since`.execute(db)
}

/** Raises one issue for each alert. */
async function raiseIssues(db: Db, raised: readonly Watched[], at: Date): Promise<void> {
  const { rows } = await sql<{ uid: string }>`
    insert into truck_issue (truck_uid, shift_uid, kind, raised_by, opened_at)
    select truck_uid, shift_uid, kind, 'server', ${at}
      from unnest(${of(raised, 'truckUid')}::uuid[], ${of(raised, 'shiftUid')}::uuid[], ${of(raised, 'kind')}::text[])
        as t (truck_uid, shift_uid, kind)
    returning uid`.execute(db)
  await endSnoozesOfSameIssue(db, of(rows, 'uid'))
  await recordIssueEvents(db, 'issue.opened', of(rows, 'uid'))
}

/** Resolves the issues of alerts whose cause is gone. */
async function closeIssues(db: Db, closed: readonly Watched[], at: Date): Promise<void> {
  const rows = await db
    .updateTable('truck_issue')
    .set({
      status: 'resolved',
      resolved_at: at,
      snoozed_until: null,
      note: 'Resolved automatically.',
      changed_by: null,
      changed_from: null,
    })
    .where('uid', '=', sql<string>`any(${of(closed, 'issueUid')}::uuid[])`)
    .where('status', '<>', 'resolved')
    .returning('uid')
    .execute()
  await recordIssueEvents(db, 'issue.resolved', of(rows, 'uid'))
}

const of = <T, Key extends keyof T>(all: readonly T[], key: Key): T[Key][] => all.map((each) => each[key])

/** The row to store for an alert, or undefined if it is stored already. */
function watchOf({ truckUid, kind, shiftUid, watch, isActive }: Watched, now: number) {
  const goneSince = isActive ? null : (watch?.goneSince ?? now)
  if (watch && watch.goneSince === goneSince && watch.shiftUid === shiftUid) return undefined
  const since = new Date(watch?.since ?? now)
  return { truckUid, kind, shiftUid, since, goneSince: goneSince === null ? null : new Date(goneSince) }
}

/** Shifts that are out and not over yet, with the latest facts about their trucks. */
async function runningShifts(db: Db, now: number): Promise<RunningShift[]> {
  const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::int8`)
  const { rows } = await sql<
    Omit<RunningShift, 'market' | 'position'> & {
      market: RunningShift['market']
      latitude: number | null
      longitude: number | null
    }
  >`
    select s.truck_uid as "truckUid", s.uid as "shiftUid", ${ms('greatest(s.started_at, s.starts_at)')} as "startedAt",
           t.kind = 'led' as "hasScreen",
           json_build_object('latitude', m.latitude, 'longitude', m.longitude, 'radiusM', m.radius_m, 'outline', m.outline) as market,
           ${ms('n.at')} as "positionAt", n.latitude, n.longitude, ${ms('n.played_at')} as "playedAt",
           ${ms('n.player_seen_at')} as "playerSeenAt"
      from shift s join truck t on t.uid = s.truck_uid join market m on m.uid = s.market_uid
      left join truck_now n on n.truck_uid = s.truck_uid
     where s.status = 'out' and s.deleted_at is null and s.started_at is not null
       and s.ends_at > to_timestamp(${now / 1000})`.execute(db)
  return rows.map(({ latitude, longitude, ...row }) => ({
    ...row,
    position: latitude === null || longitude === null ? null : { latitude, longitude },
  }))
}

export const watchFleetJob = defineJob('watch', ({ db, now }) => watchFleet(db, now))
