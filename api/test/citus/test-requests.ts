import { API_BASE, type Endpoint, endpoints } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connection.ts'
import { tableOf } from '../record-tables.ts'

/** Records of a filled database that calls are about: those with the most plays. */
export interface Subjects {
  program: string
  market: string
  truck: string
  shift: string
  address: string
  device: string
  day: string
  first: string
  last: string
  /** A uid of each table that addresses name. */
  uids: Record<string, string>
}

export async function findSubjects(db: Db): Promise<Subjects> {
  const { rows } = await sql<Omit<Subjects, 'uids'>>`
    select h.program_uid as program, h.market_uid as market, h.truck_uid as truck, h.shift_uid as shift, h.day::text as day,
           (h.day - 6)::text as first, h.day::text as last,
           (select address_uid from shift_approach a join shift s on s.uid = a.shift_uid
             where s.program_uid = h.program_uid limit 1) as address,
           (select uid from device d where d.truck_uid = h.truck_uid and d.kind = 'player' limit 1) as device
      from play_address_hour a
      join play_hour h using (hour, truck_uid, program_uid, market_uid)
     group by h.program_uid, h.market_uid, h.truck_uid, h.shift_uid, h.day
     order by sum(h.plays) desc, h.shift_uid limit 1`.execute(db)
  const [found] = rows
  if (!found) throw new Error('No program has plays.')
  return addUids(db, found)
}

/** Adds records of other tables, any of them, to those that calls are about. */
export async function addUids(db: Db, found: Omit<Subjects, 'uids'>): Promise<Subjects> {
  const uids: Record<string, string> = {
    client_program: found.program,
    market: found.market,
    truck: found.truck,
    shift: found.shift,
    device: found.device,
  }
  for (const table of [
    'pop_photo',
    'truck_issue',
    'pay_period',
    'address_set',
    'artwork_set',
    'client',
    'user_account',
    'pixel_map',
    'stored_file',
  ] as const) {
    const { rows: some } = await sql<{ uid: string }>`
      select uid::text as uid from ${sql.table(table)} order by uid limit 1`.execute(db)
    uids[table] = some[0]?.uid ?? found.program
  }
  return { ...found, uids }
}

function paramOf(endpoint: Endpoint, name: string, { uids, day, program }: Subjects): string {
  if (name === 'programUid') return program
  if (name === 'date' || name === 'day') return day
  if (name === 'number' || name === 'version') return '1'
  return uids[tableOf(endpoint)] || program
}

export interface GetCall {
  name: string
  url: string
  query: Record<string, string>
}

/** Every GET of the contract, with what it needs, with all it may be filtered by, and as a file where it has one. */
export function getCalls(subjects: Subjects): GetCall[] {
  const { program, market, truck, shift, address, day, first, last } = subjects
  const known: Record<string, string> = { program, market, truck, shift, address, date: day, from: first, to: last }
  return endpoints
    .filter(({ method }) => method === 'GET')
    .flatMap((endpoint) => {
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(paramOf(endpoint, name, subjects)),
      )
      const shape = endpoint.query?.shape ?? {}
      const names = Object.keys(shape).filter((name) => known[name] !== undefined)
      const needed = names.filter((name) => !shape[name]?.safeParse(undefined).success)
      const valuesOf = (chosen: readonly string[]) =>
        Object.fromEntries(chosen.map((name) => [name, known[name] as string]))
      const queries = [
        valuesOf(needed),
        ...(names.length > needed.length ? [valuesOf(names)] : []),
        ...('format' in shape ? [{ ...valuesOf(names), format: 'csv' }] : []),
      ]
      return queries.map((query) => ({
        name: `${endpoint.path} ${JSON.stringify(query)}`,
        url: `${API_BASE}/${path}`,
        query,
      }))
    })
}
