import { contract } from '@roadshow/contract'
import { fillDelivered } from './delivery-figures.ts'
import { fillRecords } from './fill-records.ts'
import { compareRates, median, type LoadTarget, ratioOf } from './load.ts'
import { type BenchFigure, perSecond, times } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const { listFacts } = contract

// As many rows as a page has, and the most that are asked for at once.
const [PAGE, MOST] = [10, 100]
const DEEP = 5000
// Deep pages cost as much as the first one, and ten times the rows at most ten times as much.
const MOST_TIMES = { deep: 3, most: 10 }
// Such calls come one after another from a page.
const [SECONDS, CALLERS] = [2, 1] as const

// Trucks, programs and drivers have a shift on each of the next ten days.
const PLANNED = `
  insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at, ends_at)
  select s.truck_uid, s.driver_uid, s.program_uid, s.market_uid, d.day, '08:00', '16:00', s.zone,
         (d.day + time '08:00') at time zone s.zone, (d.day + time '16:00') at time zone s.zone
    from (select distinct truck_uid, driver_uid, program_uid, market_uid, zone
            from shift s join client_program p on p.uid = s.program_uid where p.name like 'Delivery Program %') s,
         lateral (select current_date + a as day from generate_series(2, 11) a) d`

// Those with shifts, plays and lines come first: they cost the most.
const lists = [
  {
    title: 'Programs: pace, value and next shift',
    call: listFacts.programs.path,
    of: 'program',
    rows: `select uid from client_program where deleted_at is null order by name not like 'Delivery Program %', uid`,
  },
  {
    title: 'Trucks: state, driver, next shift, issues and miles',
    call: listFacts.trucks.path,
    of: 'truck',
    rows: `select uid from truck where deleted_at is null order by number not like 'Delivery %', uid`,
  },
  {
    title: 'Clients: running programs and value of the month',
    call: listFacts.clients.path,
    of: 'client',
    rows: `select uid from client where deleted_at is null order by name <> 'Delivery Client', uid`,
  },
  {
    title: 'Users: hours of the week and next shift',
    call: listFacts.users.path,
    of: 'user',
    rows: `select uid from user_account where deleted_at is null order by email not like 'delivery-%', uid`,
  },
]

/** What lists answer beside 100,000 records, asked for the rows of a page. */
export async function* measureFacts(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillRecords(world.sql)
  await fillDelivered(world.sql)
  await world.sql(PLANNED)
  await world.sql('vacuum analyze')
  for (const { title, call, of, rows } of lists) {
    const factsOf = async (offset: number, limit: number): Promise<LoadTarget> => {
      const found = await world.sql<{ uid: string }>(`${rows} offset $1 limit $2`, [offset, limit])
      const target = apiTarget(world, `${call}?${found.map(({ uid }) => `${of}=${uid}`).join('&')}`)
      const answer = await fetch(target.url, { headers: target.headers as Record<string, string> })
      const { data } = (await answer.json()) as { data?: unknown[] }
      if (data?.length !== limit) throw new Error(`${title}: ${answer.status}, facts of ${data?.length} rows`)
      return target
    }
    const [first, deep, most] = [await factsOf(0, PAGE), await factsOf(PAGE * (DEEP - 1), PAGE), await factsOf(0, MOST)]
    const rates = await compareRates({ first, deep, most }, SECONDS, CALLERS)
    const beside = (name: string, which: 'deep' | 'most'): BenchFigure => {
      const [other, atMost] = [rates[which], MOST_TIMES[which]]
      const slower = ratioOf(rates.first, other)
      return {
        name: `${title}: ${name}`,
        ours: perSecond(median(other)),
        beside: perSecond(median(rates.first)),
        ratio: `${times(slower)} slower`,
        bar: `≤ ${times(atMost)}`,
        met: slower <= atMost,
      }
    }
    yield beside(`page ${DEEP.toLocaleString('en')} beside page 1`, 'deep')
    yield beside(`${MOST} rows beside ${PAGE}`, 'most')
  }
}
