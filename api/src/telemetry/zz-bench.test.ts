import { sql } from 'kysely'
import { test } from 'vitest'
import { openWorld } from '../test-world.ts'
import { store } from './store.ts'
import { at } from './test-fleet.ts'

import { readFileSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
const world = await openWorld()
const { db } = world
async function cpu() {
  const { rows } = await sql<{
    pid: number
  }>`select pid from pg_stat_activity where datname = current_database()`.execute(db)
  let total = 0
  for (const { pid } of rows) {
    const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    total += (Number(f[11]) + Number(f[12])) * 10
  }
  const own = process.cpuUsage()
  ;(globalThis as any).pgms = total; return total + (own.user + own.system) / 1000
}
test('bench', async () => {
  const TR = 2000
  const market = await world.addMarket('D')
  const program = await world.addProgram({ markets: [{ marketUid: market.uid }] })
  await sql`insert into truck (number, kind, state, geotab_device_id) select 'B'||i, 'led','active','d'||i from generate_series(1,${TR}::int) i`.execute(
    db,
  )
  await sql`insert into user_account (email,name,role,modules) select 'x'||i||'@e.com','n','driver','{}' from generate_series(1,${TR}::int) i`.execute(
    db,
  )
  await sql`insert into shift (truck_uid,driver_uid,program_uid,market_uid,local_date,start_time,end_time,zone,starts_at,ends_at)
   select t.uid,u.uid,${program.uid}::uuid,${market.uid}::uuid,'2026-07-01','06:00','22:00','UTC','2026-07-01T06:00Z','2026-07-01T22:00Z'
   from truck t join user_account u on u.email = 'x'||substr(t.geotab_device_id,2)||'@e.com'`.execute(db)
  await sql`analyze`.execute(db)
  await sql`create table bare (truck_uid uuid not null, at timestamptz not null, latitude float8 not null, longitude float8 not null, speed_kmh float8, received_at timestamptz not null default now(), primary key (truck_uid, at))`.execute(
    db,
  )
  await sql`create table bare_fk (like bare including all, foreign key (truck_uid) references truck (uid))`.execute(db)
  const trucks = await db
    .selectFrom('truck')
    .select(['uid', 'geotab_device_id'])
    .where('geotab_device_id', 'like', 'd%')
    .execute()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  
  let clock = at('07:00:00')
  let version = 0
  for (const [size, rounds] of [[2000,20],[50000,5]] as const) {
    const per = size / TR
    let ours = 0,
      bare = 0,
      fk = 0
    for (let r = 0; r < rounds; r++) {
      const rows: { truck: string; uid: string; at: number; latitude: number; longitude: number; speedKmh: number }[] =
        []
      for (let k = 0; k < per; k++) {
        clock += 1000
        for (const t of trucks)
          rows.push({
            truck: t.geotab_device_id,
            uid: t.uid,
            at: clock,
            latitude: 32.78 + (clock % 1e7) / 1e8,
            longitude: -96.8 - Math.random() / 1000,
            speedKmh: 40,
          })
      }
      const ins = async (table: string) => {
        const s = await cpu()
        await sql`insert into ${sql.table(table)} (truck_uid, at, latitude, longitude, speed_kmh) select t, to_timestamp(ms/1000), a, b, c from unnest(${rows.map((x) => x.uid)}::uuid[], ${rows.map((x) => x.at)}::float8[], ${rows.map((x) => x.latitude)}::float8[], ${rows.map((x) => x.longitude)}::float8[], ${rows.map((x) => x.speedKmh)}::float8[]) g(t, ms, a, b, c) on conflict do nothing`.execute(
          db,
        )
        return (await cpu()) - s
      }
      const b = await ins('bare')
      const f = await ins('bare_fk')
      const s = await cpu()
      const pg0 = (globalThis as any).pgms
      await store(db, {
        fixes: rows.map(({ uid: _u, ...x }) => x),
        statuses: [],
        readings: [],
        now: at('23:59:00'),
        cursor: { entity: `e${version++}`, from: undefined, to: '1' },
      })
      const o = (await cpu()) - s
      if (r > 0) (globalThis as any).pgsum = ((globalThis as any).pgsum ?? 0) + (globalThis as any).pgms - pg0
      if (r === rounds - 1) { console.log('pg of ours', Math.round((globalThis as any).pgsum / (rounds - 1)), 'last', Math.round(o)); (globalThis as any).pgsum = 0 }
      if (r === 0) (globalThis as any).times = {}
      if (r > 0) {
        ours += o
        bare += b
        fk += f
      }
    }
    console.log(
      size,
      'bare',
      Math.round(bare / (rounds - 1)),
      'fk',
      Math.round(fk / (rounds - 1)),
      'ours',
      Math.round(ours / (rounds - 1)),
      'ratio',
      (bare / ours).toFixed(2),
      'fkratio',
      (fk / ours).toFixed(2),
    )
  }

  
  
}, 300_000)
