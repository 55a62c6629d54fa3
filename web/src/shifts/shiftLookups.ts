import { shifts } from '@roadshow/contract/shifts'
import type { RowOf } from '@roadshow/contract/endpoint'
import { truckStateLabel } from '@roadshow/contract/trucks'
import type { Lookup } from '../ui/Pick.tsx'

/** A truck in every form that plans one. */
export const truckLookup: Lookup<RowOf<typeof shifts.trucks>> = {
  list: shifts.trucks,
  sort: 'name',
  nameOf: ({ name, state }) => (state === 'active' ? name : `${name} (${truckStateLabel[state].toLowerCase()})`),
}

/** A driver in every form and filter of the schedule. */
export const driverLookup: Lookup<RowOf<typeof shifts.drivers>> = {
  list: shifts.drivers,
  sort: 'name',
  nameOf: ({ name }) => name,
}
