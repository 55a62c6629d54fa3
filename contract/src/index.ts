export * from './addresses.ts'
export * from './artwork.ts'
export * from './audit-log.ts'
export * from './auth.ts'
export * from './calendar.ts'
export * from './clients.ts'
export * from './common.ts'
export * from './constants.ts'
export * from './device-events.ts'
export * from './devices.ts'
export * from './endpoint.ts'
export * from './errors.ts'
export * from './files.ts'
export * from './fleet.ts'
export * from './geo.ts'
export * from './history.ts'
export * from './imports.ts'
export * from './issues.ts'
export * from './jump.ts'
export * from './legacy.ts'
export * from './markets.ts'
export * from './pay-files.ts'
export * from './pay-periods.ts'
export * from './payroll.ts'
export * from './permissions.ts'
export * from './pixel.ts'
export * from './pop-document.ts'
export * from './pop-public.ts'
export * from './pop.ts'
export * from './programs.ts'
export * from './reports.ts'
export * from './retries.ts'
export * from './settings.ts'
export * from './shift-time.ts'
export * from './shift-upload.ts'
export * from './shifts.ts'
export * from './smart-directional.ts'
export * from './sockets.ts'
export * from './trucks.ts'
export * from './users.ts'
export * from './weblog.ts'

import { addresses } from './addresses.ts'
import { artworkSets } from './artwork.ts'
import { auditLog } from './audit-log.ts'
import { auth } from './auth.ts'
import { calendar } from './calendar.ts'
import { clients } from './clients.ts'
import { devices } from './devices.ts'
import type { Endpoint } from './endpoint.ts'
import { files } from './files.ts'
import { fleet } from './fleet.ts'
import { jump } from './jump.ts'
import { legacy } from './legacy.ts'
import { markets } from './markets.ts'
import { payroll } from './payroll.ts'
import { programs } from './programs.ts'
import { pixel } from './pixel.ts'
import { publicPop } from './pop-public.ts'
import { pops } from './pop.ts'
import { adLog, sdReport } from './reports.ts'
import { settings } from './settings.ts'
import { shiftUpload } from './shift-upload.ts'
import { shifts } from './shifts.ts'
import { trucks } from './trucks.ts'
import { users } from './users.ts'
import { weblog } from './weblog.ts'

/** Every call of the API, by domain. */
export const contract = {
  addresses,
  artworkSets,
  auth,
  files,
  fleet,
  clients,
  programs,
  markets,
  settings,
  shifts,
  shiftUpload,
  calendar,
  trucks,
  users,
  payroll,
  weblog,
  auditLog,
  devices,
  jump,
  pixel,
  pops,
  publicPop,
  sdReport,
  adLog,
  ...legacy,
}
export const endpoints: Endpoint[] = Object.values(contract).flatMap((domain): Endpoint[] => Object.values(domain))
