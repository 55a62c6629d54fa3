import type { fleet, QueryOf, TruckIssue } from '@roadshow/contract'
import { records } from '../../platform/db/records/records.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import { fileColumn, withSignedUrls } from '../../platform/files/index.ts'
import type { Piece } from '../../platform/db/records/pieces.ts'

type Query = QueryOf<typeof fleet.issues>

/** Trucks that are on a shift of one of a client's programs at this moment: all that a client may see of the fleet. */
export const TRUCKS_OF_CLIENT = `select s.truck_uid from shift s join client_program p on p.uid = s.program_uid
  where p.client_uid = ? and s.deleted_at is null and s.status in ('planned', 'out') and now() between s.starts_at and s.ends_at`

const own = ({ clientUid }: Actor): Piece => [`t.truck_uid in (${TRUCKS_OF_CLIENT})`, clientUid]

export const issueRecords = records<'truck_issue', TruckIssue, Query>({
  table: 'truck_issue',
  noun: 'issue',
  joins: `join truck tr on tr.uid = t.truck_uid
          left join shift s on s.uid = t.shift_uid
          left join client_program p on p.uid = s.program_uid
          left join stored_file f on f.uid = t.photo_file_uid`,
  columns: {
    uid: 't.uid',
    truck: `json_build_object('uid', tr.uid, 'name', tr.number)`,
    shift: `case when s.uid is not null then json_build_object('uid', s.uid, 'program', p.name) end`,
    kind: 't.kind',
    raisedBy: 't.raised_by',
    text: 't.text',
    photo: fileColumn('f'),
    status: 't.status',
    note: 't.note',
    openedAt: 't.opened_at',
    resolvedAt: 't.resolved_at',
    updatedAt: 't.updated_at',
    version: 't.version',
  },
  sorts: { openedAt: 't.opened_at', status: 't.status', updatedAt: 't.updated_at' },
  filters: { status: 't.status = any(?)', kind: 't.kind = any(?)', truck: 't.truck_uid = any(?)' },
  search: (textOf) => `(${textOf('truck_issue', 't')} like lower(?)
            or t.truck_uid in (select x.uid from truck x where ${textOf('truck', 'x')} like lower(?)))`,
  own,
  finish: (issue) => ({ ...issue, photo: withSignedUrls(issue.photo) }),
})
