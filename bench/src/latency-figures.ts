import { setTimeout as wait } from 'node:timers/promises'
import { contract } from '@roadshow/contract'
import { median, p99 } from './load.ts'
import { homeMarketOf, newTruck } from './new-truck.ts'
import { type BenchFigure, times } from './report.ts'
import { apiTarget, type BenchWorld, FLOOR_CALLERS } from './world.ts'

const FIRST_PAGE = 5000
/** Each caller reads pages of its own stretch of the list, one after another. */
const PAGES_EACH = 20
const READING_MS = 10_000
const WRITERS = 2
const WRITE_EVERY_MS = 100
const MAX_SPREAD = 5

/** How long single readers of deep pages wait while others write: the slowest of a hundred beside the usual. */
export async function* measurePagesWhileWriting(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const perSecond = (WRITERS * 1000) / WRITE_EVERY_MS
  const name = `Trucks: pages from ${FIRST_PAGE.toLocaleString('en')} on while others write ${perSecond} times a second`
  const at = (page: number) => apiTarget(world, `${contract.trucks.list.path}?page=${page}`)
  const ours = await whileWriting(world, at, PAGES_EACH)
  const top = await whileWriting(world, () => at(1))
  const bare = await whileWriting(world, (page) => ({
    url: `${world.floor}/signed-in/deep/trucks?page=${page}`,
    headers: at(page).headers,
  }))
  const spread = p99(ours) / median(ours)
  yield {
    name: `${name}, p99 beside p50`,
    ours: `${p99(ours).toFixed(1)} ms`,
    beside: `${median(ours).toFixed(1)} ms`,
    ratio: times(spread),
    bar: `≤ ${MAX_SPREAD} ×`,
    met: spread <= MAX_SPREAD,
  }
  // A busy machine shows in the first page as much as in deep ones.
  yield informing(`${name}, p99 beside that of page 1`, p99(ours), p99(top))
  yield informing(`${name}, p99 beside bare`, p99(ours), p99(bare))
}

const informing = (name: string, ours: number, beside: number): BenchFigure => ({
  name,
  ours: `${ours.toFixed(1)} ms`,
  beside: `${beside.toFixed(1)} ms`,
  ratio: times(ours / beside),
  bar: '',
  met: undefined,
})

interface Target {
  url: string
  headers: Record<string, string>
}

/** The milliseconds of each read, after some first ones of each reader, who leafs through the same pages again. */
async function whileWriting(world: BenchWorld, target: (page: number) => Target, first = 0): Promise<number[]> {
  const finished = new AbortController()
  const writing = Promise.all(Array.from({ length: WRITERS }, () => write(world, finished.signal)))
  const until = performance.now() + READING_MS
  const reader = async (_: unknown, caller: number) => {
    const found: number[] = []
    for (let n = 0; performance.now() < until; n++) {
      const page = FIRST_PAGE + caller * PAGES_EACH + (n % PAGES_EACH)
      const ms = await millisecondsOf(target(page))
      if (n >= first) found.push(ms)
    }
    return found
  }
  const found = await Promise.all(Array.from({ length: FLOOR_CALLERS }, reader)).finally(() => finished.abort())
  await writing
  return found.flat()
}

async function millisecondsOf({ url, headers }: Target): Promise<number> {
  const start = performance.now()
  const answer = await fetch(url, { headers })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}.`)
  return performance.now() - start
}

/** Creates trucks through our server, one each moment, until the measurement ends. */
async function write(world: BenchWorld, signal: AbortSignal): Promise<void> {
  const homeMarketUid = await homeMarketOf(world)
  const { url, headers } = apiTarget(world, contract.trucks.create.path)
  while (!signal.aborted) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(newTruck(homeMarketUid)),
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`A truck could not be created: ${answer.status}.`)
    await wait(WRITE_EVERY_MS)
  }
}
