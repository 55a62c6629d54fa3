import { connect } from '@roadshow/api/platform/db/connection'
import { deliveriesOf } from '@roadshow/api/proof/delivery/index'
import { sql } from 'kysely'
import { median, ratioOf } from './load.ts'
import { timed } from './report-figures.ts'
import { type BenchFigure, times } from './report.ts'
import type { RunSql } from './sql.ts'
import type { BenchWorld } from './world.ts'

const PROGRAMS = 1_000
const ROUNDS = 20
const WARM_UP = 5
const MOST_TIMES = 2

// Each program has run for 30 of 60 days in one market with one truck a day; its player logged plays of three sides for
// eight hours a day.
const FILL = [
  `insert into client (name) values ('Delivery Client')`,
  `insert into client_program (client_uid, name, status, starts_on, ends_on, pop_url)
   select uid, 'Delivery Program ' || i, 'active', current_date - 30, current_date + 29, 'delivery-program-' || i
     from client, generate_series(1, ${PROGRAMS}) i where name = 'Delivery Client'`,
  `insert into program_market (program_uid, market_uid, position)
   select p.uid, (select uid from market order by uid limit 1), 0 from client_program p where p.name like 'Delivery Program %'`,
  `insert into booked_line (program_uid, market_uid, unit, amount, starts_on, ends_on)
   select p.uid, m.market_uid, u.unit, u.amount, p.starts_on, p.ends_on
     from client_program p join program_market m on m.program_uid = p.uid,
          (values ('truckDays', 60), ('plays', 140000)) u (unit, amount)
    where p.name like 'Delivery Program %'`,
  `insert into truck (number, kind, state) select 'Delivery ' || i, 'led', 'active' from generate_series(1, ${PROGRAMS}) i`,
  `insert into user_account (email, name, role, modules)
   select 'delivery-' || i || '@bench.example', 'Delivery Driver ' || i, 'driver', '{schedule}'
     from generate_series(1, ${PROGRAMS}) i`,
  `insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at,
                      ends_at, status, started_at, stopped_at)
   select t.uid, u.uid, p.uid, m.market_uid, d.day, '08:00', '16:00', k.zone, s.starts, s.ends, 'completed', s.starts, s.ends
     from generate_series(1, ${PROGRAMS}) i
     join client_program p on p.name = 'Delivery Program ' || i join program_market m on m.program_uid = p.uid
     join market k on k.uid = m.market_uid join truck t on t.number = 'Delivery ' || i
     join user_account u on u.email = 'delivery-' || i || '@bench.example',
          lateral (select current_date - a as day from generate_series(1, 30) a) d,
          lateral (select (d.day + time '08:00') at time zone k.zone as starts, (d.day + time '16:00') at time zone k.zone as ends) s`,
  `insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms)
   select date_trunc('hour', s.starts_at) + h * interval '1 hour', s.truck_uid, s.uid, s.program_uid, s.market_uid, s.local_date,
          x.side, 98, 784000
     from shift s join client_program p on p.uid = s.program_uid and p.name like 'Delivery Program %',
          generate_series(0, 7) h, (values ('driverSide'), ('passengerSide'), ('rear')) x (side)`,
  'analyze shift, play_hour, booked_line, client_program',
]

/** Fills programs that are half over, with shifts and plays, once. */
export async function fillDelivered(sql: RunSql): Promise<void> {
  const found = await sql(`select 1 from client where name = 'Delivery Client'`)
  if (found.length > 0) return
  for (const statement of FILL) await sql(statement)
}

/** The pace of a thousand programs, beside the bare sum of their plays in the rollup. */
export async function* measureDelivery(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillDelivered(world.sql)
  const { db, close } = connect(world.database, { max: 2 })
  try {
    const rows = await world.sql<{ uid: string }>(`select uid from client_program where name like 'Delivery Program %'`)
    const uids = rows.map(({ uid }) => uid)
    const ours = () => deliveriesOf(db, 'all', uids, Date.now())
    const bare = () =>
      sql`select program_uid, market_uid, day, sum(plays) from play_hour where program_uid = any(${uids}::uuid[])
           group by 1, 2, 3`.execute(db)
    const paced = [...(await ours()).values()].filter(({ pace }) => pace !== null).length
    if (paced !== PROGRAMS) throw new Error(`${paced} programs have a pace.`)
    const took: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const [one, other] = [await timed(ours), await timed(bare)]
      if (round < 0) continue
      took.ours.push(one)
      took.bare.push(other)
    }
    const ratio = ratioOf(took.ours, took.bare)
    yield {
      name: 'Pace of 1,000 programs with two booked lines, beside the sum of their plays in the rollup',
      ours: `${Math.round(median(took.ours))} ms`,
      beside: `${Math.round(median(took.bare))} ms`,
      ratio: times(ratio),
      bar: `≤ ${times(MOST_TIMES)}`,
      met: ratio <= MOST_TIMES,
    }
  } finally {
    await close()
  }
}
