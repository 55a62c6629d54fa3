import { formatCount } from '../platform/figures.ts'
import * as z from '../platform/zod.ts'
import {
  anyOf,
  instant,
  textLine,
  listQuery,
  namedRef,
  one,
  page,
  paragraph,
  requiredLine,
  uid,
  version,
} from '../platform/common.ts'
import { dependentsEndpoint, removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { latitude, longitude, radius } from '../platform/geo.ts'
import { historyEndpoint } from '../platform/history.ts'
import { checkedRow, TABLE_FILE } from '../platform/imports.ts'
import type { ImportColumns } from '../platform/imports.ts'

export const locatedByWays = ['given', 'pin', 'geocoder', 'zip'] as const
const locatedBy = z.enum(locatedByWays, `Must be one of ${locatedByWays.join(', ')}.`)
export type LocatedBy = z.infer<typeof locatedBy>
export const locatedByLabel: Record<LocatedBy, string> = {
  given: 'Coordinates given',
  pin: 'Set on the map',
  geocoder: 'Found by its address',
  zip: 'Approximate (ZIP code)',
}

export const MAX_ADDRESSES = 10_000
/** Five miles, for an address that says nothing else. */
export const DEFAULT_RADIUS_M = 8047

/** A place near which the screen shows its own creative. */
const sdAddress = z.strictObject({
  uid,
  label: z.string(),
  address: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  radiusM: z.int(),
  artworkSet: namedRef.nullable(),
  locatedBy,
})
export type SdAddress = z.infer<typeof sdAddress>

/** What a list shows of a set. */
const addressSetRow = z.strictObject({
  uid,
  name: z.string(),
  program: namedRef,
  client: namedRef,
  addressCount: z.int(),
  /** How many of them are placed by their ZIP code only. */
  approximateCount: z.int(),
  note: z.string(),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type AddressSetRow = z.infer<typeof addressSetRow>

export const addressSet = addressSetRow.extend({ addresses: z.array(sdAddress) })
export type AddressSet = z.infer<typeof addressSet>

export const addressInput = z.strictObject({
  /** Of an address that the set has already. */
  uid: uid.optional(),
  label: requiredLine(120),
  address: textLine(300).prefault(''),
  latitude,
  longitude,
  radiusM: radius(50, 100_000),
  locatedBy,
  artworkSetUid: uid.nullable().prefault(null),
})
export type AddressInput = z.input<typeof addressInput>

/** Labels name an address within its set, whatever their case. */
export const labelKey = (label: string): string => label.trim().toLowerCase()

/** Each label that repeats an earlier one, with the index of both. */
export function* repeatedLabels(labels: readonly string[]): Generator<[index: number, earlier: number]> {
  const first = new Map<string, number>()
  for (const [index, label] of labels.entries()) {
    const earlier = first.get(labelKey(label))
    if (earlier === undefined) first.set(labelKey(label), index)
    else yield [index, earlier]
  }
}

const addressList = z
  .array(addressInput)
  .max(MAX_ADDRESSES, { error: () => `At most ${formatCount(MAX_ADDRESSES)} addresses.` })
  .superRefine((given, context) => {
    for (const [index, earlier] of repeatedLabels(given.map(({ label }) => label))) {
      context.addIssue({
        code: 'custom',
        path: [index, 'label'],
        message: `Address ${earlier + 1} has this label too.`,
      })
    }
  })

export const addressSetInput = z.strictObject({
  programUid: z.uuid('Choose a client program.'),
  name: requiredLine(120),
  note: paragraph(2000).prefault(''),
  addresses: addressList.prefault([]),
})
export type AddressSetInput = z.input<typeof addressSetInput>

/** The columns of an import with the headings that people use; the template uses the first. */
export const addressColumns = {
  label: ['Label', 'Name', 'Store', 'Store name', 'Location', 'Location name', 'Title', 'Place'],
  address: ['Address', 'Street', 'Street address', 'Full address', 'Address line 1', 'Addr'],
  city: ['City', 'Town'],
  state: ['State', 'ST', 'Province'],
  zip: ['ZIP', 'ZIP code', 'Zipcode', 'Postal code', 'Postcode'],
  latitude: ['Latitude', 'Lat', 'Y'],
  longitude: ['Longitude', 'Long', 'Lng', 'Lon', 'X'],
  radius: ['Radius (miles)', 'Radius', 'Radius miles', 'Radius mi', 'Miles'],
  artwork: ['Artwork set', 'Artwork', 'Creative'],
} as const satisfies ImportColumns<string>
export type AddressColumn = keyof typeof addressColumns

const found = z.strictObject({ latitude: z.number(), longitude: z.number(), locatedBy })
/** How many addresses one call looks up: a geocoder takes about a second for each. */
export const MAX_GEOCODE = 10

const view = { module: 'clients', needs: 'view' } as const
const edit = { module: 'clients', needs: 'edit' } as const
const MAX_SET_BYTES = 8 * 1024 * 1024

export const addresses = {
  list: endpoint({
    method: 'GET',
    path: 'gps-address-sets/run',
    access: view,
    ownRows: 'records',
    summary: 'SD address sets, searched in name and note. A user of role client sees their own client’s.',
    follows: ['addresses'],
    query: listQuery(['name', 'updatedAt'], {
      program: anyOf(uid).optional(),
      client: anyOf(uid).optional(),
      uid: anyOf(uid).optional(),
    }),
    reply: page(addressSetRow),
  }),
  get: endpoint({
    method: 'GET',
    path: 'gps-address-sets/{uid}',
    access: view,
    ownRows: 'records',
    summary: 'One SD address set with its addresses.',
    follows: ['addresses'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(addressSet),
  }),
  create: endpoint({
    method: 'POST',
    path: 'gps-address-sets/',
    access: edit,
    summary: 'Adds an SD address set with its addresses.',
    body: addressSetInput,
    maxBytes: MAX_SET_BYTES,
    reply: one(addressSet),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'gps-address-sets/',
    access: edit,
    summary:
      'Changes an SD address set: its addresses become the given ones; without a list of addresses they stay. An old version answers 409.',
    body: addressSetInput.extend({ uid, version, addresses: addressList.optional() }),
    maxBytes: MAX_SET_BYTES,
    reply: one(addressSet),
  }),
  remove: removeEndpoint({
    path: 'gps-address-sets',
    access: edit,
    summary: 'Deletes an SD address set; its history is kept.',
  }),
  dependents: dependentsEndpoint({ path: 'gps-address-sets', access: edit }),
  restore: restoreEndpoint({ path: 'gps-address-sets', access: edit }),
  history: historyEndpoint('gps-address-sets', view, { ownRows: 'records' }),
  checkImport: endpoint({
    method: 'POST',
    path: 'gps-address-sets/check-import',
    access: edit,
    summary:
      'Reads a CSV or XLSX file of addresses and tells for every row whether it is good, or what is wrong. Saves nothing.',
    added: true,
    repeatable: true,
    body: z.strictObject({ programUid: z.uuid('Choose a client program.') }),
    files: { file: TABLE_FILE },
    reply: one(z.array(checkedRow(addressInput))),
  }),
  geocode: endpoint({
    method: 'POST',
    path: 'gps-address-sets/geocode',
    access: edit,
    summary:
      'Finds where addresses are: by the geocoder if one is set, else by ZIP code. Null where nothing was found.',
    added: true,
    repeatable: true,
    body: z.strictObject({
      addresses: z
        .array(requiredLine(300))
        .min(1, 'Give an address.')
        .max(MAX_GEOCODE, `At most ${MAX_GEOCODE} addresses.`),
    }),
    reply: one(z.array(found.nullable())),
  }),
}
