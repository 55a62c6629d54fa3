import { stat } from 'node:fs/promises'
import path from 'node:path'
import { playsOfParquet, sumInDuckdb } from '@roadshow/api/live/plays/archive/columns'
import { blobOf } from '@roadshow/api/live/plays/archive/rules'
import { openLocalStore } from '@roadshow/api/platform/files/index'
import { type DuckSession, parquetOf } from '@roadshow/api/platform/parquet/index'
import { DAY_MS, truckSides } from '@roadshow/contract'
import { sql as statement } from 'kysely'
import type { RunSql } from '../sql.ts'
import { ARCHIVED_DAYS, DAYS, GRADE, HOT_DAYS, PLAY_SECONDS, PLAYS_OF_SIDE } from './plan.ts'

const PLAY_US = PLAY_SECONDS * 1_000_000

interface Filled {
  uid: string
  truck: string
  program: string
  market: string
  artwork: string
  day: string
  /** Days since the first one. */
  place: number
  startsAt: string
}

/** The shifts with plays on a day (UTC); those in the west go on after its midnight. */
const SHIFTS = `
  select uid, truck_uid as truck, program_uid as program, market_uid as market, artwork_set_uid as artwork, local_date::text as day,
         local_date - current_date + ${DAYS} as place, (extract(epoch from starts_at) * 1000000)::bigint::text as "startsAt"
    from shift
   where starts_at >= $1::timestamptz - interval '9 hours' and starts_at < $1::timestamptz + interval '1 day'
     and local_date < current_date - ${HOT_DAYS} and local_date >= current_date - ${HOT_DAYS + ARCHIVED_DAYS}`

/** The same plays as `playsOf` makes in PostgreSQL, in the words of DuckDB and the order of the archive's columns. */
function playsIn(shifts: readonly Filled[], from: number): string {
  const rows = shifts.map(
    ({ uid, truck, program, market, artwork, day, place, startsAt }) =>
      `('${uid}', '${truck}', '${program}', '${market}', '${artwork}', date '${day}', ${place}, ${startsAt}::bigint)`,
  )
  const sides = truckSides.map((side, index) => `('${side}', ${index + 1})`)
  return `
    select make_timestamptz(w.us) as started_at, f.day, f.program::uuid as program_uid, f.market::uuid as market_uid,
           f.uid::uuid as shift_uid, f.truck::uuid as truck_uid, replace(f.truck, '01900005', '01900006')::uuid as device_uid,
           s.side, f.artwork::uuid as artwork_set_uid, md5(f.program || s.side) || md5(s.side || f.program) as sha256,
           8000::integer as duration_ms, (30 + (n % 997) * 0.0003)::double as latitude, (-100 - (n % 991) * 0.0004)::double as longitude,
           null::uuid as address_uid, ${GRADE} as grade,
           case when n % 50 = 0 then 'farFromTruck' when n % 9 = 0 then 'noTrack' end as reason,
           (f.place * ${PLAYS_OF_SIDE * truckSides.length} + n * 3 + s.i)::bigint as sequence,
           make_timestamptz(w.us + 40000000) as received_at, substr(md5(f.uid || n || s.side), 1, 26) as play_id
      from (values ${rows.join(', ')}) f (uid, truck, program, market, artwork, day, place, starts_at)
     cross join range(${PLAYS_OF_SIDE}) r (n)
     cross join (values ${sides.join(', ')}) s (side, i)
     cross join lateral (select (f.starts_at + n * ${PLAY_US})::bigint as us) w
     where w.us >= ${from * 1000} and w.us < ${(from + DAY_MS) * 1000}
     order by 1, device_uid, play_id`
}

interface Filler {
  sql: RunSql
  dataDir: string
  say: (sentence: string) => void
}

/** Writes the archive of the days before those in the database, as the archive's own job would have left it. */
export async function fillArchive({ sql, dataDir, say }: Filler): Promise<void> {
  const blobs = await openLocalStore(path.join(dataDir, 'blobs'))
  const parquet = parquetOf({ blobs, env: { dataDir } })
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (let back = HOT_DAYS + ARCHIVED_DAYS; back >= HOT_DAYS; back--) {
    const from = today - back * DAY_MS
    const day = new Date(from).toISOString().slice(0, 10)
    const shifts = await sql<Filled>(SHIFTS, [new Date(from).toISOString()])
    const markets = [...new Set(shifts.map(({ market }) => market))].toSorted()
    for (const market of markets) {
      await parquet.inLargeSession((session) =>
        parquet.inWorkFolder(async (folder) => {
          const file = path.join(folder, 'plays.parquet')
          const plays = playsIn(
            shifts.filter((shift) => shift.market === market),
            from,
          )
          const { rows, checksum } = await writeFile(session, plays, file)
          if (rows === 0) return
          const blob = blobOf(day, market, 'filled')
          await blobs.writeFile(blob, file, 'application/vnd.apache.parquet')
          await sql(
            `insert into play_archive (day, market_uid, blob, rows, checksum, bytes, columns_version) values ($1, $2, $3, $4, $5, $6, 1)`,
            [day, market, blob, rows, checksum, (await stat(file)).size],
          )
        }),
      )
    }
    if (back % 10 === 0) say(`The archive is filled up to ${day}.`)
  }
  await parquet.close()
}

async function writeFile(session: DuckSession, plays: string, file: string) {
  await session.run(
    statement.raw(`copy (${plays}) to '${file}' (format parquet, compression zstd, row_group_size 20480)`),
  )
  const [sum] = await session.run(sumInDuckdb(playsOfParquet([file])))
  return { rows: sum?.rows ?? 0, checksum: sum?.checksum ?? '' }
}
