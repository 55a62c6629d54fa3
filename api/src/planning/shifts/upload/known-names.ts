import type { ShiftUploadColumn } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { groupBy } from '../../../platform/runtime/group-by.ts'
import type { TableRow } from '../../../platform/spreadsheet/table-file.ts'
import { programMarketKey } from '../rules.ts'

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
  /** By `programMarketKey`. */
  programMarkets: Set<string>
  /** By `programSetKey`. */
  artworkSets: Map<string, string>
  addressSets: Map<string, string>
}

const namesOf = ({ name, state }: NamedMarket) => [
  ...new Set([name, `${name}, ${state}`, `${name} ${state}`].map(nameKey)),
]

export const programSetKey = (programUid: string, name: string) => `${programUid} ${nameKey(name)}`

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
    trucks: new Map(trucks.map((truck) => [nameKey(truck.number), truck])),
    driversByEmail: new Map(drivers.map((driver) => [nameKey(driver.email), driver])),
    driversByName: groupBy(drivers, ({ name }) => nameKey(name)),
    programs: groupBy(programs, ({ name }) => nameKey(name)),
    markets: groupBy(
      markets.flatMap((market) => namesOf(market).map((calledAs) => ({ ...market, calledAs }))),
      ({ calledAs }) => calledAs,
    ),
    programMarkets: new Set(places.map(({ programUid, marketUid }) => programMarketKey(programUid, marketUid))),
    artworkSets: bySet(await sets('artwork_set', 'artworkSet')),
    addressSets: bySet(await sets('address_set', 'addressSet')),
  }
}
