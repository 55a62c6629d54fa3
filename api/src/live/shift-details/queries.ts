import { isOutsider, type RowOf, type ShiftDriverEvent, type shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import {
  describeDriverEvent,
  minuteColumns,
  shiftDeclaration,
  type ShiftQuery,
  timeSetter,
} from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type SqlFragment, utcText } from '../../platform/db/records/fragments.ts'
import { type Declaration, records } from '../../platform/db/records/records.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { shouldHavePlays } from '../fleet/index.ts'
import { playsOfShifts } from '../plays/index.ts'
import { loadStopVisits } from '../telemetry/index.ts'

export type ShiftDetails = RowOf<typeof shifts.details>

const DISTANCE = sql`case when k.shift_uid is not null then json_build_object(
  'metres', k.metres, 'source', k.source, 'estimatedMetres', k.estimated_metres, 'coverage', k.coverage) end`

const ISSUES = sql`coalesce((
  select json_agg(json_build_object('uid', i.uid, 'kind', i.kind, 'status', i.status, 'openedAt',
                                    ${utcText('i.opened_at')}) order by i.opened_at)
    from truck_issue i where i.shift_uid = t.uid and i.deleted_at is null), '[]')`

// The note is the name of another driver whose phone reported it, until the events are explained.
const eventsOf = (condition: SqlFragment) => sql`coalesce((
  select json_agg(json_build_object('kind', e.kind, 'at', ${utcText('e.at')},
                                    'note', case when e.user_uid <> t.driver_uid then w.name else '' end) order by e.at, e.kind)
    from driver_event e left join user_account w on w.uid = e.user_uid
   where e.shift_uid = t.uid and ${condition}), '[]')`

const setBy = (kind: 'start' | 'stop') =>
  sql`(select json_build_object('source', s.source, 'name', s.name) from (${timeSetter(kind)}) s)`

const photosOf = (condition: SqlFragment) =>
  sql`(select count(*) from pop_photo f where f.shift_uid = t.uid and f.deleted_at is null and ${condition})::int`

/** Says of each event why it does not count. */
function withNotes(shift: ShiftDetails): ShiftDetails {
  const facts = {
    status: shift.status,
    startsAt: Date.parse(shift.startsAt),
    startedAt: shift.startedAt === null ? null : Date.parse(shift.startedAt),
    stoppedAt: shift.stoppedAt === null ? null : Date.parse(shift.stoppedAt),
    isStartCorrected: shift.startSetBy?.source === 'correction',
    isStopCorrected: shift.stopSetBy?.source === 'correction',
  }
  const noteOf = ({ kind, at, note }: ShiftDriverEvent) =>
    describeDriverEvent(facts, { kind, at: Date.parse(at) }, note)
  return { ...shift, reports: shift.reports.map((event) => ({ ...event, note: noteOf(event) })) }
}

/** Shifts with their plays, and with the visits to their planned stops. */
async function withPlaysAndVisits(db: Db, rows: readonly ShiftDetails[]): Promise<ShiftDetails[]> {
  const visits = await loadStopVisits(
    db,
    rows.flatMap(({ uid, stops }) => (stops.length > 0 ? [uid] : [])),
  )
  const plays = await playsOfShifts(
    db,
    rows.map(({ uid }) => uid),
  )
  return rows.map((shift) => ({
    ...shift,
    plays: plays.get(shift.uid) ?? { count: 0, verified: 0, conflict: 0 },
    isWithoutPlays: shift.isWithoutPlays && !plays.has(shift.uid),
    stops: visits.get(shift.uid) ?? [],
  }))
}

const declared = {
  ...shiftDeclaration,
  complete: withPlaysAndVisits,
  finish: withNotes,
  staffOnly: { ...shiftDeclaration.staffOnly, reports: [], startSetBy: null, stopSetBy: null },
  joins: sql`${shiftDeclaration.joins} left join shift_track k on k.shift_uid = t.uid`,
  columns: {
    ...shiftDeclaration.columns,
    ...minuteColumns,
    startSetBy: setBy('start'),
    stopSetBy: setBy('stop'),
    lateMinutes: sql`(extract(epoch from t.started_at - t.starts_at) / 60)::int`,
    plays: sql`null::json`,
    distance: DISTANCE,
    isWithoutPlays: shouldHavePlays,
    issues: ISSUES,
    reports: eventsOf(sql`true`),
    photos: photosOf(sql`true`),
  },
} as const satisfies Declaration<'shift', ShiftDetails, ShiftQuery>

const forStaff = records<'shift', ShiftDetails, ShiftQuery>(declared)
/** A driver does not learn what the phone of another driver reported. */
const forDrivers = records<'shift', ShiftDetails, ShiftQuery>({
  ...declared,
  columns: { ...declared.columns, reports: eventsOf(sql`(e.user_uid is null or e.user_uid = t.driver_uid)`) },
})
const forClients = records<'shift', ShiftDetails, ShiftQuery>({
  ...declared,
  columns: { ...declared.columns, photos: photosOf(sql`f.status = 'approved' and f.program_uid = t.program_uid`) },
})

/** Shifts with planned and actual figures. Of photos, clients learn only of approved ones. */
export function shiftDetailsFor({ actor, rows }: Scope) {
  if (isOutsider(actor)) return forClients
  return rows === 'own' ? forDrivers : forStaff
}
