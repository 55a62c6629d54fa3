import { type Device, deviceKindLabel, type devices, deviceStateLabel, type QueryOf } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { formatUtc } from '../../platform/spreadsheet/sheet.ts'

const when = (instant: string | null) => (instant ? formatUtc(instant) : '')

export const deviceSheet = {
  name: 'devices',
  columns: {
    'MAC address': (device: Device) => device.macAddress,
    Kind: (device: Device) => deviceKindLabel[device.kind],
    State: (device: Device) => deviceStateLabel[device.state],
    'Paired (UTC)': (device: Device) => when(device.pairedAt),
    'Revoked (UTC)': (device: Device) => when(device.revokedAt),
    'Seen (UTC)': (device: Device) => when(device.seenAt),
  },
  filters: async (_db: Db, _scope: Scope, { kind, truck }: QueryOf<typeof devices.list>) => [
    ...(kind ? [`kind: ${kind.map((name) => deviceKindLabel[name]).join(', ')}`] : []),
    ...(truck ? [`${truck.length} ${truck.length === 1 ? 'truck' : 'trucks'}`] : []),
  ],
}
