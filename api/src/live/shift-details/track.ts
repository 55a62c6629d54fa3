import type { ReplyOf, shifts } from '@roadshow/contract'
import { sql } from 'kysely'
import { heldHoursJson, shiftRecords } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { readMilesSources } from '../telemetry/index.ts'

type ShiftTrack = ReplyOf<typeof shifts.track>['data']

/** What the miles, hours and impressions of a shift are computed from. */
export async function trackOfShift(db: Db, scope: Scope, uid: string): Promise<ShiftTrack> {
  const { truck } = await shiftRecords.get(db, scope, uid)
  const { rows } = await sql<Pick<ShiftTrack, 'beganAt' | 'hours'> & Pick<ShiftTrack['truck'], 'kind'>>`
    select (extract(epoch from coalesce(s.started_at, s.starts_at)) * 1000)::float8 as "beganAt",
           ${heldHoursJson('s')} as hours, tr.kind
      from shift s join truck tr on tr.uid = s.truck_uid where s.uid = ${uid}`.execute(db)
  const { kind = 'led', beganAt = 0, hours = [] } = rows[0] ?? {}
  const [first, last] = [hours[0], hours.at(-1)]
  const { fixes, readings } =
    first && last ? await readMilesSources(db, truck.uid, { from: first[0], to: last[1] }) : { fixes: [], readings: [] }
  return {
    uid,
    truck: { ...truck, kind },
    beganAt,
    hours,
    positions: fixes.map(({ at, latitude, longitude, speedKmh }) => [at, latitude, longitude, speedKmh]),
    odometer: readings,
  }
}
