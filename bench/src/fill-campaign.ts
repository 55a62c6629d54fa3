import { contract } from '@roadshow/contract'
import { addBenchProgram, uploadPhotos } from './fill-pop.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const PEOPLE = `
  insert into user_account (email, name, role, modules)
  select 'link-' || i || '@bench.example', 'Link Driver ' || i, 'driver', '{schedule}' from generate_series(1, $1::int) i`

/** Shifts of four hours that ended in the last hours, a truck and a driver each. */
const SHIFTS = `
  insert into shift (truck_uid, driver_uid, program_uid, market_uid, local_date, start_time, end_time, zone, starts_at, ends_at,
                     status, started_at, stopped_at)
  select t.uid, d.uid, $1, $2, (starts at time zone 'UTC')::date, (starts at time zone 'UTC')::time,
         (ends at time zone 'UTC')::time, 'UTC', starts, ends, 'completed', starts, ends
    from (select uid, row_number() over (order by uid) as n
            from (select uid from truck where state = 'active' order by uid limit $3) chosen) t
    join user_account d on d.email = 'link-' || t.n || '@bench.example',
         (select date_trunc('hour', now()) - interval '6 hours' as starts,
                 date_trunc('hour', now()) - interval '2 hours' as ends) span`

/** Each truck drives loops through town, a fix every half minute. */
const TRACKS = `
  insert into position (truck_uid, at, latitude, longitude, speed_kmh)
  select s.truck_uid, s.starts_at + n * interval '30 seconds', 32.78 + 0.05 * sin(n / 40.0 + s.place),
         -96.8 + 0.06 * cos(n / 55.0 + 0.7 * s.place), 30
    from (select truck_uid, starts_at, row_number() over (order by uid) as place from shift where program_uid = $1) s
   cross join generate_series(0, 479) n`

/** A running campaign with photos and driven routes; returns the address of a link to it. */
export async function shareTestCampaign(
  world: BenchWorld,
  name: string,
  { photos, routes }: { photos: number; routes: number },
): Promise<string> {
  const program = await addBenchProgram(world, name)
  const { sql } = world
  await sql('update client_program set starts_on = current_date - 30, ends_on = current_date + 30 where uid = $1', [
    program.uid,
  ])
  await sql(PEOPLE, [routes])
  await sql(SHIFTS, [program.uid, program.market, routes])
  await sql(TRACKS, [program.uid])
  await uploadPhotos(world, program, photos)
  await sql(`update pop_photo set status = 'approved' where program_uid = $1`, [program.uid])
  const { url, headers } = apiTarget(world, contract.campaignLinks.create.path)
  const body = JSON.stringify({ programUid: program.uid })
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
  const { data } = contract.campaignLinks.create.reply.parse(await answer.json())
  return `${world.ours}${new URL(data.url).pathname}`
}
