import {
  type AddressColumn,
  type AddressInput,
  addressInput,
  type CheckedRow,
  METERS_PER_MILE,
  repeatedLabels,
  DEFAULT_RADIUS_M,
} from '@roadshow/contract'
import type { TableRow } from '../../platform/spreadsheet/table-file.ts'
import { zipCenter } from '../markets/index.ts'

type Row = TableRow<AddressColumn>
type Problems = Partial<Record<AddressColumn, string>>

/** Every row of a file with what is wrong in which cell, or the address that it makes. */
export async function checkAddressRows(
  rows: Row[],
  artworkSets: Map<string, string>,
): Promise<CheckedRow<AddressInput>[]> {
  const repeated = new Map(repeatedLabels(rows.map(({ cells }, index) => cells.label ?? `${index}\u0000`)))
  return Promise.all(
    rows.map(async ({ row, cells }, index) => {
      const earlier = rows[repeated.get(index) ?? -1]
      const { problems, value } = await checkCells(cells, artworkSets)
      if (earlier) problems.label = `Row ${earlier.row} has this label too.`
      return { row, cells, problems, value: Object.keys(problems).length > 0 ? null : value }
    }),
  )
}

/** The address that the cells of a row make, or what is wrong in which of them. */
export async function checkCells(cells: Row['cells'], artworkSets: ReadonlyMap<string, string>) {
  const problems: Problems = {}
  const address = addressOf(cells)
  const location = await locationOf(cells, address, problems)
  const given = {
    label: cells.label ?? '',
    address,
    radiusM: radiusOf(cells.radius, problems),
    artworkSetUid: artworkOf(cells.artwork, artworkSets, problems),
    latitude: location?.latitude ?? 0,
    longitude: location?.longitude ?? 0,
    locatedBy: location?.locatedBy ?? 'given',
  } satisfies AddressInput
  const { data, error } = addressInput.safeParse(given)
  for (const { path, message } of error?.issues ?? []) {
    const column = path[0] === 'radiusM' ? 'radius' : (path[0] as AddressColumn)
    problems[column] ??= message
  }
  return { problems, value: data ?? null }
}

// Spreadsheets take the zeros off the front of a ZIP code.
const zipOf = (zip: string | undefined) => zip?.replace(/^(\d{3,4})(?=-|$)/, (digits) => digits.padStart(5, '0'))

/** One line of what stands in several columns, as people write it on an envelope. */
function addressOf({ address, city, state, zip }: Row['cells']): string {
  const region = [state, zipOf(zip)].filter(Boolean).join(' ')
  const has = (part: string) => address?.toLowerCase().includes(part.toLowerCase())
  return [address, ...[city, region].filter((part) => part && !has(part))].filter(Boolean).join(', ')
}

const degrees = (text: string) => (/^[+-]?\d+(\.\d+)?\s*°?$/.test(text) ? Number.parseFloat(text) : Number.NaN)

async function locationOf(cells: Row['cells'], address: string, problems: Problems) {
  const [latitude, longitude] = [cells.latitude, cells.longitude]
  if (latitude !== undefined && longitude !== undefined) {
    const at = { latitude: degrees(latitude), longitude: degrees(longitude), locatedBy: 'given' as const }
    // The middle of nowhere is what programs write when they do not know.
    if (at.latitude === 0 && at.longitude === 0) problems.latitude = '0, 0 is not a place in a market.'
    return at
  }
  if (latitude !== undefined || longitude !== undefined) {
    const missing = latitude === undefined ? 'latitude' : 'longitude'
    problems[missing] = 'Give both latitude and longitude, or neither.'
    return undefined
  }
  const center = await zipCenter(address)
  if (center) return { latitude: center.latitude, longitude: center.longitude, locatedBy: 'zip' as const }
  problems[cells.zip === undefined ? 'address' : 'zip'] = /\d{5}/.test(address)
    ? 'The ZIP code is not known. Give latitude and longitude.'
    : 'Give latitude and longitude, or an address with its ZIP code.'
  return undefined
}

const METERS: Record<string, number> = { '': METERS_PER_MILE, mi: METERS_PER_MILE, m: 1, km: 1000, ft: 0.3048 }
const RADIUS = /^(\d+(?:\.\d+)?|\.\d+)\s*(mi|m|km|ft)?(?:les?|\.)?$/i

/** Miles, unless it says otherwise: `2`, `2.5 mi`, `800 m`. */
function radiusOf(text: string | undefined, problems: Problems): number {
  if (text === undefined) return DEFAULT_RADIUS_M
  const found = RADIUS.exec(text)
  if (!found) problems.radius = 'Must be a number of miles, such as 2.5.'
  return found ? Math.round(Number(found[1]) * (METERS[(found[2] ?? '').toLowerCase()] ?? 1)) : DEFAULT_RADIUS_M
}

function artworkOf(
  name: string | undefined,
  artworkSets: ReadonlyMap<string, string>,
  problems: Problems,
): string | null {
  if (name === undefined) return null
  const found = artworkSets.get(name.toLowerCase())
  if (found === undefined) problems.artwork = 'This program has no artwork set with this name.'
  return found ?? null
}
