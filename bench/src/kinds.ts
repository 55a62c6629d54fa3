import { artworkRecords } from '@roadshow/api/catalog/artwork/queries'
import { clientRecords } from '@roadshow/api/catalog/clients/queries'
import { programRecords } from '@roadshow/api/catalog/programs/queries'
import { truckRecords } from '@roadshow/api/catalog/trucks/queries'
import { userRecords } from '@roadshow/api/catalog/users/queries'
import { contract } from '@roadshow/contract'
import { FLEET_SIZE } from './fill-fleet.ts'

/** A kind of record whose list is measured; the bare server runs the same statement as ours. */
export interface MeasuredKind {
  /** Its name in the figures. */
  title: string
  path: string
  records: { table: string; select: string }
  /** The default order of our list. */
  order: string
  /** SQL that returns `$1` search terms as people type them. */
  terms: string
}

/** Dispatchers type the end of a VIN, the start of a plate, a few digits, a word of a note. */
const TRUCK_TERMS = `
  select case when i % 20 = 0 then (array['brake', 'panels', 'rear screen', 'parts'])[1 + i / 20 % 4]
              when i % 20 < 4 then substr(number, 3)
              when i % 20 < 10 then substr(plate, 1, 5)
              else right(vin, 6) end as term
    from generate_series(1, $1::int) i join truck on number = 'T-' || 1 + i * 7919 % ${FLEET_SIZE}`

/** People type the longest word of a record or a word of its name; every twentieth term is the first word. */
const wordsOf = (table: string) => `
  select case when i % 20 = 0 then names[1]
              when i % 20 < 8 then names[cardinality(names)]
              when i % 20 < 12 then names[1] || ' ' || names[cardinality(names)]
              else (select word from regexp_split_to_table(search_text, '[^a-z0-9@.-]+') word
                     order by length(word) desc, word limit 1) end as term
    from generate_series(1, $1::int) i
    join (select search_text, string_to_array(lower(name), ' ') as names, row_number() over (order by uid) as n
            from ${table} where deleted_at is null) t on n = 1 + i * 7919::bigint % ${FLEET_SIZE}`

export const recordKinds = {
  trucks: {
    title: 'Trucks',
    path: contract.trucks.list.path,
    records: truckRecords,
    order: 't.number',
    terms: TRUCK_TERMS,
  },
  clients: {
    title: 'Clients',
    path: contract.clients.list.path,
    records: clientRecords,
    order: 't.name',
    terms: wordsOf('client'),
  },
  programs: {
    title: 'Programs',
    path: contract.programs.list.path,
    records: programRecords,
    order: 't.name',
    terms: wordsOf('client_program'),
  },
  artwork: {
    title: 'Artwork sets',
    path: contract.artworkSets.list.path,
    records: artworkRecords,
    order: 't.name',
    terms: wordsOf('artwork_set'),
  },
  users: {
    title: 'Users',
    path: contract.users.list.path,
    records: userRecords,
    order: 't.name',
    terms: wordsOf('user_account'),
  },
} satisfies Record<string, MeasuredKind>

export type RecordKindName = keyof typeof recordKinds
