import { connect } from '@roadshow/api/platform/db/connection'
import { storeTelemetry } from '@roadshow/api/live/telemetry/store'
import { type Play, truckSides } from '@roadshow/contract'
import pg from 'pg'
import { makeBareCopy, routePlaceAt, PLAYERS, type FilledRoad, SHOWN_FILE } from './fill-road.ts'
import { RawSocket } from './raw-socket.ts'
import { type BenchFigure, shareFigure } from './report.ts'
import type { BenchWorld } from './world.ts'

const ROUNDS = 7
const HALF = 0.5
const HOUR_MS = 3_600_000
/** What a player plays before the positions below begin. */
const PLAYED_MS = 9 * HOUR_MS
const FIX_MS = 10_000
const PLAY_MS = 8_000
const BATCH = 500
const BATCHES_A_ROUND = 3
/** Fixes of each truck: on a full page, as when there is much to catch up with, and on one of an ordinary ten seconds. */
const PAGES = [
  { fixes: 25, name: 'full pages', bar: HALF },
  { fixes: 2, name: 'ordinary pages', bar: null },
] as const

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const POSITION_FIELDS = 'truck_uid, at, latitude, longitude, speed_kmh'
const POSITIONS = 'unnest($1::uuid[], $2::timestamptz[], $3::float8[], $4::float8[], $5::float8[])'
type BareColumn = [type: string, valueOf: (play: Play) => unknown]
/** The columns of a bare INSERT of plays that differ within a batch. */
const BARE_COLUMNS: Record<string, BareColumn> = {
  play_id: ['text', ({ playId }) => playId],
  started_at: ['timestamptz', ({ startedAt }) => startedAt],
  sequence: ['bigint', ({ sequence }) => sequence],
  artwork_set_uid: ['uuid', ({ artworkSetUid }) => artworkSetUid],
  sha256: ['text', ({ sha256 }) => sha256],
  side: ['text', ({ side }) => side],
  duration_ms: ['int', ({ durationMs }) => durationMs],
  latitude: ['float8', ({ place }) => place?.latitude],
  longitude: ['float8', ({ place }) => place?.longitude],
}
const bareNames = Object.keys(BARE_COLUMNS).join(', ')
const bareArrays = Object.values(BARE_COLUMNS).map(([type], n) => `$${n + 6}::${type}[]`)
/** Plays and their ids, each id once: the same rows and indexes that the product writes for them. */
const BARE_PLAYS = `
  with given as (select * from unnest(${bareArrays.join(', ')}) as g (${bareNames})),
       known as (insert into bare_known_play (device_uid, play_id, day) select $1, play_id, current_date from given)
  insert into bare_play (device_uid, truck_uid, program_uid, market_uid, shift_uid, grade, day, ${bareNames})
  select $1, $2, $3, $4, $5, 'verified', current_date, ${bareNames} from given`

/** How many rows are on disk per second: plays by the socket and positions by the poller, each beside a bare INSERT. */
export async function* measureStoring(world: BenchWorld, road: FilledRoad): AsyncGenerator<BenchFigure> {
  const days = [...new Set([road.startsAt, Date.now()].map(dayOf))]
  await makeBareCopy(world.sql, 'play', 'started_at', days)
  await world.sql('create table bare_known_play (like known_play including all)')
  await world.sql('grant all on bare_known_play to public')
  await makeBareCopy(world.sql, 'position', 'at', days)
  const pool = new pg.Pool({ connectionString: world.database, max: PLAYERS })
  try {
    yield await plays(world, road, pool)
    yield* positions(world, road, pool)
  } finally {
    await pool.end()
  }
}

/** Rows per second of a piece of work that stores so many. */
async function rateOf(rows: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (rows / (performance.now() - start)) * 1000
}

type Player = FilledRoad['players'][number]

/** A batch of a player: three sides at once, each for eight seconds. */
const batchOf = ({ uid }: Player, { startsAt, artworkSetUid }: FilledRoad, batch: number) =>
  Array.from({ length: BATCH }, (_, index) => {
    const n = batch * BATCH + index
    const at = startsAt + Math.floor(n / truckSides.length) * PLAY_MS
    return {
      playId: `${uid}-${n}`,
      sequence: n + 1,
      artworkSetUid,
      sha256: SHOWN_FILE,
      side: truckSides[n % truckSides.length] ?? 'rear',
      startedAt: new Date(at).toISOString(),
      durationMs: PLAY_MS,
      place: routePlaceAt(at),
    } satisfies Play
  })

async function plays(world: BenchWorld, road: FilledRoad, pool: pg.Pool): Promise<BenchFigure> {
  await fillTracks(world, road)
  const sockets = await Promise.all(
    road.players.map(({ macAddress, key }) => RawSocket.open(world.ours, { clientType: 'player', macAddress, key })),
  )
  // What is sent is put together beforehand: players do that, far from here.
  const prepareOurs = (n: number, batch: Play[]) => {
    const text = JSON.stringify(batch)
    return async () => {
      const answer = await sockets[n]?.ask('player-plays', text)
      const accepted = (answer?.split('"accepted"').length ?? 0) - 1
      if (accepted !== BATCH) throw new Error(`The batch was not stored: ${answer?.slice(0, 300)}`)
    }
  }
  const prepareBare = (n: number, batch: Play[]) => {
    const { uid, truckUid, shift } = road.players[n] as Player
    const arrays = Object.values(BARE_COLUMNS).map(([, valueOf]) => batch.map(valueOf))
    const values = [uid, truckUid, shift.program_uid, shift.market_uid, shift.uid, ...arrays]
    return () => pool.query({ name: 'bare-plays', text: BARE_PLAYS, values })
  }
  /** Every player sends some batches, one after the other. */
  const round = (number: number, prepare: (n: number, batch: Play[]) => () => Promise<unknown>) => {
    const prepared = road.players.map((player, n) =>
      Array.from({ length: BATCHES_A_ROUND }, (_, turn) =>
        prepare(n, batchOf(player, road, number * BATCHES_A_ROUND + turn)),
      ),
    )
    const inTurn = async (sends: (() => Promise<unknown>)[]) => {
      for (const send of sends) await send()
    }
    return rateOf(PLAYERS * BATCHES_A_ROUND * BATCH, () => Promise.all(prepared.map(inTurn)))
  }
  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  for (let number = 0; number <= ROUNDS; number++) {
    const [ours, bare] = [await round(number, prepareOurs), await round(number, prepareBare)]
    // The first one also compiles, on both sides.
    if (number === 0) continue
    rates.ours.push(ours)
    rates.bare.push(bare)
  }
  for (const socket of sockets) socket.close()
  const name = `Plays of ${PLAYERS} players, graded, counted and acknowledged in batches of ${BATCH}, beside a bare INSERT of them`
  return shareFigure(name, rates.ours, rates.bare, HALF)
}

/** Where the players' trucks were while they played. */
async function fillTracks({ sql }: BenchWorld, { players, startsAt }: FilledRoad): Promise<void> {
  const times = Array.from({ length: PLAYED_MS / FIX_MS }, (_, n) => startsAt + n * FIX_MS)
  for (const { truckUid } of players) {
    await sql(`insert into position (${POSITION_FIELDS}) select * from ${POSITIONS}`, [
      times.map(() => truckUid),
      times.map((at) => new Date(at)),
      times.map((at) => routePlaceAt(at).latitude),
      times.map((at) => routePlaceAt(at).longitude),
      times.map(() => 40),
    ])
  }
  await sql('analyze position')
}

/** Stores pages of the source one after the other, ours and bare in turn. */
async function* positions(
  world: BenchWorld,
  { trucks, startsAt }: FilledRoad,
  pool: pg.Pool,
): AsyncGenerator<BenchFigure> {
  const { db, close } = connect(world.database, { max: 2 })
  let next = startsAt + PLAYED_MS
  let version = 0
  const pageOf = (fixes: number) =>
    Array.from({ length: fixes }, () => (next += FIX_MS)).flatMap((at) =>
      trucks.map((uid, n) => ({ uid, truck: `g${n + 1}`, at, ...routePlaceAt(at), speedKmh: 40 })),
    )
  const storeOurs = (page: ReturnType<typeof pageOf>) => {
    const fixes = page.map(({ uid: _uid, ...fix }) => fix)
    const cursor = { entity: 'bench', from: version === 0 ? undefined : String(version), to: String(++version) }
    return rateOf(fixes.length, () =>
      storeTelemetry(db, { fixes, statuses: [], readings: [], cursor, now: Date.now() }),
    )
  }
  const storeBare = (page: ReturnType<typeof pageOf>) =>
    rateOf(page.length, () =>
      pool.query(`insert into bare_position (${POSITION_FIELDS}) select * from ${POSITIONS}`, [
        page.map(({ uid }) => uid),
        page.map(({ at }) => new Date(at)),
        page.map(({ latitude }) => latitude),
        page.map(({ longitude }) => longitude),
        page.map(({ speedKmh }) => speedKmh),
      ]),
    )
  for (const { fixes, name, bar } of PAGES) {
    const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
    for (let round = 0; round <= ROUNDS; round++) {
      const page = pageOf(fixes)
      const [ours, bare] = [await storeOurs(page), await storeBare(page)]
      // The first one also begins the tracks.
      if (round === 0) continue
      rates.ours.push(ours)
      rates.bare.push(bare)
    }
    const what = `${(fixes * trucks.length).toLocaleString('en')} of ${trucks.length.toLocaleString('en')} trucks`
    yield shareFigure(`Positions, ${name} of ${what}, with miles, beside a bare INSERT`, rates.ours, rates.bare, bar)
  }
  await close()
}
