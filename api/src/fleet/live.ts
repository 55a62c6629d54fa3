import type { LiveTruck } from '@roadshow/contract'
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { Values } from '../db/pieces.ts'
import type { Scope } from '../db/scope.ts'
import { readSettings } from '../settings/index.ts'
import { TRUCKS_OF_CLIENT } from './queries.ts'
import { stateOf } from './state.ts'

interface Row extends Omit<LiveTruck, 'state' | 'shift'> {
  hasScreen: boolean
  isDriving: boolean | null
  playedAt: string | null
  shift: (NonNullable<LiveTruck['shift']> & { status: 'planned' | 'out' }) | null
}

/** Every truck that is not retired, or some of them, as the map shows it at a moment. */
export async function liveTrucks(db: Db, now: number, only?: readonly string[]): Promise<LiveTruck[]> {
  const settings = await readSettings(db)
  const at = sql`to_timestamp(${now / 1000})`
  const { rows } = await sql<Row>`
    select t.uid, t.number, t.kind = 'led' as "hasScreen", n.latitude, n.longitude, n.speed_kmh as "speedKmh", n.heading,
           n.odometer_m as "odometerM", n.at as "positionAt", n.player_seen_at as "playerAt", n.is_driving as "isDriving",
           n.played_at as "playedAt",
           (select json_build_object('uid', s.uid, 'program', p.name, 'market', m.name, 'driver', u.name,
                                     'status', s.status, 'startsAt', s.starts_at, 'startedAt', s.started_at)
              from shift s join client_program p on p.uid = s.program_uid join market m on m.uid = s.market_uid
              join user_account u on u.uid = s.driver_uid
             where s.truck_uid = t.uid and s.deleted_at is null and s.status in ('planned', 'out')
               and s.starts_at <= ${at} and s.ends_at > ${at}
             order by s.starts_at limit 1) as shift
      from truck t left join truck_now n on n.truck_uid = t.uid
     where t.deleted_at is null and t.state <> 'retired'
       ${only ? sql`and t.uid = any(${[...only]}::uuid[])` : sql``}
     order by t.number`.execute(db)
  const ms = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  return rows.map(({ hasScreen, isDriving, playedAt, shift, ...truck }) => ({
    ...truck,
    state: stateOf(
      {
        ...{ hasScreen, isDriving, speedKmh: truck.speedKmh, positionAt: ms(truck.positionAt), playedAt: ms(playedAt) },
        shift: shift && { status: shift.status, startsAt: Date.parse(shift.startsAt) },
      },
      settings,
      now,
    ),
    shift: shift && shownShift(shift),
  }))
}

// Inside JSON the database writes an instant in another way than elsewhere.
const instantOf = (text: string) => new Date(text).toISOString()

const shownShift = ({ status: _status, startsAt, startedAt, ...shift }: NonNullable<Row['shift']>) => ({
  ...shift,
  startsAt: instantOf(startsAt),
  startedAt: startedAt && instantOf(startedAt),
})

/** Which trucks somebody may see live: all, or those that are on a shift of theirs at this moment. */
export async function visibleTrucks(db: Db, { rows, actor }: Scope): Promise<ReadonlySet<string> | 'all'> {
  if (rows === 'all') return 'all'
  if (actor.role !== 'client') return new Set()
  const values = new Values()
  const statement = values.bind([TRUCKS_OF_CLIENT, actor.clientUid])
  const { rows: found } = await db.executeQuery<{ truck_uid: string }>(CompiledQuery.raw(statement, values.list))
  return new Set(found.map(({ truck_uid }) => truck_uid))
}

/** The trucks of a list that differ from what was last told of them. */
export class Told {
  private readonly last = new Map<string, string>()

  changes(trucks: readonly LiveTruck[]): LiveTruck[] {
    return trucks.filter((truck) => {
      const text = JSON.stringify(truck)
      if (this.last.get(truck.uid) === text) return false
      this.last.set(truck.uid, text)
      return true
    })
  }
}
