import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from '@roadshow/api/platform/db/connection'
import { summarizeAdLog } from '@roadshow/api/proof/reports/ad-log-summary'
import { csvStatements, daysWithPlays } from '@roadshow/api/live/plays/index'
import { contract } from '@roadshow/contract'
import { ALL_DAYS, type Campaigns, FEW_DAYS, firstDay, lastDay, PlayFiller } from './fill-plays.ts'
import { median, ratioOf } from './load.ts'
import { MB, megabytes, memoryOf, watchMemory } from './memory.ts'
import { openParquet } from './open-parquet.ts'
import { type BenchFigure, shareFigure, times } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const ROUNDS = 15
const WARM_UP = 8
const EXPORTS = 3
const OF_PROGRAM = 1 / 200
const OF_FLEET = 1 / 20
const PAGES = 2
const COPIED = 0.7
const GROWTH = 2
const MAX_GROWTH = 150 * MB
const FIRST_BYTE_MS = 1000
const MONTH = 31

const { adLog } = contract
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Reports on two years of plays, beside the same read from the plays themselves. */
export async function* measureReports(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const filler = new PlayFiller(world.sql)
  const campaigns = await filler.begin()
  const stored = await filler.fill(FEW_DAYS)
  const few = await timesOf(world, campaigns)
  yield* exportFigures(world, campaigns)
  const all = await filler.fill(ALL_DAYS)
  const many = await timesOf(world, campaigns)
  const raw = await rawTimes(world, campaigns)
  const millions = `${Math.round(all / 1e6)} million plays`
  yield beside(
    `Summary of a program's month among ${millions}, beside GROUP BY of its plays`,
    many.program,
    raw.program,
    OF_PROGRAM,
  )
  yield beside(
    `Summary of the fleet's month among ${millions}, beside GROUP BY of its plays`,
    many.fleet,
    raw.fleet,
    OF_FLEET,
  )
  yield atMost(`Last page of a program's plays, beside the first`, many.last, many.first, PAGES)
  for (const [name, what] of [
    ['program', 'Summary of a month'],
    ['first', 'First page of a month'],
    ['last', 'Last page of a month'],
  ] as const) {
    const sizes = `${(all / 1e6).toFixed(1)} million plays, beside ${(stored / 1e6).toFixed(1)} million`
    yield atMost(`${what} among ${sizes}`, many[name], few[name], GROWTH)
  }
}

type Question = 'program' | 'fleet' | 'first' | 'last'

/** A user who sees every row. */
const everybody = {
  rows: 'all' as const,
  actor: {
    uid: '',
    name: '',
    email: '',
    role: 'admin' as const,
    modules: [],
    clientUid: null,
    sessionUid: '',
    address: '',
  },
}

/** Milliseconds of each question about the newest month, which is the same however much is stored; in turn. */
async function timesOf(world: BenchWorld, { program, market }: Campaigns): Promise<Record<Question, number[]>> {
  const days = { from: firstDay(MONTH), to: lastDay() }
  const pathOf = (page: number) =>
    `${adLog.list.path}?${new URLSearchParams({ ...days, program, market, page: String(page) })}`
  const { total } = JSON.parse((await ask(world, pathOf(1))).toString()) as { total: number }
  // GROUP BY is asked from here too: what a call takes besides is in neither.
  const { db, close } = connect(world.database, { max: 2 })
  const parquet = await openParquet(world)
  const stores = { db, parquet }
  const asked: Record<Question, () => Promise<unknown>> = {
    program: () => summarizeAdLog(stores, everybody, { ...days, program: [program], market: [market] }),
    fleet: () => summarizeAdLog(stores, everybody, days),
    first: () => ask(world, pathOf(1)),
    last: () => ask(world, pathOf(Math.ceil(total / 10))),
  }
  const found: Record<Question, number[]> = { program: [], fleet: [], first: [], last: [] }
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const name of Object.keys(found) as Question[]) {
      const ms = await timed(asked[name])
      // The first rounds also compile, prepare statements and fill caches.
      if (round >= 0) found[name].push(ms)
    }
  }
  await parquet.close()
  await close()
  return found
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Asks our server; not by fetch, which would take longer than what it measures. */
async function open(world: BenchWorld, path: string): Promise<IncomingMessage> {
  const { url, headers } = apiTarget(world, path)
  const [answer] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
  return answer
}

export async function ask(world: BenchWorld, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await open(world, path)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const RAW = (where: string) => `
  select p.day, p.side, p.truck_uid, count(*), sum(p.duration_ms), count(*) filter (where p.grade = 'verified'),
         count(*) filter (where p.grade = 'conflict')
    from play p
   where p.started_at >= $1::date::timestamp at time zone $3 and p.started_at < ($2::date + 1)::timestamp at time zone $3 ${where}
   group by grouping sets ((1), (2), (3))`

async function rawTimes({ sql }: BenchWorld, { program, market, zone }: Campaigns) {
  const found = { program: [] as number[], fleet: [] as number[] }
  const days = [firstDay(MONTH), lastDay(), zone]
  for (let round = -1; round < 3; round++) {
    const ofProgram = await timed(() =>
      sql(RAW('and p.program_uid = $4 and p.market_uid = $5'), [...days, program, market]),
    )
    const ofFleet = await timed(() => sql(RAW(''), days))
    if (round < 0) continue
    found.program.push(ofProgram)
    found.fleet.push(ofFleet)
  }
  return found
}

const milliseconds = (all: number[]) => `${median(all).toFixed(1)} ms`

/** At most such a part of what the other takes. */
function beside(name: string, ours: number[], theirs: number[], bar: number): BenchFigure {
  const part = median(theirs) / median(ours)
  return {
    name,
    ours: milliseconds(ours),
    beside: milliseconds(theirs),
    ratio: `1/${Math.floor(part)}`,
    bar: `≤ 1/${Math.round(1 / bar)}`,
    met: part >= 1 / bar,
  }
}

export function atMost(name: string, ours: number[], theirs: number[], bar: number): BenchFigure {
  const ratio = ratioOf(ours, theirs)
  return {
    name,
    ours: milliseconds(ours),
    beside: milliseconds(theirs),
    ratio: times(ratio),
    bar: `≤ ${times(bar)}`,
    met: ratio <= bar,
  }
}

/** A million plays as a file, beside COPY TO of the same query into nothing. */
async function* exportFigures(world: BenchWorld, { program, market }: Campaigns): AsyncGenerator<BenchFigure> {
  const days = { market, from: firstDay(FEW_DAYS), to: lastDay() }
  const query = { ...days, program: [program], market: [market], page: 1, pageSize: 10 }
  const path = `${adLog.list.path}?${new URLSearchParams({ ...days, program, format: 'csv' })}`
  const { db, close } = connect(world.database, { max: 1 })
  const selects = csvStatements({ query, days: await daysWithPlays(db, query) })
  await close()
  const before = await watchMemory(world.pid)
  const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  const firstBytes: number[] = []
  let rows = 0
  for (let round = 0; round < EXPORTS; round++) {
    const file = await download(world, path)
    rows = file.rows
    firstBytes.push(file.firstByteMs)
    rates.ours.push((file.rows / file.ms) * 1000)
    const bareMs = await timed(async () => {
      for (const select of selects) await world.sql(`copy (${select}) to '/dev/null' with (format csv)`)
    })
    rates.bare.push((file.rows / bareMs) * 1000)
  }
  const growth = (await memoryOf(world.pid)).peak - before
  const what = `${rows.toLocaleString('en')} plays as CSV`
  yield shareFigure(`${what}, rows beside COPY TO of the same query`, rates.ours, rates.bare, COPIED)
  yield {
    name: `Our server's memory over ${EXPORTS} such files, growth at its peak`,
    ours: megabytes(growth),
    beside: `${megabytes(before)} before`,
    ratio: '',
    bar: `< ${megabytes(MAX_GROWTH)}`,
    met: growth < MAX_GROWTH,
  }
  yield {
    name: 'Its first row',
    ours: milliseconds(firstBytes),
    beside: '',
    ratio: '',
    bar: `≤ ${FIRST_BYTE_MS} ms`,
    met: median(firstBytes) <= FIRST_BYTE_MS,
  }
}

export async function download(world: BenchWorld, path: string) {
  const start = performance.now()
  const answer = await open(world, path)
  let firstByteMs = NaN
  let lines = 0
  let tail = ''
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    // The heading comes before anything is read.
    if (lines > 0 && Number.isNaN(firstByteMs)) firstByteMs = performance.now() - start
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
    tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 500))).slice(-500)
  }
  const rows = lines - 2
  if (!tail.includes(`# ${rows} rows;`)) throw new Error(`The file has ${rows} rows and says: ${tail}`)
  return { rows, ms: performance.now() - start, firstByteMs }
}
