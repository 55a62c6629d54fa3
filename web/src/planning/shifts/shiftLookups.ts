import { shifts } from '@roadshow/contract/planning/shifts'
import type { RowOf } from '@roadshow/contract/platform/endpoint'
import { truckStateLabel } from '@roadshow/contract/catalog/trucks'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'

/** A program in every form that plans for one. Clients may give two of theirs the same name. */
export const plannedProgramLookup: Lookup<RowOf<typeof shifts.programs>> = {
  list: shifts.programs,
  sort: 'name',
  opensIn: { path: '/client-programs' },
  nameOf: ({ name, client }) => `${name} (${client})`,
}

/** A truck in every form that plans one. */
export const truckLookup: Lookup<RowOf<typeof shifts.trucks>> = {
  list: shifts.trucks,
  sort: 'name',
  opensIn: { path: '/trucks' },
  nameOf: ({ name, state }) => (state === 'active' ? name : `${name} (${truckStateLabel[state].toLowerCase()})`),
}

/** A driver in every form and filter of the schedule. */
export const driverLookup: Lookup<RowOf<typeof shifts.drivers>> = {
  list: shifts.drivers,
  sort: 'name',
  opensIn: { path: '/users' },
  nameOf: ({ name }) => name,
}
