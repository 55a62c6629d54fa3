import { DAY_MS } from '@roadshow/contract'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@roadshow/api/platform/db/connection'
import { storeTelemetry } from '@roadshow/api/live/telemetry/store'
import { fillRoad, routePlaceAt, SHOWN_FILE } from './fill-road.ts'
import { fillShifts } from './fill-shifts.ts'
import { p99 } from './load.ts'
import { type BenchFigure, perSecond, times } from './report.ts'
import { waitsDuring } from './waits.ts'
import type { BenchWorld } from './world.ts'

const DAYS = 30
const SHIFT_HOURS = 20
const PLAYS_A_DAY = 33_334
const PLAY_MS = Math.floor((SHIFT_HOURS * 3_600_000) / (PLAYS_A_DAY / 3))
const FIX_MS = 30_000
const IDLE_MS = 20_000
const MOST_WAIT = 2

/** A truck-month of plays whose track arrives all at once: how long lists take while they are graded again. */
export async function* measureGrading(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillShifts(world.sql)
  const { trucks, artworkSetUid } = await fillRoad(world.sql)
  const truck = trucks.at(-1) ?? ''
  const plays = await fillMonth(world, truck, artworkSetUid)
  const idle = await waitsDuring(world, () => sleep(IDLE_MS))
  let took = 0
  const busy = await waitsDuring(world, async () => {
    await storeTrack(world, trucks.length)
    const start = performance.now()
    while ((await verifiedPlays(world, truck)) < plays) await sleep(500)
    took = performance.now() - start
  })
  const [ours, beside] = [p99(busy), p99(idle)]
  yield {
    name: `A list of trucks while ${plays.toLocaleString('en')} plays are graded again, 99 % of the calls, beside an idle server`,
    ours: `${Math.round(ours)} ms`,
    beside: `${Math.round(beside)} ms`,
    ratio: times(ours / beside),
    bar: `≤ ${MOST_WAIT} ×`,
    met: ours / beside <= MOST_WAIT,
  }
  yield {
    name: 'Plays graded again in the background',
    ours: perSecond((plays / took) * 1000),
    beside: '',
    ratio: '',
    bar: '',
    met: undefined,
  }
}

const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

const SHIFT = `
  insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at, ends_at,
                     status, started_at, stopped_at, artwork_set_uid)
  select truck_uid, driver_uid, program_uid, market_uid, $2::date, '00:00', '20:00', 'UTC', $2::date::timestamp at time zone 'UTC',
         $2::date::timestamp at time zone 'UTC' + interval '${SHIFT_HOURS} hours', 'completed',
         $2::date::timestamp at time zone 'UTC', $2::date::timestamp at time zone 'UTC' + interval '${SHIFT_HOURS} hours', $3
    from shift where truck_uid = $1 and status = 'out'
  returning uid`

const PLAYS = `
  insert into play (device_uid, play_id, started_at, day, sequence, truck_uid, shift_uid, program_uid, market_uid,
                    artwork_set_uid, sha256, side, duration_ms, grade, reason)
  select $2, $3::date || '-' || n, ($3::date + n / 3 * interval '${PLAY_MS} ms') at time zone 'UTC', $3::date,
         $4::int * ${PLAYS_A_DAY} + n + 1, truck_uid, uid, program_uid, market_uid, artwork_set_uid, '${SHOWN_FILE}',
         (array['driverSide', 'passengerSide', 'rear'])[n % 3 + 1], ${PLAY_MS}, 'unverified', 'noTrack'
    from shift, generate_series(0, ${PLAYS_A_DAY - 1}) n where uid = $1`

const HOURS = `
  insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms, no_track)
  select date_trunc('hour', started_at), truck_uid, shift_uid, program_uid, market_uid, day, side, count(*), sum(duration_ms),
         count(*) from play where truck_uid = $1 and day = $2::date and started_at >= $2::date and started_at < $2::date + 1
   group by 1, 2, 3, 4, 5, 6, 7`

async function fillMonth({ sql }: BenchWorld, truck: string, artworkSetUid: string): Promise<number> {
  const [device] = await sql<{ uid: string }>(
    `insert into device (truck_uid, kind, mac_address, paired_at) values ($1, 'player', '02:00:00:00:01:00', now()) returning uid`,
    [truck],
  )
  for (let day = 1; day <= DAYS; day++) {
    const date = dayAgo(day + 1)
    await sql(`call ensure_week('play', $1::date)`, [date])
    const [shift] = await sql<{ uid: string }>(SHIFT, [truck, date, artworkSetUid])
    await sql(PLAYS, [shift?.uid, device?.uid, date, day])
    await sql(HOURS, [truck, date])
  }
  await sql('vacuum analyze play')
  await sql('vacuum analyze play_hour')
  // What was planned afterwards is nothing that must be graded again.
  await sql('delete from evidence_change')
  return DAYS * PLAYS_A_DAY
}

/** The track of the month, as a page of the source for each day. */
async function storeTrack(world: BenchWorld, tracker: number): Promise<void> {
  const { db, close } = connect(world.database, { max: 2 })
  for (let day = DAYS; day >= 1; day--) {
    const start = Date.parse(dayAgo(day + 1))
    const fixes = Array.from({ length: (SHIFT_HOURS * 3_600_000) / FIX_MS + 1 }, (_, n) => {
      const at = start + n * FIX_MS
      return { truck: `g${tracker}`, at, ...routePlaceAt(at), speedKmh: 40 }
    })
    const cursor = {
      entity: 'bench-grading',
      from: day === DAYS ? undefined : String(DAYS - day),
      to: String(DAYS - day + 1),
    }
    await storeTelemetry(db, { fixes, statuses: [], readings: [], cursor, now: Date.now() })
  }
  await close()
}

async function verifiedPlays({ sql }: BenchWorld, truck: string): Promise<number> {
  const [row] = await sql<{ verified: string | null }>(
    'select sum(verified) as verified from play_hour where truck_uid = $1',
    [truck],
  )
  return Number(row?.verified ?? 0)
}
