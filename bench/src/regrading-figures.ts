import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@roadshow/api/platform/db/connection'
import { storeTelemetry } from '@roadshow/api/live/telemetry/store'
import { contract, DAY_MS, type Settings } from '@roadshow/contract'
import { DRIVEN_PLAYS_A_DAY, fillDriven } from './fill-driven.ts'
import { type FilledRoad, fillRoad, routePlaceAt, SHOWN_FILE } from './fill-road.ts'
import { dayBack } from './fill-weeks.ts'
import { fillShifts } from './fill-shifts.ts'
import type { BenchFigure } from './report.ts'
import { apiTarget, type BenchWorld, startNode } from './world.ts'

const FRESH_PLAYS = 200
const PLAY_MS = 9_000
const SECOND = 1000
const MOST_SECONDS = 120
const LONGEST_TRANSACTION = 60
/** How long a node may take to begin or to go on. */
const GOES_ON_MS = 180 * SECOND

/** How many plays are graded again. */
const REGRADED_PLAYS = Number(process.env['REGRADED_PLAYS'] ?? 2_000_000)
const DAYS_KEPT = 1460

/** A setting that concerns every play is changed: fresh plays do not wait for old ones, and a killed node's work goes on. */
export async function* measureRegrading(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillShifts(world.sql)
  const road = await fillRoad(world.sql)
  const { outsideMarketByMetres } = await changeSettings(world, () => ({
    keepPositionsDays: DAYS_KEPT,
    keepPlaysDays: DAYS_KEPT,
  }))
  const plays = await fillDriven(world.sql, { plays: REGRADED_PLAYS, outsideMarketByMetres })
  const during = `while ${(plays / 1e6).toFixed(1)} million plays are graded again`
  const ended = new AbortController()
  const watching = longestTransaction(world, ended.signal)
  await changeSettings(world, () => ({ outsideMarketByMetres: outsideMarketByMetres + 100 }))
  const first = await nextDayBefore(world, dayBack(1))
  const start = performance.now()
  const seconds = await secondsUntilGraded(world, road)
  const [before, after] = await goOnElsewhere(world)
  const minutes = (performance.now() - start) / (60 * SECOND)
  ended.abort()
  const longest = await watching
  yield {
    ...figure(`Fresh plays get their grade ${during}`, `${seconds.toFixed(0)} s`),
    bar: `≤ ${MOST_SECONDS} s`,
    met: seconds <= MOST_SECONDS,
  }
  yield {
    ...figure(`The longest transaction ${during}: feeds and vacuum wait for it`, `${longest.toFixed(0)} s`),
    bar: `≤ ${LONGEST_TRANSACTION} s`,
    met: longest <= LONGEST_TRANSACTION,
  }
  yield {
    ...figure(`The day that is next when a node is killed ${during}, and later on another`, `${before}, ${after}`),
    bar: 'goes on',
    met: before !== '' && after < before,
  }
  const days = (Date.parse(first) - Date.parse(after)) / DAY_MS
  const [counted] = await world.sql<{ changed: string }>(CHANGED)
  yield figure(
    `Plays graded again a minute ${during}, and how many were graded otherwise in all`,
    `${Math.round((days * DRIVEN_PLAYS_A_DAY) / minutes).toLocaleString('en')}, ${counted?.changed}`,
  )
}

const CHANGED = `select count(*) as changed from play where grade = 'unverified' and reason = 'outsideMarket'`

const figure = (name: string, ours: string): BenchFigure => ({
  name,
  ours,
  beside: '',
  ratio: '',
  bar: '',
  met: undefined,
})

/** Answers what the settings were. */
async function changeSettings(world: BenchWorld, changes: (values: Settings) => Partial<Settings>): Promise<Settings> {
  const { url, headers } = apiTarget(world, contract.settings.get.path)
  const { version, values } = contract.settings.get.reply.parse(await (await fetch(url, { headers })).json()).data
  const answer = await fetch(url, {
    method: contract.settings.update.method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...values, version, ...changes(values) }),
  })
  if (!answer.ok) throw new Error(`The settings are not changed: ${answer.status} ${await answer.text()}`)
  return values
}

const FRESH = `
  insert into play (device_uid, play_id, started_at, day, sequence, truck_uid, shift_uid, program_uid, market_uid,
                    artwork_set_uid, sha256, side, duration_ms, grade, reason)
  select $1, 'fresh-' || n, $4::timestamptz + n * interval '${PLAY_MS} ms', ($4::timestamptz at time zone 'UTC')::date, 1000000 + n,
         s.truck_uid, s.uid, s.program_uid, s.market_uid, s.artwork_set_uid, $3, 'rear', ${PLAY_MS}, 'unverified', 'noTrack'
    from shift s, generate_series(0, ${FRESH_PLAYS - 1}) n where s.uid = $2`

/** Stores plays of the last hour, then their track, and waits until they are verified. */
async function secondsUntilGraded(world: BenchWorld, { players, trucks }: FilledRoad): Promise<number> {
  const [player] = players
  if (!player) throw new Error('No player is on the road.')
  const first = Date.now() - FRESH_PLAYS * PLAY_MS - 60 * SECOND
  await world.sql(FRESH, [player.uid, player.shift.uid, SHOWN_FILE, new Date(first)])
  const { db, close } = connect(world.database, { max: 2 })
  const fixes = Array.from({ length: (FRESH_PLAYS * PLAY_MS) / (15 * SECOND) + 4 }, (_, n) => {
    const at = first + n * 15 * SECOND
    return { truck: `g${trucks.indexOf(player.truckUid) + 1}`, at, ...routePlaceAt(at), speedKmh: 40 }
  })
  const cursor = { entity: 'bench-regrading', from: undefined, to: '1' }
  await storeTelemetry(db, { fixes, statuses: [], readings: [], cursor, now: Date.now() })
  await close()
  const start = performance.now()
  for (;;) {
    const [row] = await world.sql<{ left: string }>(
      `select count(*) as left from play where device_uid = $1 and play_id like 'fresh-%' and grade = 'unverified'
          and started_at >= $2`,
      [player.uid, new Date(first)],
    )
    const seconds = (performance.now() - start) / SECOND
    if (Number(row?.left) === 0 || seconds > MOST_SECONDS * 2) return seconds
    await sleep(SECOND)
  }
}

async function nextDay({ sql }: BenchWorld): Promise<string> {
  const [row] = await sql<{ day: string | null }>('select max(next_day)::text as day from grading_backlog')
  return row?.day ?? ''
}

/** Waits until grading has come to a day before another one, and answers which it is. */
async function nextDayBefore(world: BenchWorld, day: string): Promise<string> {
  const until = performance.now() + GOES_ON_MS
  for (;;) {
    const next = await nextDay(world)
    if (next < day || performance.now() > until) return next
    await sleep(SECOND)
  }
}

/** Kills the node, and waits until another has graded further days: the day before, and that after. */
async function goOnElsewhere(world: BenchWorld): Promise<[before: string, after: string]> {
  process.kill(world.pid, 'SIGKILL')
  const before = await nextDay(world)
  await startNode(world)
  return [before, await nextDayBefore(world, before)]
}

/** How long the oldest transaction of the node was, in seconds: feeds wait for it, and so does vacuum. */
async function longestTransaction({ sql }: BenchWorld, signal: AbortSignal): Promise<number> {
  let longest = 0
  while (!signal.aborted) {
    const [row] = await sql<{ seconds: string | null }>(
      `select extract(epoch from clock_timestamp() - min(xact_start)) as seconds from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    longest = Math.max(longest, Number(row?.seconds ?? 0))
    await sleep(SECOND, undefined, { signal }).catch(() => undefined)
  }
  return longest
}
