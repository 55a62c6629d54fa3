import * as z from '../platform/zod.ts'
import {
  anyOf,
  upperCaseLine,
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
import { historyEndpoint } from '../platform/history.ts'

export const truckKinds = ['led', 'printed'] as const
export const truckKindLabel: Record<TruckKind, string> = { led: 'LED screens', printed: 'Printed boards' }
const truckKind = z.enum(truckKinds, 'Choose LED screens or printed boards.')
export type TruckKind = z.infer<typeof truckKind>

export const truckStates = ['active', 'inShop', 'retired'] as const
export const truckStateLabel: Record<TruckState, string> = { active: 'Active', inShop: 'In shop', retired: 'Retired' }
const truckState = z.enum(truckStates, 'Choose active, in shop or retired.')
export type TruckState = z.infer<typeof truckState>

/** Whether the truck has a player that is paired, so that it can be sent what to play. */
export const playerStates = ['paired', 'missing'] as const
export const playerStateLabel: Record<PlayerState, string> = { paired: 'Player paired', missing: 'No player' }
const playerState = z.enum(playerStates, 'Choose paired or missing.')
export type PlayerState = z.infer<typeof playerState>

export const truck = z.strictObject({
  uid,
  number: z.string(),
  plate: z.string(),
  vin: z.string(),
  kind: truckKind,
  state: truckState,
  homeMarket: z.strictObject({ uid, name: z.string(), zone: z.string() }).nullable(),
  pixelMap: namedRef.nullable(),
  /** How MyGeotab names the truck's tracker. */
  geotabDeviceId: z.string(),
  player: playerState,
  note: z.string(),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type Truck = z.infer<typeof truck>

// A VIN has 17 characters and never the letters I, O and Q, which look like digits.
const VIN = /^([A-HJ-NPR-Z0-9]{17})?$/

export const truckInput = z.strictObject({
  number: requiredLine(20),
  plate: upperCaseLine(12).prefault(''),
  vin: upperCaseLine(17).regex(VIN, 'A VIN has 17 letters and digits, without I, O and Q.').prefault(''),
  kind: truckKind,
  state: truckState,
  homeMarketUid: uid.nullable().prefault(null),
  pixelMapUid: uid.nullable().prefault(null),
  geotabDeviceId: textLine(40)
    .regex(/^[A-Za-z0-9]*$/, 'A Geotab device id has letters and digits only, such as b1A.')
    .prefault(''),
  note: paragraph(2000).prefault(''),
})
export type TruckInput = z.input<typeof truckInput>

const view = { module: 'trucks', needs: 'view' } as const
const edit = { module: 'trucks', needs: 'edit' } as const

export const trucks = {
  list: endpoint({
    method: 'GET',
    path: 'trucks/run',
    access: view,
    summary: 'Trucks, searched in number, plate, VIN and note.',
    follows: ['trucks', 'devices', 'outOfService'],
    query: listQuery(['number', 'plate', 'state', 'updatedAt'], {
      state: anyOf(truckState).optional(),
      kind: anyOf(truckKind).optional(),
      market: anyOf(uid).optional(),
      pixelMap: anyOf(uid).optional(),
      player: anyOf(playerState).optional(),
    }),
    reply: page(truck),
  }),
  get: endpoint({
    method: 'GET',
    path: 'trucks/{uid}',
    access: view,
    summary: 'One truck, as its drawer opens it from a link.',
    follows: ['trucks', 'outOfService'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(truck),
  }),
  create: endpoint({
    method: 'POST',
    path: 'trucks/',
    access: edit,
    summary: 'Adds a truck.',
    body: truckInput,
    reply: one(truck),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'trucks/',
    access: edit,
    summary: 'Changes a truck. An old version answers 409.',
    body: truckInput.extend({ uid, version }),
    reply: one(truck),
  }),
  remove: removeEndpoint({ path: 'trucks', access: edit, summary: 'Deletes a truck; its history is kept.' }),
  dependents: dependentsEndpoint({ path: 'trucks', access: edit }),
  restore: restoreEndpoint({ path: 'trucks', access: edit }),
  history: historyEndpoint('trucks', view, { writers: ['outOfService', 'trackers'] }),
}
