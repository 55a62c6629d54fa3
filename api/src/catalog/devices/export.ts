import { type Device, deviceKindLabel, type devices, deviceStateLabel, type QueryOf } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'

export const deviceSheet = {
  name: 'devices',
  columns: {
    'MAC address': (device: Device) => device.macAddress,
    Kind: (device: Device) => deviceKindLabel[device.kind],
    State: (device: Device) => deviceStateLabel[device.state],
    Paired: timeColumn((device: Device) => device.pairedAt),
    Revoked: timeColumn((device: Device) => device.revokedAt),
    Seen: timeColumn((device: Device) => device.seenAt),
  },
  filters: async (_db: Db, _scope: Scope, { kind, truck }: QueryOf<typeof devices.list>) => [
    ...(kind ? [`kind: ${kind.map((name) => deviceKindLabel[name]).join(', ')}`] : []),
    ...(truck ? [`${truck.length} ${truck.length === 1 ? 'truck' : 'trucks'}`] : []),
  ],
}
