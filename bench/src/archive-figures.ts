import { archivePlays, csvStatements, daysWithPlays } from '@roadshow/api/live/plays/index'
import { connect } from '@roadshow/api/platform/db/connection'
import { contract, DAY_MS } from '@roadshow/contract'
import { type Campaigns, FEW_DAYS, firstDay, lastDay, PlayFiller } from './fill-plays.ts'
import { MB, megabytes, memoryOf, watchMemory } from './memory.ts'
import { openParquet } from './open-parquet.ts'
import { ask, atMost, download, timed } from './report-figures.ts'
import { type BenchFigure, perSecond, shareFigure } from './report.ts'
import type { BenchWorld } from './world.ts'

const ROUNDS = 15
const WARM_UP = 5
const EXPORTS = 3
const FIRST_PAGE = 3
const COPIED = 0.5
const MAX_GROWTH = 150 * MB
const AFTER_DAYS = 45

const { adLog } = contract

/** The ad log of a million plays in the archive, beside the same plays in the database before. */
export async function* measureArchive(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const filler = new PlayFiller(world.sql)
  const campaigns = await filler.begin()
  await filler.fill(FEW_DAYS)
  const hot = await firstPages(world, campaigns)
  const bare = await copies(world, campaigns)
  await world.sql(OWNED_BY_THE_SERVER)
  const { plays, seconds } = await archiveAll(world)
  yield {
    name: 'Plays archived: written, read back, compared and deleted',
    ours: perSecond(plays / seconds),
    beside: '',
    ratio: '',
    bar: '',
    met: undefined,
  }
  const before = await watchMemory(world.pid)
  const archived = await firstPages(world, campaigns)
  yield {
    name: 'Total of the archived plays, beside their recount in the database before',
    ours: archived.total.toLocaleString('en'),
    beside: bare.rows.toLocaleString('en'),
    ratio: '',
    bar: 'equal',
    met: archived.total === bare.rows && archived.total === hot.total && archived.first === hot.first,
  }
  yield atMost('First page of archived plays, beside the same in the database', archived.times, hot.times, FIRST_PAGE)
  const files = await exportFiles(world, campaigns)
  yield shareFigure(
    `${files.rows.toLocaleString('en')} archived plays as CSV, rows beside COPY TO of the same query`,
    files.rates,
    bare.rates,
    COPIED,
  )
  const growth = (await memoryOf(world.pid)).peak - before
  yield {
    name: `Our server's memory over ${EXPORTS} such files, growth at its peak`,
    ours: megabytes(growth),
    beside: `${megabytes(before)} before`,
    ratio: '',
    bar: `≤ ${megabytes(MAX_GROWTH)}`,
    met: growth <= MAX_GROWTH,
  }
}

/** The filler makes weeks as a superuser; the archive drops them as the server's user. */
const OWNED_BY_THE_SERVER = `do $$
  declare part text;
  begin
    for part in select name from partitions_of('play') loop
      execute format('alter table %I owner to %I', part,
                     (select pg_get_userbyid(relowner) from pg_class where oid = 'play'::regclass));
    end loop;
  end $$`

const queryOf = ({ program, market }: Campaigns) => ({ program, market, from: firstDay(FEW_DAYS), to: lastDay() })
const pathOf = (campaigns: Campaigns, more: Record<string, string>) =>
  `${adLog.list.path}?${new URLSearchParams({ ...queryOf(campaigns), ...more })}`

async function firstPages(world: BenchWorld, campaigns: Campaigns) {
  const times: number[] = []
  const page = pathOf(campaigns, { page: '1' })
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const ms = await timed(() => ask(world, page))
    if (round >= 0) times.push(ms)
  }
  const { total, data } = JSON.parse((await ask(world, page)).toString()) as { total: number; data: unknown[] }
  return { times, total, first: JSON.stringify(data) }
}

/** The same query by COPY alone, while the plays are in the database, and how many rows it has. */
async function copies(world: BenchWorld, campaigns: Campaigns) {
  const query = {
    ...queryOf(campaigns),
    program: [campaigns.program],
    market: [campaigns.market],
    page: 1,
    pageSize: 10,
  }
  const { db, close } = connect(world.database, { max: 1 })
  const selects = csvStatements({ query, days: await daysWithPlays(db, query) })
  await close()
  const [counted] = await world.sql<{ rows: string }>(
    'select count(*) as rows from play where program_uid = $1 and market_uid = $2',
    [campaigns.program, campaigns.market],
  )
  const rows = Number(counted?.rows)
  const rates: number[] = []
  for (let round = 0; round < EXPORTS; round++) {
    const ms = await timed(async () => {
      for (const select of selects) await world.sql(`copy (${select}) to '/dev/null' with (format csv)`)
    })
    rates.push((rows / ms) * 1000)
  }
  return { rows, rates }
}

/** Archives every day, as a node would in some weeks. */
async function archiveAll(world: BenchWorld): Promise<{ plays: number; seconds: number }> {
  const { database, sql } = world
  const { db, close } = connect(database)
  const parquet = await openParquet(world)
  const errors: unknown[] = []
  const now = Date.now() + AFTER_DAYS * DAY_MS
  const ms = await timed(() =>
    archivePlays({ db, parquet, afterDays: AFTER_DAYS, now, onError: (error) => errors.push(error) }),
  )
  await parquet.close()
  await close()
  if (errors.length > 0) throw errors[0]
  const [counted] = await sql<{ plays: string }>('select sum(rows) as plays from play_archive')
  return { plays: Number(counted?.plays), seconds: ms / 1000 }
}

async function exportFiles(world: BenchWorld, campaigns: Campaigns) {
  const rates: number[] = []
  let rows = 0
  for (let round = 0; round < EXPORTS; round++) {
    const file = await download(world, pathOf(campaigns, { format: 'csv' }))
    rows = file.rows
    rates.push((file.rows / file.ms) * 1000)
  }
  return { rows, rates }
}
