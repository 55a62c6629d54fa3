import type { ShiftUploadColumn } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { TableRow } from '../../../platform/spreadsheet/table-file.ts'

/** A name for comparison, without differences in case, spaces and accent encoding. */
export const nameKey = (name: string): string => name.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase()

interface NamedDriver {
  uid: string
  name: string
  email: string
  role: string
  isDeleted: boolean
}
interface NamedProgram {
  uid: string
  name: string
  client: string
}
interface NamedMarket {
  uid: string
  name: string
  state: string
}

/** The records that the names of a file stand for. */
export interface KnownNames {
  trucks: Map<string, { uid: string }>
  driversByEmail: Map<string, NamedDriver>
  driversByName: Map<string, NamedDriver[]>
  programs: Map<string, NamedProgram[]>
  /** By name, and by name with state. */
  markets: Map<string, NamedMarket[]>
  /** The markets of each program. */
  marketsOf: Map<string, Set<string>>
  /** By `programSetKey`. */
  artworkSets: Map<string, string>
  addressSets: Map<string, string>
}

export const programSetKey = (programUid: string, name: string) => `${programUid} ${nameKey(name)}`

function groupBy<T>(items: readonly T[], ...keys: ((item: T) => string)[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    for (const key of new Set(keys.map((each) => each(item)))) {
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
  }
  return groups
}

const firstOfEach = <T>(groups: Map<string, T[]>) => new Map([...groups].map(([key, [first]]) => [key, first as T]))

/** Looks up every name in the rows, in a few statements for any number of rows. */
export async function loadKnownNames(db: Db, rows: readonly TableRow<ShiftUploadColumn>[]): Promise<KnownNames> {
  const named = (column: ShiftUploadColumn) => [
    ...new Set(rows.flatMap(({ cells }) => nameKey(cells[column] ?? '') || [])),
  ]
  const [emails, people] = [true, false].map((isEmail) =>
    named('driver').filter((name) => name.includes('@') === isEmail),
  ) as [string[], string[]]
  const all = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows

  const trucks = await all(sql<{ uid: string; number: string }>`
    select uid, number from truck
     where lower(number collate "default") = any(${named('truck')}) and deleted_at is null`)
  const drivers = await all(sql<NamedDriver>`
    select uid, name, email::text as email, role, deleted_at is not null as "isDeleted" from user_account
     where email = any(${emails}::text[]::citext[]) or lower(name) = any(${people})`)
  const programs = await all(sql<NamedProgram>`
    select p.uid, p.name, c.name as client from client_program p join client c on c.uid = p.client_uid
     where lower(p.name collate "default") = any(${named('program')}) and p.deleted_at is null`)
  // The table is small: one row per city of the business.
  const markets = await all(sql<NamedMarket>`select uid, name, state from market where deleted_at is null`)
  const programUids = programs.map(({ uid }) => uid)
  const places = await all(sql<{ programUid: string; marketUid: string }>`
    select program_uid as "programUid", market_uid as "marketUid" from program_market
     where program_uid = any(${programUids}::uuid[])`)
  const sets = (table: 'artwork_set' | 'address_set', column: ShiftUploadColumn) =>
    all(sql<{ uid: string; name: string; programUid: string }>`
      select uid, name, program_uid as "programUid" from ${sql.table(table)}
       where program_uid = any(${programUids}::uuid[]) and lower(name collate "default") = any(${named(column)})
         and deleted_at is null`)
  const bySet = (found: Awaited<ReturnType<typeof sets>>) =>
    new Map(found.map(({ uid, name, programUid }) => [programSetKey(programUid, name), uid]))

  return {
    trucks: firstOfEach(groupBy(trucks, ({ number }) => nameKey(number))),
    driversByEmail: firstOfEach(groupBy(drivers, ({ email }) => nameKey(email))),
    driversByName: groupBy(drivers, ({ name }) => nameKey(name)),
    programs: groupBy(programs, ({ name }) => nameKey(name)),
    markets: groupBy(
      markets,
      ({ name }) => nameKey(name),
      ({ name, state }) => nameKey(`${name}, ${state}`),
      ({ name, state }) => nameKey(`${name} ${state}`),
    ),
    marketsOf: new Map(
      [...groupBy(places, ({ programUid }) => programUid)].map(([programUid, at]) => [
        programUid,
        new Set(at.map(({ marketUid }) => marketUid)),
      ]),
    ),
    artworkSets: bySet(await sets('artwork_set', 'artworkSet')),
    addressSets: bySet(await sets('address_set', 'addressSet')),
  }
}
