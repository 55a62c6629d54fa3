import { NIL_UUID, truckSides } from '@roadshow/contract'
import { boundsOf, dayBack, fillWeek, weeksBack } from './fill-weeks.ts'
import type { RunSql } from './sql.ts'

/** Two years of three trucks a day, eight hours each, a play on each side every nine and a half seconds: 20 million. */
const TRUCKS_A_DAY = 3
const HOURS = 8
const PLAY_MS = 9_450
const ZONE = 'America/Chicago'
/** The days before today that hold so much; the newer ones are the same in both. */
export const FEW_DAYS = 73
export const ALL_DAYS = 730

export interface Campaigns {
  /** Half of all plays are its. */
  program: string
  market: string
  zone: string
}

const PROGRAMS = `
  with c as (insert into client (name) values ('Logged Client') returning uid)
  insert into client_program (client_uid, name, status, starts_on, ends_on, pop_url)
  select c.uid, 'Logged Program ' || n, 'active', date '2020-01-01', date '2035-12-31', 'logged-program-' || n
    from c, generate_series(0, 3) n
  returning uid`

/** The first day of those; yesterday is the last. */
export const firstDay = (days: number) => dayBack(days)
export const lastDay = () => dayBack(1)

/** A day: each of its trucks drives for one program, every other day the first one. Players number their plays. */
const dayInto = (table: string) => `
  insert into ${table} (device_uid, play_id, started_at, day, sequence, truck_uid, program_uid, market_uid, artwork_set_uid, sha256, side,
                    duration_ms, latitude, longitude, grade)
  select d.uid, $1::date || '-' || n || '-' || s.side, ($1::date + time '14:00' + n * interval '${PLAY_MS} ms') at time zone 'UTC', $1::date, n * 3 + s.i,
         d.truck_uid, r.program_uid, $3, r.artwork_uid, repeat('ab', 32), s.side, 9000, 32.78 + n * 0.00001, -96.8 - n * 0.00001,
         case when n % 50 = 0 then 'conflict' when n % 9 = 0 then 'unverified' else 'verified' end
    from unnest($4::uuid[], $5::uuid[]) with ordinality as d (uid, truck_uid, place)
    cross join lateral (
      select p as program_uid, a as artwork_uid
        from unnest($6::uuid[], $7::uuid[]) with ordinality as program (p, a, i)
       where i = case when ($2::int + d.place) % 2 = 0 then 1 else 2 + ($2::int + d.place) % 3 end) r
    cross join generate_series(0, ${Math.floor((HOURS * 3_600_000) / PLAY_MS) - 1}) n
    cross join unnest(array[${truckSides.map((side) => `'${side}'`).join(', ')}]) with ordinality as s (side, i)
   order by n, d.place`

/** Sums up the hours of the plays between two moments, of all trucks unless a condition names some. */
export const hoursOf = (condition = 'true') => `
  insert into play_hour (hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms, verified, conflict)
  select date_trunc('hour', started_at), truck_uid, coalesce(shift_uid, '${NIL_UUID}'), program_uid, market_uid, day, side,
         count(*), sum(duration_ms), count(*) filter (where grade = 'verified'), count(*) filter (where grade = 'conflict')
    from play where started_at >= $1 and started_at < $2 and ${condition} group by 1, 2, 3, 4, 5, 6, 7`

export class PlayFiller {
  readonly #sql: RunSql
  #uids: { market: string; devices: string[]; trucks: string[]; programs: string[]; artworks: string[] } | undefined
  #filled = 0

  constructor(sql: RunSql) {
    this.#sql = sql
  }

  async begin(): Promise<Campaigns> {
    const uids = async (text: string, values: unknown[] = []) =>
      (await this.#sql<{ uid: string }>(text, values)).map(({ uid }) => uid)
    const programs = await uids(PROGRAMS)
    const artworks: string[] = []
    for (const program of programs) {
      artworks.push(
        ...(await uids(`insert into artwork_set (program_uid, name) values ($1, 'Logged Art') returning uid`, [
          program,
        ])),
      )
    }
    const [market = ''] = await uids(
      `insert into market (name, zone) values ('Logged Market', '${ZONE}') returning uid`,
    )
    const trucks = await uids(`select uid from truck order by uid limit ${TRUCKS_A_DAY}`)
    const devices = trucks.map((_, n) => `01900000-0000-7000-8000-00000000000${n}`)
    this.#uids = { market, devices, trucks, programs, artworks }
    return { program: programs[0] ?? '', market, zone: ZONE }
  }

  /** Fills days back from yesterday until so many are there; says how many plays there are. */
  async fill(days: number): Promise<number> {
    if (!this.#uids) throw new Error('Nothing has begun.')
    const { market, devices, trucks, programs, artworks } = this.#uids
    for (const { monday, days: week } of weeksBack(this.#filled + 1, days)) {
      const fill = async (table: string) => {
        for (const back of week)
          await this.#sql(dayInto(table), [dayBack(back), back, market, devices, trucks, programs, artworks])
      }
      await fillWeek(this.#sql, 'play', { monday, fill })
      for (const back of week) await this.#sql(hoursOf(), boundsOf(dayBack(back)))
    }
    this.#filled = Math.max(this.#filled, days)
    await this.#sql('vacuum analyze play_hour')
    await this.#sql('vacuum analyze play')
    const [counted] = await this.#sql<{ plays: string }>('select sum(plays) as plays from play_hour')
    return Number(counted?.plays)
  }
}
