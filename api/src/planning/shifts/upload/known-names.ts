import type { ShiftUploadColumn } from '@roadshow/contract'
import { sql } from 'kysely'
import { loadMarketsByName } from '../../../catalog/markets/index.ts'
import { loadProgramsByName } from '../../../catalog/programs/index.ts'
import { anyOf } from '../../../platform/db/any-of.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { groupBy } from '../../../platform/runtime/group-by.ts'
import { nameKey } from '../../../platform/runtime/name-key.ts'
import type { TableRow } from '../../../platform/spreadsheet/table-file.ts'
import { programMarketKey } from '../rules.ts'

export const programSetKey = (programUid: string, name: string) => `${programUid} ${nameKey(name)}`

/** The records that the names of a file stand for. */
export type KnownNames = Awaited<ReturnType<typeof loadKnownNames>>

/** Looks up every name in the rows, in a few statements for any number of rows. */
export async function loadKnownNames(db: Db, rows: readonly TableRow<ShiftUploadColumn>[]) {
  const named = (column: ShiftUploadColumn) => [
    ...new Set(rows.flatMap(({ cells }) => nameKey(cells[column] ?? '') || [])),
  ]
  const [emails, people] = [true, false].map((isEmail) =>
    named('driver').filter((name) => name.includes('@') === isEmail),
  ) as [string[], string[]]
  const isNamed = (name: 'number' | 'name', column: ShiftUploadColumn) =>
    sql<boolean>`lower(${sql.ref(name)} collate "default") = any(${named(column)})`

  const trucks = await db
    .selectFrom('truck')
    .select(['uid', 'number'])
    .where(isNamed('number', 'truck'))
    .where('deleted_at', 'is', null)
    .execute()
  const drivers = await db
    .selectFrom('user_account')
    .select(['uid', 'name', 'email', 'role', sql<boolean>`deleted_at is not null`.as('isDeleted')])
    .where(sql<boolean>`email = any(${emails}::text[]::citext[]) or lower(name) = any(${people})`)
    .execute()
  const programs = await loadProgramsByName(db, named('program'))
  const programUids = [...programs.values()].flatMap((some) => some.map(({ uid }) => uid))
  const places = await db
    .selectFrom('program_market')
    .select(['program_uid as programUid', 'market_uid as marketUid'])
    .where('program_uid', '=', anyOf(programUids))
    .execute()
  const sets = (table: 'artwork_set' | 'address_set', column: ShiftUploadColumn) =>
    db
      .selectFrom(table)
      .select(['uid', 'name', 'program_uid as programUid'])
      .where('program_uid', '=', anyOf(programUids))
      .where(isNamed('name', column))
      .where('deleted_at', 'is', null)
      .execute()
  const bySet = (found: Awaited<ReturnType<typeof sets>>) =>
    new Map(found.map(({ uid, name, programUid }) => [programSetKey(programUid, name), uid]))

  return {
    trucks: new Map(trucks.map(({ uid, number }) => [nameKey(number), { uid }])),
    driversByEmail: new Map(drivers.map((driver) => [nameKey(driver.email), driver])),
    driversByName: groupBy(drivers, ({ name }) => nameKey(name)),
    programs,
    markets: await loadMarketsByName(db),
    programMarkets: new Set(places.map(({ programUid, marketUid }) => programMarketKey(programUid, marketUid))),
    artworkSets: bySet(await sets('artwork_set', 'artworkSet')),
    addressSets: bySet(await sets('address_set', 'addressSet')),
  }
}
