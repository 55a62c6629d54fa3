import type { Settings } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/connection.ts'
import { readSettings } from '../settings/index.ts'
import { holdOf, judge, type Running, type Trouble, troubles, troublesOf, type Watch } from './troubles.ts'

interface Watched {
  truckUid: string
  kind: Trouble
  shiftUid: string
  watch: Watch | undefined
  /** The issue that is open for it. */
  issueUid: string | undefined
  isSeen: boolean
}

const keyOf = (truckUid: string, kind: string) => `${truckUid} ${kind}`

/** Looks at every running shift once: raises issues, and closes those whose cause is gone. One node at a time. */
export const watchFleet = (db: Db, now: number): Promise<void> =>
  inTransaction(db, async (db) => {
    const { rows } = await sql<{
      mine: boolean
    }>`select pg_try_advisory_xact_lock(hashtext('watch fleet')) as mine`.execute(db)
    if (!rows[0]?.mine) return
    const settings = await readSettings(db)
    for (const each of await watchedOf(db, settings, now)) await act(db, each, settings, now)
  })

/** Each trouble that is seen, was seen before, or has an open issue. */
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
  const of = (truckUid: string, kind: string, shiftUid: string): Watched => {
    const key = keyOf(truckUid, kind)
    const found = known.get(key) ?? {
      truckUid,
      kind: kind as Trouble,
      shiftUid,
      watch: undefined,
      issueUid: undefined,
      isSeen: false,
    }
    known.set(key, found)
    return found
  }
  for (const { truck_uid, kind, shift_uid, since, gone_since } of watches)
    of(truck_uid, kind, shift_uid).watch = {
      since: Date.parse(since),
      goneSince: gone_since === null ? null : Date.parse(gone_since),
    }
  for (const { uid, truck_uid, kind, shift_uid } of open) of(truck_uid, kind, shift_uid ?? '').issueUid = uid
  for (const running of await runningShifts(db, now))
    for (const trouble of troublesOf(running, settings, now)) {
      const seen = of(running.truckUid, trouble, running.shiftUid)
      seen.isSeen = true
      seen.shiftUid = running.shiftUid
    }
  return [...known.values()].filter(({ kind }) => troubles.includes(kind))
}

async function act(db: Db, each: Watched, settings: Settings, now: number): Promise<void> {
  const { truckUid, kind, shiftUid, watch, issueUid, isSeen } = each
  const verdict = judge(watch, isSeen, issueUid !== undefined, holdOf(kind, settings), now)
  const at = new Date(now)
  if (verdict === 'raise') {
    await db
      .insertInto('truck_issue')
      .values({ truck_uid: truckUid, shift_uid: shiftUid, kind, raised_by: 'server', opened_at: at })
      .execute()
  }
  if (verdict === 'close' && issueUid) {
    await db
      .updateTable('truck_issue')
      .set({ status: 'resolved', resolved_at: at, note: 'The cause is gone.', changed_by: null, changed_from: null })
      .where('uid', '=', issueUid)
      .execute()
  }
  const watched = db.deleteFrom('issue_watch').where('truck_uid', '=', truckUid).where('kind', '=', kind)
  if (verdict === 'forget' || verdict === 'close') {
    await watched.execute()
    return
  }
  const since = watch ? new Date(watch.since) : at
  const gone_since = isSeen ? null : new Date(watch?.goneSince ?? now)
  await db
    .insertInto('issue_watch')
    .values({ truck_uid: truckUid, kind, shift_uid: shiftUid, since, gone_since })
    .onConflict((conflict) =>
      conflict.columns(['truck_uid', 'kind']).doUpdateSet({ shift_uid: shiftUid, since, gone_since }),
    )
    .execute()
}

/** Shifts that are out and not over yet, with what is known of their trucks. */
async function runningShifts(db: Db, now: number): Promise<Running[]> {
  const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::int8`)
  const { rows } = await sql<
    Omit<Running, 'market' | 'position'> & {
      market: Running['market']
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
