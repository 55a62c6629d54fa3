import { contract, localDay } from '@roadshow/contract'
import { fillRecords } from './fill-records.ts'
import { fillShifts } from './fill-shifts.ts'
import { compareRates, type LoadTarget, median, ratioOf } from './load.ts'
import { type BenchFigure, perSecond, times } from './report.ts'
import type { RunSql } from './sql.ts'
import { apiTarget, type BenchWorld } from './world.ts'

// People read a list one page after another.
const [SECONDS, CALLERS] = [1, 4] as const
const MOST_TIMES = 3

// Photos wait in a few hundred POPs.
const WAITING = `
  insert into pop_photo (program_uid, key, original_name, original_sha256, sizes, blur, position)
  select uid, md5(uid::text), 'wall.jpg', repeat(md5(uid::text), 2), '{}', '', 1
    from (select uid from client_program where deleted_at is null order by md5(uid::text) limit 300) p
   where not exists (select from pop_photo)`

// A business of that age has driven what it planned.
const DRIVEN = [
  'alter table shift disable trigger user',
  `update shift set status = 'completed', started_at = starts_at, stopped_at = ends_at
    where status = 'planned' and ends_at < now() - interval '1 day'`,
  'alter table shift enable trigger user',
]

/** A list as its screen asks for it, before anyone has filtered or sorted it, or as a tab of a record does. */
interface ScreenList {
  title: string
  path: string
  asked: string
  /** What its bar is measured by: the same list in the order of its index, without filters. */
  plain?: string
}

async function screenLists(sql: RunSql): Promise<ScreenList[]> {
  const { programs, pops, shifts, trucks, users, clients, artworkSets } = contract
  const today = localDay('UTC')
  const [truck] = await sql<{ uid: string }>('select truck_uid as uid from shift order by uid limit 1')
  const startsAt = 'sort=startsAt'
  return [
    { title: 'Programs', path: programs.list.path, asked: 'sort=progress&completed=hidden' },
    { title: 'POP, photos that wait first', path: pops.list.path, asked: 'sort=waiting' },
    { title: 'Shifts by their clocks', path: shifts.list.path, asked: 'sort=localStart', plain: startsAt },
    {
      title: 'Shifts of a truck from today',
      path: shifts.list.path,
      asked: `truck=${truck?.uid}&from=${today}&sort=localStart`,
      plain: startsAt,
    },
    {
      title: 'Shifts of a truck before today',
      path: shifts.list.path,
      asked: `truck=${truck?.uid}&to=${today}&sort=-localStart`,
      plain: startsAt,
    },
    {
      title: 'Shifts that took place',
      path: shifts.details.path,
      asked: 'tookPlace=yes&sort=localStart',
      plain: startsAt,
    },
    { title: 'Trucks', path: trucks.list.path, asked: 'sort=number' },
    { title: 'Drivers', path: users.list.path, asked: 'role=driver' },
    { title: 'Clients', path: clients.list.path, asked: 'sort=name' },
    { title: 'Artwork', path: artworkSets.list.path, asked: 'sort=name' },
  ]
}

async function check({ url, headers }: LoadTarget): Promise<void> {
  const answer = await fetch(url, { headers: headers as Record<string, string> })
  const { data } = (await answer.json()) as { data?: unknown[] }
  if (!data?.length) throw new Error(`${url}: ${answer.status}, no rows`)
}

/** Lists of 100,000 records and 500,000 shifts as screens ask for them, beside the same lists as they stand. */
export async function* measureScreenLists(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillRecords(world.sql)
  await fillShifts(world.sql)
  await world.sql(WAITING)
  for (const statement of DRIVEN) await world.sql(statement)
  await world.sql('vacuum analyze')
  for (const { title, path, asked, plain = '' } of await screenLists(world.sql)) {
    const pageOf = (query: string, page: number) => apiTarget(world, `${path}?${query}&page=${page}`)
    const targets = { asked: pageOf(asked, 1), plain: pageOf(plain, 1) }
    await check(targets.asked)
    await check(targets.plain)
    const rates = await compareRates(targets, SECONDS, CALLERS)
    const slower = ratioOf(rates.plain, rates.asked)
    yield {
      name: `${title} as the screen asks (${asked.replace(/=[\da-f-]{36}/, '')}), beside the plain list`,
      ours: perSecond(median(rates.asked)),
      beside: perSecond(median(rates.plain)),
      ratio: `${times(slower)} slower`,
      bar: `≤ ${times(MOST_TIMES)}`,
      met: slower <= MOST_TIMES,
    }
  }
}
