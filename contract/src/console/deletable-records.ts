import { addresses } from '../catalog/addresses.ts'
import { artworkSets } from '../catalog/artwork.ts'
import { clients } from '../catalog/clients.ts'
import { devices } from '../catalog/devices.ts'
import { markets } from '../catalog/markets.ts'
import { pixel } from '../catalog/pixel-maps.ts'
import { programs } from '../catalog/programs.ts'
import { trucks } from '../catalog/trucks.ts'
import { users } from '../catalog/users.ts'
import { payroll } from '../pay/payroll.ts'
import { shifts } from '../planning/shifts.ts'
import type { RecordKindName } from '../platform/record-kinds.ts'
import { pops } from '../proof/pop.ts'
import { incidents } from './incidents.ts'

/** The calls of each kind of record that can be deleted. Pay adjustments have their history in that of all. */
export const deletableRecords = {
  addressSet: addresses,
  artworkSet: artworkSets,
  client: clients,
  program: programs,
  device: devices,
  incident: incidents,
  market: markets,
  payAdjustment: { restore: payroll.restoreAdjustment },
  pixelMap: pixel,
  photo: { get: pops.photo, remove: pops.removePhoto, history: pops.photoHistory, restore: pops.restorePhoto },
  shift: shifts,
  truck: trucks,
  user: users,
} as const satisfies Record<RecordKindName, object>
