import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { addDays, contract } from '@roadshow/contract'
import { fillShifts, retireUnplanned, returnUnplanned } from './fill-shifts.ts'
import { median, p99 } from './load.ts'
import { type BenchFigure, perSecond, times } from './report.ts'
import type { TrackersAsked, TrackersDone } from './tracker-sender.ts'
import { type ScreenReader, waitsOfScreens } from './waits.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const TRACKERS = 500
/** `TRACKER_SECONDS=600` measures ten minutes. */
const SECONDS = Number(process.env['TRACKER_SECONDS'] ?? 60)
const IDLE_MS = 20_000
const MOST_SLOWER = 1.5

const today = new Date().toISOString().slice(0, 10)

/** The list is asked without pause; the board and the Overview as often as changes make a browser ask again. */
const screens = {
  list: { paths: [contract.trucks.list.path], everyMs: 20 },
  // A week, and the day before and after it, as the board asks for them.
  board: { paths: [`${contract.shifts.board.path}?from=${addDays(today, -1)}&to=${addDays(today, 7)}`], everyMs: 1000 },
  overview: {
    paths: [
      contract.fleet.figures.path,
      contract.fleet.playsToday.path,
      `${contract.fleet.issues.path}?pageSize=100&sort=openedAt`,
      contract.fleet.shifts.path,
      contract.business.figures.path,
      `${contract.photoQueue.list.path}?pageSize=1`,
      `${contract.pops.newest.path}?pageSize=24&sort=-takenAt`,
    ],
    everyMs: 1000,
  },
} satisfies Record<string, ScreenReader>

/** A source with an id for each of the trucks that have most shifts: those are on the board. */
async function addTrackers(world: BenchWorld): Promise<{ uid: string; key: string }> {
  const { url, headers } = apiTarget(world, contract.sources.create.path)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench trackers', kind: 'osmand' }),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  const { source, key } = ((await answer.json()) as { data: { source: { uid: string }; key: string } }).data
  await world.sql(
    `insert into truck_tracker (source_uid, external_id, truck_uid)
     select $1, 'bench-' || row_number() over (order by uid) - 1, uid
       from (select t.uid from truck t where t.deleted_at is null
              order by exists (select from shift s where s.truck_uid = t.uid and s.deleted_at is null) desc, t.uid limit $2) t`,
    [source.uid, TRACKERS],
  )
  return { uid: source.uid, key }
}

/** 500 trucks that send a position each second by HTTP: whether all are stored, and what people at screens notice. */
export async function* measureTrackers(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillShifts(world.sql)
  await retireUnplanned(world.sql)
  try {
    yield* sendAndRead(world)
  } finally {
    await returnUnplanned(world.sql)
  }
}

async function* sendAndRead(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const { uid, key } = await addTrackers(world)
  const sender = fork(fileURLToPath(new URL('tracker-sender.js', import.meta.url)))
  await once(sender, 'message')
  // The first round also compiles.
  await waitsOfScreens(world, screens, () => sleep(2000))
  const idle = await waitsOfScreens(world, screens, () => sleep(IDLE_MS))
  let done: TrackersDone = { sent: 0, refused: 0, slowestMs: NaN, behindMs: NaN }
  const start = performance.now()
  const busy = await waitsOfScreens(world, screens, async () => {
    const asked: TrackersAsked = { url: `${world.ours}/track/${key}`, trackers: TRACKERS, seconds: SECONDS }
    sender.send(asked)
    ;[done] = (await once(sender, 'message')) as [TrackersDone]
  })
  const took = (performance.now() - start) / 1000
  sender.disconnect()
  const [row] = await world.sql<{ stored: number }>(
    `select count(*)::int as stored from position p join truck_tracker t on t.truck_uid = p.truck_uid
      where t.source_uid = $1`,
    [uid],
  )
  const name = `${TRACKERS} trackers × 1 position a second by HTTP, ${SECONDS} s, beside the board and the Overview`
  yield* storedFigures(name, { done, stored: row?.stored ?? 0, took })
  yield slowerFigure(`${name}: a list of trucks, 99 % of the calls`, p99(busy.list), p99(idle.list), MOST_SLOWER)
  for (const [screen, label] of [
    ['board', 'the board of a week'],
    ['overview', 'the calls of the Overview'],
  ] as const)
    yield slowerFigure(`${name}: ${label}, usually`, median(busy[screen]), median(idle[screen]))
}

interface SentAndStored {
  done: TrackersDone
  stored: number
  /** In seconds. */
  took: number
}

function* storedFigures(name: string, { done, stored, took }: SentAndStored): Generator<BenchFigure> {
  yield {
    name: `${name}: positions stored, with miles`,
    ours: stored.toLocaleString('en'),
    beside: `${done.sent.toLocaleString('en')} sent, ${done.refused} refused`,
    ratio: '',
    bar: 'all',
    met: stored === done.sent && done.refused === 0,
  }
  yield {
    name: `${name}: rate kept, and answered, 99 % of the calls`,
    ours: perSecond(stored / took),
    beside: `${done.slowestMs.toFixed(0)} ms, last ${Math.max(0, done.behindMs)} ms behind`,
    ratio: '',
    bar: `≥ ${perSecond(TRACKERS * 0.95)}`,
    met: stored / took >= TRACKERS * 0.95,
  }
}

/** A wait beside the same on a server that gets no positions; without a bar it informs only. */
const slowerFigure = (name: string, ours: number, beside: number, mostTimes?: number): BenchFigure => ({
  name: `${name}, beside a server without positions`,
  ours: `${ours.toFixed(1)} ms`,
  beside: `${beside.toFixed(1)} ms`,
  ratio: times(ours / beside),
  bar: mostTimes === undefined ? '' : `≤ ${mostTimes} ×`,
  met: mostTimes === undefined ? undefined : ours / beside <= mostTimes,
})
