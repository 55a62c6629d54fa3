import * as z from './zod.ts'
import { anyOf, instant, line, listQuery, one, page, paragraph, requiredLine, uid, version } from './common.ts'
import { endpoint } from './endpoint.ts'
import { historyOf } from './history.ts'

export const truckKinds = ['led', 'printed'] as const
export const truckKindLabel: Record<TruckKind, string> = { led: 'LED screens', printed: 'Printed boards' }
const truckKind = z.enum(truckKinds, 'Choose LED screens or printed boards.')
export type TruckKind = z.infer<typeof truckKind>

export const truckStates = ['active', 'inShop', 'retired'] as const
export const truckStateLabel: Record<TruckState, string> = { active: 'Active', inShop: 'In shop', retired: 'Retired' }
const truckState = z.enum(truckStates, 'Choose active, in shop or retired.')
export type TruckState = z.infer<typeof truckState>

export const truck = z.strictObject({
  uid,
  number: z.string(),
  plate: z.string(),
  vin: z.string(),
  kind: truckKind,
  state: truckState,
  homeMarket: z.strictObject({ uid, name: z.string(), zone: z.string() }).nullable(),
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
  plate: line(12).toUpperCase().prefault(''),
  vin: line(17).toUpperCase().regex(VIN, 'A VIN has 17 letters and digits, without I, O and Q.').prefault(''),
  kind: truckKind,
  state: truckState,
  homeMarketUid: uid.nullable().prefault(null),
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
    query: listQuery(['number', 'plate', 'state', 'updatedAt'], {
      state: anyOf(truckState).optional(),
      kind: anyOf(truckKind).optional(),
      market: anyOf(uid).optional(),
    }),
    reply: page(truck),
  }),
  get: endpoint({
    method: 'GET',
    path: 'trucks/{uid}',
    access: view,
    summary: 'One truck, as its drawer opens it from a link.',
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
  remove: endpoint({
    method: 'DELETE',
    path: 'trucks/{uid}',
    access: edit,
    summary: 'Deletes a truck; its past stays.',
    params: z.strictObject({ uid }),
    reply: one(z.strictObject({ uid })),
  }),
  history: historyOf('trucks', view),
}
