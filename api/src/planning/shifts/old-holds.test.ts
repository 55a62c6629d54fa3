import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { migrate } from '../../platform/db/migrate.ts'
import { migrationNames } from '../../platform/db/migration-files.ts'

const on = (name: string) => Object.assign(new URL(inject('serverUrl')), { pathname: name }).href
const name = `test_${randomUUID().replaceAll('-', '')}`
const admin = new pg.Client({ connectionString: on('postgres') })
await admin.connect()
await admin.query(`create database ${name} template template0`)
const earlier = (await migrationNames()).filter((each) => each <= '0078_hours_of_trucks_as_evidence')
await migrate(on(name), { only: earlier })
const client = new pg.Client({ connectionString: on(name), options: '-c TimeZone=UTC' })
await client.connect()
afterAll(() => Promise.all([client.end(), admin.end()]))

test('shifts of the version before hold their trucks, and only what is counted otherwise is noted', async () => {
  await client.query(`
    insert into market (name, zone) values ('Dallas', 'UTC');
    insert into client (name) values ('Acme');
    insert into client_program (client_uid, name, status, starts_on, ends_on, pop_url)
      select uid, 'Summer', 'active', '2020-01-01', '2099-01-01', 'summer' from client;
    insert into truck (number, kind, state) values ('T-1', 'led', 'active');
    insert into user_account (email, name, role, modules) values ('dana@example.com', 'Dana', 'driver', '{}');
    insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at, ends_at,
                       status, started_at, stopped_at)
    select t.uid, u.uid, p.uid, m.uid, d, '08:00', '16:00', 'UTC', d + time '08:00', d + time '16:00', 'completed',
           d + time '08:00' + n * interval '10 minutes', d + time '16:00'
      from truck t, user_account u, client_program p, market m,
           (select current_date - n as d, n - 1 as n from generate_series(1, 2) n union all select current_date - 100, 1) days;
    insert into driver_event (user_uid, event_id, shift_uid, kind, at)
    select u.uid, 'stop', s.uid, 'stop', s.stopped_at from shift s, user_account u where s.local_date = current_date - 2;
    truncate evidence_change`)
  await migrate(on(name))
  const { rows } = await client.query<{ start: string; end: string; isOwn: boolean }>(`
    select to_char(lower(h.during), 'HH24:MI') as start, to_char(upper(h.during), 'HH24:MI') as end,
           h.client_uid = p.client_uid and h.program_uid = s.program_uid as "isOwn"
      from truck_hold h join shift s on s.uid = h.shift_uid join client_program p on p.uid = s.program_uid order by h.during`)
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ start: '08:00', end: '16:00', isOwn: true })))
  const { rows: noted } = await client.query(`
    select current_date - first_at::date as ago, to_char(first_at, 'HH24:MI') as start, to_char(last_at, 'HH24:MI') as end
      from evidence_change`)
  // Times that no driver reported stay, whatever drivers report later.
  const { rows: set } = await client.query(`
    select current_date - s.local_date as ago, o.kind, o.at = s.started_at or o.at = s.stopped_at as "isShifts"
      from shift_office_time o join shift s on s.uid = o.shift_uid order by ago, kind`)
  expect(set).toEqual([
    { ago: 1, kind: 'start', isShifts: true },
    { ago: 1, kind: 'stop', isShifts: true },
    { ago: 2, kind: 'start', isShifts: true },
    { ago: 100, kind: 'start', isShifts: true },
    { ago: 100, kind: 'stop', isShifts: true },
  ])
  // The one of 100 days ago stays as it was counted.
  expect(noted).toEqual([{ ago: 2, start: '08:00', end: '08:10' }])
})
