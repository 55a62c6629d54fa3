import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { contract } from '@roadshow/contract'
import { p99 } from './load.ts'
import { type BenchFigure, perSecond, times } from './report.ts'
import type { TrackersAsked, TrackersDone } from './tracker-sender.ts'
import { waitsDuring } from './waits.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const TRACKERS = 500
/** `TRACKER_SECONDS=600` measures ten minutes. */
const SECONDS = Number(process.env['TRACKER_SECONDS'] ?? 60)
const IDLE_MS = 20_000
const READER_MS = 20
const MOST_SLOWER = 1.5

/** 500 trucks that send a position each second by HTTP: whether all are stored, and what a reader of lists notices. */
export async function* measureTrackers(world: BenchWorld): AsyncGenerator<BenchFigure> {
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
       from (select uid from truck where deleted_at is null order by uid limit $2) t`,
    [source.uid, TRACKERS],
  )
  const sender = fork(fileURLToPath(new URL('tracker-sender.js', import.meta.url)))
  await once(sender, 'message')
  const idle = await waitsDuring(world, () => sleep(IDLE_MS), READER_MS)
  let done: TrackersDone = { sent: 0, refused: 0, slowestMs: NaN, behindMs: NaN }
  const start = performance.now()
  const busy = await waitsDuring(
    world,
    async () => {
      const asked: TrackersAsked = { url: `${world.ours}/track/${key}`, trackers: TRACKERS, seconds: SECONDS }
      sender.send(asked)
      ;[done] = (await once(sender, 'message')) as [TrackersDone]
    },
    READER_MS,
  )
  const took = (performance.now() - start) / 1000
  sender.disconnect()
  const [row] = await world.sql<{ stored: number }>(
    `select count(*)::int as stored from position p join truck_tracker t on t.truck_uid = p.truck_uid
      where t.source_uid = $1`,
    [source.uid],
  )
  const stored = row?.stored ?? 0
  const name = `${TRACKERS} trackers × 1 position a second by HTTP, ${SECONDS} s`
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
  const [ours, beside] = [p99(busy), p99(idle)]
  yield {
    name: `${name}: a list of trucks, 99 % of the calls, beside an idle server`,
    ours: `${ours.toFixed(1)} ms`,
    beside: `${beside.toFixed(1)} ms`,
    ratio: times(ours / beside),
    bar: `≤ ${MOST_SLOWER} ×`,
    met: ours / beside <= MOST_SLOWER,
  }
}
