import { defaultModules } from '@roadshow/contract'
import type { RunSql } from './sql.ts'

const ROWS = 100_000

// Everything follows from the row's number i, so every run has the same rows.
const pick = (words: string, by: string) => `('{${words}}'::text[])[1 + (${by}) % ${words.split(',').length}]`

// Names of two parts, so that there are hundreds of each, as among people and brands.
const named = (starts: string, ends: string, by: string) =>
  `${pick(starts, by)} || ${pick(ends, `(${by}) / ${starts.split(',').length}`)}`

const first = (by: string) =>
  named('Al,Be,Car,Da,El,Fe,Gra,He,Ima,Jo,Ka,Lu,Mar,Na,Ori,Pri,Ro,Sa,Ta', 'bert,ce,la,lina,mon,nna,rin,sha,sta,vid', by)
const last = (by: string) =>
  named(
    'Abbo,Bro,Carte,Delga,Elli,Faro,Gome,Hay,Ivano,Jense,Kowal,Lindho,Mora,Nova,Orteg,Petro,Quin,Reed,Silv,Tanak,Varg',
    'berg,cott,dez,er,field,ham,ic,kins,lund,man,ova,quist,rez,son,ston,wick,worth',
    by,
  )
const brand = (by: string) =>
  named(
    'Arb,Blueb,Casc,Dock,Everg,Fairv,Gran,Harb,Ironw,Junip,Keyst,Lakesh,Merid,Northw,Oakr,Pinec,Redl,Silverl,Timb,West',
    'ade,aven,berry,bridge,crest,dale,fall,grove,hill,ion,land,mont,ora,point,ridge,side,ton,vale,wood,yard',
    by,
  )
const TRADE = 'Air,Bank,Coffee,Dental,Energy,Fitness,Grocers,Hotels,Insurance,Jewelers,Motors,Outfitters,Pizza'
const THEME =
  'Back to School,Black Friday,Fall Tour,Game Day,Grand Opening,Holiday Lights,New Menu,Spring Launch,Summer Sale'

// A third of the clients have a logo, a quarter of the users a photo, four of five artwork sets all three sides.
const FILES = `
  insert into stored_file (blob_name, purpose, original_name, content_type, size_bytes, sha256, width, height,
                           duration_ms, measured_by, thumbnail_blob, stored_at, claimed_at)
  select blob, purpose, blob || case when film then '.mp4' else '.png' end,
         case when film then 'video/mp4' else 'image/png' end, 10000 + i * 7919::bigint % 9000000,
         encode(sha256(blob::bytea), 'hex'), width, height, case when film then 15000 end, 'server',
         blob || '-thumbnail', now(), now()
    from generate_series(1, $1::int) i,
         lateral (values ('logo-' || i, 'logo', 400, 400, i % 3 = 0), ('photo-' || i, 'photo', 600, 800, i % 4 = 0),
                         ('driver-' || i, 'artwork', 1920, 640, i % 5 > 0),
                         ('passenger-' || i, 'artwork', 1920, 640, i % 5 > 0),
                         ('rear-' || i, 'artwork', 640, 640, i % 5 > 0)) f (blob, purpose, width, height, used),
         lateral (select purpose = 'artwork' and i % 7 = 0 as film) k
   where used`

const CLIENTS = `
  insert into client (name, logo_file_uid, contacts, note)
  select ${brand('i * 31')} || ' ' || ${pick(TRADE, 'i * 17')} || ' ' || i, f.uid, contacts,
         case i % 30 when 7 then 'Invoices go to the agency.' when 19 then 'Wants weekly reports.' else '' end
    from generate_series(1, $1::int) i
    left join stored_file f on f.blob_name = 'logo-' || i,
         lateral (select jsonb_agg(jsonb_build_object(
                    'name', first || ' ' || last, 'title', ${pick('Marketing,Owner,Brand Manager', 'i + k')},
                    'email', lower(first || '.' || last) || i || '@client' || i % 977 || '.example',
                    'phone', '+1 555 ' || lpad((i * 7919::bigint % 10000000)::text, 7, '0'))) as contacts
                    from generate_series(1, 1 + i % 3) k,
                         lateral (select ${first('i * 7 + k')} as first, ${last('i * 11 + k')} as last) n) c`

// Half of the programs belong to a twentieth of the clients, ten or so to each; the rest is spread.
const PROGRAMS = `
  insert into client_program (client_uid, name, status, starts_on, ends_on, pop_url, note)
  select c.uid, name, ${pick('active,completed,active,draft,paused,completed,completed', 'i')}, starts_on,
         starts_on + 28 + i % 7 * 7, lower(replace(name, ' ', '-')),
         case i % 25 when 3 then 'Avoid the stadium on game days.' when 11 then 'Rear screen muted.' else '' end
    from generate_series(1, $1::int) i
    join (select uid, row_number() over (order by uid) as n from client) c
      on n = case when i % 2 = 0 then 1 + i / 2 % ($1 / 20) else 1 + i * 7919::bigint % $1 end,
         lateral (select ${brand('i * 29')} || ' ' || ${pick(THEME, 'i * 13')} || ' ' || i as name,
                         date '2022-01-01' + (i * 37::bigint % 1800)::int as starts_on) p`

const PROGRAM_MARKETS = `
  insert into program_market (program_uid, market_uid, starts_on, position)
  select p.uid, markets[1 + (p.n + k * 3) % 10], case when k = 1 then p.starts_on + 7 end, k
    from (select uid, starts_on, row_number() over (order by uid) as n from client_program
           where uid not in (select program_uid from program_market)) p,
         (select array_agg(uid) as markets from market) m, generate_series(0, (p.n % 3 / 2)::int) k`

// Every 51st is deleted, which leaves as many as there are of everything else.
const USERS = `
  insert into user_account (email, name, role, modules, phone, photo_file_uid, client_uid, seen_at, deleted_at)
  select lower(first || '.' || last) || i || '@roadshow.example', first || ' ' || last, role,
         array(select jsonb_array_elements_text($2::jsonb -> role)),
         '+1 555 ' || lpad((i * 7919::bigint % 10000000)::text, 7, '0'), f.uid, c.uid,
         case when i % 3 = 0 then 'epoch' else now() - i * interval '1 minute' end, case when i % 51 = 0 then now() end
    from generate_series(1, $1::int * 51 / 50) i
   cross join lateral (select ${first('i * 7')} as first, ${last('i * 11')} as last,
                         case when i % 100 = 0 then 'admin' when i % 10 = 1 then 'sales'
                              when i % 10 < 6 then 'driver' else 'client' end as role) u
    left join (select uid, row_number() over (order by uid) as n from client) c
      on u.role = 'client' and c.n = 1 + i * 31::bigint % $1
    left join stored_file f on f.blob_name = 'photo-' || i`

const PAY_RATES = `
  insert into pay_rate (user_uid, valid_from, half_day_cents, eight_hours_cents, twelve_hours_cents)
  select uid, date '2024-01-01' + 366 * k, 9000 + 500 * k, 18000 + 1000 * k, 27000 + 1500 * k
    from (select uid, row_number() over (order by uid) as n from user_account where role = 'driver') u,
         generate_series(0, (n % 2)::int) k`

const ARTWORK = `
  insert into artwork_set (program_uid, name, driver_side_artwork_uid, passenger_side_artwork_uid, rear_artwork_uid,
                           status, approved_hash, approved_by, approved_at, note)
  select p.uid, ${brand('i * 23')} || ' ' || ${pick('Daytime,Evening,Teaser,Main,Offer,Thanks', 'i * 5')} || ' v' || i,
         d.uid, s.uid, r.uid, case when approved then 'approved' else 'draft' end,
         case when approved then encode(sha256(convert_to(d.sha256 || e'\\n' || s.sha256 || e'\\n' || r.sha256, 'UTF8')), 'hex') end,
         case when approved then admins[1 + i % cardinality(admins)] end, case when approved then now() end,
         case i % 20 when 9 then 'Colors as in the brand book.' else '' end
    from generate_series(1, $1::int) i
    join (select uid, row_number() over (order by uid) as n from client_program) p on n = 1 + i * 7::bigint % $1
    left join stored_file d on d.blob_name = 'driver-' || i
    left join stored_file s on s.blob_name = 'passenger-' || i
    left join stored_file r on r.blob_name = 'rear-' || i,
         (select array_agg(uid) as admins from user_account where role = 'admin' and deleted_at is null) a,
         lateral (select i % 3 = 0 and i % 5 > 0 as approved) w`

// The history of these rows is not needed, and writing it would take longer than the rows themselves.
const historyOfRows = (switched: 'disable' | 'enable') =>
  Object.entries({
    client: 'keep_history',
    client_program: 'keep_history',
    pop: 'keep_history',
    program_market: 'keep_child_history',
    user_account: 'keep_history',
    pay_rate: 'keep_child_history',
    artwork_set: 'keep_history',
  }).map(([table, trigger]) => `alter table ${table} ${switched} trigger ${trigger};`)

/** Clients, their programs, artwork sets and users, as a business of that size would have them; once. */
export async function fillRecords(sql: RunSql): Promise<void> {
  const [{ isFilled } = { isFilled: false }] = await sql<{ isFilled: boolean }>(
    `select exists (select from stored_file where blob_name = 'logo-3') as "isFilled"`,
  )
  if (isFilled) return
  await sql(historyOfRows('disable').join(' '))
  await sql(FILES, [ROWS])
  await sql(CLIENTS, [ROWS])
  await sql(PROGRAMS, [ROWS])
  await sql(PROGRAM_MARKETS)
  await sql(USERS, [ROWS, JSON.stringify(defaultModules)])
  await sql(PAY_RATES)
  await sql(ARTWORK, [ROWS])
  await sql(historyOfRows('enable').join(' '))
  await sql('vacuum analyze')
  // Otherwise the first list would be measured while all this is still being written to disk.
  await sql('checkpoint')
}
