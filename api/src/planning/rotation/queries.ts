import type { Rotation, RotationShare } from '@roadshow/contract'
import { spotLengthMs } from '@roadshow/contract/planning/loop-lines'
import { sql } from 'kysely'
import { IS_APPROVED_SET } from '../../catalog/artwork/index.ts'
import { programRecords } from '../../catalog/programs/index.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'

/** The artwork sets that shift `s` shows: its own, else those of its program's rotation. */
export const shownSets = (s: string): SqlFragment => {
  const { own, program } = { own: sql.ref(`${s}.artwork_set_uid`), program: sql.ref(`${s}.program_uid`) }
  return sql`(select ${own} where ${own} is not null
    union select l.artwork_set_uid from rotation_line l where ${own} is null and l.program_uid = ${program})`
}

/** A line of a rotation with what decides how long its artwork is shown. */
export interface StoredLine {
  uid: string
  programUid: string
  artworkSet: { uid: string; name: string; isApproved: boolean }
  share: RotationShare
  amount: number
  from: string | null
  to: string | null
  weekdays: number[]
  /** As the program says; null for as long as the artwork. */
  programSpotMs: number | null
  files: { durationMs: number | null }[]
}

/** The lines of the rotations of programs, by program and in their order. */
export async function loadRotations(db: Db, programUids: readonly string[]): Promise<Map<string, StoredLine[]>> {
  if (programUids.length === 0) return new Map()
  const { rows } = await sql<StoredLine>`
    select l.uid, l.program_uid as "programUid", l.share, l.amount, l.weekdays, p.spot_seconds * 1000 as "programSpotMs",
           json_build_object('uid', t.uid, 'name', t.name, 'isApproved', coalesce(${IS_APPROVED_SET}, false)) as "artworkSet",
           to_char(l.from_time, 'HH24:MI') as "from", to_char(l.to_time, 'HH24:MI') as "to",
           json_build_array(json_build_object('durationMs', d.duration_ms), json_build_object('durationMs', s.duration_ms),
                            json_build_object('durationMs', r.duration_ms)) as files
      from rotation_line l
      join client_program p on p.uid = l.program_uid
      join artwork_set t on t.uid = l.artwork_set_uid
      left join stored_file d on d.uid = t.driver_side_artwork_uid
      left join stored_file s on s.uid = t.passenger_side_artwork_uid
      left join stored_file r on r.uid = t.rear_artwork_uid
     where l.program_uid = any(${programUids}::uuid[]) order by l.program_uid, l.position`.execute(db)
  return groupBy(rows, ({ programUid }) => programUid)
}

/** How long the house artwork is shown at a time. */
async function restMs(db: Db): Promise<number> {
  const { fallbackArtworkUid: uid } = await readSettings(db)
  if (uid === null) return spotLengthMs(null, null)
  const { rows } = await sql<{ durationMs: number | null }>`
    select f.duration_ms as "durationMs" from artwork_set t
      join stored_file f on f.uid in (t.driver_side_artwork_uid, t.passenger_side_artwork_uid, t.rear_artwork_uid)
     where t.uid = ${uid} and t.status = 'approved' and t.deleted_at is null`.execute(db)
  return spotLengthMs(null, { files: rows })
}

export async function readRotation(db: Db, scope: Scope, programUid: string): Promise<Rotation> {
  const { uid, version } = await programRecords.get(db, scope, programUid)
  const lines = (await loadRotations(db, [uid])).get(uid) ?? []
  return {
    uid,
    version,
    restMs: await restMs(db),
    lines: lines.map(({ programUid: _program, programSpotMs, files, ...line }) => ({
      ...line,
      spotMs: spotLengthMs(programSpotMs, { files }),
    })),
  }
}
