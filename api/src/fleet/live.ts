import type { LiveTruck, Settings } from '@roadshow/contract'
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { Values } from '../db/pieces.ts'
import type { Scope } from '../db/scope.ts'
import { readSettings } from '../settings/index.ts'
import { TRUCKS_OF_CLIENT } from './queries.ts'
import { type Clocks, stateOf } from './state.ts'

/** What the clocks of a truck last said, and where it was. Times as PostgreSQL's JSON has them. */
interface Movement {
  latitude: number | null
  longitude: number | null
  speedKmh: number | null
  heading: number | null
  odometerM: number | null
  positionAt: string | null
  playerAt: string | null
  isDriving: boolean | null
  playedAt: string | null
}

interface Row extends Movement {
  uid: string
  number: string
  hasScreen: boolean
  shiftUid: string | null
  status: 'planned' | 'out'
  program: string
  market: string
  driver: string
  startsAt: string
  startedAt: string | null
}

/** A truck as it is shown, and what its state is found by. */
interface Watched {
  truck: LiveTruck
  clocks: Clocks
}

/**
 * Every truck that is not retired, or some of them, at a moment. They come as one JSON value: taken apart row by row and
 * field by field, thousands of them would cost more each second than telling them to everybody.
 */
async function watch(db: Db, now: number, only?: readonly string[]): Promise<Watched[]> {
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
  return rows[0]?.trucks?.map(watchedOf) ?? []
}

function watchedOf(row: Row): Watched {
  const { uid, number, hasScreen, shiftUid, status } = row
  const shift = shiftUid === null ? null : shiftOf(row, shiftUid)
  // Plain fields: put together from parts, thousands of these take several times as long.
  const truck: LiveTruck = {
    uid,
    number,
    state: 'silent',
    latitude: null,
    longitude: null,
    speedKmh: null,
    heading: null,
    odometerM: null,
    positionAt: null,
    playerAt: null,
    shift,
  }
  const clocks: Clocks = {
    hasScreen,
    isDriving: null,
    speedKmh: null,
    positionAt: null,
    playedAt: null,
    shift: shift && { status, startsAt: Date.parse(shift.startsAt) },
  }
  const watched = { truck, clocks }
  move(watched, row)
  return watched
}

/** An instant as it travels; in PostgreSQL's JSON its zone is written out. */
const instantOf = (json: string) => `${json.slice(0, -'+00:00'.length)}Z`
const maybeInstant = (json: string | null) => (json === null ? null : instantOf(json))
const shiftOf = ({ program, market, driver, startsAt, startedAt }: Row, uid: string) => ({
  uid,
  program,
  market,
  driver,
  startsAt: instantOf(startsAt),
  startedAt: maybeInstant(startedAt),
})
const ms = (instant: string | null) => (instant === null ? null : Date.parse(instant))

/** Written out field by field: it is done for thousands of them every second. */
function move({ truck, clocks }: Watched, to: Movement): void {
  truck.latitude = to.latitude
  truck.longitude = to.longitude
  truck.heading = to.heading
  truck.odometerM = to.odometerM
  truck.speedKmh = clocks.speedKmh = to.speedKmh
  truck.positionAt = maybeInstant(to.positionAt)
  truck.playerAt = maybeInstant(to.playerAt)
  clocks.positionAt = ms(to.positionAt)
  clocks.playedAt = ms(to.playedAt)
  clocks.isDriving = to.isDriving
}

/** Every truck that is not retired, or some of them, as the map shows it at a moment. */
export async function liveTrucks(db: Db, now: number, only?: readonly string[]): Promise<LiveTruck[]> {
  return shown(await watch(db, now, only), await readSettings(db), now)
}

const shown = (watched: readonly Watched[], settings: Settings, now: number): LiveTruck[] =>
  watched.map(({ truck, clocks }) => {
    truck.state = stateOf(clocks, settings, now)
    return truck
  })

type Moved = Movement & { uid: string }

/** The fleet for somebody who looks every second: all of it now and then, and only what moves in between. */
export class LiveFleet {
  #watched: Watched[] = []
  #byUid = new Map<string, Watched>()

  async readAll(db: Db, now: number): Promise<LiveTruck[]> {
    this.#watched = await watch(db, now)
    this.#byUid = new Map(this.#watched.map((watched) => [watched.truck.uid, watched]))
    return shown(this.#watched, await readSettings(db), now)
  }

  async readMovement(db: Db, now: number): Promise<LiveTruck[]> {
    const { rows } = await sql<{ moved: Moved[] | null }>`
      select json_agg(f) as moved from (
        select truck_uid as uid, latitude, longitude, speed_kmh as "speedKmh", heading, odometer_m as "odometerM",
               at as "positionAt", player_seen_at as "playerAt", is_driving as "isDriving", played_at as "playedAt"
          from truck_now) f`.execute(db)
    for (const moved of rows[0]?.moved ?? []) {
      const watched = this.#byUid.get(moved.uid)
      if (watched) move(watched, moved)
    }
    return shown(this.#watched, await readSettings(db), now)
  }
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
    return trucks.filter((truck) => {
      const known = this.last.get(truck.uid)
      if (known) return follow(known, truck)
      this.last.set(truck.uid, structuredClone(truck))
      return true
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
