import {
  type AddressColumn,
  addressColumns,
  type AddressInput,
  type AddressSet,
  addressSetInput,
  type BodyOf,
  type addresses,
  labelKey,
  locatedByLabel,
  type SdAddress,
  sdAddressImport as description,
  toMiles,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import {
  asText,
  type Cells,
  namesIn,
  type ReadCell,
  type ReadRow,
  recordImport,
  refuseWhileUsed,
  filledOr,
  valueOr,
} from '../../platform/imports/index.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'
import { milesColumn } from '../../platform/spreadsheet/columns.ts'
import { findProgram, loadProgramsByName, type ProgramsByName } from '../programs/index.ts'
import { checkCells } from './import.ts'
import { addressSetRecords, artworkSetsOf, withAddresses } from './queries.ts'
import { addAddressSets, changeAddressSets } from './save.ts'

type Input = BodyOf<typeof addresses.create>
type CheckedCells = Awaited<ReturnType<typeof checkCells>>

interface Names {
  programs: ProgramsByName
  /** What the cells of each row make. */
  checked: ReadonlyMap<Cells, CheckedCells>
}

const ADDRESS_COLUMNS = Object.keys(addressColumns) as AddressColumn[]

const programOf = ({ program, client }: Cells, programs: ProgramsByName): string | undefined => {
  const found = program === undefined ? undefined : findProgram(program, client, programs)
  return found && 'value' in found ? found.value : undefined
}

async function loadNames(db: Db, _scope: Scope, rows: readonly Cells[]): Promise<Names> {
  const programs = await loadProgramsByName(db, [
    ...new Set(rows.flatMap(({ program }) => (program ? nameKey(program) : []))),
  ])
  const uids = [...programs.values()].flatMap((some) => some.map(({ uid }) => uid))
  const artwork = await artworkSetsOf(db, uids)
  const checked = new Map<Cells, CheckedCells>()
  for (const cells of rows) {
    checked.set(cells, await checkCells(cells, artwork.get(programOf(cells, programs) ?? '') ?? new Map()))
  }
  return { programs, checked }
}

/** The cell of an address, whose row is checked as a whole. */
const cellOf =
  (column: AddressColumn): ReadCell<Names> =>
  (text, { checked }, cells) => {
    const problem = checked.get(cells)?.problems[column]
    return problem === undefined ? { value: text } : { problem }
  }

const toAddressInput = ({ artworkSet, ...address }: SdAddress): AddressInput => ({
  ...address,
  artworkSetUid: artworkSet?.uid ?? null,
})

const hundredths = (meters: number) => Math.round(toMiles(meters) * 100)

/** The address of a row in place of the one with its label; columns that the file does not have stay. */
function changed(saved: AddressInput, given: AddressInput, { values, cells }: ReadRow): AddressInput {
  const has = (column: string) => values[column] !== undefined
  const isPlaced = cells['latitude'] !== undefined || cells['zip'] !== undefined
  const isThere = given.latitude === saved.latitude && given.longitude === saved.longitude
  const place = { latitude: given.latitude, longitude: given.longitude, locatedBy: given.locatedBy }
  return {
    ...saved,
    label: given.label,
    ...(has('address') && { address: given.address ?? '' }),
    ...(isPlaced && !isThere && place),
    // The export rounds: a radius that reads the same is the same.
    ...(has('radius') && hundredths(given.radiusM) !== hundredths(saved.radiusM) && { radiusM: given.radiusM }),
    ...(has('artwork') && { artworkSetUid: given.artworkSetUid ?? null }),
  }
}

function toInput(rows: readonly ReadRow[], saved: AddressSet | undefined, { programs, checked }: Names): Input {
  const [first] = rows
  const list = (saved?.addresses ?? []).map(toAddressInput)
  const at = new Map(list.map(({ label }, index) => [labelKey(label), index]))
  for (const row of rows) {
    const given = checked.get(row.cells)?.value
    if (!given) continue
    const index = at.get(labelKey(given.label))
    const known = index === undefined ? undefined : list[index]
    if (index !== undefined && known) list[index] = changed(known, given, row)
    else list.push(given)
  }
  return {
    programUid: saved?.program.uid ?? programOf(first?.cells ?? {}, programs) ?? '',
    name: filledOr<string>(rows, 'set', saved?.name ?? ''),
    note: valueOr(rows, 'setNote', { saved: saved?.note ?? '', empty: '' }),
    addresses: list as Input['addresses'],
  }
}

/** An address with its set, as a row of the export. */
interface AddressRow {
  set: AddressSet
  address: SdAddress
}

// Sets are few and addresses many: this many sets are read at a time.
const SETS_AT_ONCE = 100

async function* addressRows(db: Db, scope: Scope): AsyncGenerator<AddressRow> {
  const rowsOf = async (sets: Parameters<typeof withAddresses>[1]) =>
    (await withAddresses(db, sets)).flatMap((set): AddressRow[] => set.addresses.map((address) => ({ set, address })))
  let some: Parameters<typeof withAddresses>[1][number][] = []
  for await (const set of addressSetRecords.stream(db, scope, { page: 1, pageSize: SETS_AT_ONCE })) {
    some.push(set)
    if (some.length < SETS_AT_ONCE) continue
    yield* await rowsOf(some)
    some = []
  }
  yield* await rowsOf(some)
}

const keyOf = (programUid: string, name: string) => `${programUid} ${nameKey(name)}`

/** SD addresses from spreadsheets: each row is an address, rows of one program and set name are a set. */
export const sdAddressImport = recordImport<AddressSet, Input, Names>({
  kind: 'sd-addresses',
  description,
  mainColumn: 'label',
  partColumns: ADDRESS_COLUMNS,
  fields: {},
  columns: {
    client: (text, { programs }, { program = '' }) => {
      const found = findProgram(program, text, programs)
      return 'column' in found ? { problem: found.problem } : { value: text }
    },
    program: (text, { programs }, { client }) => {
      const found = findProgram(text, client, programs)
      // What is wrong with the client is said at the client.
      return 'column' in found && client !== undefined ? { value: '' } : found
    },
    set: asText,
    setNote: asText,
    ...Object.fromEntries(ADDRESS_COLUMNS.map((column) => [column, cellOf(column)])),
  },
  checkRow: ({ cells }, { checked }) => ({ ...checked.get(cells)?.problems }),
  loadNames,
  keyOf: ({ values: { program, set } }) =>
    typeof program === 'string' && program !== '' && typeof set === 'string' ? keyOf(program, set) : undefined,
  loadSaved: async (db, scope, keys) => {
    const found = await db
      .selectFrom('address_set')
      .select('uid')
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`program_uid = any(${[...new Set(keys.map((key) => key.slice(0, 36)))]}::uuid[])`)
      .where(sql<boolean>`program_uid || ' ' || lower(name collate "default") = any(${[...keys]}::text[])`)
      .execute()
    const sets = await addressSetRecords.findMany(
      db,
      scope,
      found.map(({ uid }) => uid),
    )
    const saved = await withAddresses(
      db,
      sets.flatMap((set) => set ?? []),
    )
    return new Map(saved.map((set) => [keyOf(set.program.uid, set.name), set]))
  },
  toInput,
  savedInput: ({ program, name, note, addresses }) => ({
    programUid: program.uid,
    name,
    note,
    addresses: addresses.map(toAddressInput) as Input['addresses'],
  }),
  schema: addressSetInput,
  placeOf: ([field]) => ({ column: field === 'name' ? 'set' : field === 'note' ? 'setNote' : 'label' }),
  async check(_db, _scope, groups) {
    for (const { rows } of groups) {
      for (const same of groupBy(rows, ({ cells }) => labelKey(cells['label'] ?? '')).values()) {
        if (same.length < 2) continue
        for (const row of same) {
          const others = same.filter((other) => other !== row).map((other) => other.row)
          row.problems['label'] ??= `Row ${others.slice(0, 10).join(', ')} has this label too.`
        }
      }
    }
  },
  exported: {
    sheet: {
      name: 'sd-addresses',
      columns: {
        Client: ({ set }: AddressRow) => set.client.name,
        Program: ({ set }: AddressRow) => set.program.name,
        Set: ({ set }: AddressRow) => set.name,
        'Set note': ({ set }: AddressRow) => set.note,
        Label: ({ address }: AddressRow) => address.label,
        Address: ({ address }: AddressRow) => address.address,
        Latitude: ({ address }: AddressRow) => address.latitude,
        Longitude: ({ address }: AddressRow) => address.longitude,
        'Radius (miles)': milesColumn(({ address }: AddressRow) => address.radiusM),
        'Artwork set': ({ address }: AddressRow) => address.artworkSet?.name ?? '',
        'Located by': ({ address }: AddressRow) => locatedByLabel[address.locatedBy],
      },
    },
    stream: addressRows,
  },
  write: {
    table: 'address_set',
    add: addAddressSets,
    change: changeAddressSets,
    namesOf: (db, uids) => namesIn(db, 'address_set', 'name', uids),
    inUse: refuseWhileUsed('address_set', 'name', [{ table: 'shift', column: 'address_set_uid', words: 'shifts' }]),
  },
})
