import zoneAt from '@photostructure/tz-lookup'
import {
  type Market,
  marketImport as description,
  marketInput,
  METERS_PER_MILE,
  type Point,
  readDecimal,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import {
  bySchema,
  type Cells,
  namesIn,
  type ReadRow,
  recordImport,
  refuseWhileUsed,
  filledOr,
  valueOf,
  valueOr,
} from '../../platform/imports/index.ts'
import { nameKey } from '../../platform/runtime/name-key.ts'
import { readDepots, readMiles, readOutline, zoneNamed } from './area-cells.ts'
import { marketSheet } from './export.ts'
import { loadMarketsByName, type MarketsByName } from './named.ts'
import { marketRecords, withShifts } from './queries.ts'
import { addMarkets, changeMarkets } from './save.ts'
import { zipCenter } from './zip.ts'

type Input = z.output<typeof marketInput>

interface Names {
  markets: MarketsByName
  zips: ReadonlyMap<string, Point>
}

// Spreadsheets take the zeros off the front of a ZIP code.
const zipOf = (text: string) => text.replace(/-\d{4}$/, '').padStart(5, '0')

async function loadNames(db: Db, _scope: Scope, rows: readonly Cells[]): Promise<Names> {
  const zips = new Map<string, Point>()
  for (const zip of new Set(rows.flatMap((cells) => (cells['zip'] ? zipOf(cells['zip']) : [])))) {
    const center = await zipCenter(zip)
    if (center) zips.set(zip, center)
  }
  return { markets: await loadMarketsByName(db), zips }
}

const WITH_STATE = /^(.+?),? ([a-z]{2})$/i

/** Name and state of a market; people write both into one cell, too. */
function placeNameOf(rows: readonly ReadRow[], { markets }: Names): { name: string; state: string } {
  const name = filledOr<string>(rows, 'name', '')
  const state = filledOr<string>(rows, 'state', '')
  if (state) return { name, state }
  const known = markets.get(nameKey(name)) ?? []
  if (known.length === 1 && known[0]) return { name: known[0].name, state: known[0].state }
  const [, city, short] = /, [a-z]{2}$/i.test(name) ? (WITH_STATE.exec(name) ?? []) : []
  return city && short ? { name: city, state: short.toUpperCase() } : { name, state: '' }
}

/** A row finds a saved market whose name it writes in its own case, or with the state behind it. */
function savedPlaceName(rows: readonly ReadRow[], { name, state }: Market): { name: string; state: string } {
  const written = filledOr(rows, 'name', name)
  return { name: nameKey(written) === nameKey(name) ? written : name, state }
}

const keyOf = ({ name, state }: { name: string; state: string }) => `${nameKey(name)}|${state.toUpperCase()}`

const savedInput = (market: Market): Input => ({
  name: market.name,
  state: market.state,
  zone: market.zone,
  latitude: market.latitude,
  longitude: market.longitude,
  radiusM: market.radiusM,
  outline: market.outline,
  depots: market.depots,
})

// Thirty miles around its middle hold most metro areas.
const DEFAULT_RADIUS_M = Math.round(30 * METERS_PER_MILE)

function toInput(rows: readonly ReadRow[], saved: Market | undefined, names: Names): unknown {
  const zip = filledOr<Point | undefined>(rows, 'zip', undefined)
  const start = saved ?? { latitude: null, longitude: null, radiusM: null, outline: null, depots: [], zone: '' }
  const isUnplaced = start.latitude === null && !valueOf(rows, 'latitude')
  const from = zip && isUnplaced ? { ...start, latitude: zip.latitude, longitude: zip.longitude } : start
  const place = {
    latitude: valueOr(rows, 'latitude', { saved: from.latitude, empty: zip && isUnplaced ? from.latitude : null }),
    longitude: valueOr(rows, 'longitude', { saved: from.longitude, empty: zip && isUnplaced ? from.longitude : null }),
  }
  const { latitude, longitude } = place
  const isPlaced = latitude !== null && longitude !== null
  const isNew = saved === undefined
  return {
    ...(saved ? savedPlaceName(rows, saved) : placeNameOf(rows, names)),
    zone: filledOr(rows, 'zone', start.zone || (isPlaced ? zoneAt(latitude, longitude) : '')),
    ...place,
    radiusM:
      valueOr(rows, 'radius', { saved: start.radiusM, empty: null }) ?? (isNew && isPlaced ? DEFAULT_RADIUS_M : null),
    outline: valueOr(rows, 'outline', { saved: start.outline, empty: null }),
    depots: valueOr(rows, 'depots', { saved: start.depots, empty: [] }),
  }
}

const FIELDS = {
  state: 'state',
  zone: 'zone',
  latitude: 'latitude',
  longitude: 'longitude',
  radius: 'radiusM',
  outline: 'outline',
  depots: 'depots',
} as const

const ofLivingProgram = sql`exists (select from client_program p where p.uid = t.program_uid and p.deleted_at is null)`

/** Markets from spreadsheets, known by name and state. */
export const marketImport = recordImport<Market, Input, Names>({
  kind: 'markets',
  description,
  mainColumn: 'name',
  fields: FIELDS,
  columns: {
    name: (text) => ({ value: text }),
    state: bySchema(marketInput.shape.state),
    zone: (text) => bySchema(marketInput.shape.zone)(zoneNamed(text), undefined, {}),
    latitude: readDecimal,
    longitude: readDecimal,
    radius: readMiles,
    outline: readOutline,
    depots: readDepots,
    zip: (text, { zips }) => {
      const center = zips.get(zipOf(text))
      return center ? { value: center } : { problem: 'The ZIP code is not known. Give latitude and longitude.' }
    },
  },
  loadNames,
  keyOf: (row, names) => (typeof row.values.name === 'string' ? keyOf(placeNameOf([row], names)) : undefined),
  loadSaved: async (db, scope, _keys, { markets }) => {
    // The table is small: one row per city of the business.
    const uids = [...new Set([...markets.values()].flatMap((some) => some.map(({ uid }) => uid)))]
    const saved = await marketRecords.findMany(db, scope, uids)
    return new Map(saved.flatMap((market) => (market ? [[keyOf(market), market] as const] : [])))
  },
  toInput,
  savedInput,
  schema: marketInput,
  placeOf: ([field]) => ({ column: Object.entries(FIELDS).find(([, name]) => name === field)?.[0] ?? 'name' }),
  async check(db, _scope, groups) {
    const moved = groups.filter(({ saved, input }) => saved && input && saved.zone !== input.zone)
    const planned = await withShifts(
      db,
      moved.flatMap(({ saved }) => saved?.uid ?? []),
    )
    for (const { saved, rows } of moved) {
      if (saved && planned.has(saved.uid)) {
        rows[0].problems.zone ??= 'This market has shifts. Change its time zone on its own form, from a day on.'
      }
    }
  },
  exported: { sheet: marketSheet, stream: (db, scope) => marketRecords.stream(db, scope, { page: 1, pageSize: 100 }) },
  write: {
    table: 'market',
    add: addMarkets,
    change: changeMarkets,
    namesOf: (db, uids) => namesIn(db, 'market', 'name', uids),
    inUse: refuseWhileUsed('market', 'name', [
      { table: 'truck', column: 'home_market_uid', words: 'trucks' },
      { table: 'program_market', column: 'market_uid', words: 'programs', only: ofLivingProgram },
      { table: 'shift', column: 'market_uid', words: 'shifts' },
    ]),
  },
})
