import { describeJump, type IssueKind } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { type Condition, defineWatch, type Found } from '../../platform/watcher/index.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { openJumps } from '../plays/index.ts'
import { recordIssueEvents, recordNewIssues } from './issue-events.ts'
import { activeAlerts, alertDelay, type AlertKind, type RunningShift } from './alert-rules.ts'

/** What checks find about a truck, whose uid is the subject. */
interface FoundIssue<Kind extends IssueKind = IssueKind> extends Found {
  kind: `truck.${Kind}`
  /** The shift it is out on, if it is about one. */
  shiftUid: string | null
  text: string
}

/** How long an alert must be gone before its issue is resolved, so that an alert that comes and goes stays open. */
const RESOLVE_AFTER_MS = 3 * 60_000

const openIssues = (db: Db, kind: IssueKind) =>
  db
    .selectFrom('truck_issue')
    .where('kind', '=', kind)
    .where('raised_by', '=', 'server')
    .where('status', '<>', 'resolved')
    .where('deleted_at', 'is', null)

/** Raises and resolves the issues of a kind: at most one is open for each truck (`issue_open_once`). */
const issueCondition = (kind: IssueKind, resolveAfterMs = RESOLVE_AFTER_MS): Condition<FoundIssue> => ({
  resolveAfterMs,

  async openSubjects(db) {
    const open = await openIssues(db, kind).select('truck_uid').execute()
    return open.map(({ truck_uid }) => truck_uid)
  },

  async raise(db, found, at) {
    const alerts = rowsAsTable('a', found, {
      truck_uid: ['uuid', ({ subject }) => subject],
      shift_uid: ['uuid', ({ shiftUid }) => shiftUid],
      text: ['text', ({ text }) => text],
    })
    const { rows } = await sql<{ uid: string }>`
      insert into truck_issue (truck_uid, shift_uid, kind, text, raised_by, opened_at)
      select a.truck_uid, a.shift_uid, ${kind}, a.text, 'server', ${at} from ${alerts}
      on conflict do nothing returning uid`.execute(db)
    await recordNewIssues(
      db,
      rows.map(({ uid }) => uid),
    )
  },

  async resolve(db, trucks, at) {
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
      .where(
        'uid',
        'in',
        openIssues(db, kind)
          .select('uid')
          .where('truck_uid', '=', sql<string>`any(${trucks}::uuid[])`),
      )
      .where('status', '<>', 'resolved')
      .returning('uid')
      .execute()
    await recordIssueEvents(
      db,
      'issue.resolved',
      rows.map(({ uid }) => uid),
    )
  },
})

/** Shifts that are out and not over yet, with the latest facts about their trucks. */
async function runningShifts(db: Db, now: number): Promise<RunningShift[]> {
  const ms = (column: string) => sql.raw(`(extract(epoch from ${column}) * 1000)::int8`)
  const { rows } = await sql<RunningShift>`
    select s.truck_uid as "truckUid", s.uid as "shiftUid", ${ms('greatest(s.started_at, s.starts_at)')} as "startedAt",
           t.kind = 'led' as "hasScreen",
           json_build_object('latitude', m.latitude, 'longitude', m.longitude, 'radiusM', m.radius_m, 'outline', m.outline) as market,
           ${ms('n.at')} as "positionAt", case when n.latitude is not null and n.longitude is not null
             then json_build_object('latitude', n.latitude, 'longitude', n.longitude) end as position,
           ${ms('n.played_at')} as "playedAt", ${ms('n.player_seen_at')} as "playerSeenAt"
      from shift s join truck t on t.uid = s.truck_uid join market m on m.uid = s.market_uid
      left join truck_now n on n.truck_uid = s.truck_uid
     where s.status = 'out' and s.deleted_at is null and s.started_at is not null
       and s.ends_at > to_timestamp(${now / 1000})`.execute(db)
  return rows
}

/** Looks at the trucks of all running shifts. */
export const fleetWatch = defineWatch<FoundIssue<AlertKind>>({
  name: 'fleet',
  every: '20s',
  conditions: {
    'truck.noGps': issueCondition('noGps'),
    'truck.noPlays': issueCondition('noPlays'),
    'truck.outsideMarket': issueCondition('outsideMarket'),
    'truck.playerOffline': issueCondition('playerOffline'),
  },
  async find({ db, now }) {
    const settings = await readSettings(db)
    return (await runningShifts(db, now)).flatMap((running) =>
      activeAlerts(running, settings, now).map((kind) => ({
        kind: `truck.${kind}` as const,
        subject: running.truckUid,
        shiftUid: running.shiftUid,
        text: '',
        raiseAfterMs: alertDelay(kind, settings),
      })),
    )
  },
})

/** Brings the words of open issues up to date: a later jump may be open as well, or one of several decided on. */
const keepJump = (db: Db, found: readonly FoundIssue[]) =>
  sql`
    update truck_issue i set text = a.text, changed_by = null, changed_from = null
      from ${rowsAsTable('a', found, {
        truck_uid: ['uuid', ({ subject }) => subject],
        text: ['text', ({ text }) => text],
      })}
     where i.uid in (${openIssues(db, 'counterJump').select('uid')}) and i.truck_uid = a.truck_uid and i.text <> a.text`.execute(
    db,
  )

/** Asks whether numbers that a player never sent are missing, or its counter was set past them. An answer resolves it. */
export const counterWatch = defineWatch<FoundIssue<'counterJump'>>({
  name: 'counters',
  every: '1m',
  conditions: { 'truck.counterJump': { ...issueCondition('counterJump', 0), keep: keepJump } },
  async find({ db }) {
    return (await openJumps(db)).map(({ truckUid, truck, all, ...jump }) => ({
      kind: 'truck.counterJump' as const,
      subject: truckUid,
      shiftUid: null,
      text: `${describeJump(truck, jump)}${all > 1 ? `, one of ${all} jumps` : ''}.`,
    }))
  },
})
