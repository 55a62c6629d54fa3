import {
  readChoice,
  trackerInput,
  type Truck,
  truckImport as description,
  truckInput,
  truckKindLabel,
  truckStateLabel,
} from '@roadshow/contract'
import { sql } from 'kysely'
import * as z from 'zod'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { asText, namesIn, type ReadRow, recordImport, refuseWhileUsed } from '../../platform/imports/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'
import { describePlanned } from '../in-use/index.ts'
import { findMarket, loadMarketsByName, marketNamer } from '../markets/index.ts'
import { type TrackedTruck, truckSheet, withTrackers } from './export.ts'
import { toTruckRow, truckRecords } from './queries.ts'
import { inOrder, readSource, readTrackers, type ReadTrackers } from './tracker-cells.ts'
import { findHolders, loadKnownSources, loadTrackers, replaceTrackers } from './trackers.ts'

const trackedTruckInput = truckInput.extend({ trackers: z.array(trackerInput) })
type Input = z.output<typeof trackedTruckInput>
type Names = Awaited<ReturnType<typeof loadNames>>

const FIELDS = {
  number: 'number',
  plate: 'plate',
  vin: 'vin',
  kind: 'kind',
  state: 'state',
  homeMarket: 'homeMarketUid',
  pixelMap: 'pixelMapUid',
  geotabDeviceId: 'geotabDeviceId',
  positionSource: 'trackers',
  trackerId: 'trackers',
  note: 'note',
} as const satisfies Record<keyof typeof description.columns, keyof Input>
/** Both say the trackers. */
const TRACKER_COLUMNS = ['positionSource', 'trackerId'] as const

const blank = { kind: 'led', state: 'active', trackers: [] } as const

async function loadNames(db: Db) {
  const maps = await db.selectFrom('pixel_map').select(['uid', 'name']).where('deleted_at', 'is', null).execute()
  return {
    markets: await loadMarketsByName(db),
    pixelMaps: new Map(maps.map(({ uid, name }) => [nameKey(name), uid])),
    sources: await loadKnownSources(db),
  }
}

const savedInput = ({ homeMarket, pixelMap, ...truck }: TrackedTruck): Input => ({
  number: truck.number,
  plate: truck.plate,
  vin: truck.vin,
  kind: truck.kind,
  state: truck.state,
  homeMarketUid: homeMarket?.uid ?? null,
  pixelMapUid: pixelMap?.uid ?? null,
  geotabDeviceId: truck.geotabDeviceId,
  note: truck.note,
  trackers: inOrder(truck.trackers.map(({ sourceUid, externalId }) => ({ sourceUid, externalId }))),
})

/** What the cell of the trackers says; null where it is empty, undefined without the column. */
const trackersOf = ({ values }: ReadRow) => values.trackerId as ReadTrackers | null | undefined

/** Where the Geotab device of a row is said: a tracker's id may be that of MyGeotab. */
const geotabColumn = (row: ReadRow): string =>
  trackersOf(row)?.geotabDeviceId === undefined ? 'geotabDeviceId' : 'trackerId'

function checkTrackerCells(row: ReadRow, { sources }: Names): Record<string, string> {
  const { positionSource, geotabDeviceId } = row.cells
  const found = trackersOf(row)
  const source = positionSource === undefined ? undefined : readSource(positionSource, sources)
  if (found === null && source && 'value' in source && source.value.kind !== 'geotab')
    return { trackerId: `Enter the id that ${source.value.name} has for this truck.` }
  const atGeotab = found?.geotabDeviceId
  return atGeotab !== undefined && geotabDeviceId !== undefined && geotabDeviceId !== atGeotab
    ? { trackerId: `The column Geotab device has another id: ${geotabDeviceId}.` }
    : {}
}

const trackerKey = ({ sourceUid, externalId }: Input['trackers'][number]) => `${sourceUid} ${externalId}`

const onlyTracker = {
  column: 'trackerId',
  value: ({ trackers }: Input) => trackers.map(trackerKey),
  holders: async (db: Db, keys: string[]) => {
    const wanted = keys.map((key) => ({ sourceUid: key.slice(0, 36), externalId: key.slice(37) }))
    const held = await findHolders(db, wanted)
    return new Map(held.map(({ uid, number, ...tracker }) => [trackerKey(tracker), { uid, name: `Truck ${number}` }]))
  },
}

/** Saves the trackers of trucks in their order. What an older version has kept of a truck says nothing about them. */
async function saveTrackers(db: Db, { actor }: Scope, uids: readonly string[], inputs: readonly Partial<Input>[]) {
  const saved = inputs.flatMap(({ trackers }, index) => {
    const truckUid = uids[index]
    return trackers && truckUid !== undefined ? [{ truckUid, trackers }] : []
  })
  const [held] = await replaceTrackers(db, actor.uid, {
    truckUids: saved.map(({ truckUid }) => truckUid),
    trackers: saved.flatMap(({ truckUid, trackers }) => trackers.map((tracker) => ({ truckUid, ...tracker }))),
  })
  if (!held) return
  throw new AppError('staleVersion', { text: `${held.number} has the tracker id ${held.externalId} by now.` })
}

function toRow(input: Input) {
  const { trackers: _, ...truck } = input
  return toTruckRow(truck)
}

/** A value that only one truck may have, with those that have it. */
const onlyOnce = (column: 'plate' | 'vin' | 'geotab_device_id', field: 'plate' | 'vin' | 'geotabDeviceId') => ({
  column: field,
  value: (input: Input) => input[field],
  holders: async (db: Db, values: string[]) => {
    const found = await db
      .selectFrom('truck')
      .select(['uid', 'number', sql<string>`${sql.ref(column)}`.as('value')])
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`${sql.ref(column)} = any(${values}::text[])`)
      .execute()
    return new Map(found.map(({ uid, number, value }) => [value, { uid, name: `Truck ${number}` }]))
  },
})

async function* exportedTrucks(db: Db, scope: Scope): AsyncGenerator<TrackedTruck> {
  const named = await marketNamer(db)
  for await (const truck of withTrackers(db, truckRecords.stream(db, scope, { page: 1, pageSize: 100 }))) {
    yield { ...truck, homeMarket: named(truck.homeMarket) }
  }
}

/** Trucks from spreadsheets: one row is one truck, known by its number. */
export const truckImport = recordImport<TrackedTruck, Input, Names>({
  kind: 'trucks',
  description,
  mainColumn: 'number',
  fields: FIELDS,
  jointColumns: TRACKER_COLUMNS,
  columns: {
    number: asText,
    plate: asText,
    vin: asText,
    kind: (text) => readChoice(text, truckKindLabel, { led: ['digital', 'screens'], printed: ['static', 'boards'] }),
    state: (text) =>
      readChoice(text, truckStateLabel, { inShop: ['shop', 'maintenance', 'repair'], retired: ['sold', 'inactive'] }),
    homeMarket: (name, { markets }) => findMarket(name, markets),
    pixelMap: (name, { pixelMaps }) => {
      const uid = pixelMaps.get(nameKey(name))
      return uid === undefined ? { problem: `Pixel map ${name} not found.` } : { value: uid }
    },
    geotabDeviceId: asText,
    positionSource: (name, { sources }) => {
      const source = readSource(name, sources)
      return 'problem' in source ? source : { value: source.value.uid }
    },
    trackerId: (text, { sources }, { positionSource }) => readTrackers(text, positionSource, sources),
    note: asText,
  },
  checkRow: checkTrackerCells,
  loadNames,
  keyOf: ({ values }) => (typeof values.number === 'string' ? nameKey(values.number) : undefined),
  loadSaved: async (db, scope, keys) => {
    const found = await db
      .selectFrom('truck')
      .select('uid')
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`lower(number collate "default") = any(${keys}::text[])`)
      .execute()
    const saved = await truckRecords.findMany(
      db,
      scope,
      found.map(({ uid }) => uid),
    )
    const trackers = await loadTrackers(
      db,
      found.map(({ uid }) => uid),
    )
    const tracked = (truck: Truck) => ({ ...truck, trackers: trackers.get(truck.uid) ?? [] })
    return new Map(saved.flatMap((truck) => (truck ? [[nameKey(truck.number), tracked(truck)] as const] : [])))
  },
  toInput: ([row], saved) => {
    const values = Object.entries(row?.values ?? {}).flatMap(([column, value]) => {
      // A truck always has a kind and a state: an empty cell leaves them.
      if ((value === null && column in blank) || TRACKER_COLUMNS.some((each) => each === column)) return []
      return [[FIELDS[column as keyof typeof FIELDS], value ?? emptyOf(column)]]
    })
    const found = row && trackersOf(row)
    return {
      ...(saved ? savedInput(saved) : blank),
      ...Object.fromEntries(values),
      ...(found !== undefined && { trackers: found?.trackers ?? [] }),
      ...(found?.geotabDeviceId !== undefined && { geotabDeviceId: found.geotabDeviceId }),
    }
  },
  savedInput,
  schema: trackedTruckInput,
  placeOf: ([field], [row]) => {
    if (field === 'trackers') return { column: 'trackerId' }
    if (field === 'geotabDeviceId' && row) return { column: geotabColumn(row) }
    return { column: Object.entries(FIELDS).find(([, name]) => name === field)?.[0] ?? 'number' }
  },
  unique: [
    onlyOnce('plate', 'plate'),
    onlyOnce('vin', 'vin'),
    { ...onlyOnce('geotab_device_id', 'geotabDeviceId'), column: geotabColumn },
    onlyTracker,
  ],
  async check(db, _scope, groups) {
    const intoShop = groups.filter(({ saved, input }) => input?.state === 'inShop' && saved && saved.state !== 'inShop')
    const planned = await describePlanned(
      db,
      'truck_uid',
      intoShop.flatMap(({ saved }) => saved?.uid ?? []),
    )
    for (const { saved, rows } of intoShop) {
      const words = saved && planned.get(saved.uid)
      if (words) rows[0].problems.state ??= `This truck has ${words}. Move or cancel them first.`
    }
  },
  exported: { sheet: truckSheet, stream: exportedTrucks },
  write: {
    table: 'truck',
    add: async (db, scope, inputs) => {
      const uids = await truckRecords.createMany(db, scope, inputs.map(toRow))
      await saveTrackers(db, scope, uids, inputs)
      return uids
    },
    change: async (db, scope, changes) => {
      await truckRecords.updateMany(
        db,
        scope,
        changes.map(({ uid, version, input }) => ({ uid, version, ...toRow(input) })),
      )
      await saveTrackers(
        db,
        scope,
        changes.map(({ uid }) => uid),
        changes.map(({ input }) => input),
      )
    },
    partsOf: async (db, uids) => {
      const trackers = await loadTrackers(db, uids)
      return new Map([...trackers].map(([uid, some]) => [uid, inOrder(some).map(trackerKey).join('\n')]))
    },
    namesOf: (db, uids) => namesIn(db, 'truck', 'number', uids),
    inUse: refuseWhileUsed('truck', 'number', [
      { table: 'shift', column: 'truck_uid', words: 'shifts' },
      { table: 'device', column: 'truck_uid', words: 'a player' },
      { table: 'out_of_service', column: 'truck_uid', words: 'time out of service' },
      { table: 'truck_issue', column: 'truck_uid', words: 'issues', only: sql`true` },
      { table: 'inspection', column: 'truck_uid', words: 'inspections', only: sql`true` },
    ]),
  },
})

const emptyOf = (column: string) => (column === 'homeMarket' || column === 'pixelMap' ? null : '')
