import {
  readChoice,
  type Truck,
  type TruckInput,
  truckImport as description,
  truckInput,
  truckKindLabel,
  truckStateLabel,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { asText, namesIn, recordImport, refuseWhileUsed } from '../../platform/imports/index.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'
import { describePlanned } from '../in-use/index.ts'
import { findMarket, loadMarketsByName, marketNamer } from '../markets/index.ts'
import { truckSheet } from './export.ts'
import { toTruckRow, truckRecords } from './queries.ts'

type Input = z.output<typeof truckInput>

const FIELDS = {
  number: 'number',
  plate: 'plate',
  vin: 'vin',
  kind: 'kind',
  state: 'state',
  homeMarket: 'homeMarketUid',
  pixelMap: 'pixelMapUid',
  geotabDeviceId: 'geotabDeviceId',
  note: 'note',
} as const satisfies Record<keyof typeof description.columns, keyof TruckInput>

const blank = { kind: 'led', state: 'active' } as const

async function loadNames(db: Db) {
  const maps = await db.selectFrom('pixel_map').select(['uid', 'name']).where('deleted_at', 'is', null).execute()
  return {
    markets: await loadMarketsByName(db),
    pixelMaps: new Map(maps.map(({ uid, name }) => [nameKey(name), uid])),
  }
}

const savedInput = ({ homeMarket, pixelMap, ...truck }: Truck): Input => ({
  number: truck.number,
  plate: truck.plate,
  vin: truck.vin,
  kind: truck.kind,
  state: truck.state,
  homeMarketUid: homeMarket?.uid ?? null,
  pixelMapUid: pixelMap?.uid ?? null,
  geotabDeviceId: truck.geotabDeviceId,
  note: truck.note,
})

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

async function* exportedTrucks(db: Db, scope: Scope): AsyncGenerator<Truck> {
  const named = await marketNamer(db)
  for await (const truck of truckRecords.stream(db, scope, { page: 1, pageSize: 100 })) {
    yield { ...truck, homeMarket: named(truck.homeMarket) }
  }
}

/** Trucks from spreadsheets: one row is one truck, known by its number. */
export const truckImport = recordImport<Truck, Input, Awaited<ReturnType<typeof loadNames>>>({
  kind: 'trucks',
  description,
  mainColumn: 'number',
  fields: FIELDS,
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
    note: asText,
  },
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
    return new Map(saved.flatMap((truck) => (truck ? [[nameKey(truck.number), truck] as const] : [])))
  },
  toInput: ([row], saved) => {
    const values = Object.entries(row?.values ?? {}).flatMap(([column, value]) =>
      // A truck always has a kind and a state: an empty cell leaves them.
      value === null && column in blank ? [] : [[FIELDS[column as keyof typeof FIELDS], value ?? emptyOf(column)]],
    )
    return { ...(saved ? savedInput(saved) : blank), ...Object.fromEntries(values) }
  },
  savedInput,
  schema: truckInput,
  placeOf: ([field]) => ({
    column: Object.entries(FIELDS).find(([, name]) => name === field)?.[0] ?? 'number',
  }),
  unique: [onlyOnce('plate', 'plate'), onlyOnce('vin', 'vin'), onlyOnce('geotab_device_id', 'geotabDeviceId')],
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
    add: (db, scope, inputs) => truckRecords.createMany(db, scope, inputs.map(toTruckRow)),
    change: (db, scope, changes) =>
      truckRecords.updateMany(
        db,
        scope,
        changes.map(({ uid, version, input }) => ({ uid, version, ...toTruckRow(input) })),
      ),
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
