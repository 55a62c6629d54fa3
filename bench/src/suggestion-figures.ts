import { contract, shiftRange, workweekOf, addDays } from '@roadshow/contract'
import { fillShifts, NEXT_WEEK } from './fill-shifts.ts'
import { median, ratioOf } from './load.ts'
import { type BenchFigure, times } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const CANDIDATES = 500
const ROUNDS = 20
const MOST_TIMES = 3
const HOURS = { start: '08:00', end: '16:00' }

export interface Crew extends Record<string, unknown> {
  truck: string
  driver: string
  program: string
  market: string
  zone: string
}

// Groups before this one retire trucks, so those with shifts are found by their shifts.
const CREWS_WITH_SHIFTS = `
  select distinct s.truck_uid as truck, s.driver_uid as driver, s.program_uid as program, s.market_uid as market, s.zone
    from shift s join user_account d on d.uid = s.driver_uid
   where s.local_date between $1 and $2 and d.email like 'driver-%@bench.example' order by 1 limit $3`

/** Trucks and drivers for a shift, 500 of each with 250,000 shifts, beside the bare queries for it. */
export async function* measureSuggestions(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillShifts(world.sql)
  const crews = await loadCrews(world, CANDIDATES)
  await keepOnly(world, crews, crews)
  const [crew] = crews
  if (!crew) throw new Error('There is no crew.')
  const query = new URLSearchParams({ ...HOURS, date: NEXT_WEEK, program: crew.program, market: crew.market })
  const { url, headers } = apiTarget(world, `${contract.shiftSuggestions.list.path}?${query}`)
  const ours = async () => (await fetch(url, { headers })).json()
  const { trucks, drivers } = contract.shiftSuggestions.list.reply.parse(await ours()).data
  const free = trucks.filter(({ refusal }) => refusal === null).length
  if (trucks.length !== CANDIDATES || drivers.length !== CANDIDATES || free === 0 || free === CANDIDATES) {
    throw new Error(`${trucks.length} trucks, ${free} of them free, and ${drivers.length} drivers are suggested`)
  }
  const took: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    took.ours.push(await timed(ours))
    took.bare.push(await timed(() => bareQueries(world, crew, crews)))
  }
  const ratio = ratioOf(took.ours, took.bare)
  yield {
    name: 'Suggestions among 500 trucks and 500 drivers with reasons and refusals, beside the bare queries',
    ours: milliseconds(median(took.ours)),
    beside: milliseconds(median(took.bare)),
    ratio: times(ratio),
    bar: `≤ ${times(MOST_TIMES)}`,
    met: ratio <= MOST_TIMES,
  }
}

const milliseconds = (ms: number) => `${Math.round(ms).toLocaleString('en')} ms`

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export const loadCrews = ({ sql }: BenchWorld, count: number): Promise<Crew[]> =>
  sql<Crew>(CREWS_WITH_SHIFTS, [addDays(NEXT_WEEK, -14), NEXT_WEEK, count])

/** Every other truck retires, and every other driver leaves. */
export async function keepOnly(
  { sql }: BenchWorld,
  trucksOf: readonly Crew[],
  driversOf: readonly Crew[],
): Promise<void> {
  const [trucks, drivers] = [trucksOf.map(({ truck }) => truck), driversOf.map(({ driver }) => driver)]
  for (const table of ['truck', 'user_account']) await sql(`alter table ${table} disable trigger user`)
  await sql(`update truck set state = case when uid = any($1::uuid[]) then 'active' else 'retired' end`, [trucks])
  await sql(`update user_account set deleted_at = now() where role = 'driver' and uid <> all($1::uuid[])`, [drivers])
  for (const table of ['truck', 'user_account']) await sql(`alter table ${table} enable trigger user`)
  await sql('vacuum analyze truck')
  await sql('vacuum analyze user_account')
}

const BLOCKS = `b.deleted_at is null and b.status not in ('cancelled', 'noShow')`
const NEIGHBOR = 'b.market_uid, b.program_uid, b.starts_at, b.ends_at'

/** The shift before and the shift after of each truck or driver. */
const neighborsOf = (column: 'truck_uid' | 'driver_uid') => `
  select k.uid, n.* from unnest($1::uuid[]) k (uid) cross join lateral (
    (select true as before, ${NEIGHBOR} from shift b where b.${column} = k.uid and ${BLOCKS} and b.starts_at < $2
      order by b.starts_at desc limit 1)
    union all
    (select false, ${NEIGHBOR} from shift b where b.${column} = k.uid and ${BLOCKS} and b.starts_at >= $2
      order by b.starts_at limit 1)) n`

/** What the answer is made of, by hand: who there is, who is booked, what comes before and after, the hours of the week. */
async function bareQueries({ sql }: BenchWorld, crew: Crew, crews: readonly Crew[]): Promise<void> {
  const [trucks, drivers] = [crews.map(({ truck }) => truck), crews.map(({ driver }) => driver)]
  const { startsAt = 0, endsAt = 0 } = shiftRange({ ...HOURS, date: NEXT_WEEK, zone: crew.zone })
  const [from, to] = [new Date(startsAt), new Date(endsAt)]
  const monday = workweekOf(NEXT_WEEK)
  await sql(`select t.uid, t.number, t.state, t.kind, t.home_market_uid, m.sides, n.latitude, n.longitude, n.at
               from truck t left join pixel_map m on m.uid = t.pixel_map_uid left join truck_now n on n.truck_uid = t.uid
              where t.deleted_at is null and t.state <> 'retired' order by t.number`)
  await sql(
    `select uid, name, role, modules from user_account where role = 'driver' and deleted_at is null order by name`,
  )
  for (const [column, uids] of [
    ['truck_uid', trucks],
    ['driver_uid', drivers],
  ] as const) {
    await sql(
      `select b.uid, b.truck_uid, b.driver_uid, b.starts_at, b.ends_at, t.number, d.name, p.name as program, b.local_date,
              b.start_time, b.end_time
         from shift b join truck t on t.uid = b.truck_uid join user_account d on d.uid = b.driver_uid
         join client_program p on p.uid = b.program_uid
        where b.${column} = any($1::uuid[]) and tstzrange(b.starts_at, b.ends_at) && tstzrange($2, $3) and ${BLOCKS}`,
      [uids, from, to],
    )
    await sql(neighborsOf(column), [uids, from])
  }
  await sql(
    `select b.driver_uid, b.ends_at - b.starts_at as planned, b.stopped_at - b.started_at as actual from shift b
      where b.driver_uid = any($1::uuid[]) and b.local_date between $2 and $3 and ${BLOCKS}`,
    [drivers, monday, addDays(monday, 6)],
  )
  await sql(`select uid, name, zone, latitude, longitude, radius_m, outline, depots from market`)
}
