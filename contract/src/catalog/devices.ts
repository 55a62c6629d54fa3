import * as z from '../platform/zod.ts'
import { anyOf, instant, listQuery, one, page, uid, version } from '../platform/common.ts'
import { removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { historyEndpoint } from '../platform/history.ts'

export const deviceKinds = ['player', 'driver'] as const
export const deviceKindLabel: Record<DeviceKind, string> = { player: 'Player', driver: 'Driver app' }
const deviceKind = z.enum(deviceKinds, 'Choose player or driver app.')
export type DeviceKind = z.infer<typeof deviceKind>

/** Unpaired has neither key nor a code that still counts; waiting has a code; revoked had a key that was taken back. */
export const deviceStates = ['unpaired', 'waiting', 'paired', 'revoked'] as const
export const deviceStateLabel: Record<DeviceState, string> = {
  unpaired: 'Not paired',
  waiting: 'Waiting',
  paired: 'Paired',
  revoked: 'Revoked',
}
const deviceState = z.enum(deviceStates)
export type DeviceState = z.infer<typeof deviceState>

const HEX = /[^0-9A-F]/g
const notAMac = 'A MAC address has twelve of the digits 0–9 and A–F, such as AA:BB:CC:01:02:03.'

/** A MAC address however it is written: with colons, hyphens, dots or nothing; kept as AA:BB:CC:01:02:03. */
export const macAddress = z
  .string(notAMac)
  .trim()
  .toUpperCase()
  .regex(/^[0-9A-F]{2}(?:([:-]?)[0-9A-F]{2})(?:\1[0-9A-F]{2}){4}$|^(?:[0-9A-F]{4}\.){2}[0-9A-F]{4}$/, notAMac)
  .transform((typed) => (typed.replace(HEX, '').match(/../g) ?? []).join(':'))

/** The characters of pairing codes: none is easily confused with another when read aloud or from a screen. */
export const PAIRING_CHARACTERS = '34679ACDEFGHJKMNPQRTUVWXY'
export const PAIRING_CODE_LENGTH = 8
export const PAIRING_MINUTES = 15

/** A pairing code as it is typed: in any case, with or without the hyphen that it is shown with. */
const pairingCode = z
  .string('Must be text.')
  .max(40, 'At most 40 characters.')
  .toUpperCase()
  .transform((typed) => typed.replace(/[\s-]/g, ''))

export const device = z.strictObject({
  uid,
  truckUid: uid,
  kind: deviceKind,
  macAddress: z.string(),
  state: deviceState,
  /** Until when a code that was given out can be used. */
  codeExpiresAt: instant.nullable(),
  pairedAt: instant.nullable(),
  revokedAt: instant.nullable(),
  seenAt: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type Device = z.infer<typeof device>

export const deviceInput = z.strictObject({ truckUid: uid, kind: deviceKind, macAddress })
export type DeviceInput = z.input<typeof deviceInput>

const view = { module: 'trucks', needs: 'view' } as const
const edit = { module: 'trucks', needs: 'edit' } as const

export const devices = {
  list: endpoint({
    method: 'GET',
    path: 'devices/run',
    access: view,
    summary: 'Players and driver apps, by truck.',
    follows: ['devices'],
    // A screen shows its code, or a phone is about to be let in.
    atLeastEvery: (devices: Device[]) => (devices.some(({ codeExpiresAt }) => codeExpiresAt) ? 3 : undefined),
    added: true,
    query: listQuery(['macAddress', 'updatedAt'], {
      truck: anyOf(uid).optional(),
      kind: anyOf(deviceKind).optional(),
    }),
    reply: page(device),
  }),
  create: endpoint({
    method: 'POST',
    path: 'devices/',
    access: edit,
    summary: 'Adds a device to a truck. It has no key until it is paired.',
    added: true,
    body: deviceInput,
    reply: one(device),
  }),
  code: endpoint({
    method: 'POST',
    path: 'devices/{uid}/code',
    access: edit,
    keys: false,
    summary: 'A one-time code to pair the device with, shown this once. An older code is worthless from then on.',
    added: true,
    params: z.strictObject({ uid }),
    reply: one(z.strictObject({ code: z.string(), expiresAt: instant })),
    secret: true,
  }),
  revoke: endpoint({
    method: 'POST',
    path: 'devices/{uid}/revoke',
    access: edit,
    summary: 'Takes back the key of the device and any code.',
    added: true,
    params: z.strictObject({ uid }),
    reply: one(device),
  }),
  remove: removeEndpoint({
    path: 'devices',
    access: edit,
    added: true,
    summary: 'Removes the device from its truck; its key is worthless from then on.',
  }),
  restore: restoreEndpoint({ path: 'devices', access: edit }),
  history: historyEndpoint('devices', view),
  pair: endpoint({
    method: 'POST',
    path: 'devices/pair',
    access: 'public',
    summary: 'A device gives its code and gets its key, this once.',
    added: true,
    body: z.strictObject({ macAddress, code: pairingCode }),
    reply: one(z.strictObject({ key: z.string() })),
    secret: true,
  }),
}

const collected = z.strictObject({
  /** Waiting until the code is entered, then paired once, then expired. An unknown secret is expired, too. */
  state: z.enum(['waiting', 'paired', 'expired']),
  /** The key of the device, with the state paired. */
  key: z.string().nullable(),
  /** The device, with the state paired. A screen that becomes another one counts its plays from 1 again. */
  deviceUid: uid.nullable(),
})

/** Pairing that starts at the screen: it shows a code, and a user enters the code at the truck. */
export const screenPairings = {
  open: endpoint({
    method: 'POST',
    path: 'screen-pairings',
    access: 'public',
    rate: 'public',
    summary: 'A screen gets a code to show and a secret to collect its key with. Its older code stops working.',
    added: true,
    body: z.strictObject({ macAddress }),
    reply: one(z.strictObject({ code: z.string(), secret: z.string(), expiresAt: instant })),
    secret: true,
  }),
  collect: endpoint({
    method: 'POST',
    path: 'screen-pairings/collect',
    access: 'public',
    rate: 'public',
    summary: 'A screen asks whether its code was entered, and gets its key, this once.',
    added: true,
    body: z.strictObject({ secret: z.string().min(20).max(200) }),
    reply: one(collected),
    secret: true,
  }),
  claim: endpoint({
    method: 'POST',
    path: 'screen-pairings/claim',
    access: edit,
    keys: false,
    summary: 'Pairs the screen that shows this code with a truck, as its player.',
    added: true,
    body: z.strictObject({ truckUid: uid, code: pairingCode }),
    reply: one(device),
  }),
}
