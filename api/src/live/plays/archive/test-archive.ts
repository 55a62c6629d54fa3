import { adLog, DAY_MS, type Play } from '@roadshow/contract'
import type { World } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { parquetOf } from '../../../platform/parquet/index.ts'
import { DALLAS, fleetOf, northOf, type TestDevice } from '../../players/test-fleet.ts'
import { storePlays } from '../index.ts'
import { regradeSince } from '../regrade-job.ts'
import { archivePlays } from './job.ts'

const MINUTE = 60_000
/** An SD address. */
const ADDRESS = '5d000000-0000-4000-8000-000000000001'
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS

export const daysAgo = (days: number) => TODAY - days * DAY_MS
export const dayAgo = (days: number) => new Date(daysAgo(days)).toISOString().slice(0, 10)

/** Plays of which every fourth is shown for an SD address. */
export const forAddress = (plays: readonly Play[]): Play[] =>
  plays.map((play, n) => ({ ...play, addressUid: n % 4 === 1 ? ADDRESS : null }))

export interface PastTruck {
  truckUid: string
  marketUid: string
  programUid: string
  art: { uid: string; sha256: string }
  device: TestDevice
}

/** Trucks that have played long ago, and the archive of their plays. */
export function archiveOf(world: World) {
  const { db, call } = world
  const fleet = fleetOf(world)
  const parquet = parquetOf(world.app)

  /** A truck with a player, whose shifts ran from 18:00 until 4:00 UTC on some days, with a track. */
  async function addTruck(days: readonly number[]): Promise<PastTruck> {
    const truckUid = await fleet.addTruck()
    const marketUid = await fleet.addMarket()
    const { uid: programUid } = await world.addProgram()
    const art = await fleet.addArtwork(programUid)
    const device = await fleet.addDevice(truckUid)
    for (const day of days) {
      const from = daysAgo(day) + 18 * 60 * MINUTE
      await fleet.addShift({
        truckUid,
        programUid,
        marketUid,
        from,
        to: from + 10 * 60 * MINUTE,
        artwork_set_uid: art.uid,
      })
      for (let n = 0; n <= 40; n++) {
        await fleet.addPosition(truckUid, new Date(from + n * 15 * MINUTE).toISOString(), northOf(DALLAS, n * 10))
      }
    }
    return { truckUid, marketUid, programUid, art, device }
  }

  let count = 0
  /** Plays of a day, one a quarter of an hour from 17:00 on, so that some lie before the shift and some after midnight. */
  const playsOf = ({ art }: PastTruck, day: number, more: Partial<Play> = {}): Play[] =>
    Array.from({ length: 40 }, (_, n) => {
      const sides = ['rear', 'driverSide', 'passengerSide'] as const
      return fleet.aPlay(art, {
        playId: n === 0 ? `odd, "id" – ünï|code ${++count}` : `p${++count}`,
        side: sides[n % 3] ?? 'rear',
        startedAt: new Date(daysAgo(day) + (17 * 60 + n * 15) * MINUTE + n * 37).toISOString(),
        durationMs: 8000 + n,
        place: n % 2 === 0 ? { latitude: DALLAS.latitude + n / 7_000_000, longitude: -97 } : null,
        ...more,
      })
    })

  const store = (truck: PastTruck, plays: readonly Play[]) => storePlays(db, truck.device, plays)
  /** Grades everything, as the job does after a while. */
  async function grade(): Promise<void> {
    await regradeSince({ db, parquet }, '-infinity')
    await sql`insert into job_watermark (job, done_until) values ('play-grades', now())
              on conflict (job) do update set done_until = now()`.execute(db)
  }
  const errors: unknown[] = []
  const archive = (afterDays = 45) =>
    archivePlays({ db, parquet, afterDays, now: Date.now(), onError: (error) => errors.push(error) })

  const linesOf = (csv: string) => csv.replace(/\n"# .*\n$/, '\n')

  /** What the ad log shows of some hours of the day, of a driver, of a client and of an SD address, each as a page and a file. */
  async function filteredLogOf(program: string) {
    const { rows } = await sql<{ driver: string; client: string }>`
      select s.driver_uid as driver, p.client_uid as client from shift s join client_program p on p.uid = s.program_uid
       where p.uid = ${program} order by s.starts_at limit 1`.execute(db)
    const { driver = '', client = '' } = rows[0] ?? {}
    const hours = { fromHour: '21', toHour: '1' }
    const found = []
    const ofAddress = { program, address: ADDRESS }
    for (const filter of [
      { program, ...hours },
      { driver },
      { client },
      { client, driver, ...hours },
      ofAddress,
      { program, address: 'any', driver, side: 'rear' as const },
    ]) {
      const query = { from: dayAgo(799), to: dayAgo(0), ...filter }
      const { body } = await call(adLog.list, { query: { ...query, pageSize: '200' } })
      const { text } = await call(adLog.list, { query: { ...query, format: 'csv' } })
      found.push({ body, csv: linesOf(text) })
    }
    return found
  }

  /** Everything that the ad log shows of a program. */
  async function adLogOf({ programUid: program, truckUid }: PastTruck) {
    const span = { program, from: dayAgo(799), to: dayAgo(0) }
    const csv = await call(adLog.list, { query: { ...span, format: 'csv' } })
    const pages = []
    for (let page = 1; ; page++) {
      const { body } = await call(adLog.list, { query: { ...span, page: String(page), pageSize: '7' } })
      if (body.data.length === 0) break
      pages.push(body)
    }
    const { keptSince: _, ...summary } = (await call(adLog.summary, { query: span })).body.data
    const unassigned = (
      await call(adLog.unassigned, { query: { truck: [truckUid], from: span.from, pageSize: '200' } })
    ).body
    // The last line says when the file was made.
    return { csv: linesOf(csv.text), pages, summary, unassigned, filtered: await filteredLogOf(program) }
  }

  const rowsLeft = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from play`.execute(db)
    return rows[0]?.count ?? NaN
  }

  return { ...fleet, addTruck, playsOf, store, grade, archive, adLogOf, rowsLeft, errors, parquet }
}
