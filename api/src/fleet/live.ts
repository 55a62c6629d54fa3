import type { LiveTruck, Settings } from '@roadshow/contract'
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
  shiftUid: string | null
  status: 'planned' | 'out'
  program: string
  market: string
  driver: string
  startsAt: string
  startedAt: string | null
}

/**
 * Every truck that is not retired, or some of them, as the map shows it at a moment. They come as one JSON value: taken
 * apart row by row and field by field, thousands of them would cost more each second than telling them to everybody.
 */
export async function liveTrucks(db: Db, now: number, only?: readonly string[]): Promise<LiveTruck[]> {
  const settings = await readSettings(db)
  const at = sql`to_timestamp(${now / 1000})`
  const { rows } = await sql<{ trucks: Row[] | null }>`
    select json_agg(f order by f.number) as trucks from (
      select t.uid, t.number, t.kind = 'led' as "hasScreen", n.latitude, n.longitude, n.speed_kmh as "speedKmh", n.heading,
             n.odometer_m as "odometerM", n.at as "positionAt", n.player_seen_at as "playerAt",
             n.is_driving as "isDriving", n.played_at as "playedAt", s.*
        from truck t left join truck_now n on n.truck_uid = t.uid
        left join lateral (
          select s.uid as "shiftUid", s.status, p.name as program, m.name as market, u.name as driver,
                 s.starts_at as "startsAt", s.started_at as "startedAt"
            from shift s join client_program p on p.uid = s.program_uid join market m on m.uid = s.market_uid
            join user_account u on u.uid = s.driver_uid
           where s.truck_uid = t.uid and s.deleted_at is null and s.status in ('planned', 'out')
             and s.starts_at <= ${at} and s.ends_at > ${at}
           order by s.starts_at limit 1) s on true
       where t.deleted_at is null and t.state <> 'retired'
         ${only ? sql`and t.uid = any(${[...only]}::uuid[])` : sql``}) f`.execute(db)
  return rows[0]?.trucks?.map((row) => liveTruck(row, settings, now)) ?? []
}

/** An instant as it travels; in PostgreSQL's JSON its zone is written out. */
const instantOf = (json: string) => `${json.slice(0, -'+00:00'.length)}Z`
const maybeInstant = (json: string | null) => (json === null ? null : instantOf(json))

const ms = (instant: string | null) => (instant === null ? null : Date.parse(instant))

/** Written out field by field: thousands of them are made every second. */
function liveTruck(row: Row, settings: Settings, now: number): LiveTruck {
  const { uid, number, latitude, longitude, speedKmh, heading, odometerM, shiftUid } = row
  const { hasScreen, isDriving, status, program, market, driver } = row
  const [positionAt, playerAt] = [maybeInstant(row.positionAt), maybeInstant(row.playerAt)]
  const [startsAt, startedAt] = [shiftUid === null ? '' : instantOf(row.startsAt), maybeInstant(row.startedAt)]
  const shift = shiftUid === null ? null : { uid: shiftUid, program, market, driver, startsAt, startedAt }
  const clocks = {
    hasScreen,
    isDriving,
    speedKmh,
    positionAt: ms(positionAt),
    playedAt: ms(row.playedAt),
    shift: shift && { status, startsAt: Date.parse(startsAt) },
  }
  const state = stateOf(clocks, settings, now)
  return { uid, number, state, latitude, longitude, speedKmh, heading, odometerM, positionAt, playerAt, shift }
}

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
  private readonly last = new Map<string, LiveTruck>()

  changes(trucks: readonly LiveTruck[]): LiveTruck[] {
    return trucks.flatMap((truck) => {
      const known = this.last.get(truck.uid)
      if (known) return follow(known, truck) ? [known] : []
      this.last.set(truck.uid, truck)
      return [truck]
    })
  }
}

/**
 * Makes one like the other, of the same kind, and says whether anything differed. What is the same stays: a whole fleet
 * kept anew each second is more work for the garbage collection than all that is told of it.
 */
function follow<Kind extends object>(one: Kind, other: Kind): boolean {
  let differs = false
  for (const key in other) {
    const [left, right] = [one[key], other[key]]
    if (left === right) continue
    if (isObject(left) && isObject(right)) {
      if (!follow(left, right)) continue
    } else one[key] = right
    differs = true
  }
  return differs
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
