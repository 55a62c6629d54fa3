import type { RunSql } from './sql.ts'

export const FLEET_SIZE = 100_000

const MARKETS = `
  insert into market (name, state, zone)
  select name, state, zone from (values
    ('Atlanta', 'GA', 'America/New_York'), ('Boston', 'MA', 'America/New_York'), ('Chicago', 'IL', 'America/Chicago'),
    ('Dallas', 'TX', 'America/Chicago'), ('Denver', 'CO', 'America/Denver'), ('Houston', 'TX', 'America/Chicago'),
    ('Los Angeles', 'CA', 'America/Los_Angeles'), ('Miami', 'FL', 'America/New_York'),
    ('New York', 'NY', 'America/New_York'), ('Phoenix', 'AZ', 'America/Phoenix')) as m (name, state, zone)`

// Every value derives from the row number, so every run has the same fleet; the hash spreads plates and VINs.
const TRUCKS = `
  insert into truck (number, plate, vin, kind, state, home_market_uid, note)
  select 'T-' || i,
         chr(65 + i % 26) || chr(65 + i / 26 % 26) || chr(65 + i / 676 % 26) || '-' || 1000 + i * 7919 % 9000,
         '1HT' || (select string_agg(substr('ABCDEFGHJKLMNPRSTUVWXYZ0123456789', 1 + get_byte(hash, k) % 33, 1), '' order by k)
                     from generate_series(0, 13) k),
         case when i % 8 = 5 then 'printed' else 'led' end,
         case i % 50 when 12 then 'inShop' when 38 then 'retired' else 'active' end,
         markets[1 + i % 10],
         case i % 40 when 12 then 'Rear screen: two dead panels, parts ordered.' when 27 then 'Brake service.' else '' end
    from generate_series(1, $1::int) i, decode(md5(i::text), 'hex') hash, (select array_agg(uid) markets from market) m`

// The same columns, indexes and references without history and totals: the cost of a single INSERT.
const BARE_TRUCKS = [
  `create table bare_truck (like truck including defaults including generated including constraints including indexes)`,
  `alter table bare_truck add foreign key (home_market_uid) references market (uid),
                          add foreign key (changed_by) references user_account (uid)`,
  // The bare server is the same plain role as ours.
  `grant all on bare_truck to public`,
  `insert into bare_truck (number, plate, vin, kind, state, home_market_uid, note)
   select number, plate, vin, kind, state, home_market_uid, note from truck`,
]

export async function fillFleet(sql: RunSql): Promise<void> {
  await sql(MARKETS)
  await sql(TRUCKS, [FLEET_SIZE])
  for (const statement of BARE_TRUCKS) await sql(statement)
  await sql('vacuum analyze')
}
