import type { AddressInput, addresses, AddressSet, AddressSetRow, QueryOf, SdAddress } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { records } from '../../platform/db/records/records.ts'
import { searchText } from '../../platform/db/records/search-text.ts'
import { isProgramOf } from '../programs/index.ts'
import type { Scope } from '../../platform/db/records/scope.ts'

const ofClients = (clients: string[]) =>
  sql`t.program_uid in (select uid from client_program where client_uid = any(${clients}))`

/** Outsiders do not search notes. */
const addressSetText = searchText((t) => sql`${t}.name`)

export const addressSetRecords = records<'address_set', AddressSetRow, QueryOf<typeof addresses.list>>({
  table: 'address_set',
  joins: sql`join client_program p on p.uid = t.program_uid join client c on c.uid = p.client_uid`,
  columns: {
    uid: sql`t.uid`,
    name: sql`t.name`,
    program: sql`json_build_object('uid', p.uid, 'name', p.name)`,
    client: sql`json_build_object('uid', c.uid, 'name', c.name)`,
    addressCount: sql`(select count(*) from sd_address a where a.set_uid = t.uid)`,
    approximateCount: sql`(select count(*) from sd_address a where a.set_uid = t.uid and a.located_by = 'zip')`,
    note: sql`t.note`,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { name: sql`t.name`, updatedAt: sql`t.updated_at` },
  filters: {
    program: (program) => sql`t.program_uid = any(${program})`,
    client: ofClients,
    uid: (uid) => sql`t.uid = any(${uid})`,
  },
  searchText: addressSetText,
  own: ({ clientUid }) => ofClients(clientUid ? [clientUid] : []),
  owner: ({ clientUid }) => ({ column: 'program_uid', isOwn: (program) => isProgramOf(clientUid, program) }),
  taken: { address_set_name_once: ['addressSetTaken', 'name'] },
})

/** The addresses of sets in their saved order, by the set. */
async function addressesOf(db: Db, setUids: readonly string[]): Promise<Map<string, SdAddress[]>> {
  const found = await db
    .selectFrom('sd_address as a')
    .leftJoin('artwork_set as w', 'w.uid', 'a.artwork_set_uid')
    .select([
      'a.set_uid as setUid',
      'a.uid',
      'a.label',
      'a.address',
      'a.latitude',
      'a.longitude',
      'a.radius_m as radiusM',
      sql<
        SdAddress['artworkSet']
      >`case when w.uid is not null then json_build_object('uid', w.uid, 'name', w.name) end`.as('artworkSet'),
      sql<SdAddress['locatedBy']>`a.located_by`.as('locatedBy'),
    ])
    .where('a.set_uid', '=', anyOf(setUids))
    .orderBy('a.set_uid')
    .orderBy('a.position')
    .orderBy('a.uid')
    .execute()
  const bySet = new Map<string, SdAddress[]>()
  for (const { setUid, ...address } of found) {
    const known = bySet.get(setUid)
    if (known) known.push(address)
    else bySet.set(setUid, [address])
  }
  return bySet
}

/** A set with its addresses in their saved order. */
export async function getAddressSet(db: Db, scope: Scope, uid: string): Promise<AddressSet> {
  const set = await addressSetRecords.get(db, scope, uid)
  return { ...set, addresses: (await addressesOf(db, [uid])).get(uid) ?? [] }
}

/** Adds their addresses to sets. */
export async function withAddresses(db: Db, sets: readonly AddressSetRow[]): Promise<AddressSet[]> {
  const bySet = await addressesOf(
    db,
    sets.map(({ uid }) => uid),
  )
  return sets.map((set) => ({ ...set, addresses: bySet.get(set.uid) ?? [] }))
}

interface SetAddresses {
  uid: string
  addresses: readonly AddressInput[]
}

/**
 * Replaces the addresses of sets, in three statements for any number of them: missing ones are deleted, changed ones
 * updated, new ones added.
 */
export async function replaceAddresses(db: Db, sets: readonly SetAddresses[]): Promise<void> {
  const rows = JSON.stringify(
    sets.flatMap(({ uid: setUid, addresses }) =>
      addresses.map((address, position) => ({ ...address, setUid, position })),
    ),
  )
  const uids = sets.map(({ uid }) => uid)
  // A uid of another set's address is a new address here.
  const input = sql`jsonb_to_recordset(${rows}::jsonb) as n(uid uuid, "setUid" uuid, label text, address text, latitude float8,
    longitude float8, "radiusM" int, "artworkSetUid" uuid, "locatedBy" text, position int)`
  await sql`delete from sd_address a where a.set_uid = any(${uids}::uuid[])
    and not exists (select 1 from ${input} where n.uid = a.uid and n."setUid" = a.set_uid)`.execute(db)
  await sql`update sd_address a set label = n.label, address = n.address, latitude = n.latitude, longitude = n.longitude,
      radius_m = n."radiusM", artwork_set_uid = n."artworkSetUid", located_by = n."locatedBy", position = n.position
    from ${input} where a.uid = n.uid and a.set_uid = n."setUid"
      and (a.label, a.address, a.latitude, a.longitude, a.radius_m, a.artwork_set_uid, a.located_by, a.position)
        is distinct from (n.label, n.address, n.latitude, n.longitude, n."radiusM", n."artworkSetUid", n."locatedBy", n.position)`.execute(
    db,
  )
  await sql`insert into sd_address (set_uid, label, address, latitude, longitude, radius_m, artwork_set_uid, located_by, position)
    select n."setUid", n.label, n.address, n.latitude, n.longitude, n."radiusM", n."artworkSetUid", n."locatedBy", n.position
    from ${input} where not exists (select 1 from sd_address a where a.uid = n.uid and a.set_uid = n."setUid")
    order by n."setUid", n.position`.execute(db)
}

/** The artwork sets of a program by lower-case name. */
export const artworkSetsByName = async (db: Db, programUid: string): Promise<Map<string, string>> =>
  (await artworkSetsOf(db, [programUid])).get(programUid) ?? new Map()

/** The artwork sets of programs by lower-case name, by the program. */
export async function artworkSetsOf(db: Db, programUids: readonly string[]): Promise<Map<string, Map<string, string>>> {
  const found = await db
    .selectFrom('artwork_set')
    .select(['uid', 'name', 'program_uid as programUid'])
    .where('program_uid', '=', anyOf(programUids))
    .where('deleted_at', 'is', null)
    .execute()
  const byProgram = groupBy(found, ({ programUid }) => programUid)
  return new Map(
    [...byProgram].map(([uid, some]) => [uid, new Map(some.map((set) => [set.name.toLowerCase(), set.uid]))]),
  )
}
